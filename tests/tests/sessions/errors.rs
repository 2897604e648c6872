//! What cannot be done: one clear error, and the session unharmed.

use execgate_tests::Answer;
use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use super::place::{Place, session_of};

/// Every action on a session, with what it needs.
fn actions() -> Vec<(&'static str, Value)> {
    vec![
        ("poll", json!({})),
        ("wait", json!({"timeout": 10})),
        ("log", json!({})),
        ("read", json!({})),
        ("search", json!({"pattern": "x"})),
        ("write", json!({"data": "x"})),
        ("submit", json!({})),
        ("paste", json!({"text": "x"})),
        ("send-keys", json!({"keys": ["enter"]})),
        ("signal", json!({"signal": "TERM"})),
        ("kill", json!({})),
        ("clear", json!({})),
        ("remove", json!({})),
    ]
}

/// Those that need a running session.
const FOR_RUNNING: &[&str] = &["write", "submit", "paste", "send-keys", "signal", "kill"];

fn assert_error(answer: &Answer, part: &str) {
    assert!(answer.is_error(), "{answer:?}");
    assert_eq!(answer.details()["status"], "failed", "{answer:?}");
    assert_eq!(answer.details()["error"], answer.text(), "{answer:?}");
    assert!(answer.text().contains(part), "`{part}` in {answer:?}");
    assert_eq!(answer.text().lines().count(), 1, "one line: {answer:?}");
}

fn assert_alive(place: &mut Place, session: &str) {
    place.write(session, "alive\n");
    place.await_output(session, "alive");
}

#[test]
fn a_session_that_does_not_exist_is_named() {
    let mut place = Place::full();
    let session = place.start("cat");
    for (action, more) in actions() {
        for id in ["nope", "../../etc", "a\u{1b}[31m"] {
            let answer = place.act(action, id, &more);
            assert_error(&answer, "ession found for ");
            assert!(!answer.text().contains('\u{1b}'), "{answer:?}");
        }
        assert_error(&place.act(action, "", &more), "sessionId is required");
    }
    assert_alive(&mut place, &session);
}

/// Of another agent's sessions nobody learns that they exist.
#[test]
fn sessions_of_others_do_not_exist() {
    let mut place = Place::full();
    let owner = json!({"agent": "one", "session": "s1", "channel": "cli"});
    let arguments = json!({"command": "cat", "background": true});
    let answer = place
        .caller
        .request(json!({"tool": "exec", "args": arguments, "caller": owner}));
    let session = session_of(&answer);
    let strangers = [
        json!({"agent": "two", "session": "s1", "channel": "cli"}),
        json!({"agent": "one", "session": "s2", "channel": "cli"}),
        json!({"agent": "", "session": "", "channel": "cli"}),
        Value::Null,
    ];
    for stranger in &strangers {
        let mut ask = |action: &str, id: &str, more: &Value| {
            let arguments = super::place::merged(json!({"action": action, "sessionId": id}), more);
            let mut line = json!({"tool": "process", "args": arguments});
            if !stranger.is_null() {
                line["caller"] = stranger.clone();
            }
            place.caller.request(line)
        };
        for (action, more) in actions() {
            let known = ask(action, &session, &more);
            assert_error(&known, "ession found for ");
            // Word for word what is said of one that does not exist.
            let unknown = ask(action, "nope", &more);
            assert_eq!(known.text().replace(&session, "nope"), unknown.text());
        }
        let list = ask("list", "", &json!({}));
        assert_eq!(list.details()["sessions"], json!([]), "{stranger}");
    }
    let arguments = json!({"action": "write", "sessionId": session, "data": "alive\n"});
    let answer = place
        .caller
        .request(json!({"tool": "process", "args": arguments, "caller": owner}));
    assert!(!answer.is_error(), "{answer:?}");
}

#[test]
fn a_finished_session_takes_nothing_and_says_how_it_ended() {
    let mut place = Place::new();
    let session = place.start("echo out; exit 3");
    place.await_end(&session);
    for (action, more) in actions() {
        if FOR_RUNNING.contains(&action) {
            let answer = place.act(action, &session, &more);
            assert_error(&answer, "code 3");
            assert_eq!(answer.details()["errorKind"], "already-exited");
        }
    }
    assert_eq!(place.log(&session), "out");
    assert!(!place.act("clear", &session, &json!({})).is_error());
    assert_error(&place.poll(&session), "No session found for ");
}

