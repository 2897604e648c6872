use pretty_assertions::assert_eq;
use proptest::prelude::{Strategy, prop, prop_assert_eq, proptest};

use super::{Found, Misfit, Sought, edit};
use crate::{Action, Hunk, HunkLine, parse};

/// The hunks of an update with these lines.
fn hunks(lines: &str) -> Vec<Hunk> {
    let text = format!("*** Begin Patch\n*** Update File: f\n{lines}\n*** End Patch");
    match parse(&text).expect(lines).sections.remove(0).action {
        Action::Update { hunks, .. } => hunks,
        other => panic!("{other:?}"),
    }
}

#[test]
fn hunks_change_what_they_name_and_nothing_else() {
    let table: &[(&str, &str, &str)] = &[
        ("a\nb\nc\n", "@@\n a\n-b\n+B\n c", "a\nB\nc\n"),
        ("a\nb\n", "-b\n+B", "a\nB\n"),
        ("a\nb\nc\nd\n", "@@\n-a\n+A\n@@\n-d\n+D", "A\nb\nc\nD\n"),
        ("f\n x\ng\n x\n", "@@ g\n- x\n+ y", "f\n x\ng\n y\n"),
        ("f\ng\nh\n", "@@ f\n+new", "f\nnew\ng\nh\n"),
        ("f\ng\n", "@@ f\n+new\n*** End of File", "f\ng\nnew\n"),
        ("a\n", "@@\n+new", "a\nnew\n"),
        ("", "@@\n+new", "new\n"),
        ("a\n", "@@\n-a", ""),
        (
            "x\ny\nx\ny\n",
            "@@\n x\n-y\n+z\n*** End of File",
            "x\ny\nx\nz\n",
        ),
        // Line endings, one file.
        ("a\r\nb\r\n", "@@\n a\n-b\n+B\n+C", "a\r\nB\r\nC\r\n"),
        (
            "a\r\nb\nc\r\n",
            "@@\n-a\n-b\n-c\n+A\n+B\n+C",
            "A\r\nB\nC\r\n",
        ),
        ("a\r\nb\nc\n", "@@\n-b\n+B\n+B", "a\r\nB\nB\nc\n"),
        ("a\rb\r", "@@\n-b\n+B", "a\rB\r"),
        ("a\r\n", "@@\n+new", "a\r\nnew\r\n"),
        // No final line ending.
        ("a\nb", "@@\n-a\n+A", "A\nb"),
        ("a\nb", "@@\n-b\n+B", "a\nB"),
        ("a\nb", "@@\n-b\n+B\n+C", "a\nB\nC"),
        ("a\nb", "@@\n b\n+c", "a\nb\nc"),
        ("a\nb", "@@\n+c", "a\nb\nc"),
        ("a\r\nb", "@@\n-b", "a"),
        // A mark at the beginning.
        ("\u{feff}a\nb\n", "@@\n-a\n+A", "\u{feff}A\nb\n"),
        // Tolerance, where what stays keeps its own bytes.
        ("  a  \n\tb\n", "@@\n a\n-b\n+B", "  a  \nB\n"),
        ("a’s — b\nc\n", "@@\n a's - b\n-c\n+d", "a’s — b\nd\n"),
        // A blank line at the end of a hunk.
        ("a\n", "@@\n a\n+b\n", "a\nb\n"),
        ("a\n", "@@\n-a\n-\n+b\n+", "b\n"),
        ("a\nb\n", "@@\n+c\n", "a\nb\nc\n"),
        ("a\nb\n", "@@ a\n+c\n ", "a\nc\nb\n"),
        ("a\n\nb\n", "@@\n a\n\n+c", "a\n\nc\nb\n"),
    ];
    for (content, lines, expected) in table {
        let found = edit(content.as_bytes(), &hunks(lines)).expect(lines);
        assert_eq!(String::from_utf8_lossy(&found), *expected, "{lines}");
    }
}

#[test]
fn bytes_that_are_no_text_stay() {
    let found = edit(b"caf\xe9\nbar\n", &hunks("@@\n-bar\n+baz")).expect("it fits");
    assert_eq!(found, b"caf\xe9\nbaz\n");
}

#[test]
fn what_does_not_fit_is_told_with_its_places() {
    let lines = |text: &str| Sought::Lines(text.to_owned());
    let context = |text: &str| Sought::Context(text.to_owned());
    let nothing = |text: &str| Found::Nothing(text.to_owned());
    let table: &[(&str, &str, usize, Sought, Found)] = &[
        (
            "f {\n  x\n}\ng {\n  x\n}\n",
            "@@\n-  x\n+  y",
            0,
            lines("  x"),
            Found::Places(vec![2, 5]),
        ),
        (
            "a\nb\n",
            "@@\n-b\n+B\n@@\n-a\n+A",
            1,
            lines("a"),
            nothing(
                "it is at line 1, but the search begins at line 3, after the hunks before: put the hunks in the order of the file",
            ),
        ),
        (
            "a\na\n",
            "@@ a\n+b",
            0,
            context("a"),
            Found::Places(vec![1, 2]),
        ),
        (
            "a\n",
            "@@ b\n+c",
            0,
            context("b"),
            nothing("its first line is nowhere in the file of 1 lines"),
        ),
        (
            "a\nb\n",
            "@@\n a\n-c\n",
            0,
            lines("a\nc\n"),
            nothing(
                "nearest candidate at line 1: its first 1 of 3 lines are there, then line 2 has `b` where the hunk has `c`",
            ),
        ),
        (
            "a\nx\na\ny\n",
            "@@\n-a\n",
            0,
            lines("a\n"),
            Found::Places(vec![1, 3]),
        ),
    ];
    for (content, text, hunk, sought, found) in table {
        let expected = Misfit {
            hunk: *hunk,
            sought: sought.clone(),
            found: found.clone(),
        };
        assert_eq!(edit(content.as_bytes(), &hunks(text)), Err(expected));
    }
}

/// A hunk that turns one line into another, between lines that are unlike all others.
fn change(index: usize, old: &str, new: &str) -> Hunk {
    Hunk {
        line: 1,
        context: None,
        lines: vec![
            HunkLine::Context(format!("before {index}")),
            HunkLine::Remove(old.to_owned()),
            HunkLine::Insert(new.to_owned()),
        ],
        end_of_file: false,
    }
}

fn word() -> impl Strategy<Value = String> {
    "[a-c ’é]{0,3}"
}

proptest! {
    #[test]
    fn reversed_hunks_give_the_original_back(
        lines in prop::collection::vec((word(), word(), prop::bool::ANY, 0_usize..3), 1..12),
        ends in prop::bool::ANY,
    ) {
        let mut content = String::new();
        let (mut there, mut back) = (Vec::new(), Vec::new());
        for (index, (old, new, changes, ending)) in lines.iter().enumerate() {
            let ending = ["\n", "\r\n", "\r"][*ending];
            content += &format!("before {index}{ending}{old}!{ending}");
            if *changes {
                there.push(change(index, &format!("{old}!"), &format!("{new}?")));
                back.push(change(index, &format!("{new}?"), &format!("{old}!")));
            }
        }
        if ends {
            content.push_str("end");
        }
        let changed = edit(content.as_bytes(), &there).expect("it fits");
        let original = edit(&changed, &back).expect("it fits");
        prop_assert_eq!(String::from_utf8_lossy(&original), content);
    }
}
