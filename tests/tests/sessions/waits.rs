//! Waiting for a condition.

use std::net::TcpListener;

use execgate_tests::Answer;
use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use super::place::{Place, UNTIL_GO};

/// Milliseconds that are enough for anything.
const LONG: u64 = 600_000;

/// What a wait ended by, and what it found.
fn met(answer: &Answer) -> (String, Value) {
    let wait = &answer.details()["wait"];
    let met = wait["met"].as_str().unwrap_or_default();
    (met.to_owned(), wait["matched"].clone())
}

fn assert_met(answer: &Answer, how: &str, matched: &Value) {
    assert!(!answer.is_error(), "{answer:?}");
    assert_eq!(met(answer), (how.to_owned(), matched.clone()), "{answer:?}");
}

/// The wait goes on aside while something is done, and ends by it.
fn wait_while(place: &mut Place, session: &str, what: Value, act: impl Fn(&mut Place)) -> Answer {
    let what = super::place::merged(what, &json!({"timeout": LONG}));
    let id = place.send_act("wait", session, &what);
    act(place);
    place.caller.answer(&id)
}

#[test]
fn text_that_comes_ends_the_wait() {
    let mut place = Place::full();
    let session = place.start("cat");
    let answer = wait_while(&mut place, &session, json!({"text": "ready"}), |place| {
        place.write(&session, "not yet\n");
        place.write(&session, "now ready to serve\n");
    });
    assert_met(&answer, "text", &"ready".into());
    assert!(answer.text().contains("now ready to serve"), "{answer:?}");
}

#[test]
fn a_pattern_ends_the_wait_by_what_it_matches() {
    let mut place = Place::full();
    let session = place.start("cat");
    let what = json!({"pattern": "^port (\\d+)$"});
    let answer = wait_while(&mut place, &session, what, |place| {
        place.write(&session, "a port 1 b\nport 4567\n");
    });
    assert_met(&answer, "pattern", &"port 4567".into());
}

/// What came before the wait, and was shown to nobody, counts; what was shown does not.
#[test]
fn output_that_was_shown_is_no_answer() {
    let mut place = Place::full();
    let session = place.start("cat");
    place.write(&session, "ready\n");
    place.await_output(&session, "ready");
    let what = json!({"text": "ready", "timeout": LONG});
    assert_met(&place.act("wait", &session, &what), "text", &"ready".into());
    let what = json!({"text": "ready", "timeout": 50});
    assert_met(&place.act("wait", &session, &what), "time", &Value::Null);
}

#[test]
fn quiet_ends_the_wait() {
    let mut place = Place::full();
    let session = place.start("cat");
    let what = json!({"quietMs": 50, "timeout": LONG});
    assert_met(&place.act("wait", &session, &what), "quiet", &Value::Null);
}

#[test]
fn a_port_ends_the_wait_when_something_listens_on_it() {
    let mut place = Place::full();
    let session = place.start("cat");
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("there is a free port");
    let port = listener.local_addr().expect("it is bound").port();
    drop(listener);
    let what = json!({"port": port, "timeout": 50});
    assert_met(&place.act("wait", &session, &what), "time", &Value::Null);
    let id = place.send_act("wait", &session, &json!({"port": port, "timeout": LONG}));
    let _listener = TcpListener::bind(("127.0.0.1", port)).expect("the port is free again");
    let answer = place.caller.answer(&id);
    assert_met(&answer, "port", &port.to_string().into());
}

#[test]
fn a_file_ends_the_wait_when_it_is_there() {
    let mut place = Place::full();
    let session = place.start("cat");
    let answer = wait_while(&mut place, &session, json!({"file": "made"}), |place| {
        place.make("made");
    });
    let path = place.scratch.workspace().join("made");
    assert_met(&answer, "file", &json!(path));
}

/// A wait must not tell what lies elsewhere.
#[test]
fn only_files_of_the_workspace_are_waited_for() {
    let mut place = Place::full();
    let session = place.start("cat");
    let secret = place.scratch.outside().join("secret.txt");
    let secret = secret.to_string_lossy();
    for file in [
        "/etc/passwd",
        "../out/secret.txt",
        "leak/secret.txt",
        &secret,
    ] {
        let answer = place.act("wait", &session, &json!({"file": file, "timeout": LONG}));
        assert!(answer.is_error(), "{file}: {answer:?}");
        assert!(
            answer.text().contains("outside the workspace"),
            "{answer:?}"
        );
        assert_eq!(answer.text().lines().count(), 1, "{answer:?}");
    }
    place.write(&session, "alive\n");
    place.await_output(&session, "alive");
}

#[test]
fn the_end_of_the_session_ends_every_wait() {
    for what in [
        json!({}),
        json!({"text": "never"}),
        json!({"pattern": "never"}),
        json!({"file": "never"}),
        json!({"quietMs": LONG}),
    ] {
        let mut place = Place::full();
        let session = place.start(&format!("{UNTIL_GO}; echo over; exit 3"));
        let answer = wait_while(&mut place, &session, what, |place| place.make("go"));
        assert_met(&answer, "exit", &Value::Null);
        assert_eq!(answer.details()["exitCode"], 3);
        assert!(answer.text().contains("over"), "{answer:?}");
        // Of one that has ended, the next wait says so at once.
        let again = place.act("wait", &session, &json!({"timeout": LONG}));
        assert_met(&again, "exit", &Value::Null);
    }
}

