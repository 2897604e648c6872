use super::*;
use crate::cases::rows;
use pretty_assertions::assert_eq;
use proptest::prelude::{any, proptest};
use serde_json::json;

#[test]
fn rows_of_the_openclaw_table_hold() {
    let rows = rows("openclaw.jsonl", "name");
    assert!(rows.len() >= 8);
    for row in rows {
        let name = display_name(row["input"]["command"].as_str().unwrap());
        assert_eq!(
            json!({ "name": name }),
            row["expected"]["result"],
            "{}",
            row["id"]
        );
    }
}

#[test]
fn a_name_is_the_first_word_and_what_it_works_on() {
    for (command, expected) in [
        ("ls", Some("ls")),
        ("", None),
        (" \n\t", None),
        ("''", None),
        ("make -j4 all", Some("make all")),
        ("make -j4 -k", Some("make -j4")),
        ("\"my tool\" 'a b'", Some("my tool a b")),
        ("python3 -c 'print(1)'", Some("python3 print(1)")),
        ("echo \"a \\\" b\" c", Some("echo a \\\" b")),
        ("echo '' x", Some("echo x")),
        ("VAR=\"a b\"c run", Some("VAR=\"a b\"c run")),
        // A quote that nothing closes parts words.
        ("echo \"abc def", Some("echo abc")),
        ("it's", Some("it s")),
        ("\"", None),
        ("a\\", Some("a\\")),
        ("a '\\", Some("a \\")),
    ] {
        assert_eq!(display_name(command).as_deref(), expected, "{command:?}");
    }
}

#[test]
fn the_middle_is_cut_out() {
    for (text, max, expected) in [
        ("abcdefghij", 10, "abcdefghij"),
        ("abcdefghij", 9, "abc...hij"),
        ("abcdefghij", 8, "ab...ij"),
        ("abcdefghij", 5, "a...j"),
        ("abcdefghij", 4, "abcd"),
        ("abcdefghij", 0, ""),
        ("äöüäöüäöü", 7, "äö...öü"),
    ] {
        assert_eq!(cut_middle(text, max), expected);
    }
}

proptest! {
    #[test]
    fn any_command_has_a_name_or_none(command in any::<String>(), odd in "[a\"'\\\\ -]{0,20}", max in 0..100_usize) {
        for command in [command, odd] {
            if let Some(name) = display_name(&command) {
                assert!(!name.is_empty());
            }
            assert!(cut_middle(&command, max).chars().count() <= max);
        }
    }
}