#[test]
fn a_running_session_is_not_cleared() {
    let mut place = Place::full();
    let session = place.start("cat");
    let answer = place.act("clear", &session, &json!({}));
    assert_error(&answer, "No finished session found for ");
    assert_alive(&mut place, &session);
}

#[test]
fn arguments_of_the_wrong_shape_are_named() {
    let mut place = Place::full();
    let session = place.start("cat");
    let table = [
        (
            "write",
            json!({"data": 5}),
            "\"data\": expected string, got number",
        ),
        (
            "write",
            json!({"data": null}),
            "\"data\": expected string, got null",
        ),
        (
            "write",
            json!({"data": "x", "eof": "now"}),
            "\"eof\": expected boolean",
        ),
        (
            "paste",
            json!({"text": ["x"]}),
            "\"text\": expected string, got array",
        ),
        (
            "paste",
            json!({"text": "x", "bracketed": 1}),
            "\"bracketed\": expected boolean",
        ),
        (
            "paste",
            json!({"text": "", "bracketed": false}),
            "No paste text provided.",
        ),
        (
            "send-keys",
            json!({"keys": "enter"}),
            "\"keys\": expected list of strings",
        ),
        (
            "send-keys",
            json!({"keys": [1]}),
            "\"keys\": expected list of strings",
        ),
        (
            "send-keys",
            json!({"hex": "41"}),
            "\"hex\": expected list of strings",
        ),
        (
            "send-keys",
            json!({"literal": {}}),
            "\"literal\": expected string",
        ),
        ("log", json!({"offset": "x"}), "\"offset\": expected number"),
        ("log", json!({"limit": true}), "\"limit\": expected number"),
        (
            "poll",
            json!({"sessionId": 5}),
            "\"sessionId\": expected string",
        ),
        ("poll", json!({"fly": true}), "unexpected property \"fly\""),
        (
            "kill",
            json!({"force\n": true}),
            "unexpected property \"force\\n\"",
        ),
    ];
    for (action, more, part) in table {
        assert_error(&place.act(action, &session, &more), part);
    }
    assert_alive(&mut place, &session);
}

#[test]
fn an_action_that_does_not_exist_is_answered_with_those_that_do() {
    let mut place = Place::new();
    for arguments in [
        json!({}),
        json!({"action": "bogus"}),
        json!({"action": 5}),
        json!({"action": null}),
    ] {
        let answer = place.caller.process(arguments);
        assert_error(&answer, "Expected one of: list, poll, log, write");
        for action in ["wait", "read", "search", "signal"] {
            assert!(answer.text().contains(action), "{answer:?}");
        }
    }
}

/// Whatever is not a time is no waiting at all.
#[test]
fn a_poll_takes_any_timeout() {
    let mut place = Place::full();
    let session = place.start("cat");
    for timeout in [
        json!("soon"),
        json!(-5),
        json!(null),
        json!([1]),
        json!("10"),
        json!(1e-9),
    ] {
        let answer = place.act("poll", &session, &json!({"timeout": timeout}));
        assert!(!answer.is_error(), "{timeout}: {answer:?}");
        assert_eq!(answer.details()["status"], "running");
    }
}

/// Without sessions there is no tool to look after them, and a command runs to its end.
#[test]
fn where_nothing_may_go_on_commands_run_to_their_end() {
    let mut place = Place::with(&[("EXECGATE_SESSIONS_ENABLED", "false")]);
    let arguments = json!({"command": "echo out", "background": true});
    let answer = place.caller.exec(arguments);
    assert_eq!(answer.details()["status"], "completed", "{answer:?}");
    assert!(answer.text().starts_with("Warning: "), "{answer:?}");
    assert!(answer.text().ends_with("out"), "{answer:?}");
    let answer = place.caller.process(json!({"action": "list"}));
    assert!(answer.is_error(), "{answer:?}");
    assert!(
        answer.text().contains("unknown tool \"process\""),
        "{answer:?}"
    );
}
