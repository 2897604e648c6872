//! The steps of a row, and what was observed of each.

use execgate_tests::text;
use serde_json::{Value, json};

/// The steps of a row; a row without is one itself.
pub fn of(row: &Value) -> Vec<&Value> {
    match row["steps"].as_array() {
        Some(steps) => steps.iter().collect(),
        None => vec![row],
    }
}

/// What was observed of a row, an entry for each step; null where there is nothing to see.
pub fn observed(row: &Value) -> Value {
    let steps = of(row);
    let has_command = |id: &Value| steps.iter().any(|step| step["input"]["as"] == *id);
    steps
        .iter()
        .map(|step| {
            let result = &step["expected"]["result"];
            match text(step, "op") {
                "exec" | "process" => {
                    answered(result, has_command(&step["input"]["params"]["sessionId"]))
                }
                "session" => made(result),
                "written" => written(result),
                _ => Value::Null,
            }
        })
        .collect()
}

/// The label of a session whose command the row does not give says nothing.
fn answered(result: &Value, has_command: bool) -> Value {
    if result.get("threw").is_some() {
        return json!({"threw": result["threw"]});
    }
    let mut result = json!({"text": result["text"], "details": result["details"]});
    if !has_command && let Some(details) = result["details"].as_object_mut() {
        details.remove("name");
    }
    result
}

/// Of a session's counts those that its clients can see.
fn made(result: &Value) -> Value {
    json!({
        "aggregatedChars": result["aggregatedChars"],
        "tailChars": result["tailChars"],
        "truncated": result["truncated"],
    })
}

/// Where one write ended and the next began cannot be seen by who reads them.
fn written(result: &Value) -> Value {
    let writes = result["writes"].as_array().expect("it lists writes");
    let hex: String = writes.iter().filter_map(Value::as_str).collect();
    json!({"written": hex})
}
