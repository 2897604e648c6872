//! Nothing that `run` started outlives it.

use execgate_tests::{Finished, Running, Scratch, leftovers};
use pretty_assertions::assert_eq;
use rustix::process::Signal;

/// Runs in mode `full`, where nothing is asked.
fn start(scratch: &Scratch, text: &str) -> Running {
    let mut command = scratch.command(["run", "--", text]);
    command.env("EXECGATE_POLICY_MODE", "full");
    Running::start(command)
}

fn assert_nothing_left(scratch: &Scratch, finished: &Finished) {
    assert_eq!(leftovers(scratch), Vec::<u32>::new(), "{finished:?}");
}

#[test]
fn no_daemon_is_left() {
    let scratch = Scratch::new();
    let finished = start(&scratch, "true").finish();
    assert_eq!((finished.code, finished.stderr.as_str()), (0, ""));
    assert_nothing_left(&scratch, &finished);
}

/// The command is over when its shell is; what it left in the background is counted and stopped.
#[test]
fn a_child_in_the_background_is_not_waited_for() {
    let scratch = Scratch::new();
    let text = "sleep 600 & (setsid sleep 600 &) ; echo started";
    let finished = start(&scratch, text).finish();
    assert_eq!((finished.code, finished.stdout.as_str()), (0, "started\n"));
    assert_eq!(
        finished.stderr,
        "execgate: stopped 2 process(es) that the command left behind\n"
    );
    assert_nothing_left(&scratch, &finished);
}

#[test]
fn an_interrupt_ends_the_whole_tree() {
    let scratch = Scratch::new();
    for signal in [Signal::INT, Signal::TERM] {
        let text = "(trap '' INT TERM; setsid sleep 600) & sleep 600 & echo ready; wait";
        let mut running = start(&scratch, text);
        running.wait_for("ready\n");
        running.signal(signal);
        let finished = running.finish();
        assert_eq!(finished.code, 130, "{signal:?}: {finished:?}");
        assert_nothing_left(&scratch, &finished);
    }
    let outcomes: Vec<_> = scratch
        .store()
        .calls()
        .iter()
        .map(|call| call["outcome"].clone())
        .collect();
    assert_eq!(outcomes, ["cancelled", "cancelled"]);
}

#[test]
fn a_timeout_ends_the_whole_tree() {
    let scratch = Scratch::new();
    let text = "setsid sleep 600 & sleep 600 & wait";
    let mut command = scratch.command(["run", "--timeout", "0.3", "--", text]);
    command.env("EXECGATE_POLICY_MODE", "full");
    let finished = Running::start(command).finish();
    assert_eq!(finished.code, 124);
    assert_nothing_left(&scratch, &finished);
}

/// Even a program that is killed leaves nothing: its keeper sees its end.
#[test]
fn a_program_that_is_killed_takes_its_tree_along() {
    let scratch = Scratch::new();
    let mut caller = scratch.call(&[]);
    let text = "touch ready; setsid sleep 600 & sleep 600";
    caller.send(serde_json::json!({"tool": "exec", "args": {"command": text}, "lane": "a"}));
    let ready = "until test -e ready; do sleep 0.01; done";
    let line = serde_json::json!({"tool": "exec", "args": {"command": ready}, "lane": "b"});
    assert!(!caller.request(line).is_error());
    drop(caller);
    let end = std::time::Instant::now() + execgate_tests::DEADLINE;
    while !leftovers(&scratch).is_empty() {
        assert!(std::time::Instant::now() < end, "{:?}", leftovers(&scratch));
        std::thread::yield_now();
    }
}
