//! Results and refusals.

use execgate_guest::testing::{FakeOutcome, FakeRequest};
use execgate_guest::{CommandLine, Configure, Ending, Formatter, Rendered, ask, deny};
use pretty_assertions::assert_eq;
use serde_json::Value;

use crate::DefaultFormatter;

fn request() -> FakeRequest {
    FakeRequest::new(
        "rm \u{202e}x",
        CommandLine {
            segments: Vec::new(),
            opaque: Vec::new(),
            annotations: Vec::new(),
        },
    )
}

fn render(outcome: &FakeOutcome) -> (Rendered, Value) {
    let formatter = DefaultFormatter::configure("{}").expect("nothing is required");
    let rendered = formatter.render(&request(), outcome, outcome);
    let details = serde_json::from_str(&rendered.details).expect("it is an object");
    (rendered, details)
}

fn ended(ending: Ending, signal: Option<u32>, timeout_ms: Option<u64>) -> FakeOutcome {
    FakeOutcome {
        ending,
        exit_code: None,
        signal,
        timeout_ms,
        ..FakeOutcome::exited(0, "part\n")
    }
}

#[test]
fn output_is_trimmed_and_a_code_is_told() {
    assert_eq!(render(&FakeOutcome::exited(0, "\nhi\n")).0.model_text, "hi");
    assert_eq!(
        render(&FakeOutcome::exited(0, " \n")).0.model_text,
        "(no output)"
    );
    let (rendered, details) = render(&FakeOutcome::exited(3, "a\n"));
    assert_eq!(rendered.model_text, "a\n\n(Command exited with code 3)");
    assert_eq!(
        (
            &details["status"],
            &details["exitCode"],
            &details["exitReason"]
        ),
        (
            &Value::from("completed"),
            &Value::from(3),
            &Value::from("exit")
        )
    );
    assert_eq!(
        details["aggregated"],
        Value::from("a\n\n(Command exited with code 3)")
    );
}

#[test]
fn failures_have_their_kind_and_text() {
    let rows = [
        (
            FakeOutcome::exited(127, "x"),
            "shell-command-not-found",
            "x\n\nCommand not found",
        ),
        (
            FakeOutcome::exited(126, "x"),
            "shell-not-executable",
            "x\n\nCommand not executable (permission denied)",
        ),
        (
            ended(Ending::Signaled, Some(9), None),
            "signal",
            "part\n\nCommand aborted by signal SIGKILL",
        ),
        (
            ended(Ending::Lost, None, None),
            "aborted",
            "part\n\nCommand aborted before exit code was captured",
        ),
    ];
    for (outcome, kind, text) in rows {
        let (rendered, details) = render(&outcome);
        assert_eq!(
            (rendered.model_text.as_str(), &details["failureKind"]),
            (text, &Value::from(kind))
        );
        assert!(rendered.is_error && details["status"] == "failed");
    }
    let (rendered, details) = render(&ended(Ending::TimedOut, None, Some(1_500)));
    assert!(
        rendered
            .model_text
            .starts_with("part\n\nCommand timed out after 1.5 seconds. "),
        "{}",
        rendered.model_text
    );
    assert_eq!(
        (&details["timedOut"], &details["exitReason"]),
        (&Value::from(true), &Value::from("overall-timeout"))
    );
}

#[test]
fn long_output_keeps_its_ends() {
    let formatter =
        DefaultFormatter::configure(r#"{"max_output_chars": 10}"#).expect("it is valid");
    let outcome = FakeOutcome::exited(0, "aaaaaaaaaabbbbbbbbbb");
    let text = formatter.render(&request(), &outcome, &outcome).model_text;
    assert_eq!(text, "aaaa\n\n[10 of 20 characters left out]\n\nbbbbbb");
}

#[test]
fn a_refusal_says_why_and_what_would_pass() {
    let formatter = DefaultFormatter::configure("{}").expect("nothing is required");
    let mut verdict = deny("delete/outside", "it deletes in `/`");
    verdict.remedy = Some("name files".into());
    let denied = formatter.render_refusal(&request(), &verdict).model_text;
    assert_eq!(
        denied,
        "Exec denied (it deletes in `/`): rm \\u{202e}x\nrule `delete/outside`; name files"
    );
    let asked = formatter
        .render_refusal(
            &request(),
            &ask("program/unknown", "nothing is known of `x`"),
        )
        .model_text;
    assert_eq!(
        asked,
        "Exec not approved (nothing is known of `x`): rm \\u{202e}x\nrule `program/unknown`"
    );
}
