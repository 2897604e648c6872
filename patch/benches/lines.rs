//! How the time of placing hunks grows with the file and the patch: prints a table, asserts nothing.
//!
//! Each row does the same on half the size as well; twice the time is linear.

#![expect(clippy::print_stdout, reason = "the table is what it is for")]

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use execgate_patch::{Patcher, Settings, parse};

/// A file, and the sections of a patch of it, of a size.
type Case = fn(usize) -> (String, String);

const LINES: usize = 10_000;
const ROUNDS: usize = 15;

fn main() {
    let cases: [(&str, Case); 5] = [
        ("1,000 hunks, lines that are unlike", unlike),
        ("1,000 hunks, white space differs", loose),
        ("1,000 hunks, all lines repeat", repeated),
        ("1,000 hunks, each nearly matches everywhere", nearly),
        ("one hunk that is nowhere, of many equal lines", nowhere),
    ];
    println!("| {LINES} lines | parse, ms | dry run, ms | half the size, ms | ratio |");
    println!("|---|---|---|---|---|");
    for (name, case) in cases {
        let (whole, half) = (measure(case, LINES), measure(case, LINES / 2));
        println!(
            "| {name} | {:.2} | {:.2} | {:.2} | {:.2} |",
            milliseconds(whole.0),
            milliseconds(whole.1),
            milliseconds(half.1),
            whole.1.as_secs_f64() / half.1.as_secs_f64()
        );
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// The fastest of several rounds of parsing and of a dry run.
fn measure(case: Case, lines: usize) -> (Duration, Duration) {
    let (content, sections) = case(lines);
    let text = format!("*** Begin Patch\n{sections}*** End Patch");
    let workspace = tempfile::tempdir().expect("a scratch directory");
    std::fs::write(workspace.path().join("file"), content).expect("it can be written");
    let patcher = Patcher::open(&Settings {
        workspace: workspace.path().to_owned(),
        workspace_only: true,
        home: None,
        state: workspace.path().join(".state"),
        undo_quota_bytes: 0,
    });
    let patcher = patcher.expect("the workspace is there");
    let round = |_| {
        let begin = Instant::now();
        let patch = parse(&text).expect("it is a patch");
        let parsed = begin.elapsed();
        let begin = Instant::now();
        // Whether it fits depends on the case; it is the search that takes the time.
        let _ = std::hint::black_box(patcher.dry_run(&patch));
        (parsed, begin.elapsed())
    };
    let rounds: Vec<(Duration, Duration)> = (0..ROUNDS).map(round).collect();
    let fastest = |time: fn(&(Duration, Duration)) -> Duration| {
        let fastest = rounds.iter().map(time).min();
        fastest.expect("there are rounds")
    };
    (fastest(|round| round.0), fastest(|round| round.1))
}

/// A hunk for every ten lines.
fn hunks(lines: usize, mut hunk: impl FnMut(&mut String, usize)) -> String {
    let mut text = "*** Update File: file\n".to_owned();
    for index in 0..lines / 10 {
        text.push_str("@@\n");
        hunk(&mut text, index * 10);
    }
    text
}

fn put(text: &mut String, line: &str) {
    let _always_fits = writeln!(text, "{line}");
}

fn unlike(lines: usize) -> (String, String) {
    let content = (0..lines)
        .map(|line| format!("    line {line};\n"))
        .collect();
    let patch = hunks(lines, |text, line| {
        put(text, &format!("     line {line};"));
        put(text, &format!("-    line {};", line + 1));
        put(text, &format!("+    other {line};"));
    });
    (content, patch)
}

fn loose(lines: usize) -> (String, String) {
    let content = (0..lines)
        .map(|line| format!("    “line” {line};  \n"))
        .collect();
    let patch = hunks(lines, |text, line| {
        put(text, &format!(" \"line\" {line};"));
        put(text, &format!("-\"line\" {};", line + 1));
        put(text, &format!("+other {line};"));
    });
    (content, patch)
}

/// Blocks of ten lines of which only the number is their own.
fn repeated(lines: usize) -> (String, String) {
    let block = |index: usize| format!("{}n {index}\n", "}\n".repeat(9));
    let content = (0..lines / 10).map(block).collect();
    let patch = hunks(lines, |text, line| {
        for _ in 0..9 {
            put(text, " }");
        }
        put(text, &format!("-n {}", line / 10));
        put(text, &format!("+m {}", line / 10));
    });
    (content, patch)
}

/// Hunks that begin as the whole file does and end otherwise; the last one fits nowhere.
fn nearly(lines: usize) -> (String, String) {
    let content = "x\n".repeat(lines);
    let patch = hunks(lines, |text, line| {
        for _ in 0..9 {
            put(text, " x");
        }
        put(text, &format!("-y {line}"));
    });
    (content, patch)
}

fn nowhere(lines: usize) -> (String, String) {
    let content = format!("{}y\n", "x\n".repeat(lines / 2)).repeat(2);
    let mut patch = "*** Update File: file\n@@\n".to_owned();
    for _ in 0..lines / 2 {
        put(&mut patch, " x");
    }
    put(&mut patch, "-z");
    (content, patch)
}
