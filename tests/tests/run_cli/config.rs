//! Settings: each value with its origin, and what a workspace's file may do.

use std::fs;

use execgate_tests::{Running, Scratch, text};
use pretty_assertions::assert_eq;
use serde_json::{Value, json};

fn show(scratch: &Scratch, variables: &[(&str, &str)], arguments: &[&str]) -> Value {
    let mut command = scratch.command(["config", "show", "--json"].iter().chain(arguments));
    command.envs(variables.iter().copied());
    let finished = Running::start(command).finish();
    assert_eq!((finished.code, finished.stderr.as_str()), (0, ""));
    finished.json()
}

/// Writes the file that an agent could have written.
fn write_workspace_file(scratch: &Scratch, content: &str) {
    fs::write(scratch.workspace().join("execgate.toml"), content)
        .expect("the workspace can be written");
}

fn assert_origin(settings: &Value, key: &str, value: Value, origin: &str) {
    assert_eq!(settings[key]["value"], value, "{key}");
    let found = text(&settings[key], "origin");
    assert!(found.contains(origin), "{key} is from {found}");
}

#[test]
fn every_value_tells_where_it_came_from() {
    let scratch = Scratch::new();
    let config = scratch.write("mine.toml", "[exec]\ngrace-ms = 7\nring-bytes = 4096\n");
    let config = config.to_string_lossy();
    write_workspace_file(&scratch, "[exec]\ntimeout-seconds = 5\n");
    let settings = show(
        &scratch,
        &[("EXECGATE_EXEC_RING_BYTES", "8192")],
        &["--config", &config, "--workspace", "sub"],
    );
    assert_origin(&settings, "exec.grace-ms", json!(7), "mine.toml");
    assert_origin(
        &settings,
        "exec.ring-bytes",
        json!(8192),
        "EXECGATE_EXEC_RING_BYTES",
    );
    assert_origin(
        &settings,
        "exec.timeout-seconds",
        json!(5),
        "the workspace's",
    );
    assert_origin(&settings, "policy.mode", json!("ask"), "defaults");
    assert_origin(&settings, "workspace", json!("sub"), "command line");
    let settings = show(&scratch, &[], &["--profile", "picoclaw"]);
    assert_origin(&settings, "exec.shell", json!("sh"), "profile");
}

/// The user's own file, where nobody names one.
#[test]
fn the_users_file_is_read() {
    let scratch = Scratch::new();
    let directory = scratch.home().join(".config/execgate");
    fs::create_dir_all(&directory).expect("the home directory can be written");
    fs::write(
        directory.join("execgate.toml"),
        "[policy]\ndeny = [\"pwd\"]\n",
    )
    .expect("the home directory can be written");
    assert_eq!(scratch.run(["run", "--", "pwd"]).code, 126);
    assert_eq!(scratch.run(["run", "--", "true"]).code, 0);
}

#[test]
fn picoclaws_document_and_variables_are_read() {
    let scratch = Scratch::new();
    let document =
        json!({"tools": {"exec": {"timeout_seconds": 9, "allow_remote": true}, "other": {}}});
    let config = scratch.write("config.json", document.to_string());
    let settings = show(
        &scratch,
        &[("PICOCLAW_TOOLS_EXEC_CUSTOM_DENY_PATTERNS", "foo,bar")],
        &[
            "--profile",
            "picoclaw",
            "--config",
            &config.to_string_lossy(),
        ],
    );
    assert_origin(&settings, "exec.timeout-seconds", json!(9), "config.json");
    assert_origin(
        &settings,
        "picoclaw.allow-remote",
        json!(true),
        "config.json",
    );
    assert_origin(
        &settings,
        "picoclaw.custom-deny-patterns",
        json!(["foo", "bar"]),
        "PICOCLAW_TOOLS_EXEC_CUSTOM_DENY_PATTERNS",
    );
}

#[test]
fn a_workspaces_file_can_tighten() {
    let scratch = Scratch::new();
    write_workspace_file(&scratch, "[policy]\ndeny = [\"pwd\"]\n");
    let finished = scratch.run(["run", "--", "pwd"]);
    assert_eq!(finished.code, 126, "{finished:?}");
    write_workspace_file(&scratch, "[policy]\nmode = \"deny\"\n");
    assert_eq!(scratch.run(["run", "--", "true"]).code, 126);
}

/// Looser values are without effect; keys that could only loosen are an error, and nothing runs.
#[test]
fn a_workspaces_file_cannot_loosen() {
    let scratch = Scratch::new();
    write_workspace_file(
        &scratch,
        "[exec]\ntimeout-seconds = 99999\n[policy]\nmode = \"full\"\ndeny = []\n",
    );
    let settings = show(&scratch, &[], &[]);
    assert_origin(&settings, "exec.timeout-seconds", json!(1800), "defaults");
    assert_origin(&settings, "policy.mode", json!("ask"), "defaults");
    assert_eq!(scratch.run(["run", "--", "git push"]).code, 126);
    for key in [
        "workspace = \"/\"",
        "state-dir = \"x\"",
        "policy.components = []",
        "policy.exempt = [\"git\"]",
        "exec.shell = \"/bin/true\"",
        "grants = [\"workspace\"]",
    ] {
        write_workspace_file(&scratch, key);
        let finished = scratch.run(["run", "--", "touch ran"]);
        assert_eq!(
            (finished.code, finished.stdout.as_str()),
            (125, ""),
            "{key}"
        );
        let name = key.split(' ').next().expect("there is a key");
        assert!(
            finished.stderr.contains(&format!("`{name}`")),
            "{finished:?}"
        );
        assert!(finished.stderr.contains("execgate.toml"), "{finished:?}");
        assert!(!scratch.has("ran"), "{key}");
    }
}
