use execgate_analyzer::convert;
use execgate_guest::testing::FakeRequest;
use execgate_guest::{Configure, Decision, Policy};

use super::ReadOnly;

fn decide(text: &str) -> Decision {
    let source = execgate_shell::Source {
        text,
        ..execgate_shell::Source::default()
    };
    let line = convert::command_line(execgate_shell::analyze(&source));
    let policy = ReadOnly::configure("{}").expect("no settings are needed");
    policy.evaluate(&FakeRequest::new(text, line)).decision
}

#[test]
fn reading_is_allowed() {
    for text in [
        "ls -l",
        "cat a | grep b | wc -l",
        "head -3 < a",
        "if true; then pwd; fi",
        "cat \"$(ls)\"",
    ] {
        assert_eq!(decide(text), Decision::Allow, "{text}");
    }
}

#[test]
fn everything_else_is_denied() {
    for text in [
        "rm a",
        "cat a > b",
        "ls; rm a",
        "cat $(rm a)",
        "A=1 ls",
        "$x",
        "echo 'a",
        "cat a | sh",
        "eval \"$x\"",
    ] {
        assert_eq!(decide(text), Decision::Deny, "{text}");
    }
}
