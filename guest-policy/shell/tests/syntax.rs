//! The table of texts that bash accepts or refuses: what is accepted is read, and no command is missed.
#![expect(
    clippy::unwrap_used,
    reason = "helpers of tests fail and speak as tests do"
)]

use std::path::PathBuf;

use execgate_shell::{OpaqueReason, Source, analyze};
use pretty_assertions::assert_eq;

struct Row {
    id: String,
    text: String,
    accepted: bool,
}

fn rows() -> Vec<Row> {
    let folder = std::env::var_os("EXECGATE_CASES").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/cases")),
        PathBuf::from,
    );
    let table = std::fs::read_to_string(folder.join("syntax.jsonl")).unwrap();
    table
        .lines()
        .map(|line| {
            let row: serde_json::Value = serde_json::from_str(line).unwrap();
            Row {
                id: row["id"].as_str().unwrap().to_owned(),
                text: row["text"].as_str().unwrap().to_owned(),
                accepted: row["bash_accepts"].as_bool().unwrap(),
            }
        })
        .collect()
}

/// The program took this text for one of its own options, so the row says nothing of the grammar.
const TAKEN_FOR_AN_OPTION: &str = "s-32e3c01f";

#[test]
fn what_bash_accepts_is_read_and_what_it_refuses_is_opaque() {
    let mut wrong = Vec::new();
    for row in rows()
        .into_iter()
        .filter(|row| row.id != TAKEN_FOR_AN_OPTION)
    {
        let line = analyze(&Source {
            text: &row.text,
            ..Source::default()
        });
        let refused = line
            .opaque
            .iter()
            .any(|opaque| opaque.reason == OpaqueReason::Syntax);
        if refused == row.accepted {
            wrong.push((row.id, row.text, line.opaque));
        }
    }
    assert_eq!(wrong, []);
}

/// Operands of each `rm` that bash would or could run, by row; rows without one are left out.
const REMOVALS: &[(&str, &[&str])] = &[
    ("s-01e44f55", &["x"]),
    ("s-048920bf", &["x"]),
    ("s-068d5d2c", &["a", "c"]),
    ("s-06fe6602", &["x"]),
    ("s-0b452220", &["x"]),
    ("s-0cbb2833", &[]),
    ("s-0b9ae448", &["x"]),
    ("s-10a593a5", &["x"]),
    ("s-11172865", &["-rf x"]),
    ("s-11accd1b", &["yes"]),
    ("s-1242534b", &["x", "y"]),
    ("s-1a21df99", &["x"]),
    ("s-1e0a0394", &["x"]),
    ("s-20ef739e", &[]),
    ("s-24d67c09", &["x"]),
    ("s-2cd51b56", &["inside", "two", "three"]),
    ("s-314eb0a2", &["x"]),
    ("s-38ebf638", &["?"]),
    ("s-38f82110", &["yes"]),
    ("s-3a670540", &["a"]),
    ("s-3d8aab34", &["yes"]),
    ("s-412ad982", &["a"]),
    ("s-44519d04", &["x"]),
    ("s-45fabb36", &["x"]),
    ("s-47fce9fc", &["x"]),
    ("s-49ed1a2f", &["x"]),
    ("s-508fe803", &["-rf x"]),
    ("s-51dc4d05", &["x"]),
    ("s-5707f234", &["x", "y"]),
    ("s-58638a3e", &["x"]),
    ("s-63260211", &["x", "y"]),
    ("s-657a0bef", &["x"]),
    ("s-688f6403", &["x"]),
    ("s-6bdacea1", &["a", "b", "c", "d"]),
    ("s-6c11f5e0", &["z"]),
    ("s-725e97ef", &["x"]),
    ("s-74792da8", &["x"]),
    ("s-7ba873cf", &["x"]),
    ("s-7f2b956a", &["x"]),
    ("s-813ca312", &["a", "b"]),
    ("s-82911ed7", &["x"]),
    ("s-8783f8e5", &["x"]),
    ("s-8b4ed27d", &["x"]),
    ("s-917b1885", &["x", "y"]),
    ("s-924b79c4", &[]),
    ("s-967a255c", &["x"]),
    ("s-99d676a6", &["x"]),
    ("s-9a99ede6", &[]),
    ("s-9c66a4d3", &["a"]),
    ("s-a26df081", &["x"]),
    ("s-a4f64926", &["x"]),
    ("s-a713237c", &["a"]),
];

#[test]
fn every_removal_that_bash_would_run_is_found_and_no_other() {
    let mut wrong = Vec::new();
    for row in rows()
        .into_iter()
        .filter(|row| row.accepted && row.text.contains("rm"))
    {
        let line = analyze(&Source {
            text: &row.text,
            ..Source::default()
        });
        let found: Vec<String> = line
            .segments
            .iter()
            .filter(|segment| {
                segment
                    .words
                    .first()
                    .is_some_and(|word| word.value.as_deref() == Some("rm"))
            })
            .map(|segment| {
                let operands = segment.words[1..]
                    .iter()
                    .map(|word| word.value.as_deref().unwrap_or("?"));
                operands.collect::<Vec<_>>().join(" ")
            })
            .collect();
        let expected = REMOVALS
            .iter()
            .find(|(id, _)| *id == row.id)
            .map_or(&[][..], |(_, operands)| operands);
        if found != expected {
            wrong.push((row.id, row.text, found));
        }
    }
    assert_eq!(wrong, []);
}
