//! Guard decisions, through `execgate policy check`: nothing runs.

use std::collections::BTreeMap;

use execgate_tests::{Tally, text};
use serde_json::{Value, json};

use super::place::{Place, Settings};

/// Rows with the same settings are judged by one program.
pub fn check(rows: &[&Value], tally: &mut Tally) {
    let mut groups: BTreeMap<String, Vec<&Value>> = BTreeMap::new();
    for row in rows {
        let input = &row["input"];
        let settings = [
            &input["config"],
            &input["restrict_to_workspace"],
            &input["allow_read_paths"],
        ];
        groups
            .entry(json!(settings).to_string())
            .or_default()
            .push(row);
    }
    for group in groups.values() {
        check_group(group, tally);
    }
}

fn check_group(group: &[&Value], tally: &mut Tally) {
    let input = &group[0]["input"];
    let place = Place::new(&Settings {
        exec: input.get("config"),
        restrict: input["restrict_to_workspace"] == true,
        allow_read_paths: input.get("allow_read_paths"),
        max_inline_result_chars: None,
    });
    let lines: String = group.iter().map(|row| question(&place, row)).collect();
    let arguments = ["policy", "check", "--json"].map(str::to_owned);
    let finished = place
        .scratch
        .run_with_input(arguments.into_iter().chain(place.arguments()), lines);
    if finished.code != 0 {
        // Settings that are refused are refused for every row; the refusal names the pattern.
        for row in group {
            let named =
                row["result"]["construct_error"].is_string() && finished.stderr.contains("`(`");
            let found = json!({"construct_error": named, "code": finished.code, "stderr": if named { "" } else { &finished.stderr }});
            tally.compare(row, observed(row), &found);
        }
        return;
    }
    let reports = finished.json_lines();
    assert_eq!(reports.len(), group.len(), "{finished:?}");
    for (row, report) in group.iter().zip(&reports) {
        assert_eq!(report["id"], row["id"], "answers come in order");
        tally.compare(row, observed(row), &found(report));
    }
}

fn question(place: &Place, row: &Value) -> String {
    let input = &row["input"];
    let mut line = json!({
        "id": row["id"],
        "command": text(input, "command"),
        "cwd": text(input, "cwd"),
        "workspace": text(input, "workspace"),
        "home": place.scratch.home().to_string_lossy(),
        "shell": "sh",
    });
    if let Some(allowlist) = input.get("allowlist") {
        line["allowlist"] = allowlist.clone();
    }
    format!("{}\n", place.scratch.fill(&line.to_string()))
}

fn observed(row: &Value) -> Value {
    let result = &row["result"];
    if result.get("construct_error").is_some() {
        return json!({"construct_error": true, "code": 2, "stderr": ""});
    }
    json!({"blocked": result["blocked"], "reason": result["reason"]})
}

fn found(report: &Value) -> Value {
    match text(report, "verdict") {
        "allow" => json!({"blocked": false, "reason": ""}),
        "deny" => json!({"blocked": true, "reason": report["reason"]}),
        other => json!({"neverAsks": other}),
    }
}
