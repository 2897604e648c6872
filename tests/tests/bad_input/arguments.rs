//! Calls whose arguments cannot be used.

use execgate_tests::{Answer, Scratch};
use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use super::assert_alive;

/// Longest command that is taken, in bytes.
const MAX_COMMAND: usize = 1024 * 1024;

fn assert_bad_arguments(answer: &Answer, part: &str) {
    assert!(answer.is_error());
    assert_eq!(
        answer.details()["error"]["kind"],
        "bad-arguments",
        "{answer:?}"
    );
    assert!(answer.text().contains(part), "`{part}` in {answer:?}");
    assert_eq!(answer.text().lines().count(), 1, "one line: {answer:?}");
}

#[test]
fn arguments_of_the_default_profile() {
    let scratch = Scratch::new();
    let mut caller = scratch.call(&[]);
    let table: Vec<(Value, &str)> = vec![
        (json!({}), "Provide a command"),
        (json!({"command": ""}), "Provide a command"),
        (
            json!({"command": 5}),
            "\"command\": expected string, got number",
        ),
        (
            json!({"command": null}),
            "\"command\": expected string, got null",
        ),
        (json!({"command": "touch ran\u{0}"}), "NUL byte"),
        (
            json!({"command": "touch ran", "workdir": "a\u{0}b"}),
            "NUL byte",
        ),
        (
            json!({"command": "touch ran", "env": {"A=B": "x"}}),
            "`A=B`",
        ),
        (json!({"command": "touch ran", "env": {"": "x"}}), "``"),
        (
            json!({"command": "touch ran", "env": {"A": "x\u{0}"}}),
            "`A` contains a NUL byte",
        ),
        (
            json!({"command": "touch ran", "env": {"A": 1}}),
            "\"env\": expected object of strings",
        ),
        (
            json!({"command": "touch ran", "timeoutSeconds": "5"}),
            "\"timeoutSeconds\": expected number",
        ),
        (
            json!({"command": "touch ran", "timeout": 1, "timeoutSeconds": 1}),
            "only one of them",
        ),
        (
            json!({"command": "touch ran", "fly": true}),
            "unexpected property \"fly\"",
        ),
        (json!({"command": "touch ran", "host": "moon"}), "`moon`"),
        (
            json!({"command": "touch ran", "host": "sandbox"}),
            "sandbox",
        ),
        (
            json!({"command": "touch ran", "elevated": true}),
            "`elevated`",
        ),
    ];
    for (arguments, part) in table {
        let answer = caller.exec(arguments);
        assert_bad_arguments(&answer, part);
        assert!(!scratch.has("ran"));
    }
    assert_alive(&mut caller);
}

#[test]
fn tools_that_do_not_exist() {
    let scratch = Scratch::new();
    let mut caller = scratch.call(&[]);
    for (tool, part) in [
        ("fly", "unknown tool \"fly\""),
        ("", "unknown tool"),
        ("a\nb", "\"a\\nb\""),
    ] {
        let answer = caller.request(json!({"tool": tool, "args": {"command": "touch ran"}}));
        assert_bad_arguments(&answer, part);
    }
    assert_alive(&mut caller);
    assert!(!scratch.has("ran"));
}

/// Limits that no clock can hold are limits all the same.
#[test]
fn times_without_measure() {
    let scratch = Scratch::new();
    let mut caller = scratch.call(&[]);
    for seconds in [json!(1e300), json!(0), json!(u64::MAX), json!(1e-300)] {
        let answer = caller.exec(json!({"command": "exit 0", "timeoutSeconds": seconds}));
        let timed_out = answer.details()["timedOut"] == true;
        assert!(!answer.is_error() || timed_out, "{seconds}: {answer:?}");
    }
    let negative = caller.exec(json!({"command": "exit 0", "timeoutSeconds": -5}));
    assert!(negative.is_error() && negative.text().contains("-5"));
    assert_alive(&mut caller);
}

#[test]
fn a_command_is_run_whole_or_refused() {
    let scratch = Scratch::new();
    let config = scratch.write("settings.toml", "[policy]\nmode = \"full\"\n");
    let mut caller = scratch.call(&["--config", &config.to_string_lossy()]);
    for size in [200_000, MAX_COMMAND] {
        let command = format!("echo {}", "x".repeat(size - 5));
        let answer = caller.run(&command);
        assert_eq!(
            answer.details()["totalBytes"],
            size - 4,
            "{size}: {}",
            answer.rule()
        );
    }
    let command = format!("touch ran; echo {}", "x".repeat(MAX_COMMAND));
    let answer = caller.run(&command);
    assert_bad_arguments(&answer, "too large");
    assert!(
        answer.text().contains("`exec.max-command-bytes`"),
        "{answer:?}"
    );
    assert!(!scratch.has("ran"));
    assert_alive(&mut caller);
}

/// A text that is too long to be read as a whole is not half read: it does not run at all.
#[test]
fn a_command_that_is_too_long_to_be_read_is_refused() {
    let scratch = Scratch::new();
    let command = format!("touch ran; echo {}", "x".repeat(200_000));
    for profile in ["default", "picoclaw"] {
        let mut caller = scratch.call(&["--profile", profile]);
        let answer = caller.exec(match profile {
            "default" => json!({"command": command}),
            _ => json!({"action": "run", "command": command}),
        });
        assert!(answer.is_error());
        assert_eq!(answer.rule(), "opaque/too-long", "{profile}");
        assert!(!scratch.has("ran"), "{profile}");
    }
}

/// Text for other shells is judged, and run by no other shell than the one there is.
#[test]
fn rows_for_other_shells_are_judged() {
    let scratch = Scratch::new();
    let rows = [
        json!({"id": 0, "command": "Get-ChildItem", "shell": "powershell"}),
        json!({"id": 1, "command": "Remove-Item -Recurse -Force C:\\", "shell": "powershell"}),
        json!({"id": 2, "command": "del /s /q C:\\", "shell": "cmd"}),
        json!({"id": 3, "command": "powershell -enc aQBk", "shell": "bash"}),
    ];
    let lines: String = rows.iter().map(|row| format!("{row}\n")).collect();
    let finished = scratch.run_with_input(["policy", "check"], lines);
    let verdicts: Vec<Value> = finished
        .json_lines()
        .iter()
        .map(|report| report["verdict"].clone())
        .collect();
    assert_eq!(verdicts.len(), rows.len());
    for verdict in &verdicts[1..] {
        assert_ne!(verdict, "allow", "{verdicts:?}");
    }
}
