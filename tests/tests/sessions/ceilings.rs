//! How many sessions there may be, and how long one that has ended is kept.

use execgate_tests::comes_true;
use pretty_assertions::assert_eq;
use serde_json::json;

use super::place::{FULL, Place, UNTIL_GO};

#[test]
fn one_more_than_may_run_is_refused_with_the_way_on() {
    let mut place = Place::with(&[FULL, ("EXECGATE_SESSIONS_MAX_LIVE", "2")]);
    let first = place.start("cat");
    place.start("cat");
    for arguments in [
        json!({"command": "touch ran", "background": true}),
        json!({"command": "touch ran"}),
    ] {
        let answer = place.caller.exec(arguments);
        assert!(answer.is_error(), "{answer:?}");
        assert_eq!(answer.details()["failureKind"], "runtime-error");
        for part in ["2 sessions are running", "sessions.max-live", "kill"] {
            assert!(answer.text().contains(part), "`{part}` in {answer:?}");
        }
        assert!(!place.scratch.has("ran"));
    }
    place.act("kill", &first, &json!({}));
    place.await_end(&first);
    let third = place.start("cat");
    place.write(&third, "alive\n");
    place.await_output(&third, "alive");
}

/// A place is taken as long as something runs in it, whether anybody still knows of it or not.
#[test]
fn what_was_removed_counts_until_it_has_ended() {
    let mut place = Place::with(&[
        ("EXECGATE_SESSIONS_MAX_LIVE", "1"),
        ("EXECGATE_EXEC_GRACE_MS", "600000"),
        FULL,
    ]);
    let session = place.start(&format!("trap '' TERM; echo ready; {UNTIL_GO}"));
    place.await_output(&session, "ready");
    place.act("remove", &session, &json!({}));
    let answer = place.caller.run("touch ran");
    assert!(answer.is_error(), "{answer:?}");
    assert!(!place.scratch.has("ran"));
    place.make("go");
    assert!(comes_true(|| !place.caller.run("touch ran").is_error()));
}

/// Runs that came back at once leave no session behind.
#[test]
fn a_command_that_ended_in_its_call_takes_no_place() {
    let mut place = Place::with(&[("EXECGATE_SESSIONS_MAX_LIVE", "1")]);
    for _ in 0..5 {
        let answer = place.caller.run("echo out");
        assert_eq!((answer.text(), answer.is_error()), ("out", false));
    }
    let list = place.caller.process(json!({"action": "list"}));
    assert_eq!(list.text(), "No running or recent sessions.");
}

#[test]
fn of_ended_sessions_the_newest_are_kept() {
    let mut place = Place::with(&[FULL, ("EXECGATE_SESSIONS_KEEP_ENDED", "2")]);
    let running = place.start("cat");
    let ended: Vec<String> = (0..4)
        .map(|number| {
            let session = place.start(&format!("echo n{number}"));
            place.await_end(&session);
            session
        })
        .collect();
    for session in &ended[..2] {
        let answer = place.poll(session);
        assert_eq!(answer.text(), format!("No session found for {session}"));
    }
    for (session, said) in ended[2..].iter().zip(["n2", "n3"]) {
        assert_eq!(place.log(session), said);
    }
    // One that runs is never dropped, however old.
    place.write(&running, "alive\n");
    place.await_output(&running, "alive");
}

#[test]
fn of_ended_sessions_no_more_is_kept_than_there_is_room_for() {
    let mut place = Place::with(&[("EXECGATE_SESSIONS_KEEP_BYTES", "300000")]);
    let ended: Vec<String> = (0..4)
        .map(|_| {
            let session = place.start("head -c 200000 /dev/zero | tr '\\0' x");
            place.await_end(&session);
            session
        })
        .collect();
    let (last, before) = ended.split_last().expect("there are some");
    assert_eq!(place.log(last).len(), 200_000);
    assert!(place.poll(&before[0]).is_error());
}

#[test]
fn ended_sessions_are_dropped_in_time() {
    let mut place = Place::with(&[("EXECGATE_SESSIONS_KEEP_SECONDS", "1")]);
    let running = place.start("cat");
    let session = place.start("echo out");
    place.await_end(&session);
    assert!(comes_true(|| place.poll(&session).is_error()));
    assert_eq!(place.listed(&running)["status"], "running");
}
