//! Each call leaves one row in the record: who, what, by which rule and components, and what came of it.

use execgate_tests::{Answer, Scratch, text};
use pretty_assertions::assert_eq;
use serde_json::{Value, json};

/// Calls, and what the record says of each: decision, who was asked, outcome, exit code, signal.
fn table() -> Vec<(Value, Value)> {
    vec![
        (
            json!({"command": "true"}),
            json!(["allow", "", "exited", 0, null]),
        ),
        (
            json!({"command": "echo hi; exit 3"}),
            json!(["allow", "", "exited", 3, null]),
        ),
        (
            json!({"command": "rm -rf /"}),
            json!(["deny", "", "refused", null, null]),
        ),
        (
            json!({"command": "git push"}),
            json!(["ask", "unreachable", "refused", null, null]),
        ),
        (
            json!({"command": "cat <(echo"}),
            json!(["ask", "unreachable", "refused", null, null]),
        ),
        (
            json!({"command": "sleep 600", "timeoutSeconds": 0.2}),
            json!(["allow", "", "timed-out", null, 15]),
        ),
        (
            json!({"command": "true", "workdir": "nowhere"}),
            json!(["allow", "", "not-started", null, null]),
        ),
    ]
}

fn assert_digests(call: &Value) {
    let components: Value =
        serde_json::from_str(text(call, "components")).expect("the column holds JSON");
    let judges = [
        &components["analyzer"],
        &components["policy"][0],
        &components["formatter"],
    ];
    for component in judges {
        let digest = text(component, "digest");
        assert!(digest.len() == 64 && digest.bytes().all(|byte| byte.is_ascii_hexdigit()));
        assert_eq!(component["generation"], 1);
    }
}

fn assert_row(call: &Value, arguments: &Value, answer: &Answer, expected: &Value) {
    let part = ["decision", "answer", "outcome", "exit_code", "signal"];
    assert_eq!(json!(part.map(|name| &call[name])), *expected, "{call}");
    assert_eq!(call["command"], arguments["command"]);
    assert_eq!(call["plan"], answer.details()["planId"]);
    assert_eq!(call["rule"], answer.details()["rule"]);
    assert_eq!(text(call, "plan").len(), 64);
    assert_eq!(
        (&call["profile"], &call["faults"]),
        (&json!("default"), &json!(""))
    );
    assert_eq!(
        json!([call["agent"], call["session"], call["channel"]]),
        json!(["scribe", "s7", "telegram"])
    );
    assert_digests(call);
}

#[test]
fn each_call_leaves_one_row() {
    let scratch = Scratch::new();
    let mut caller = scratch.call(&[]);
    let mut answers = Vec::new();
    for (arguments, _) in table() {
        let line = json!({
            "tool": "exec",
            "args": arguments,
            "caller": {"agent": "scribe", "session": "s7", "channel": "telegram"},
        });
        answers.push(caller.request(line));
        // The row is there before the answer is.
        assert_eq!(scratch.store().calls().len(), answers.len());
    }
    let calls = scratch.store().calls();
    for (((arguments, expected), answer), call) in table().iter().zip(&answers).zip(&calls) {
        assert_row(call, arguments, answer, expected);
    }
    let workspace = scratch.workspace();
    assert_eq!(calls[0]["cwd"], json!(workspace));
    assert_eq!(calls[1]["output_bytes"], 3);
    assert_eq!(calls[6]["cwd"], json!(workspace.join("nowhere")));
}

#[test]
fn the_same_call_has_the_same_plan_and_another_one_another() {
    let scratch = Scratch::new();
    let mut plans = Vec::new();
    for command in ["true", "true", "pwd"] {
        let answer = scratch.call(&[]).run(command);
        plans.push(text(answer.details(), "planId").to_owned());
    }
    assert_eq!(plans[0], plans[1]);
    assert_ne!(plans[0], plans[2]);
}

#[test]
fn a_run_and_a_call_are_recorded_alike_and_a_check_is_not() {
    let scratch = Scratch::new();
    scratch.run(["run", "--", "exit 4"]);
    scratch.run(["run", "--", "kill -9 $$"]);
    scratch.run(["policy", "check", "true"]);
    let outcomes: Vec<Value> = scratch
        .store()
        .calls()
        .iter()
        .map(|call| json!([call["outcome"], call["exit_code"]]))
        .collect();
    assert_eq!(outcomes, [json!(["exited", 4]), json!(["refused", null])]);
}

/// Commands and their reasons are nobody else's business.
#[test]
fn the_store_is_its_owners_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let scratch = Scratch::new();
    scratch.run(["run", "--", "true"]);
    let mode = |path: std::path::PathBuf| {
        let metadata = path.metadata().expect("the program has made it");
        metadata.permissions().mode() & 0o777
    };
    assert_eq!(mode(scratch.state()), 0o700);
    assert_eq!(mode(scratch.state().join("execgate.sqlite")), 0o600);
}
