//! Rows that say how they are run: a command, and what comes of it.

use std::collections::BTreeMap;
use std::fs;

use execgate_tests::{Answer, Scratch, text};
use serde_json::{Value, json};

use super::{openclaw, printed, printed_bytes, survivors};

/// Settings that let nothing depend on how fast the machine is, and nobody wait for long.
const SETTINGS: &[(&str, &str)] = &[
    ("EXECGATE_EXEC_GRACE_MS", "500"),
    ("EXECGATE_EXEC_DRAIN_QUIET_MS", "1000"),
    ("EXECGATE_EXEC_DRAIN_LIMIT_MS", "4000"),
];

/// Exit codes that say that a shell could not run something: the only ones that make a call a failed one.
const SHELL_CODES: [i64; 2] = [126, 127];

/// How a row is run: as a decision says, else as it says itself; nothing where it only says it in prose.
pub fn recipe<'a>(row: &'a Value, overrides: &'a BTreeMap<String, Value>) -> Option<&'a Value> {
    overrides.get(text(row, "id")).or_else(|| row.get("auto"))
}

/// How many recipes run at the same time.
const LANES: usize = 4;

/// Runs recipes, each in a directory of its own; tells what came out otherwise.
pub fn run(recipes: &[(&str, &Value)]) -> Vec<String> {
    let scratch = Scratch::new();
    let mut caller = openclaw(&scratch, SETTINGS);
    let mut calls = Vec::new();
    for (index, (id, recipe)) in recipes.iter().enumerate() {
        fs::create_dir(scratch.workspace().join(id)).expect("the workspace can be written");
        let mut arguments = json!({"command": recipe["cmd"], "workdir": id});
        if let Some(seconds) = recipe.get("timeout") {
            arguments["timeoutSeconds"] = seconds.clone();
        }
        let lane = (index % LANES).to_string();
        calls.push(caller.send(json!({"tool": "exec", "args": arguments, "lane": lane})));
    }
    let mut wrong = Vec::new();
    for ((id, recipe), call) in recipes.iter().zip(calls) {
        let answer = caller.answer(&call);
        let mut problems = end(recipe, &answer);
        problems.extend(output(recipe, &answer));
        wrong.extend(
            problems
                .iter()
                .map(|one| format!("{id}: {one}: {answer:?}")),
        );
    }
    wrong
}

/// What is wrong about how it ended.
fn end(recipe: &Value, answer: &Answer) -> Vec<&'static str> {
    let details = answer.details();
    let expected = match recipe["rc"].as_i64() {
        Some(code) => (Some(code), false, SHELL_CODES.contains(&code)),
        None => (None, true, true),
    };
    let found = (
        details["exitCode"].as_i64(),
        details["timedOut"] == true,
        answer.is_error(),
    );
    let mut problems = Vec::new();
    if found != expected {
        problems.push("it ended otherwise");
    }
    if expected.0.is_some() && !details["exitSignal"].is_null() {
        problems.push("an exit code is no signal");
    }
    // What the command left behind still runs: nobody waited for it.
    if recipe.get("exit_ms_max").is_some() && survivors(answer).is_empty() {
        problems.push("its survivors were waited for, or are not named");
    }
    problems
}

/// What is wrong about what it printed. Answers show both streams in one, without the last line end.
fn output(recipe: &Value, answer: &Answer) -> Vec<&'static str> {
    let part = |name: &str| recipe[name].as_str();
    let printed = printed(answer);
    let mut problems = Vec::new();
    if let Some(whole) = part("out")
        && (printed != whole.trim_end() || *printed_bytes(answer) != whole.len())
    {
        problems.push("it printed something else");
    }
    if ["out_has", "err_has", "err"]
        .iter()
        .filter_map(|name| part(name))
        .any(|part| !printed.contains(part))
    {
        problems.push("it did not print all it should");
    }
    if let Some(bytes) = recipe.get("out_len")
        && printed_bytes(answer) != bytes
    {
        problems.push("it printed more or less");
    }
    problems
}
