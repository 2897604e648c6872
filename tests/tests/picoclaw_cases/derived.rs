//! Rows that follow from PicoClaw's document: caps, artifacts, headers, limits.

use std::fs;
use std::path::Path;

use execgate_tests::{Answer, Tally, text};
use serde_json::{Value, json};

use super::answer::split;
use super::place::{Place, Settings};

/// What a row states that does not hold.
type Problems = Vec<String>;

pub fn check(row: &Value, tally: &mut Tally) {
    let (input, result) = (&row["input"], &row["result"]);
    let problems = match text(row, "area") {
        "truncate" => truncate(input, result),
        "artifact" => artifact(input, result),
        "header" => header(input, result),
        "timeout-arg" => timeout(input, result),
        "schema" => takes_boolean(input),
        "deny-wins" => deny_wins(input, result),
        other => vec![format!("area `{other}` is not known here")],
    };
    tally.check(row, &problems);
}

/// Text of this many characters, of one and of two bytes, in which no two places look alike for long.
fn printed(chars: u64) -> String {
    let one = |index: u64| match index % 7 {
        0 => 'é',
        _ => char::from(b'a' + u8::try_from(index / 7 % 23).expect("it is below 23")),
    };
    (0..chars).map(one).collect()
}

fn number(value: &Value, name: &str) -> u64 {
    value[name]
        .as_u64()
        .unwrap_or_else(|| panic!("no number `{name}` in {value}"))
}

/// Compares what holds with what should.
fn same(problems: &mut Problems, what: &str, found: impl Into<Value>, expected: &Value) {
    let found = found.into();
    if found != *expected {
        problems.push(format!("{what} is {found}, expected {expected}"));
    }
}

fn caps(input: &Value) -> Value {
    json!({"max_output_chars": input["max_output_chars"]})
}

fn place(exec: &Value, inline: Option<&Value>) -> Place {
    Place::new(&Settings {
        exec: Some(exec),
        max_inline_result_chars: inline,
        ..Settings::default()
    })
}

fn show(place: &Place, output: &str, more: &str) -> Answer {
    fs::write(place.scratch.workspace().join("output"), output)
        .expect("the workspace can be written");
    place
        .call()
        .exec(json!({"action": "run", "command": format!("cat output{more}")}))
}

fn truncate(input: &Value, result: &Value) -> Problems {
    let place = place(&caps(input), input.get("max_inline_result_chars"));
    let output = printed(number(input, "output_chars"));
    let answer = show(&place, &output, "");
    let Some((header, body)) = split(answer.text()) else {
        return vec![format!("no header: {answer:?}")];
    };
    let total = output.chars().count();
    let omitted = usize::try_from(number(result, "omitted")).expect("it fits");
    let cap = total - omitted;
    let (head, tail) = (cap * 2 / 5, cap - cap * 2 / 5);
    let notice = format!("[OUTPUT TRUNCATED - {omitted} chars omitted out of {total} total]");
    let mut problems = Vec::new();
    same(
        &mut problems,
        "truncated",
        header["truncated"].clone(),
        &result["truncated"],
    );
    for (name, size) in [
        ("head_chars", head),
        ("tail_chars", tail),
        ("effective_cap", cap),
    ] {
        if let Some(expected) = result.get(name) {
            same(&mut problems, name, size, expected);
        }
    }
    if let Some(expected) = result.get("notice") {
        same(&mut problems, "the notice", notice.clone(), expected);
    }
    let kept: String = output.chars().take(head).collect();
    let last: String = output.chars().skip(total - tail).collect();
    let expected = format!("{kept}\n\n... {notice} ...\n\n{last}\n[file:");
    if !body.starts_with(&expected) {
        problems.push("the body is not head, notice, tail, file".to_owned());
    }
    same(
        &mut problems,
        "the artifact",
        saved(&answer),
        &output.into(),
    );
    problems
}

/// Content of the file that an answer names behind its body.
fn saved(answer: &Answer) -> String {
    let path = answer.details()["artifact"]["path"]
        .as_str()
        .filter(|path| answer.text().contains(&format!("\n[file:{path}]")));
    let bytes = path.and_then(|path| fs::read(Path::new(path)).ok());
    String::from_utf8_lossy(&bytes.unwrap_or_default()).into_owned()
}

fn artifact(input: &Value, result: &Value) -> Problems {
    let timed_out = input["killed_by_timeout"] == true;
    let mut exec = json!({"max_output_chars": input["max_output_chars"]});
    if timed_out {
        exec = json!({"timeout_seconds": 1});
    }
    let bytes = usize::try_from(number(input, "output_bytes")).expect("it fits");
    let place = place(&exec, None);
    let answer = show(
        &place,
        &"x".repeat(bytes),
        if timed_out { "; sleep 600" } else { "" },
    );
    let mut problems = Vec::new();
    same(
        &mut problems,
        "the artifact's size",
        saved(&answer).len(),
        &result["artifact_bytes"],
    );
    let Some((header, body)) = split(answer.text()) else {
        return vec![format!("no header: {answer:?}")];
    };
    same(
        &mut problems,
        "truncated",
        header["truncated"].clone(),
        &true.into(),
    );
    same(
        &mut problems,
        "timedOut",
        header["timedOut"].clone(),
        &timed_out.into(),
    );
    let notice = format!("out of {bytes} total]");
    if !body.contains(&notice) {
        problems.push(format!("the body does not say `{notice}`"));
    }
    problems
}

