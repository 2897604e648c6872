//! Components that are missing, broken or misbehaving, seen from outside: one clear error, the old one stays, nothing is allowed.

use std::fs;
use std::path::{Path, PathBuf};

use execgate_tests::{
    Caller, Scratch, answering_policy, bad_policy, bad_policy_on_demand, read_only_policy, text,
};
use pretty_assertions::assert_eq;
use serde_json::{Value, json};

/// Few enough that a policy without end is soon at its end, and enough for all others.
const FUEL: u64 = 20_000_000;

/// Faults that a policy can be made to show, and what the reason says of each.
const FAULTS: &[(&str, &str)] = &[
    ("trap", "trapped"),
    ("endless_loop", "ran out of fuel"),
    ("memory_hog", "ran out of memory"),
    ("stack_overflow", "trapped"),
    ("unknown_decision", "gave a malformed answer"),
    ("bad_utf8", "gave a malformed answer"),
    ("huge_result", "moved too much data"),
];

/// Files that are no policy, and a part of what is said of each.
fn unusable(scratch: &Scratch) -> Vec<(PathBuf, &'static str)> {
    let good = fs::read(read_only_policy()).expect("the build script made it");
    let write = |name: &str, bytes: &[u8]| scratch.write(name, bytes);
    let directory = scratch.root().join("directory.wasm");
    fs::create_dir(&directory).expect("the test's own directory can be written");
    vec![
        (scratch.root().join("missing.wasm"), "No such file"),
        (directory, "directory"),
        (write("empty.wasm", b""), "component"),
        (write("text.wasm", b"this is not WebAssembly"), "component"),
        (
            write("truncated.wasm", &good[..good.len() / 2]),
            "component",
        ),
        (write("module.wasm", &bad_policy("core_module")), "module"),
        (write("no-role.wasm", &bad_policy("no_role")), "export"),
        (write("files.wasm", &bad_policy("wants_files")), "import"),
        (write("trap.wasm", &bad_policy("trap")), "trapped"),
        (write("start.wasm", &bad_policy("trap_in_start")), "trap"),
        (
            write("settings.wasm", &bad_policy("refuses_settings")),
            "settings",
        ),
    ]
}

fn assert_names(error: &str, path: &Path, part: &str) {
    let name = path.file_name().expect("it has one").to_string_lossy();
    assert!(error.contains(&*name), "the error names `{name}`: {error}");
    assert!(error.contains(part), "the error says `{part}`: {error}");
}

/// A stream whose policy is this file.
fn call_with(scratch: &Scratch, policy: &Path, more: &[&str]) -> Caller {
    let config = scratch.write(
        "execgate.toml",
        format!("[policy]\ncomponents = [{policy:?}]\n[limits]\nfuel = {FUEL}\n"),
    );
    let config = config.to_string_lossy();
    let arguments: Vec<&str> = ["--config", &config]
        .into_iter()
        .chain(more.iter().copied())
        .collect();
    scratch.call(&arguments)
}

fn digest(scratch: &Scratch, path: &Path) -> String {
    let path = path.to_string_lossy();
    let finished = scratch.run(["policy", "inspect", "--json", &*path]);
    text(&finished.json(), "digest").to_owned()
}

#[test]
fn a_file_that_is_no_policy_is_named_and_nothing_is_judged() {
    let scratch = Scratch::new();
    for (path, part) in unusable(&scratch) {
        let policy = path.to_string_lossy();
        let finished = scratch.run(["policy", "check", "--policy", &*policy, "true"]);
        assert_eq!(
            (finished.code, finished.stdout.as_str()),
            (2, ""),
            "{path:?}"
        );
        assert_eq!(
            finished.stderr.matches("error: ").count(),
            1,
            "{finished:?}"
        );
        assert_names(&finished.stderr, &path, part);
    }
}

/// A required policy that is not there: no call gets through.
#[test]
fn without_its_policy_no_call_is_answered() {
    let scratch = Scratch::new();
    for (path, part) in unusable(&scratch) {
        let (code, answers, stderr) = call_with(&scratch, &path, &[]).finish();
        assert_eq!((code, answers), (2, Vec::new()), "{path:?}");
        assert_names(&stderr, &path, part);
    }
}

#[test]
fn a_swap_that_fails_keeps_the_old_policy_and_is_recorded() {
    let scratch = Scratch::new();
    let mut caller = call_with(&scratch, &read_only_policy(), &["--operator"]);
    let live = digest(&scratch, &read_only_policy());
    let bad = unusable(&scratch);
    for (path, part) in &bad {
        let answer = caller.request(json!({"op": "swap", "slot": "policy", "path": path}));
        assert_eq!(answer.0["ok"], false, "{answer:?}");
        assert_names(text(&answer.0, "error"), path, part);
        assert_eq!(caller.run("true").rule(), "read-only/reads");
    }
    let answer = caller.request(json!({"op": "swap", "slot": "policies", "path": "x"}));
    assert_eq!(answer.0["ok"], false);
    assert!(text(&answer.0, "error").contains("analyzer, policy, approver and formatter"));
    let swaps = scratch.store().swaps();
    assert_eq!(swaps.len(), bad.len());
    for swap in &swaps {
        assert_eq!(
            (text(swap, "old_digest"), text(swap, "new_digest")),
            (&*live, &*live)
        );
        assert!(swap["error"].is_string(), "{swap}");
    }
}

