//! The end of sessions, and of the program that holds them.

use execgate_tests::{DEADLINE, comes_true, leftovers, processes};
use pretty_assertions::assert_eq;
use rustix::process::Signal;
use serde_json::{Value, json};

use super::place::{FULL, Place, UNTIL_GO};

/// Whatever the program started has ended; whoever ends it may not be waited for.
fn assert_nothing_left(scratch: &execgate_tests::Scratch) {
    assert!(
        comes_true(|| leftovers(scratch).is_empty()),
        "left after {DEADLINE:?}: {:?}",
        leftovers(scratch)
    );
}

#[test]
fn the_end_of_the_stream_ends_every_session_in_order() {
    let mut place = Place::full();
    let polite =
        place.start("trap 'echo bye > bye; exit 0' TERM; echo ready; while :; do sleep 0.01; done");
    let stubborn = place.start("trap '' TERM; setsid sleep 600 & echo ready; sleep 600");
    for session in [&polite, &stubborn] {
        place.await_output(session, "ready");
    }
    let Place { caller, scratch } = place;
    let (code, rest, stderr) = caller.finish();
    assert_eq!((code, rest, stderr.as_str()), (0, Vec::new(), ""));
    assert!(scratch.has("bye"), "it was asked before it was made to");
    assert_eq!(leftovers(&scratch), Vec::<u32>::new());
}

/// Calls in flight are finished before sessions are ended.
#[test]
fn a_call_in_flight_is_answered_before_sessions_end() {
    let mut place = Place::full();
    let session = place.start("cat");
    let command = format!("touch waiting; {UNTIL_GO}; echo in time");
    let id = place
        .caller
        .send(json!({"tool": "exec", "args": {"command": command}, "lane": "aside"}));
    place.await_file("waiting");
    place.caller.close();
    assert!(!processes(&place.scratch, "cat").is_empty());
    place.make("go");
    let answer = place.caller.answer(&id);
    assert_eq!(answer.text(), "in time");
    let Place { caller, scratch } = place;
    assert_eq!(caller.finish().0, 0);
    assert_eq!(leftovers(&scratch), Vec::<u32>::new(), "{session}");
}

#[test]
fn sessions_that_are_kept_are_waited_for() {
    let mut place = Place::started(&["--keep-sessions"], &[]);
    let session = place.start(&format!("{UNTIL_GO}; touch made; echo out"));
    place.caller.close();
    place.make("go");
    let event = place.caller.event("session-exited");
    assert_eq!(event["sessionId"], session);
    let Place { caller, scratch } = place;
    assert_eq!(caller.finish().0, 0);
    assert!(scratch.has("made"));
    assert_eq!(leftovers(&scratch), Vec::<u32>::new());
}

/// Being told to end is more than the end of the input.
#[test]
fn a_program_that_is_told_to_end_does_not_wait_for_what_it_keeps() {
    for signal in [Signal::TERM, Signal::INT] {
        let mut place = Place::started(&["--keep-sessions"], &[FULL]);
        let session = place.start("echo ready; sleep 600");
        place.await_output(&session, "ready");
        place.caller.close();
        place.caller.signal(signal);
        let Place { caller, scratch } = place;
        assert_eq!(caller.finish().0, 0, "{signal:?}");
        assert_eq!(leftovers(&scratch), Vec::<u32>::new());
    }
}

/// Even a program that is killed leaves nothing: its keeper sees its end.
#[test]
fn a_program_that_is_killed_leaves_nothing() {
    let mut place = Place::full();
    let commands = [
        ("cat", false),
        (
            "trap '' TERM HUP; setsid sleep 600 & echo ready; sleep 600",
            false,
        ),
        ("trap '' TERM HUP; sleep 600 & echo ready; sleep 600", true),
    ];
    for (command, terminal) in commands {
        let session = place.start_with(command, &json!({"pty": terminal}));
        if command != "cat" {
            place.await_output(&session, "ready");
        }
    }
    let Place { caller, scratch } = place;
    drop(caller);
    assert_nothing_left(&scratch);
}

#[test]
fn what_was_removed_ends_even_when_it_is_unwilling() {
    let mut place = Place::full();
    let session = place.start("trap '' TERM; sleep 600 & echo ready; while :; do sleep 0.01; done");
    place.await_output(&session, "ready");
    let answer = place.act("remove", &session, &json!({}));
    assert!(
        answer.text().contains("termination requested"),
        "{answer:?}"
    );
    assert!(place.poll(&session).is_error());
    assert!(comes_true(|| processes(&place.scratch, "sleep").is_empty()));
}

#[test]
fn a_killed_session_says_that_it_was_stopped() {
    let mut place = Place::full();
    let session = place.start("echo out; touch printed; sleep 600");
    // Not by its log: that has `out` in `(no output yet)`.
    place.await_file("printed");
    let answer = place.act("kill", &session, &json!({}));
    assert!(!answer.is_error(), "{answer:?}");
    place.await_end(&session);
    let answer = place.poll(&session);
    assert_eq!(
        answer.text(),
        "out\n\nProcess stopped by request (signal SIGTERM)."
    );
    let details = answer.details();
    assert_eq!(
        json!([
            details["status"],
            details["exitReason"],
            details["exitSignal"]
        ]),
        json!(["completed", "manual-cancel", "SIGTERM"])
    );
}

/// A shell that ends leaves what it started in the background: the session is over, they are named.
#[test]
fn what_a_session_leaves_behind_is_named_and_ends_with_the_program() {
    let mut place = Place::new();
    let session = place.start("sleep 600 & echo out");
    place.await_end(&session);
    let answer = place.poll(&session);
    let details = answer.details();
    assert_eq!(
        json!([details["exitCode"], details["aggregated"]]),
        json!([0, "out\n"])
    );
    let survivors = details["survivors"].as_array().cloned().unwrap_or_default();
    let commands: Vec<&Value> = survivors.iter().map(|one| &one["command"]).collect();
    assert_eq!(commands, [&json!("sleep 600")], "{answer:?}");
    let alive = processes(&place.scratch, "sleep");
    assert_eq!(json!(alive), json!([survivors[0]["pid"]]));
    let Place { caller, scratch } = place;
    caller.finish();
    assert_eq!(leftovers(&scratch), Vec::<u32>::new());
}

#[test]
fn an_ended_session_tells_what_it_used() {
    let mut place = Place::new();
    let session = place.start("head -c 5000 /dev/zero | tr '\\0' x");
    place.await_end(&session);
    let usage = place.poll(&session).details()["usage"].clone();
    assert_eq!(usage["outputBytes"], 5000, "{usage}");
    assert!(usage["maxResidentBytes"].as_u64() > Some(0), "{usage}");
    for name in ["userMs", "systemMs"] {
        assert!(usage[name].is_u64(), "{usage}");
    }
}
