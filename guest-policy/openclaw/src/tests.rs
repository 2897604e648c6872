use execgate_guest::testing::{FakeOutcome, FakeRequest};
use execgate_guest::{CommandLine, Configure, Ending, Formatter as _, Rendered};
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

/// Rows of an area of OpenClaw's table.
fn rows(area: &str) -> Vec<Value> {
    let table = include_str!("../../../tests/cases/openclaw.jsonl");
    let rows = table
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("a row is JSON"));
    rows.filter(|row| row["area"] == area).collect()
}

/// The end that a row describes; none where it is one that this program does not have (a limit on silence).
fn outcome(input: &Value) -> Option<FakeOutcome> {
    let exit = &input["exit"];
    let ending = match exit["reason"].as_str()? {
        "exit" => Ending::Exited,
        "signal" => Ending::Signaled,
        "overall-timeout" => Ending::TimedOut,
        "manual-cancel" => Ending::Cancelled,
        _ => return None,
    };
    let signal = exit["exitSignal"].as_str();
    Some(FakeOutcome {
        ending,
        exit_code: exit["exitCode"]
            .as_i64()
            .and_then(|code| i32::try_from(code).ok()),
        signal: signal
            .and_then(|name| (1..32).find(|number| execgate_rules::signals::name(*number) == name)),
        timeout_ms: input["timeoutSec"]
            .as_f64()
            .map(|seconds| (seconds * 1000.0) as u64),
        ..FakeOutcome::exited(0, input["aggregated"].as_str().unwrap_or_default())
    })
}

#[test]
fn ends_are_told_as_the_table_says() {
    let mut compared = 0;
    for row in rows("exit") {
        let Some(outcome) = outcome(&row["input"]) else {
            continue;
        };
        let expected = &row["expected"]["result"];
        let rendered = render("{}", &outcome);
        let details: Value = serde_json::from_str(&rendered.details).expect("an object");
        for name in [
            "status",
            "exitCode",
            "exitSignal",
            "exitReason",
            "aggregated",
            "failureKind",
        ] {
            assert_eq!(details.get(name), expected.get(name), "{name} of {row}");
        }
        if let Some(text) = expected["reason"].as_str() {
            assert_eq!(rendered.model_text, text, "{row}");
        }
        compared += 1;
    }
    assert!(compared >= 8, "{compared} rows were compared");
}

/// The session that a step of a row lays out, as a report has it.
fn session(input: &Value) -> Value {
    let age = input["ageMs"].as_u64().unwrap_or(0);
    let exit = input.get("exit");
    let ending = exit.map(|exit| match exit["reason"].as_str() {
        Some("overall-timeout") => "timed-out",
        Some("manual-cancel") => "cancelled",
        Some("signal") => "signaled",
        _ => "exited",
    });
    let command = input["command"].as_str().unwrap_or("cat");
    let words: Vec<&str> = command.split(' ').take(2).collect();
    serde_json::json!({
        "id": input["id"], "running": exit.is_none(), "ending": ending, "command": command, "name": words.join(" "),
        "runtimeMs": age, "exitCode": exit.and_then(|exit| exit["code"].as_i64()),
        "waitingForInput": exit.is_none() && age > 15_000,
    })
}

#[test]
fn a_listing_reads_as_the_table_says() {
    for row in rows("process") {
        let steps = row["steps"].as_array().cloned().unwrap_or_default();
        let laid_out = steps.iter().filter(|step| step["op"] == "session");
        let mut sessions: Vec<Value> = laid_out.map(|step| session(&step["input"])).collect();
        // The newest come first.
        sessions.reverse();
        let listing = steps
            .iter()
            .find(|step| step["input"]["params"]["action"] == "list");
        let Some(listing) = listing else { continue };
        let report = serde_json::json!({"action": "list", "sessions": sessions}).to_string();
        let formatter = OpenclawFormatter::configure("{}").expect("the defaults are right");
        let rendered = formatter.render_session(&report);
        assert_eq!(
            Some(rendered.model_text.as_str()),
            listing["expected"]["result"]["text"].as_str(),
            "{row}"
        );
    }
}

#[test]
fn a_session_that_still_belongs_to_its_call_is_named() {
    let formatter = OpenclawFormatter::configure("{}").expect("the defaults are right");
    let report = r#"{"action": "poll", "problem": {"kind": "not-backgrounded", "sessionId": "s-q", "message": "x"}}"#;
    let rendered = formatter.render_session(report);
    assert_eq!(rendered.model_text, "Session s-q is not backgrounded.");
    assert!(rendered.is_error);
}
