//! The observed guard decisions, with the rows that are rightly decided otherwise listed beside them.

use std::collections::BTreeMap;

use execgate_guest::{Configure, Decision, Policy};
use serde_json::{Map, Value, json};

use super::disk::Scratch;
use crate::PicoPolicy;

fn rows(name: &str) -> Vec<Value> {
    let directory = std::env::var("EXECGATE_CASES")
        .unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/cases").into());
    let text =
        std::fs::read_to_string(format!("{directory}/{name}")).expect("the case table is there");
    text.lines()
        .map(|line| serde_json::from_str(line).expect("each line is an object"))
        .collect()
}

fn settings(input: &Value, scratch: &Scratch) -> String {
    let mut settings = input["config"].as_object().cloned().unwrap_or_default();
    settings.insert(
        "restrict_to_workspace".into(),
        input["restrict_to_workspace"].clone(),
    );
    for name in ["allow_read_paths", "allowlist"] {
        if let Some(list) = input.get(name) {
            settings.insert(name.into(), list.clone());
        }
    }
    scratch.fill(&Value::Object(settings).to_string())
}

/// What the policy makes of a row, in the row's own terms.
fn decide(row: &Value, scratch: &Scratch) -> Value {
    let input = &row["input"];
    let text = |name: &str| input[name].as_str().expect("the row has it");
    let policy = match PicoPolicy::configure(&settings(input, scratch)) {
        Ok(policy) => policy,
        Err(_) => return json!({"construct_error": true}),
    };
    let verdict =
        policy.evaluate(&scratch.request(text("command"), text("workspace"), text("cwd")));
    match verdict.decision {
        Decision::Allow => json!({"blocked": false, "reason": ""}),
        Decision::Deny => json!({"blocked": true, "reason": verdict.reason}),
        Decision::Ask => panic!("this profile never asks: {verdict:?}"),
    }
}

fn observed(row: &Value) -> Value {
    let result = &row["result"];
    if result.get("construct_error").is_some() {
        return json!({"construct_error": true});
    }
    json!({"blocked": result["blocked"], "reason": result["reason"]})
}

/// Overrides by id, each with the sentence that says so.
fn overrides() -> BTreeMap<String, Map<String, Value>> {
    rows("overrides.jsonl")
        .into_iter()
        .map(|row| {
            let row = row.as_object().cloned().expect("each line is an object");
            let id = row["id"].as_str().expect("it names a row").to_owned();
            assert!(
                row["decision"]
                    .as_str()
                    .is_some_and(|decision| !decision.is_empty()),
                "{id} quotes its decision"
            );
            (id, row)
        })
        .collect()
}

#[test]
fn every_guard_row_is_decided_as_observed_or_as_overridden() {
    let scratch = Scratch::new();
    let overrides = overrides();
    let (mut count, mut overridden, mut wrong) = (0, 0, Vec::new());
    let mut table = rows("picoclaw.jsonl");
    table.retain(|row| row["kind"] == "guard");
    for row in &table {
        count += 1;
        let id = row["id"].as_str().expect("a row has an id");
        let expected = match overrides.get(id) {
            Some(own) => {
                overridden += 1;
                assert_ne!(own["expected"], observed(row), "{id} needs no override");
                own["expected"].clone()
            }
            None => observed(row),
        };
        let decided = decide(row, &scratch);
        if decided != expected {
            wrong.push(format!(
                "{id} {}: {decided}, expected {expected}",
                row["input"]["command"]
            ));
        }
    }
    println!(
        "picoclaw guard: {count} cases, {overridden} overridden, {} wrong",
        wrong.len()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