fn header(input: &Value, result: &Value) -> Problems {
    let truncated = input["truncated"] == true;
    let timed_out = input["timedOut"] == true;
    let place = place(
        &json!({"timeout_seconds": u8::from(timed_out), "max_output_chars": if truncated { 4 } else { 0 }}),
        None,
    );
    let code = input.get("exit").or_else(|| input.get("exitCode"));
    let code = code.and_then(Value::as_u64).unwrap_or(0);
    let output = input["stdout"]
        .as_str()
        .unwrap_or(if truncated { "123456" } else { "" });
    let last = if timed_out {
        "sleep 600".to_owned()
    } else {
        format!("exit {code}")
    };
    let answer = show(&place, output, &format!("; {last}"));
    let mut problems = Vec::new();
    if let Some(expected) = result["first_line"].as_str() {
        let line = answer.text().lines().next().unwrap_or_default();
        same(
            &mut problems,
            "the header",
            scrubbed(line),
            &scrubbed(expected).into(),
        );
    }
    if let Some(expected) = result["for_llm"].as_str() {
        same(
            &mut problems,
            "the model's text",
            scrubbed(answer.text()),
            &scrubbed(expected).into(),
        );
    }
    if let Some(expected) = result.get("for_llm_body") {
        let body = split(answer.text()).map(|(_, body)| body);
        same(&mut problems, "the body", body, expected);
    }
    if let Some(expected) = result.get("for_user") {
        same(
            &mut problems,
            "the user's text",
            answer.user_text(),
            expected,
        );
    }
    if let Some(end) = result["for_user_ends_with"].as_str()
        && !answer.user_text().ends_with(end)
    {
        problems.push(format!("the user's text ends otherwise: {answer:?}"));
    }
    problems
}

/// Without what differs from run to run, and without the wording of the error, which is free.
fn scrubbed(text: &str) -> String {
    let Some((before, rest)) = text.split_once("\"durationMs\":") else {
        return text.to_owned();
    };
    let rest = rest.trim_start_matches(|character: char| character.is_ascii_digit());
    let rest = match rest
        .strip_prefix(",\"error\":\"")
        .and_then(|rest| rest.split_once("\"}"))
    {
        Some((_, after)) => format!(",\"error\":\"\"}}{after}"),
        None => rest.to_owned(),
    };
    format!("{before}\"durationMs\":0{rest}")
}

fn timeout(input: &Value, result: &Value) -> Problems {
    // A minute is too long to wait for: one second stands for it.
    let configured = number_or(input, "timeout_seconds", 60);
    let exec = json!({"timeout_seconds": if configured == 60 { 1 } else { configured }});
    let command = match input["command"].as_str() {
        Some(command) => command.replace("sleep 61", "sleep 2"),
        None => "true".to_owned(),
    };
    let mut arguments = json!({"action": "run", "command": command});
    for name in ["timeout", "background"] {
        if let Some(value) = input.get(name) {
            arguments[name] = value.clone();
        }
    }
    let answer = place(&exec, None).call().exec(arguments);
    let mut problems = Vec::new();
    if let Some(expected) = result.get("is_error") {
        same(&mut problems, "isError", answer.is_error(), expected);
    }
    if let Some(seconds) = result["effective_timeout_s"].as_u64() {
        let limit = answer.details()["timeoutMs"].clone();
        same(&mut problems, "the limit", limit, &(seconds * 1000).into());
    }
    for name in ["timedOut", "exitCode"] {
        if let Some(expected) = result.get(name) {
            same(
                &mut problems,
                name,
                answer.details()[name].clone(),
                expected,
            );
        }
    }
    problems
}

fn number_or(value: &Value, name: &str, otherwise: u64) -> u64 {
    value[name].as_u64().unwrap_or(otherwise)
}

fn takes_boolean(input: &Value) -> Problems {
    let mut arguments = json!({"action": "run", "command": "true"});
    for (name, value) in input.as_object().into_iter().flatten() {
        arguments[name] = value.clone();
    }
    let answer = Place::new(&Settings::default()).call().exec(arguments);
    if answer.text().starts_with("invalid arguments") {
        return vec![format!("refused by the schema: {answer:?}")];
    }
    Vec::new()
}

fn deny_wins(input: &Value, result: &Value) -> Problems {
    let exec = json!({"custom_allow_patterns": input["custom_allow"]});
    let answer = place(&exec, None)
        .call()
        .exec(json!({"action": "run", "command": input["command"]}));
    let blocked = answer
        .text()
        .starts_with("Command blocked by safety guard (");
    let mut problems = Vec::new();
    same(&mut problems, "blocked", blocked, &result["blocked"]);
    problems
}
