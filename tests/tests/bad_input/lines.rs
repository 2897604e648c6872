//! Lines that are no calls.

use execgate_tests::{Scratch, text};
use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use super::assert_alive;

/// Longest line that is taken, in bytes.
const MAX_LINE: usize = 16 * 1024 * 1024;

fn assert_bad_request(answer: &Value, id: &Value, part: &str) {
    assert_eq!(answer["id"], *id, "{answer}");
    assert_eq!(
        (&answer["isError"], &answer["userText"]),
        (&json!(true), &json!(""))
    );
    assert_eq!(
        answer["details"]["error"]["kind"], "bad-request",
        "{answer}"
    );
    assert_eq!(answer["details"]["error"]["message"], answer["text"]);
    assert!(text(answer, "text").contains(part), "`{part}` in {answer}");
}

#[test]
fn a_line_that_is_no_call_is_answered_and_the_next_one_read() {
    let scratch = Scratch::new();
    let mut caller = scratch.call(&[]);
    let deep = "[".repeat(100_000);
    let table: [(&[u8], Value, &str); 12] = [
        (b"hello", Value::Null, "not JSON"),
        (b"{", Value::Null, "not JSON"),
        (b"\xff\xfe{}", Value::Null, "not JSON"),
        (b"{\"id\": 1, \"tool\": \"\xff\"}", Value::Null, "not JSON"),
        (deep.as_bytes(), Value::Null, "not JSON"),
        (b"[]", Value::Null, "not a call"),
        (b"7", Value::Null, "not a call"),
        (b"{\"id\": 2}", json!(2), "`tool`"),
        (b"{\"id\": 3, \"tool\": \"exec\"}", json!(3), "`args`"),
        (
            b"{\"id\": 4, \"tool\": 5, \"args\": {}}",
            json!(4),
            "string",
        ),
        (
            b"{\"id\": 5, \"tool\": \"exec\", \"args\": []}",
            json!(5),
            "map",
        ),
        (
            b"{\"id\": [6], \"tool\": \"exec\", \"args\": {}, \"caller\": 7}",
            json!([6]),
            "Caller",
        ),
    ];
    for (line, id, part) in table {
        caller.send_raw(&[line, b"\n"].concat());
        let answer = caller.answer(&id);
        assert_bad_request(&answer.0, &id, part);
        assert_alive(&mut caller);
    }
}

#[test]
fn a_line_that_is_too_long_is_refused_and_not_kept() {
    let scratch = Scratch::new();
    let mut caller = scratch.call(&[]);
    caller.send_raw(&vec![b'x'; MAX_LINE + 1]);
    caller.send_raw(b"\n");
    let answer = caller.answer(&Value::Null);
    assert_bad_request(&answer.0, &Value::Null, &format!("{MAX_LINE} bytes"));
    assert_alive(&mut caller);
}

#[test]
fn blank_lines_and_a_missing_last_newline_are_no_errors() {
    let scratch = Scratch::new();
    let input = "\n  \n\r\n{\"id\": 1, \"tool\": \"exec\", \"args\": {\"command\": \"echo last\"}}";
    let finished = scratch.run_with_input(["call"], input);
    let answers = finished.json_lines();
    assert_eq!((finished.code, answers.len()), (0, 1));
    assert_eq!(text(&answers[0], "text"), "last");
}

#[test]
fn an_empty_input_is_an_empty_answer() {
    let scratch = Scratch::new();
    let finished = scratch.run(["call"]);
    assert_eq!((finished.code, finished.stdout.as_str()), (0, ""));
}

#[test]
fn an_agent_is_no_operator() {
    let scratch = Scratch::new();
    let mut caller = scratch.call(&[]);
    for op in ["swap", "rollback", "approve", "override", "fly"] {
        let answer = caller
            .request(json!({"op": op, "slot": "policy", "path": "x"}))
            .0;
        assert_eq!((&answer["op"], &answer["ok"]), (&json!(op), &json!(false)));
        assert!(text(&answer, "error").contains("`execgate call --operator`"));
    }
    assert_eq!(scratch.store().swaps(), Vec::<Value>::new());
    assert_alive(&mut caller);
}

#[test]
fn an_operation_that_is_wrong_is_answered() {
    let scratch = Scratch::new();
    let mut caller = scratch.call(&["--operator"]);
    for (line, part) in [
        (json!({"op": "fly"}), "swap and rollback"),
        (json!({"op": "swap", "slot": "policy"}), "`path`"),
        (json!({"op": "swap", "path": "x"}), "the slots are"),
        (
            json!({"op": "swap", "slot": 5, "path": "x"}),
            "not an operation",
        ),
        (json!({"op": 7}), "not an operation"),
    ] {
        let answer = caller.request(line).0;
        assert_eq!(answer["ok"], false);
        assert!(
            text(&answer, "error").contains(part),
            "`{part}` in {answer}"
        );
        assert_alive(&mut caller);
    }
}
