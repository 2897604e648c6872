//! What PicoClaw's rows do not say of its actions on sessions.

use execgate_tests::{Answer, Caller, Scratch, comes_true};
use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use super::place::merged;

struct Pico {
    caller: Caller,
    scratch: Scratch,
}

impl Pico {
    fn new() -> Self {
        let scratch = Scratch::new();
        Self {
            caller: scratch.call(&["--profile", "picoclaw"]),
            scratch,
        }
    }

    fn start(&mut self, command: &str, more: &Value) -> String {
        let arguments = json!({"action": "run", "command": command, "background": true});
        let answer = self.caller.exec(merged(arguments, more));
        let id = object(&answer)["sessionId"].as_str().map(str::to_owned);
        id.unwrap_or_else(|| panic!("it does not start: {answer:?}"))
    }

    fn act(&mut self, action: &str, session: &str, more: &Value) -> Answer {
        let arguments = json!({"action": action, "sessionId": session});
        self.caller.exec(merged(arguments, more))
    }
}

fn object(answer: &Answer) -> Value {
    serde_json::from_str(answer.text()).unwrap_or_default()
}

fn note(answer: &Answer) -> String {
    let object = object(answer);
    object["note"].as_str().unwrap_or_default().to_owned()
}

/// Every action on sessions, with what it needs.
fn actions() -> Vec<(&'static str, Value)> {
    vec![
        ("list", json!({})),
        ("poll", json!({})),
        ("read", json!({})),
        ("wait", json!({"timeout": 1})),
        ("write", json!({"data": "x"})),
        ("send-keys", json!({"keys": "enter"})),
        ("kill", json!({})),
    ]
}

/// The gate for channels covers every action, not only runs.
#[test]
fn sessions_are_out_of_reach_from_other_channels() {
    let mut pico = Pico::new();
    let session = pico.start("cat", &json!({}));
    for channel in ["telegram", "", "CLI"] {
        for (action, more) in actions() {
            let arguments = merged(json!({"action": action, "sessionId": session}), &more);
            let caller = json!({"agent": "main", "session": "main", "channel": channel});
            let line = json!({"tool": "exec", "args": arguments, "caller": caller});
            let answer = pico.caller.request(line);
            assert!(answer.is_error(), "{channel} {action}: {answer:?}");
            let text = "exec is restricted to internal channels";
            assert!(answer.text().starts_with(text), "{answer:?}");
        }
    }
    let answer = pico.act("poll", &session, &json!({}));
    assert_eq!(object(&answer)["status"], "running", "{answer:?}");
}

/// Whether the end was to be told all along, or is from now on: whoever looks twice in vain is told to stop.
#[test]
fn two_empty_looks_are_advised_where_the_end_is_told_anyway() {
    for notify in [false, true] {
        let mut pico = Pico::new();
        let session = pico.start("sleep 600", &json!({"notify": notify}));
        assert_eq!(note(&pico.act("poll", &session, &json!({}))), "");
        let answer = pico.act("poll", &session, &json!({}));
        assert!(
            note(&answer).contains("stop checking"),
            "{notify}: {answer:?}"
        );
    }
}

/// The second empty look may be a wait: that its end is no error is said all the same.
#[test]
fn a_wait_in_vain_is_no_error_even_when_it_is_the_second_look() {
    let mut pico = Pico::new();
    let session = pico.start("sleep 600", &json!({}));
    pico.act("poll", &session, &json!({}));
    let answer = pico.act("wait", &session, &json!({"timeout": 1}));
    for part in ["stop checking", "not an error"] {
        assert!(note(&answer).contains(part), "`{part}` in {answer:?}");
    }
}

#[test]
fn pages_of_any_size_join_to_the_whole_text() {
    let mut pico = Pico::new();
    let whole = "aé€😀b";
    let session = pico.start(&format!("printf '{whole}'"), &json!({}));
    let ended = comes_true(|| {
        let answer = pico.act("read", &session, &json!({}));
        object(&answer)["status"] == "done"
    });
    assert!(ended);
    for limit in 1..=whole.len() {
        let (mut offset, mut joined) = (Value::from(0), String::new());
        loop {
            let answer = pico.act("read", &session, &json!({"offset": offset, "limit": limit}));
            let page = object(&answer);
            joined.push_str(page["output"].as_str().unwrap_or_default());
            if page["hasMore"] != true {
                break;
            }
            assert_ne!(
                page["nextOffset"], offset,
                "no progress, limit {limit}: {page}"
            );
            offset = page["nextOffset"].clone();
        }
        // What fits on no page is not shown whole.
        assert!(joined == whole || limit < 4, "limit {limit}: {joined}");
    }
}

#[test]
fn arguments_that_cannot_be_are_refused() {
    let mut pico = Pico::new();
    let session = pico.start("cat", &json!({}));
    let table = [
        ("wait", json!({"timeout": 0}), "timeout must be"),
        ("wait", json!({"timeout": -1}), "timeout must be"),
        (
            "wait",
            json!({"timeout": 1.5}),
            "\"timeout\": expected integer",
        ),
        ("read", json!({"offset": -1}), "offset must be"),
        ("read", json!({"limit": 0}), "limit must be"),
        ("read", json!({"limit": -5}), "limit must be"),
        ("read", json!({"limit": "x"}), "\"limit\": expected integer"),
        ("write", json!({"data": 5}), "\"data\": expected string"),
        ("send-keys", json!({"keys": "bogus"}), "unknown key: bogus"),
        ("send-keys", json!({"keys": "ctrl-"}), "invalid"),
        ("search", json!({}), "unknown action: search"),
    ];
    for (action, more, part) in table {
        let answer = pico.act(action, &session, &more);
        assert!(answer.is_error(), "{action} {more}: {answer:?}");
        assert!(answer.text().contains(part), "`{part}` in {answer:?}");
        assert_eq!(answer.user_text(), "");
    }
    for more in [
        json!({"notify": true}),
        json!({"timeout": 5, "background": true}),
    ] {
        let run = merged(json!({"action": "run", "command": "touch ran"}), &more);
        let answer = pico.caller.exec(run);
        assert!(answer.is_error(), "{answer:?}");
        assert!(!pico.scratch.has("ran"));
    }
    let answer = pico.act("poll", &session, &json!({}));
    assert_eq!(object(&answer)["status"], "running", "{answer:?}");
}
