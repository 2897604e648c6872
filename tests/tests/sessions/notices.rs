//! What is told unasked, and the advice to stop asking.

use execgate_tests::Answer;
use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use super::place::{Place, UNTIL_GO, session_of};

const ADVICE: &str = "Stop checking";

/// Ends the stream after a last session of which is told, and counts what was told of another one that had ended before.
fn notices(mut place: Place, session: &str) -> usize {
    let last = place.start_with("echo last", &json!({"notify": true}));
    let mut count = 0;
    loop {
        let event = place.caller.event("session-exited");
        if event["sessionId"] == last {
            break;
        }
        count += usize::from(event["sessionId"] == session);
    }
    let (_, rest, _) = place.caller.finish();
    count
        + rest
            .iter()
            .filter(|line| line["sessionId"] == session)
            .count()
}

fn is_advised(answer: &Answer) -> bool {
    answer.text().contains(ADVICE)
}

#[test]
fn the_end_of_a_background_command_is_told_with_its_result() {
    let mut place = Place::new();
    let arguments = json!({"command": "echo out; exit 3", "background": true});
    let caller = json!({"agent": "scribe", "session": "s7", "channel": "telegram"});
    let answer = place
        .caller
        .request(json!({"tool": "exec", "args": arguments, "caller": caller}));
    let session = session_of(&answer);
    let event = place.caller.event("session-exited");
    assert_eq!(
        json!([event["sessionId"], event["caller"]]),
        json!([session, caller])
    );
    let details = &event["details"];
    assert_eq!(
        json!([
            details["sessionId"],
            details["status"],
            details["exitCode"],
            details["exitReason"],
            details["tail"]
        ]),
        json!([session, "completed", 3, "exit", "out\n"])
    );
    let short: String = session.chars().take(8).collect();
    assert_eq!(
        event["text"],
        format!("Exec completed ({short}, code 3) :: out")
    );
}

#[test]
fn a_long_output_is_told_by_its_end() {
    let mut place = Place::new();
    place.start("seq 1 5000");
    let event = place.caller.event("session-exited");
    let text = event["text"].as_str().unwrap_or_default();
    assert!(text.chars().count() < 250, "{text}");
    assert!(!text.contains('\n'), "{text}");
}

/// What a call says goes before the setting.
#[test]
fn a_call_can_want_or_not_want_to_be_told() {
    for (setting, notify, told) in [
        ("true", Value::Null, 1),
        ("true", false.into(), 0),
        ("false", Value::Null, 0),
        ("false", true.into(), 1),
    ] {
        let mut place = Place::with(&[("EXECGATE_SESSIONS_NOTIFY_ON_EXIT", setting)]);
        let mut more = json!({});
        if notify.is_boolean() {
            more["notify"] = notify.clone();
        }
        let session = place.start_with("echo out", &more);
        place.await_end(&session);
        assert_eq!(notices(place, &session), told, "{setting} {notify}");
    }
}

/// That all went well and there is nothing to say is not said, unless it is wanted.
#[test]
fn an_empty_success_is_told_only_where_that_is_set() {
    for (setting, command, told) in [
        ("false", "true", 0),
        ("false", "false", 1),
        ("false", "echo out", 1),
        ("true", "true", 1),
    ] {
        let mut place = Place::with(&[("EXECGATE_SESSIONS_NOTIFY_ON_EMPTY_SUCCESS", setting)]);
        let session = place.start(command);
        place.await_end(&session);
        assert_eq!(notices(place, &session), told, "{setting} {command}");
    }
}

#[test]
fn a_command_that_was_left_because_it_took_long_is_told_too() {
    let mut place = Place::new();
    let command = format!("{UNTIL_GO}; echo out");
    let answer = place
        .caller
        .exec(json!({"command": command, "yieldMs": 10}));
    let session = session_of(&answer);
    place.make("go");
    assert_eq!(place.caller.event("session-exited")["sessionId"], session);
}

#[test]
fn a_time_limit_is_told() {
    let mut place = Place::new();
    let session = place.start_with("sleep 600", &json!({"timeoutSeconds": 0.1}));
    let event = place.caller.event("session-exited");
    assert_eq!(event["sessionId"], session);
    assert_eq!(event["details"]["timedOut"], true);
    let text = event["text"].as_str().unwrap_or_default();
    assert!(text.starts_with("Exec failed ("), "{text}");
}

