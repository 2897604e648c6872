//! Settings that cannot be used.

use execgate_tests::Scratch;
use serde_json::json;

use super::assert_nothing_starts;

#[test]
fn a_file_that_is_not_toml_is_named() {
    let scratch = Scratch::new();
    for (content, parts) in [
        ("exec = ", &["settings.toml"][..]),
        (
            "[exec]\ntimeout-seconds = \"soon\"\n",
            &["`exec.timeout-seconds`", "whole number"],
        ),
        (
            "[exec]\ntimeout-seconds = -1\n",
            &["`exec.timeout-seconds`", "whole number"],
        ),
        (
            "[exec]\ntimeout = 5\n",
            &["`exec.timeout`", "no such setting"],
        ),
        ("[policy]\nmode = \"loose\"\n", &["`policy.mode`", "ask"]),
        ("[policy]\ndeny = \"rm\"\n", &["`policy.deny`", "list"]),
        ("grants = [\"root\"]\n", &["`root`", "`workspace`"]),
        (
            "[exec]\nshell = \"no-such-shell\"\n",
            &["`no-such-shell`", "`exec.shell`"],
        ),
    ] {
        let path = scratch.write("settings.toml", content);
        assert_nothing_starts(&scratch, &["--config", &path.to_string_lossy()], parts);
    }
}

#[test]
fn a_file_that_is_missing_or_no_text_is_named() {
    let scratch = Scratch::new();
    let binary = scratch.write("binary.toml", b"\xff\xfe\x00");
    for path in [scratch.root().join("missing.toml"), scratch.home(), binary] {
        let path = path.to_string_lossy();
        assert_nothing_starts(&scratch, &["--config", &path], &[&path, "`--config`"]);
    }
}

#[test]
fn picoclaws_document_is_checked() {
    let scratch = Scratch::new();
    let arguments = |name: &str, content: &str| {
        let path = scratch.write(name, content);
        let path = path.to_string_lossy().into_owned();
        ["--profile", "picoclaw", "--config", &path]
            .map(str::to_owned)
            .to_vec()
    };
    for (content, parts) in [
        ("{", &["config.json"][..]),
        (
            r#"{"tools": {"exec": {"timeout_seconds": "x"}}}"#,
            &["`exec.timeout-seconds`", "config.json"],
        ),
        (
            r#"{"tools": {"exec": {"timeout_seconds": {}}}}"#,
            &["`/tools/exec/timeout_seconds`"],
        ),
        (
            r#"{"tools": {"exec": {"enabled": false}}}"#,
            &["`picoclaw.enabled`"],
        ),
    ] {
        let arguments = arguments("config.json", content);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        assert_nothing_starts(&scratch, &arguments, parts);
    }
}

/// A pattern that cannot be compiled is never dropped: its tool does not start.
#[test]
fn a_pattern_that_is_wrong_is_named() {
    let scratch = Scratch::new();
    for key in ["custom_deny_patterns", "custom_allow_patterns"] {
        let document = json!({"tools": {"exec": {key: ["fine", "(unclosed"]}}});
        let path = scratch.write("config.json", document.to_string());
        let arguments = [
            "--profile",
            "picoclaw",
            "--config",
            &*path.to_string_lossy(),
        ];
        assert_nothing_starts(&scratch, &arguments, &["`(unclosed`", key]);
    }
}

#[test]
fn a_variable_that_is_wrong_is_named() {
    let scratch = Scratch::new();
    for (name, value) in [
        ("EXECGATE_EXEC_TIMEOUT_SECONDS", "soon"),
        ("EXECGATE_POLICY_MODE", "loose"),
        ("EXECGATE_EXEC_SPILL", "perhaps"),
    ] {
        let mut command = scratch.command(["run", "--", "touch ran"]);
        command.env(name, value);
        let finished = execgate_tests::Running::start(command).finish();
        super::assert_refused(&scratch, &finished, 125, &[name]);
    }
}
