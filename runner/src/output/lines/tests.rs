use super::*;
use crate::cases::rows;
use pretty_assertions::assert_eq;
use proptest::option;
use proptest::prelude::{any, prop_oneof, proptest};
use serde_json::json;

#[test]
fn rows_of_the_openclaw_table_hold() {
    let rows = rows("openclaw.jsonl", "loglines");
    assert!(rows.len() >= 8);
    for row in rows {
        let input = &row["input"];
        let lines = Lines::new(input["text"].as_str().unwrap());
        let slice = lines.slice(input["offset"].as_f64(), input["limit"].as_f64());
        assert_eq!(
            json!({ "slice": slice.text, "totalLines": lines.total(), "totalChars": lines.scalars() }),
            row["expected"]["result"],
            "{}",
            row["id"]
        );
    }
}

#[test]
fn line_ends_are_counted_once() {
    for (text, total, scalars, whole) in [
        ("", 0, 0, ""),
        ("\n", 1, 1, ""),
        ("\r\n", 1, 2, ""),
        ("a", 1, 1, "a"),
        ("a\n", 1, 2, "a"),
        ("a\n\n", 2, 3, "a\n"),
        ("\na", 2, 2, "\na"),
        ("ä\r\nb\rc\r\nd\r", 3, 10, "ä\nb\rc\nd\r"),
    ] {
        let lines = Lines::new(text);
        let slice = lines.slice(Some(0.0), None);
        assert_eq!(
            (lines.total(), lines.scalars(), slice.text.as_str()),
            (total, scalars, whole),
            "{text:?}"
        );
    }
}

#[test]
fn only_the_default_leaves_lines_out() {
    let text: String = (1..=205).map(|n| format!("{n}\n")).collect();
    let lines = Lines::new(&text);
    let shown = |offset, limit| {
        let slice = lines.slice(offset, limit);
        (slice.offset, slice.count, slice.left_out)
    };
    assert_eq!(shown(None, None), (5, 200, true));
    assert!(lines.slice(None, None).text.starts_with("6\n7\n"));
    assert_eq!(shown(None, Some(3.9)), (202, 3, false));
    assert_eq!(shown(None, Some(1e300)), (0, 205, false));
    assert_eq!(shown(Some(3.0), None), (3, 202, false));
    assert_eq!(shown(Some(3.0), Some(2.0)), (3, 2, false));
    assert_eq!(shown(Some(204.0), Some(f64::MAX)), (204, 1, false));
    assert_eq!(shown(Some(f64::NAN), Some(f64::INFINITY)), (5, 200, true));
    assert_eq!(shown(Some(-0.5), Some(-0.5)), (0, 0, false));
    let few = Lines::new("a\nb");
    assert!(!few.slice(None, None).left_out);
}

#[test]
fn matching_lines_come_with_those_around_them() {
    let lines = Lines::new("one\r\ntwo err\nthree\nfour err\nfive\nsix err\n");
    let pattern = Regex::new("err$").unwrap();
    assert_eq!(
        lines.search(&pattern, 1, 2),
        Found {
            matches: vec![
                Match {
                    number: 2,
                    line: "two err",
                    before: vec!["one"],
                    after: vec!["three"]
                },
                Match {
                    number: 4,
                    line: "four err",
                    before: vec!["three"],
                    after: vec!["five"]
                },
            ],
            total: 3,
            more: true,
        }
    );
    let all = lines.search(&pattern, usize::MAX, usize::MAX);
    assert_eq!((all.total, all.more), (3, false));
    assert_eq!(all.matches[2].before.len() + all.matches[2].after.len(), 5);
    let none = lines.search(&pattern, 1, 0);
    assert_eq!((none.matches, none.total, none.more), (vec![], 3, true));
    assert_eq!(Lines::new("").search(&pattern, 1, 1).total, 0);
}

proptest! {
    #[test]
    fn any_slice_is_within_the_text(
        text in "[ab\r\n]{0,60}",
        offset in option::of(prop_oneof![any::<f64>(), -3.0..70.0]),
        limit in option::of(prop_oneof![any::<f64>(), -3.0..70.0]),
    ) {
        let lines = Lines::new(&text);
        let slice = lines.slice(offset, limit);
        let whole = lines.slice(Some(0.0), None).text;
        let expected: Vec<_> = whole.split('\n').skip(slice.offset).take(slice.count).collect();
        assert_eq!(slice.text, expected.join("\n"));
        assert!(slice.offset + slice.count <= lines.total());
    }
}