/// Whoever ended it knows.
#[test]
fn what_was_killed_or_removed_is_not_told() {
    for action in ["kill", "remove"] {
        let mut place = Place::new();
        let session = place.start("echo out; sleep 600");
        place.await_output(&session, "out");
        place.act(action, &session, &json!({}));
        place.await_end(&session);
        assert_eq!(notices(place, &session), 0, "{action}");
    }
}

/// The stream's end ends sessions; that is no news.
#[test]
fn what_the_end_of_the_stream_ends_is_not_told() {
    let mut place = Place::new();
    place.start("echo out; sleep 600");
    let (code, rest, _) = place.caller.finish();
    assert_eq!((code, rest), (0, Vec::new()));
}

#[test]
fn with_ten_polls_in_flight_the_end_is_told_once() {
    let mut place = Place::new();
    let session = place.start(&format!("{UNTIL_GO}; echo out"));
    let polls: Vec<Value> = (0..10)
        .map(|lane| {
            let arguments = json!({"action": "poll", "sessionId": session, "timeout": 30_000});
            place
                .caller
                .send(json!({"tool": "process", "args": arguments, "lane": format!("p{lane}")}))
        })
        .collect();
    place.make("go");
    for id in &polls {
        assert!(!place.caller.answer(id).is_error());
    }
    place.await_end(&session);
    assert_eq!(notices(place, &session), 1);
}

/// The second look that finds nothing is told to stop, and no earlier one.
#[test]
fn two_empty_looks_in_a_row_are_enough() {
    let mut place = Place::full();
    let session = place.start("cat");
    assert!(!is_advised(&place.poll(&session)));
    let second = place.poll(&session);
    assert!(is_advised(&second), "{second:?}");
    assert_eq!(second.details()["notifyOnExit"], true);
    // Output begins the count anew.
    place.write(&session, "news\n");
    place.await_output(&session, "news");
    for expected in [false, false, true] {
        let answer = place.poll(&session);
        assert_eq!(is_advised(&answer), expected, "{answer:?}");
    }
}

#[test]
fn a_wait_whose_time_is_up_counts_like_a_poll() {
    let mut place = Place::full();
    let session = place.start("cat");
    let what = json!({"text": "never", "timeout": 10});
    assert!(!is_advised(&place.act("wait", &session, &what)));
    assert!(is_advised(&place.act("wait", &session, &what)));
}

/// To read is neither a look nor news.
#[test]
fn reading_neither_counts_nor_begins_anew() {
    let mut place = Place::full();
    let session = place.start("cat");
    for _ in 0..3 {
        for (action, more) in [
            ("read", json!({})),
            ("log", json!({})),
            ("search", json!({"pattern": "x"})),
        ] {
            assert!(!is_advised(&place.act(action, &session, &more)));
        }
        place.listed(&session);
    }
    assert!(!is_advised(&place.poll(&session)));
    place.act("read", &session, &json!({}));
    assert!(is_advised(&place.poll(&session)));
}

/// Looks are counted for each session of its own.
#[test]
fn looks_at_another_session_do_not_count() {
    let mut place = Place::full();
    let (one, other) = (place.start("cat"), place.start("cat"));
    assert!(!is_advised(&place.poll(&one)));
    assert!(!is_advised(&place.poll(&other)));
    assert!(is_advised(&place.poll(&one)));
}

/// Whoever was told to stop checking is told the end, even where none was wanted and nothing was printed.
#[test]
fn the_promise_to_tell_is_kept() {
    for (setting, end) in [
        ("true", "echo out"),
        ("false", "echo out"),
        ("true", "true"),
        ("false", "true"),
    ] {
        let mut place = Place::with(&[("EXECGATE_SESSIONS_NOTIFY_ON_EXIT", setting)]);
        let session = place.start(&format!("{UNTIL_GO}; {end}"));
        place.poll(&session);
        let answer = place.poll(&session);
        assert!(answer.text().contains("you will be told"), "{answer:?}");
        place.make("go");
        place.await_end(&session);
        assert_eq!(notices(place, &session), 1, "{setting}, {end}");
    }
}

/// One that has ended is looked at as often as anybody likes.
#[test]
fn looks_at_an_ended_session_are_not_advised() {
    let mut place = Place::new();
    let session = place.start("true");
    place.await_end(&session);
    for _ in 0..4 {
        assert!(!is_advised(&place.poll(&session)));
    }
}
