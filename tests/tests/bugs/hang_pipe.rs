//! A call ends when its command does, whoever still holds its pipes.

use execgate_tests::{Scratch, text};
use pretty_assertions::assert_eq;
use serde_json::json;

use super::kill_tree::timed_out;
use super::processes::{anonymous_memory, commands};
use super::{
    Rows, act, await_end, await_text, background, extended, openclaw, printed_bytes, survivors,
};

pub const ROWS: Rows = &[
    ("HP03", a_child_that_holds_no_pipe_is_not_waited_for),
    ("HP04", what_a_substituted_process_prints_last_is_there),
    ("HP05", a_writer_that_holds_a_fifo_is_ended_with_its_reader),
    ("HP06", a_kill_ends_what_has_left_the_group),
    ("HP09", a_chatty_survivor_does_not_hold_the_call),
    ("HP09", a_finished_session_takes_nothing_more),
    ("HP11", commands_that_end_at_once_end),
];

/// A drain so long that nobody who waits for it to be over comes back in time: only the end of the pipes ends it.
const LONG_DRAIN: &[(&str, &str)] = &[
    ("EXECGATE_EXEC_DRAIN_QUIET_MS", "600000"),
    ("EXECGATE_EXEC_DRAIN_LIMIT_MS", "600000"),
];

/// Memory that may be taken by what does not depend on the amount of output, in bytes.
const SOME_MEMORY: u64 = 64 << 20;

#[test]
fn a_child_that_holds_no_pipe_is_not_waited_for() {
    let scratch = Scratch::new();
    let mut caller = openclaw(&scratch, LONG_DRAIN);
    let answer = caller.run("sleep 600 </dev/null >/dev/null 2>&1 & echo x");
    assert_eq!((answer.text(), answer.is_error()), ("x", false));
    let survivors = &answer.details()["survivors"];
    assert!(
        text(&survivors[0], "command").contains("sleep"),
        "{answer:?}"
    );
    assert_eq!(json!(commands(&scratch)), json!([survivors[0]["pid"]]));
}

/// The shell has ended before `tee` prints.
#[test]
fn what_a_substituted_process_prints_last_is_there() {
    let scratch = Scratch::new();
    let mut caller = openclaw(&scratch, LONG_DRAIN);
    for run in 0..100 {
        let answer = caller.run("exec > >(tee -a t.log) 2>&1; echo done");
        assert_eq!((answer.text(), answer.is_error()), ("done", false), "{run}");
        assert_eq!(*printed_bytes(&answer), 5);
    }
}

#[test]
fn a_writer_that_holds_a_fifo_is_ended_with_its_reader() {
    let answer = timed_out("mkfifo p; (while :; do echo child; sleep 0.5; done) > p & cat p");
    assert!(answer.text().contains("child"), "{answer:?}");
}

#[test]
fn a_kill_ends_what_has_left_the_group() {
    let scratch = Scratch::new();
    let mut caller = extended(&scratch, &[]);
    let text = "(setsid sh -c 'touch left; sleep 600; :' &); until test -e left; do sleep 0.01; done; echo started; sleep 600";
    let id = background(&mut caller, text);
    await_text(&mut caller, &id, "started");
    assert!(!act(&mut caller, "kill", &id).is_error());
    await_end(&mut caller, &id);
    assert_eq!(commands(&scratch), Vec::<u32>::new());
}

#[test]
fn a_chatty_survivor_does_not_hold_the_call() {
    let scratch = Scratch::new();
    let answer =
        openclaw(&scratch, &[]).run("(while :; do echo tick; sleep 0.05; done) & echo main");
    let mut lines = answer.text().lines();
    assert!(lines.any(|line| line == "main"), "{answer:?}");
    assert!(lines.all(|line| line == "tick"), "{answer:?}");
    assert!(!survivors(&answer).is_empty(), "{answer:?}");
}

#[test]
fn a_finished_session_takes_nothing_more() {
    let scratch = Scratch::new();
    let mut caller = extended(&scratch, &[]);
    let text = "(until test -e go; do sleep 0.01; done; head -c 300000000 /dev/zero; touch printed) & echo main";
    let id = background(&mut caller, text);
    await_end(&mut caller, &id);
    assert_eq!(act(&mut caller, "read", &id).text(), "main\n");
    let memory = anonymous_memory(caller.pid());
    caller.run("touch go; until test -e printed; do sleep 0.01; done");
    let grown = anonymous_memory(caller.pid()).saturating_sub(memory);
    assert_eq!(act(&mut caller, "read", &id).text(), "main\n");
    assert!(grown < SOME_MEMORY, "{grown} bytes");
}

#[test]
fn commands_that_end_at_once_end() {
    let scratch = Scratch::new();
    let mut caller = openclaw(&scratch, &[]);
    let mut call = |lane: usize| {
        caller.send(json!({"tool": "exec", "args": {"command": "true"}, "lane": lane.to_string()}))
    };
    let calls: Vec<_> = (0..200).map(|index| call(index % 8)).collect();
    for id in calls {
        let answer = caller.answer(&id);
        assert_eq!(answer.details()["exitCode"], 0, "{answer:?}");
    }
}
