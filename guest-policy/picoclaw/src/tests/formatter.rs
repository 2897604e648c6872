//! Results: the derived rows on headers, truncation and artifacts.

use execgate_guest::testing::{FakeOutcome, FakeRequest};
use execgate_guest::{Artifact, CommandLine, Configure, Ending, Formatter, Rendered, deny};
use pretty_assertions::assert_eq;
use serde_json::Value;

use crate::PicoFormatter;

fn request() -> FakeRequest {
    FakeRequest::new(
        "x",
        CommandLine {
            segments: Vec::new(),
            opaque: Vec::new(),
            annotations: Vec::new(),
        },
    )
}

fn render(settings: &str, outcome: &FakeOutcome) -> Rendered {
    let formatter = PicoFormatter::configure(settings).expect("the settings are valid");
    formatter.render(&request(), outcome, outcome)
}

fn first_line(rendered: &Rendered) -> &str {
    rendered
        .model_text
        .lines()
        .next()
        .expect("there is a header")
}

#[test]
fn a_header_stands_before_the_raw_body() {
    let rendered = render("{}", &FakeOutcome::exited(0, "hello\n"));
    assert_eq!(
        rendered.model_text,
        "[exec] {\"exitCode\":0,\"timedOut\":false,\"truncated\":false,\"durationMs\":42}\nhello\n"
    );
    assert_eq!(
        (rendered.user_text.as_str(), rendered.is_error),
        ("hello\n", false)
    );
    let details: Value = serde_json::from_str(&rendered.details).expect("it is an object");
    assert_eq!(
        (&details["exitCode"], &details["totalBytes"]),
        (&Value::from(0), &Value::from(6))
    );
}

#[test]
fn a_failure_is_told_to_the_user_after_the_body() {
    let rendered = render("{}", &FakeOutcome::exited(3, "a\n"));
    assert_eq!(rendered.user_text, "a\n\n\n[Command exited with code 3]");
    assert_eq!(
        rendered.model_text,
        "[exec] {\"exitCode\":3,\"timedOut\":false,\"truncated\":false,\"durationMs\":42}\na\n"
    );
    assert!(rendered.is_error);
}

#[test]
fn nothing_printed_is_said() {
    let rendered = render("{}", &FakeOutcome::exited(0, ""));
    assert!(
        rendered.model_text.ends_with("}\n(no output)"),
        "{}",
        rendered.model_text
    );
    assert_eq!(rendered.user_text, "(no output)");
}

#[test]
fn a_header_without_a_numeric_status_says_why() {
    let ended = |ending, error: Option<&str>, signal, timeout_ms| FakeOutcome {
        ending,
        exit_code: None,
        signal,
        error: error.map(str::to_owned),
        timeout_ms,
        duration_ms: 60_002,
        ..FakeOutcome::exited(0, "part")
    };
    let cases = [
        (
            ended(Ending::TimedOut, None, None, Some(60_000)),
            true,
            "command timed out after 60s",
        ),
        (
            ended(Ending::TimedOut, None, None, Some(1_500)),
            true,
            "command timed out after 1.5s",
        ),
        (
            ended(Ending::Signaled, None, Some(9), None),
            false,
            "killed by signal 9 (SIGKILL)",
        ),
        (
            ended(Ending::NotStarted, Some("no \"sh\""), None, None),
            false,
            "no \\\"sh\\\"",
        ),
    ];
    for (outcome, timed_out, error) in cases {
        let rendered = render("{}", &outcome);
        let expected = format!(
            "[exec] {{\"exitCode\":null,\"timedOut\":{timed_out},\"truncated\":false,\"durationMs\":60002,\"error\":\"{error}\"}}"
        );
        assert_eq!(first_line(&rendered), expected);
        assert!(rendered.is_error && rendered.model_text.ends_with("\npart"));
    }
}

#[test]
fn long_output_keeps_its_beginning_and_its_end() {
    // Characters, the cap, what is omitted, and how much stands before and after the notice.
    let cases = [
        (50_001, 50_000, 1, 20_000, 30_000),
        (120_000, 50_000, 70_000, 20_000, 30_000),
        (5, 1, 4, 0, 1),
        (11, 10, 1, 4, 6),
    ];
    for (total, cap, omitted, head, tail) in cases {
        let printed: String = (0..total)
            .map(|place| if place % 2 == 0 { 'ä' } else { 'b' })
            .collect();
        let rendered = render(
            &format!(r#"{{"max_output_chars": {cap}}}"#),
            &FakeOutcome::exited(0, &printed),
        );
        assert!(first_line(&rendered).contains("\"truncated\":true"));
        let body = rendered
            .model_text
            .split_once('\n')
            .expect("a body follows")
            .1;
        let notice = format!(
            "\n\n... [OUTPUT TRUNCATED - {omitted} chars omitted out of {total} total] ...\n\n"
        );
        let (before, after) = body
            .split_once(&notice)
            .expect("the notice stands in the middle");
        assert_eq!(
            (before.chars().count(), after.chars().count()),
            (head, tail)
        );
        assert!(printed.starts_with(before) && printed.ends_with(after));
        assert_eq!(rendered.user_text, body);
    }
}

#[test]
fn the_inline_cap_counts_when_it_is_smaller() {
    let printed = "x".repeat(60_000);
    let rendered = render(
        r#"{"max_output_chars": 50000, "max_inline_result_chars": 20000}"#,
        &FakeOutcome::exited(0, &printed),
    );
    assert!(
        rendered
            .model_text
            .contains("[OUTPUT TRUNCATED - 40000 chars omitted out of 60000 total]")
    );
    let rendered = render(
        r#"{"max_output_chars": 0}"#,
        &FakeOutcome::exited(0, &printed),
    );
    assert!(rendered.model_text.contains("- 10000 chars omitted"));
}

#[test]
fn an_artifact_is_named_after_the_body() {
    let artifact = |complete, problem: Option<&str>| {
        Some(Artifact {
            path: "/w/.artifacts/exec/1.log".into(),
            bytes: 5_000_000,
            complete,
            problem: problem.map(str::to_owned),
        })
    };
    let text = |artifact| {
        render(
            "{}",
            &FakeOutcome {
                artifact,
                ..FakeOutcome::exited(0, "a")
            },
        )
        .model_text
    };
    assert!(text(artifact(true, None)).ends_with("\na\n[file:/w/.artifacts/exec/1.log]"));
    assert!(text(artifact(false, None)).ends_with("1.log] (stopped after 5000000 bytes)"));
    assert!(text(artifact(false, Some("disk full"))).ends_with("bytes: disk full)"));
}

#[test]
fn a_refusal_has_no_header_and_nothing_for_the_user() {
    let formatter = PicoFormatter::configure("{}").expect("nothing is required");
    let mut verdict = deny(
        "privilege/elevate",
        "Command blocked by safety guard (dangerous pattern detected)",
    );
    let plain = formatter.render_refusal(&request(), &verdict);
    assert_eq!(
        plain.model_text,
        "Command blocked by safety guard (dangerous pattern detected)"
    );
    verdict.remedy = Some("run it without `sudo`".into());
    let rendered = formatter.render_refusal(&request(), &verdict);
    assert_eq!(
        rendered.model_text,
        "Command blocked by safety guard (dangerous pattern detected)\nrun it without `sudo`"
    );
    assert_eq!((rendered.user_text.as_str(), rendered.is_error), ("", true));
}