/// Output that comes with the end is what was waited for.
#[test]
fn the_last_words_are_found() {
    let mut place = Place::full();
    let session = place.start(&format!("{UNTIL_GO}; printf 'all done'"));
    let answer = wait_while(&mut place, &session, json!({"text": "all done"}), |place| {
        place.make("go");
    });
    assert_met(&answer, "text", &"all done".into());
}

#[test]
fn of_several_conditions_the_first_ends_the_wait() {
    let mut place = Place::full();
    let session = place.start("cat");
    let what = json!({"text": "never", "pattern": "n.ver", "file": "made"});
    let answer = wait_while(&mut place, &session, what, |place| place.make("made"));
    assert_eq!(met(&answer).0, "file");
}

#[test]
fn a_wait_whose_time_is_up_is_no_error_and_the_session_goes_on() {
    let mut place = Place::full();
    let session = place.start("cat");
    let answer = place.act("wait", &session, &json!({"text": "never", "timeout": 50}));
    assert_met(&answer, "time", &Value::Null);
    assert_eq!(answer.details()["status"], "running");
    assert!(answer.text().contains("no error"), "{answer:?}");
    place.write(&session, "alive\n");
    place.await_output(&session, "alive");
}

/// What a terminal shows of our own input is never the answer to a wait, however it was sent.
#[test]
fn the_echo_of_our_own_input_is_no_answer() {
    let mut place = Place::full();
    let session = place.start_with("cat > read", &json!({"pty": true}));
    let sent = [
        ("write", json!({"data": "my needle one\n"})),
        ("write", json!({"data": "my needle two"})),
        (
            "write",
            json!({"data": "\nneedle three\nand needle four\n"}),
        ),
        (
            "send-keys",
            json!({"literal": "needle five", "keys": ["enter"]}),
        ),
        ("paste", json!({"text": "needle six\n", "bracketed": false})),
    ];
    for (index, (action, more)) in sent.into_iter().enumerate() {
        let answer = place.act(action, &session, &more);
        assert!(!answer.is_error(), "{answer:?}");
        let numbers = [
            &["one"] as &[&str],
            &["two"],
            &["three", "four"],
            &["five"],
            &["six"],
        ];
        for number in numbers[index] {
            place.await_output(&session, &format!("needle {number}"));
        }
        for what in [json!({"text": "needle"}), json!({"pattern": "nee+dle"})] {
            let what = super::place::merged(what, &json!({"timeout": 50}));
            let answer = place.act("wait", &session, &what);
            assert_met(&answer, "time", &Value::Null);
        }
    }
}

/// What the program says to it is, even where it says the same.
#[test]
fn an_answer_that_repeats_our_input_is_found() {
    let mut place = Place::full();
    let session = place.start_with("cat", &json!({"pty": true}));
    place.write(&session, "needle\n");
    let answer = place.act(
        "wait",
        &session,
        &json!({"text": "needle", "timeout": LONG}),
    );
    assert_met(&answer, "text", &"needle".into());
}

/// Only looks that found nothing are counted: a wait whose condition came true has found something.
#[test]
fn a_wait_that_was_worth_it_is_no_empty_look() {
    let mut place = Place::full();
    let session = place.start("cat");
    place.make("made");
    for _ in 0..4 {
        let what = json!({"file": "made", "timeout": LONG});
        let answer = place.act("wait", &session, &what);
        assert_eq!(met(&answer).0, "file");
        assert!(!answer.text().contains("Stop checking"), "{answer:?}");
    }
}

#[test]
fn conditions_that_cannot_be_are_refused() {
    let mut place = Place::full();
    let session = place.start("cat");
    let table = [
        (json!({"timeout": -1}), "timeout must be"),
        (json!({"timeout": "soon"}), "timeout must be"),
        (json!({"timeout": null}), "timeout must be"),
        (json!({"port": 0}), "port must be from 1 to 65535, not 0"),
        (json!({"port": 65536}), "not 65536"),
        (json!({"port": 1.5}), "not 1.5"),
        (json!({"port": "http"}), "\"port\": expected number"),
        (json!({"pattern": "("}), "pattern `(` cannot be used"),
        (json!({"pattern": "(?<x"}), "cannot be used"),
        (json!({"pattern": "x{1000}{1000}"}), "cannot be used"),
        (json!({"pattern": 5}), "\"pattern\": expected string"),
        (json!({"text": ["a"]}), "\"text\": expected string"),
        (json!({"quietMs": "x"}), "\"quietMs\": expected number"),
        (json!({"quietMs": -5}), "quietMs"),
        (json!({"file": true}), "\"file\": expected string"),
        (json!({"until": "ready"}), "unexpected property \"until\""),
    ];
    for (what, part) in table {
        let answer = place.act("wait", &session, &what);
        assert!(answer.is_error(), "{what}: {answer:?}");
        assert!(answer.text().contains(part), "`{part}` in {answer:?}");
        assert_eq!(answer.text().lines().count(), 1, "one line: {answer:?}");
    }
    place.write(&session, "alive\n");
    place.await_output(&session, "alive");
}
