//! How a command ended is what the kernel says of its shell, and nothing else.

use execgate_tests::{Scratch, text};
use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use super::spawn_env::with_ignored_signals;
use super::{Rows, act, await_end, background, extended, openclaw, printed};

pub const ROWS: Rows = &[
    ("EX01", a_failed_session_is_told_alike_everywhere),
    ("EX04", a_time_limit_within_the_command_is_its_own),
    ("EX07", a_reader_that_has_enough_is_no_failure),
    ("EX07", what_ended_the_writer_is_said),
    ("EX09", a_broken_pipe_ends_its_writer),
    ("EX11", codes_are_what_the_kernel_makes_of_them),
    ("EX13", a_command_may_replace_or_end_its_shell),
    ("EX14", the_last_line_is_the_commands_own),
    ("EX17", any_number_is_a_limit_or_an_error),
];

#[test]
fn a_failed_session_is_told_alike_everywhere() {
    let scratch = Scratch::new();
    let mut caller = extended(&scratch, &[]);
    let command = r#"bash -c 'python3 -c "import sys; sys.exit(1)" > out.log 2>&1'"#;
    let id = background(&mut caller, command);
    let waited = await_end(&mut caller, &id);
    let polled = act(&mut caller, "poll", &id);
    let list = caller.process(json!({"action": "list"}));
    let event = caller.event("session-exited");
    assert_eq!(text(&event, "sessionId"), id);
    let told = [
        waited.details(),
        polled.details(),
        &list.details()["sessions"][0],
        &event["details"],
    ];
    assert_eq!(told.map(|one| one["exitCode"].clone()), [1, 1, 1, 1]);
}

#[test]
fn a_time_limit_within_the_command_is_its_own() {
    let scratch = Scratch::new();
    let call = json!({"command": "timeout 1 sleep 600", "timeoutSeconds": 100});
    let answer = openclaw(&scratch, &[]).exec(call);
    assert_eq!(answer.details()["exitCode"], 124);
    assert_ne!(answer.details()["timedOut"], true);
}

/// It is the shell that says 141, and only where it is told to.
#[test]
fn a_reader_that_has_enough_is_no_failure() {
    let scratch = Scratch::new();
    for (command, code) in [
        ("yes | head -1", 0),
        ("set -o pipefail; yes | head -1", 141),
    ] {
        let answer = openclaw(&scratch, &[]).run(command);
        assert_eq!(
            (
                printed(&answer),
                answer.is_error(),
                &answer.details()["exitCode"]
            ),
            ("y", false, &json!(code))
        );
    }
}

/// OpenClaw's clients know its remark by heart; the default profile may say more.
#[test]
fn what_ended_the_writer_is_said() {
    let scratch = Scratch::new();
    let answer = extended(&scratch, &[]).run("set -o pipefail; yes | head -1");
    assert_eq!(answer.details()["exitCode"], 141);
    assert!(answer.text().contains("SIGPIPE"), "{answer:?}");
}

/// Also where the program's own parent ignores the signal.
#[test]
fn a_broken_pipe_ends_its_writer() {
    let scratch = Scratch::new();
    let mut caller = with_ignored_signals(&scratch);
    let answer = caller.run("for i in $(seq 1 20000); do echo $i; done | head -1");
    assert_eq!((answer.text(), answer.is_error()), ("1", false));
}

fn codes(commands: &[&str]) -> Vec<Value> {
    let scratch = Scratch::new();
    let mut caller = openclaw(&scratch, &[]);
    let code = |command: &&str| caller.run(command).details()["exitCode"].clone();
    commands.iter().map(code).collect()
}

#[test]
fn codes_are_what_the_kernel_makes_of_them() {
    let commands = [
        "exit 256",
        "exit -1",
        "python3 -c 'import sys;sys.exit(300)'",
    ];
    assert_eq!(codes(&commands), [0, 255, 44]);
}

#[test]
fn a_command_may_replace_or_end_its_shell() {
    assert_eq!(codes(&["cd /tmp; exit 3", "exec true"]), [3, 0]);
}

#[test]
fn the_last_line_is_the_commands_own() {
    let scratch = Scratch::new();
    let mut caller = openclaw(&scratch, &[]);
    for (command, shown) in [("echo hi # note", "hi"), ("cat <<EOF\nx\nEOF", "x")] {
        let answer = caller.run(command);
        assert_eq!((answer.text(), answer.is_error()), (shown, false));
    }
}

#[test]
fn any_number_is_a_limit_or_an_error() {
    let scratch = Scratch::new();
    let mut caller = extended(&scratch, &[]);
    for seconds in [json!(0), json!(2_592_000), json!(2_147_484), json!(1e18)] {
        let answer = caller.exec(json!({"command": "sleep 0.2", "timeoutSeconds": seconds}));
        assert_eq!(answer.details()["exitCode"], 0, "{seconds}: {answer:?}");
    }
    for seconds in [json!(-1), json!("10")] {
        let answer = caller.exec(json!({"command": "touch ran", "timeoutSeconds": seconds}));
        assert_eq!(answer.details()["error"]["kind"], "bad-arguments");
    }
    // JSON has no such number.
    caller.send_raw(
        b"{\"tool\": \"exec\", \"args\": {\"command\": \"touch ran\", \"timeoutSeconds\": NaN}}\n",
    );
    let answer = caller.answer(&Value::Null);
    assert_eq!(answer.details()["error"]["kind"], "bad-request");
    assert_eq!(caller.run("echo alive").text(), "alive");
    assert!(!scratch.has("ran"));
}
