//! What commands read: nothing unless they are to, then all of it and its end.

use std::process::Stdio;

use execgate_tests::{Answer, Caller, Running, Scratch, comes_true, text};
use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use super::processes::commands;
use super::{Rows, await_end, await_text, background, extended, openclaw, printed, start};

pub const ROWS: Rows = &[
    ("SI02", an_idle_pipe_is_not_read),
    ("SI06", no_editor_waits_for_a_person),
    ("SI07", the_end_of_the_input_reaches_the_command),
    ("SI08", a_write_that_nobody_reads_is_a_plain_error),
    ("SI10", only_a_program_that_reads_seems_to_wait_for_input),
    (
        "SI10",
        a_program_that_computes_does_not_seem_to_wait_for_input,
    ),
];

/// The pipe stays open, and nobody ever writes to it.
#[test]
fn an_idle_pipe_is_not_read() {
    let scratch = Scratch::new();
    let mut command = scratch.command(["run", "--", "echo hi"]);
    command.stdin(Stdio::piped());
    let finished = Running::start(command).finish();
    assert_eq!((finished.code, finished.stdout.as_str()), (0, "hi\n"));
}

#[test]
fn no_editor_waits_for_a_person() {
    let scratch = Scratch::new();
    let mut caller = openclaw(&scratch, &[("EDITOR", "vi"), ("VISUAL", "vi")]);
    let text = "git init -q && git config user.email a@b && git config user.name n && git commit --allow-empty";
    let answer = caller.run(text);
    assert_eq!(answer.details()["exitCode"], 1, "{answer:?}");
    assert!(
        printed(&answer).contains("empty commit message"),
        "{answer:?}"
    );
    assert_eq!(commands(&scratch), Vec::<u32>::new());
}

fn open(caller: &mut Caller, text: &str) -> String {
    start(
        caller,
        json!({"command": text, "background": true, "stdin": "open"}),
    )
}

fn write(caller: &mut Caller, id: &str, data: &str, eof: bool) -> Answer {
    caller.process(json!({"action": "write", "sessionId": id, "data": data, "eof": eof}))
}

#[test]
fn the_end_of_the_input_reaches_the_command() {
    let scratch = Scratch::new();
    let mut caller = extended(&scratch, &[]);
    let id = open(&mut caller, "cat");
    assert!(!write(&mut caller, &id, "abc", true).is_error());
    let answer = await_end(&mut caller, &id);
    assert_eq!(answer.details()["exitCode"], 0);
    assert_eq!(printed(&answer), "abc");
}

/// One error of a kind: the session has ended, or its program has closed its side.
#[test]
fn a_write_that_nobody_reads_is_a_plain_error() {
    let scratch = Scratch::new();
    let mut caller = extended(&scratch, &[]);
    let ended = open(&mut caller, "true");
    await_end(&mut caller, &ended);
    let closed = open(&mut caller, "exec 0<&-; echo closed; sleep 600");
    await_text(&mut caller, &closed, "closed");
    for (id, kind) in [(ended, "already-exited"), (closed, "input-closed")] {
        let answer = write(&mut caller, &id, "x", false);
        assert_eq!(
            (answer.is_error(), &answer.details()["errorKind"]),
            (true, &json!(kind)),
            "{answer:?}"
        );
    }
    // Whether the program has ended by then or not, the write is answered.
    for _ in 0..20 {
        let id = open(&mut caller, "true");
        write(&mut caller, &id, "x", false);
    }
    assert_eq!(caller.run("echo alive").text(), "alive");
}

/// Silence after which a program that reads seems to wait for input, in milliseconds.
const SILENCE: u64 = 300;

fn impatient(scratch: &Scratch) -> Caller {
    extended(scratch, &[("EXECGATE_SESSIONS_INPUT_WAIT_MS", "300")])
}

fn session(caller: &mut Caller, id: &str) -> Value {
    let list = caller.process(json!({"action": "list"}));
    let sessions = list.details()["sessions"].as_array();
    let mut sessions = sessions.into_iter().flatten();
    let session = sessions.find(|session| text(session, "sessionId") == id);
    session.expect("it is listed").clone()
}

/// Looks at a worker until it has been silent for long; at no time does it seem to wait for input.
fn assert_works_in_silence(caller: &mut Caller, id: &str) {
    let is_silent = comes_true(|| {
        let worker = session(caller, id);
        let found = json!([worker["stdinWritable"], worker["waitingForInput"]]);
        assert_eq!(found, json!([true, false]));
        worker["idleMs"].as_u64().expect("it is a number") > 2 * SILENCE
    });
    assert!(is_silent);
}

#[test]
fn only_a_program_that_reads_seems_to_wait_for_input() {
    let scratch = Scratch::new();
    let mut caller = impatient(&scratch);
    let prompt =
        json!({"command": "python3 -c 'input(\"name? \")'", "background": true, "pty": true});
    let asking = start(&mut caller, prompt);
    let working = background(&mut caller, "sleep 600");
    assert_works_in_silence(&mut caller, &working);
    assert!(comes_true(
        || session(&mut caller, &asking)["waitingForInput"] == true
    ));
}

#[test]
fn a_program_that_computes_does_not_seem_to_wait_for_input() {
    let scratch = Scratch::new();
    let mut caller = impatient(&scratch);
    let computing = background(&mut caller, "while :; do :; done");
    assert_works_in_silence(&mut caller, &computing);
}
