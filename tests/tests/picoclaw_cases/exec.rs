//! Runs, through `execgate call`; one that its caller takes back through `execgate run`, which can be interrupted.

use execgate_tests::{Running, Tally, text};
use rustix::process::Signal;
use serde_json::{Value, json};

use super::answer::{ended, found, refused};
use super::place::{Place, Settings};

pub fn check(row: &Value, tally: &mut Tally) {
    let tool = &row["tool"];
    let place = Place::new(&Settings {
        exec: tool.get("config"),
        restrict: tool["restrict"] == true,
        allow_read_paths: tool.get("allow_read_paths"),
        max_inline_result_chars: None,
    });
    let steps = row["steps"].as_array().expect("a row has steps");
    let (mut expected, mut seen) = (Vec::new(), Vec::new());
    for step in steps {
        if step.get("cancel_after_ms").is_some() {
            expected.push(taken_back(&step["result"]));
            seen.push(interrupt(&place, step));
        } else {
            expected.push(observed(&step["result"]));
            seen.push(run(&place, step));
        }
    }
    tally.compare(row, one_or_list(expected), &one_or_list(seen));
}

/// A row of one step is compared without the list around it.
fn one_or_list(mut results: Vec<Value>) -> Value {
    match (results.pop(), results.is_empty()) {
        (Some(only), true) => only,
        (last, _) => results.into_iter().chain(last).collect(),
    }
}

fn run(place: &Place, step: &Value) -> Value {
    let arguments = place.scratch.fill_value(&step["args"]);
    let mut line = json!({"tool": "exec", "args": arguments});
    if let Some(channel) = step.get("channel") {
        line["caller"] = json!({"agent": "main", "session": "s1", "channel": channel});
    }
    let answer = place.call().request(line);
    let length = answer
        .text()
        .split_once('\n')
        .map_or(0, |(_, body)| body.len());
    let mut found = found(&answer);
    if step["result"].get("for_llm_len").is_some() {
        // Too long for a row: its length and ends stand for it.
        let body = text(&found, "body").to_owned();
        found["body"] = abridged(&body, length);
        found["user"] = (text(&found, "user").len() >= length).into();
    }
    place.scratch.unfill_value(&found)
}

fn abridged(body: &str, length: usize) -> Value {
    let first: String = body.chars().take(80).collect();
    let reversed: Vec<char> = body.chars().rev().take(80).collect();
    let last: String = reversed.into_iter().rev().collect();
    json!({"bytes": length, "first": first, "last": last})
}

/// A result of the older format in the terms of the newer: header, both streams in one, the exit code behind the user's text.
pub fn observed(result: &Value) -> Value {
    if let Some(length) = result.get("for_llm_len") {
        let last = text(result, "for_llm_tail");
        let body = json!({"bytes": length, "first": result["for_llm_head"], "last": last.chars().skip(last.chars().count().saturating_sub(80)).collect::<String>()});
        return json!({"exitCode": 0, "timedOut": false, "truncated": false, "error": false, "body": body, "user": true, "isError": false});
    }
    let (model, user) = (text(result, "for_llm"), text(result, "for_user"));
    if let Some((body, code)) = split_suffix(model) {
        return ended(&code.into(), &merged(body), &merged(user));
    }
    if result["is_error"] == true {
        return refused(model);
    }
    ended(&0.into(), &merged(model), &merged(user))
}

fn split_suffix(text: &str) -> Option<(&str, i64)> {
    let (body, code) = text
        .strip_suffix(']')?
        .rsplit_once("\n\n[Command exited with code ")?;
    Some((body, code.parse().ok()?))
}

fn merged(text: &str) -> String {
    text.replacen("\nSTDERR:\n", "", 1)
}

fn taken_back(result: &Value) -> Value {
    let body = text(result, "for_llm").split("\n\n[Command").next();
    json!({"printed": body, "code": 130, "outcome": "cancelled"})
}

fn interrupt(place: &Place, step: &Value) -> Value {
    let command = text(&step["args"], "command");
    let arguments = place.arguments();
    let arguments = ["run"]
        .into_iter()
        .chain(arguments.iter().map(String::as_str))
        .chain(["--", command]);
    let mut running = Running::start(place.scratch.command(arguments));
    running.wait_for("\n");
    running.signal(Signal::INT);
    let finished = running.finish();
    let calls = place.scratch.store().calls();
    json!({"printed": finished.stdout, "code": finished.code, "outcome": calls[0]["outcome"]})
}
