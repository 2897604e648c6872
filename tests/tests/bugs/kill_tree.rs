//! What ends a command ends all of it, and nothing else does.

use execgate_tests::{Answer, Scratch, comes_true};
use pretty_assertions::assert_eq;
use serde_json::json;

use super::processes::{commands, zombies};
use super::{Rows, act, background, extended, openclaw};

pub const ROWS: Rows = &[
    ("KT01", a_timeout_ends_the_children_of_children),
    ("KT02", a_timeout_ends_what_has_left_the_group),
    ("KT03", a_command_that_ignores_term_is_killed),
    ("KT05", a_stopped_command_is_ended),
    ("KT06", ended_children_are_reaped_unasked),
    ("KT08", a_caller_that_leaves_does_not_end_the_background),
    ("KT09", a_session_that_has_ended_gets_no_signal),
];

/// A command that resists is killed soon.
const SHORT_GRACE: &[(&str, &str)] = &[("EXECGATE_EXEC_GRACE_MS", "200")];

/// Runs a command until its time is up: nothing of it is left when the answer is there.
pub fn timed_out(text: &str) -> Answer {
    let scratch = Scratch::new();
    let mut caller = openclaw(&scratch, SHORT_GRACE);
    let answer = caller.exec(json!({"command": text, "timeoutSeconds": 2}));
    assert_eq!(commands(&scratch), Vec::<u32>::new(), "{answer:?}");
    let details = answer.details();
    assert_eq!(
        json!([
            details["timedOut"],
            details["exitCode"],
            details["exitReason"]
        ]),
        json!([true, null, "overall-timeout"]),
    );
    answer
}

#[test]
fn a_timeout_ends_the_children_of_children() {
    timed_out("sleep 61.11 & sleep 62.11 & wait");
}

#[test]
fn a_timeout_ends_what_has_left_the_group() {
    timed_out("(setsid sh -c 'sleep 65.11; :' &) ; sleep 66.11");
}

#[test]
fn a_command_that_ignores_term_is_killed() {
    let answer = timed_out("trap '' TERM; while :; do sleep 0.2; done");
    assert_eq!(answer.details()["exitSignal"], "SIGKILL");
}

#[test]
fn a_stopped_command_is_ended() {
    timed_out("kill -STOP $$; echo resumed");
}

/// The end of each is told, so that nobody needs to look.
#[test]
fn ended_children_are_reaped_unasked() {
    let scratch = Scratch::new();
    let tell = ("EXECGATE_SESSIONS_NOTIFY_ON_EMPTY_SUCCESS", "true");
    let mut caller = openclaw(&scratch, &[tell]);
    for _ in 0..50 {
        background(&mut caller, "true");
    }
    for _ in 0..50 {
        caller.event("session-exited");
    }
    let pid = caller.pid();
    assert!(comes_true(|| zombies(pid).is_empty()), "{:?}", zombies(pid));
}

/// The input that the call came by ends while the command runs: only what ends the program would end it.
#[test]
fn a_caller_that_leaves_does_not_end_the_background() {
    let scratch = Scratch::new();
    let mut caller = scratch.call(&["--profile", "openclaw", "--keep-sessions"]);
    background(&mut caller, "sleep 0.5 && echo survived > s.txt");
    let (code, _, stderr) = caller.finish();
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert!(scratch.has("s.txt"));
}

/// A survivor is still in the group of the shell that has ended.
#[test]
fn a_session_that_has_ended_gets_no_signal() {
    let scratch = Scratch::new();
    for mut caller in [openclaw(&scratch, &[]), extended(&scratch, &[])] {
        let id = background(&mut caller, "sleep 600 & echo hi");
        caller.event("session-exited");
        let living = commands(&scratch);
        assert_eq!(living.len(), 1);
        let answer = act(&mut caller, "kill", &id);
        assert_eq!(
            (answer.is_error(), &answer.details()["errorKind"]),
            (true, &json!("already-exited"))
        );
        caller.run("true");
        assert_eq!(commands(&scratch), living);
        act(&mut caller, "remove", &id);
        caller.finish();
    }
}
