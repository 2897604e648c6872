use execgate_guest::testing::{FakeOutcome, FakeRequest};
use execgate_guest::{CommandLine, Configure, Ending, Formatter, Rendered};
use pretty_assertions::assert_eq;
use serde_json::Value;

use crate::{Mode, OpenclawFormatter, Settings};

fn render(settings: &str, outcome: &FakeOutcome) -> Rendered {
    let line = CommandLine {
        segments: Vec::new(),
        opaque: Vec::new(),
        annotations: Vec::new(),
    };
    let formatter = OpenclawFormatter::configure(settings).expect("the settings are right");
    formatter.render(&FakeRequest::new("true", line), outcome, outcome)
}

#[test]
fn a_command_says_how_it_ended() {
    let table = [
        (0, "ok\n", "ok", "ok", "completed"),
        (0, "  \n", "(no output)", "", "completed"),
        (
            3,
            "",
            "(no output)\n\n(Command exited with code 3)",
            "(no output)\n\n(Command exited with code 3)",
            "completed",
        ),
        (
            127,
            "sh: nope",
            "sh: nope\n\nCommand not found",
            "sh: nope",
            "failed",
        ),
    ];
    for (code, printed, text, aggregated, status) in table {
        let rendered = render("{}", &FakeOutcome::exited(code, printed));
        let details: Value = serde_json::from_str(&rendered.details).expect("an object");
        assert_eq!(rendered.model_text, text);
        assert_eq!(details["aggregated"], aggregated);
        assert_eq!(details["status"], status);
    }
}

#[test]
fn only_the_end_of_a_long_output_is_shown_and_said_to_be_so() {
    let rendered = render(
        r#"{"max_output_chars": 3}"#,
        &FakeOutcome::exited(0, "abcdef"),
    );
    assert!(
        rendered
            .model_text
            .starts_with("[earlier output was discarded")
    );
    assert!(rendered.model_text.ends_with("\n\ndef"));
}

#[test]
fn the_hint_is_left_out_where_there_is_no_background() {
    let timed_out = FakeOutcome {
        ending: Ending::TimedOut,
        exit_code: None,
        signal: Some(15),
        timeout_ms: Some(1000),
        ..FakeOutcome::exited(0, "")
    };
    let with = render("{}", &timed_out).model_text;
    let without = render(r#"{"process_tool": false}"#, &timed_out).model_text;
    assert!(
        with.starts_with("Command timed out after 1 seconds.\n\n"),
        "{with}"
    );
    assert!(with.contains("background=true") && !without.contains("background=true"));
}

#[test]
fn a_mode_that_it_cannot_judge_by_is_refused() {
    assert_eq!(Settings::read("{}").expect("defaults").mode, Mode::Full);
    let problems = Settings::read(r#"{"mode": "allowlist"}"#).expect_err("refused");
    assert_eq!(problems[0].path, "/mode");
}
