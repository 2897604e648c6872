use pretty_assertions::assert_eq;
use proptest::prelude::{Strategy, any, prop, proptest};

use super::parse;
use crate::{
    Action, Hunk, HunkLine, Intent, MAX_HUNKS, MAX_PATCH_BYTES, Operation, ParseError, Section,
    files,
};

fn body(lines: &str) -> String {
    format!("*** Begin Patch\n{lines}\n*** End Patch")
}

#[test]
fn every_form_is_read() {
    let text = body(
        "*** Add File: new\n+one\n+\n*** Add File: empty\n*** Delete File: old\n*** Update File: a b\n *** Move to: c\n\n keep\n-go\n+come\n\n@@ fn f()\n+x\n*** End of File\n@@ \n-y\n",
    );
    let hunk = |line, context: Option<&str>, lines, end_of_file| Hunk {
        line,
        context: context.map(str::to_owned),
        lines,
        end_of_file,
    };
    let line = |text: &str| text.to_owned();
    let hunks = vec![
        hunk(
            10,
            None,
            vec![
                HunkLine::Context(line("keep")),
                HunkLine::Remove(line("go")),
                HunkLine::Insert(line("come")),
                HunkLine::Context(line("")),
            ],
            false,
        ),
        hunk(14, Some("fn f()"), vec![HunkLine::Insert(line("x"))], true),
        hunk(
            17,
            None,
            vec![HunkLine::Remove(line("y")), HunkLine::Context(line(""))],
            false,
        ),
    ];
    let section = |line, path: &str, action| Section {
        line,
        path: path.to_owned(),
        action,
    };
    let add = |content: &str| Action::Add {
        content: content.to_owned(),
    };
    let expected = [
        section(2, "new", add("one\n\n")),
        section(5, "empty", add("")),
        section(6, "old", Action::Delete),
        section(
            7,
            "a b",
            Action::Update {
                move_to: Some(line("c")),
                hunks,
            },
        ),
    ];
    let patch = parse(&text).expect("it is a patch");
    assert_eq!(patch.sections, expected);
    let intents: Vec<(String, Operation, Option<String>)> = files(&patch)
        .into_iter()
        .map(
            |Intent {
                 path,
                 operation,
                 move_to,
             }| (path, operation, move_to),
        )
        .collect();
    let expected = [
        (line("new"), Operation::Add, None),
        (line("empty"), Operation::Add, None),
        (line("old"), Operation::Delete, None),
        (line("a b"), Operation::Move, Some(line("c"))),
    ];
    assert_eq!(intents, expected);
}

#[test]
fn wrappings_and_line_endings_make_no_difference() {
    let plain = parse(&body("*** Add File: a\n+x")).expect("it is a patch");
    let text = body("*** Add File: a\n+x");
    let forms = [
        format!("\u{feff}\n {text} \n\n"),
        text.replace('\n', "\r\n"),
        format!("<<EOF\n{text}\nEOF"),
        format!("<<'EOF'\n{text}\nEOF\n"),
        format!("<<\"EOF\"\n{text}\n  EOF"),
        text.replace("*** Begin Patch", "*** Begin Patch  "),
        text.replace("*** Add", "  *** Add"),
    ];
    for form in forms {
        assert_eq!(parse(&form).as_ref(), Ok(&plain), "{form:?}");
    }
}

#[test]
fn errors_say_where_what_and_what_instead() {
    let header = |line, found: &str| ParseError::Header {
        line,
        found: found.to_owned(),
    };
    let table = [
        (" \n".to_owned(), ParseError::Empty),
        (
            "*** Begin Patch\n*** End Patch".to_owned(),
            ParseError::NoSections,
        ),
        (
            "no".to_owned(),
            ParseError::Begin {
                found: "no".to_owned(),
            },
        ),
        (
            "*** Begin Patch\n*** Add File: a\n+x".to_owned(),
            ParseError::End {
                line: 3,
                found: "+x".to_owned(),
            },
        ),
        (
            "*** Begin Patch".to_owned(),
            ParseError::End {
                line: 1,
                found: "*** Begin Patch".to_owned(),
            },
        ),
        (
            "<<EOF\nx\ny\nEOF".to_owned(),
            ParseError::Begin {
                found: "x".to_owned(),
            },
        ),
        (body("*** Rename File: a"), header(2, "*** Rename File: a")),
        (body("*** Add File: "), header(2, "*** Add File: ")),
        (body("*** Add File: a\nx"), header(3, "x")),
        (
            body("*** Update File: a"),
            ParseError::EmptyUpdate {
                line: 2,
                path: "a".to_owned(),
            },
        ),
        (
            body("*** Update File: a\n@@"),
            ParseError::EmptyHunk { line: 4 },
        ),
        (
            body("*** Update File: a\n@@\n*** End of File"),
            ParseError::EmptyHunk { line: 4 },
        ),
        (
            body("*** Update File: a\n@@\nx"),
            ParseError::Line {
                line: 4,
                found: "x".to_owned(),
            },
        ),
        (
            body("*** Update File: a\n@@\n x\nbad"),
            ParseError::Marker {
                line: 5,
                found: "bad".to_owned(),
            },
        ),
        (
            body("*** Update File: a\n@@\n x\n@@bad"),
            ParseError::Marker {
                line: 5,
                found: "@@bad".to_owned(),
            },
        ),
    ];
    for (text, expected) in table {
        assert_eq!(parse(&text), Err(expected), "{text:?}");
    }
}

#[test]
fn size_and_hunks_are_bounded_and_the_error_says_how() {
    let long = "x".repeat(MAX_PATCH_BYTES + 1);
    assert_eq!(
        parse(&long).expect_err("it is too long").to_string(),
        "Invalid patch: it has 2097153 bytes, at most 2097152 are read. Split it into several patches."
    );
    let many = body(&"*** Add File: a\n".repeat(MAX_HUNKS + 1));
    assert_eq!(
        parse(&many).expect_err("there are too many").to_string(),
        "Invalid patch hunk at line 10002: more than 10000 hunks. Split the patch into several."
    );
    assert!(parse(&body("*** Add File: a\n".repeat(MAX_HUNKS).trim_end())).is_ok());
}

#[test]
fn long_lines_are_cut_in_errors() {
    let error = parse(&body(&"x".repeat(100_000))).expect_err("it is no header");
    assert!(error.to_string().len() < 1_000);
}

/// Lines that are nearly right.
fn line() -> impl Strategy<Value = String> {
    let marks = "(\\*\\*\\* (Begin Patch|End Patch|Add File: |Delete File: |Update File: |Move to: |End of File))?|@@ ?|[-+ ]|<<EOF|EOF";
    (marks, "[a\u{feff}\u{e9} \t\r]{0,3}").prop_map(|(mark, rest)| mark + &rest)
}

proptest! {
    #[test]
    fn no_text_panics(text in any::<String>()) {
        let _ = parse(&text);
    }

    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = parse(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn no_lines_panic(lines in prop::collection::vec(line(), 0..20)) {
        let text = lines.join("\n");
        let _ = parse(&text);
        if let Err(error) = parse(&body(&text)) {
            assert!(!error.expected().is_empty());
            assert!(error.line().is_none_or(|line| line <= lines.len() + 2));
        }
    }
}