#[test]
fn a_policy_that_fails_denies_and_says_how() {
    for (name, part) in FAULTS {
        let scratch = Scratch::new();
        let policy = scratch.write(&format!("{name}.wasm"), bad_policy_on_demand(name));
        let mut caller = call_with(&scratch, &policy, &[]);
        let before = caller.run("echo before > before");
        assert!(!before.is_error(), "{name} behaves at first: {before:?}");
        for _ in 0..2 {
            let answer = caller.exec(json!({"command": "echo x > ran", "workdir": "."}));
            assert!(answer.is_error());
            assert_eq!(answer.rule(), "execgate/policy-fault", "{answer:?}");
            assert_names(answer.text(), &policy, part);
        }
        assert!(
            !caller.run("true").is_error(),
            "{name}: the next call is as good as new"
        );
        assert!(scratch.has("before") && !scratch.has("ran"));
        let calls = scratch.store().calls();
        let faults: Vec<bool> = calls
            .iter()
            .map(|call| text(call, "faults").contains(part))
            .collect();
        assert_eq!(faults, [false, true, true, false], "{name}: {calls:?}");
    }
}

/// The same through `policy check`: a row that breaks the policy is denied, the next one judged.
#[test]
fn a_row_that_breaks_the_policy_is_denied() {
    for (name, part) in FAULTS {
        let scratch = Scratch::new();
        let policy = scratch.write(&format!("{name}.wasm"), bad_policy_on_demand(name));
        let policy = policy.to_string_lossy();
        let limits = scratch.write("limits.toml", format!("[limits]\nfuel = {FUEL}\n"));
        let limits = limits.to_string_lossy();
        let rows = [
            json!({"id": 1, "command": "true", "cwd": "/"}),
            json!({"id": 2, "command": "true"}),
        ];
        let lines: String = rows.iter().map(|row| format!("{row}\n")).collect();
        let arguments = [
            "policy", "check", "--config", &*limits, "--policy", &*policy,
        ];
        let finished = scratch.run_with_input(arguments, lines);
        let reports = finished.json_lines();
        assert_eq!(reports[0]["verdict"], "deny", "{name}");
        assert!(text(&reports[0], "reason").contains(part), "{}", reports[0]);
        assert_eq!(reports[1]["verdict"], "allow", "{name}");
    }
}

/// A policy that denies beside one that breaks: what breaks never loosens.
#[test]
fn a_failing_policy_does_not_loosen_the_chain() {
    let scratch = Scratch::new();
    let broken = scratch.write("trap.wasm", bad_policy_on_demand("trap"));
    let policies = [broken, read_only_policy()];
    for order in [[0, 1], [1, 0]] {
        let [first, second] = order.map(|index| policies[index].to_string_lossy());
        let rows = "{\"command\": \"rm a.txt\"}\n{\"command\": \"ls\", \"cwd\": \"/\"}\n{\"command\": \"ls\"}\n";
        let arguments = ["policy", "check", "--policy", &*first, "--policy", &*second];
        let reports = scratch.run_with_input(arguments, rows).json_lines();
        let verdicts: Vec<&str> = reports
            .iter()
            .map(|report| text(report, "verdict"))
            .collect();
        assert_eq!(verdicts, ["deny", "deny", "allow"]);
    }
}

#[test]
fn replacing_the_file_changes_nothing_until_a_swap() {
    let scratch = Scratch::new();
    let path = scratch.write("policy.wasm", answering_policy("first"));
    let other = answering_policy("other");
    let mut caller = call_with(&scratch, &path, &["--operator"]);
    let swap = json!({"op": "swap", "slot": "policy", "path": path});
    assert_eq!(caller.run("true").rule(), "test/first");
    for (content, rule) in [
        (&other[..other.len() / 2], "test/first"),
        (&other[..], "test/other"),
    ] {
        let ids: Vec<Value> = (0..20)
            .map(|_| caller.send(json!({"tool": "exec", "args": {"command": "true"}})))
            .collect();
        fs::write(&path, content).expect("the test's own directory can be written");
        for id in ids {
            assert_eq!(caller.answer(&id).rule(), "test/first", "{rule}");
        }
        assert_eq!(
            caller.run("true").rule(),
            "test/first",
            "no swap was asked for"
        );
        assert_eq!(caller.request(swap.clone()).0["ok"], rule == "test/other");
        assert_eq!(caller.run("true").rule(), rule);
    }
    fs::remove_file(&path).expect("it is there");
    assert_eq!(caller.run("true").rule(), "test/other");
}

/// The record tells which bytes judged, before and after a restart with another policy.
#[test]
fn the_record_names_the_policy_that_judged() {
    let scratch = Scratch::new();
    let first = scratch.write("first.wasm", answering_policy("first"));
    let other = scratch.write("other.wasm", answering_policy("other"));
    let mut expected = Vec::new();
    for path in [&first, &other, &first] {
        let mut caller = call_with(&scratch, path, &[]);
        caller.run("true");
        caller.finish();
        expected.push(digest(&scratch, path));
    }
    let judged = |call: &Value| -> String {
        let components: Value =
            serde_json::from_str(text(call, "components")).expect("the column holds JSON");
        text(&components["policy"][0], "digest").to_owned()
    };
    let found: Vec<String> = scratch.store().calls().iter().map(judged).collect();
    assert_eq!(found, expected);
    assert_ne!(expected[0], expected[1]);
}
