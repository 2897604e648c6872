//! What a command is started with: directory, variables, descriptors, signals.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use execgate_tests::{Answer, Caller, Scratch, text};
use pretty_assertions::assert_eq;
use serde_json::json;

use super::{Rows, background, extended, openclaw};

pub const ROWS: Rows = &[
    ("SE01", a_directory_that_is_none_is_named),
    ("SE02", a_directory_that_is_gone_is_lost_to_nobody_else),
    ("SE03", secrets_of_the_host_do_not_reach_a_command),
    ("SE03", names_of_withheld_variables_are_recorded),
    ("SE05", the_parent_of_a_command_holds_no_secret),
    ("SE07", variables_that_redirect_git_are_refused),
    ("SE08", variables_that_run_shell_text_are_refused),
    ("SE11", active_environments_are_kept_alike),
    ("SE12", the_path_keeps_its_order),
    ("SE18", descriptors_of_other_sessions_are_not_passed_on),
    ("SE19", ignored_signals_are_not_passed_on),
];

/// Nothing runs, there or anywhere else, and the directory is not made.
#[test]
fn a_directory_that_is_none_is_named() {
    let scratch = Scratch::new();
    let file = scratch.write("file", "");
    let missing = scratch.root().join("missing");
    for (path, reason) in [
        (&missing, "No such file or directory"),
        (&file, "Not a directory"),
    ] {
        let name = path.to_string_lossy();
        let call = json!({"command": "touch ran", "workdir": name});
        let answers = [
            openclaw(&scratch, &[]).exec(call.clone()),
            extended(&scratch, &[]).exec(call),
        ];
        for answer in &answers {
            assert!(
                answer.is_error() && answer.text().contains(&*name),
                "{answer:?}"
            );
            assert!(answer.details()["exitCode"].is_null());
        }
        assert!(answers[1].text().contains(reason), "{answers:?}");
    }
    assert!(!missing.exists() && !scratch.has("ran"));
    assert!(!scratch.home().join("ran").exists());
}

/// No call starts where another one went: each starts in the workspace, or where it says.
#[test]
fn a_directory_that_is_gone_is_lost_to_nobody_else() {
    let scratch = Scratch::new();
    let mut caller = extended(&scratch, &[]);
    caller.run("mkdir x && cd x");
    caller.run("rm -rf x");
    assert_eq!(caller.run("echo hi; cat a.txt").text(), "hi\nin ws");
    let inside = |directory: &str| json!({"command": "pwd", "workdir": directory});
    let answer = caller.exec(inside("sub"));
    assert!(answer.text().ends_with("/ws/sub"), "{answer:?}");
    let answer = caller.exec(inside("x"));
    assert!(
        answer.is_error() && answer.text().contains("/ws/x`"),
        "{answer:?}"
    );
}

const SECRETS: [(&str, &str); 3] = [
    ("OPENAI_API_KEY", "sk-do-not-tell-anybody"),
    ("AWS_SECRET_ACCESS_KEY", "wJalrXUtnFEMI-do-not-tell"),
    ("MY_TOKEN", "token-do-not-tell"),
];

#[test]
fn secrets_of_the_host_do_not_reach_a_command() {
    let scratch = Scratch::new();
    let variables = [&SECRETS[..], &[("TERM", "xterm")]].concat();
    for mut caller in [
        openclaw(&scratch, &variables),
        extended(&scratch, &variables),
    ] {
        let answer = caller.run("env");
        let names: Vec<&str> = answer
            .text()
            .lines()
            .filter_map(|line| Some(line.split_once('=')?.0))
            .collect();
        for (name, value) in SECRETS {
            assert!(!names.contains(&name) && !answer.text().contains(value));
        }
        for name in ["PATH", "HOME", "LANG", "TERM"] {
            assert!(names.contains(&name), "{name} in {names:?}");
        }
    }
}

#[test]
fn names_of_withheld_variables_are_recorded() {
    let scratch = Scratch::new();
    extended(&scratch, &SECRETS).run("true");
    let record = scratch.store().calls()[0].to_string();
    for (name, value) in SECRETS {
        assert!(record.contains(name), "{name} in {record}");
        assert!(!record.contains(value), "{record}");
    }
}

/// Names are counted where they stand: their values would be masked on their way out.
#[test]
fn the_parent_of_a_command_holds_no_secret() {
    let scratch = Scratch::new();
    let names = SECRETS.map(|(name, _)| name).join("\\|");
    let count = format!(
        "tr '\\0' '\\n' < /proc/$PPID/environ | grep -c '{names}'; test -r /proc/$PPID/environ && echo read"
    );
    let answer = extended(&scratch, &SECRETS).run(&count);
    assert_eq!(answer.text(), "0\nread");
}

/// Runs a command with one variable under the default profile as it is: the call is refused, and names the variable.
fn assert_refused(caller: &mut Caller, command: &str, name: &str, value: &str) {
    let answer: Answer = caller.exec(json!({"command": command, "env": {name: value}}));
    assert!(answer.is_error(), "{name}: {answer:?}");
    assert!(answer.details()["exitCode"].is_null(), "{name}: {answer:?}");
    assert!(answer.text().contains(name), "{name}: {answer:?}");
}

#[test]
fn variables_that_redirect_git_are_refused() {
    let scratch = Scratch::new();
    let ran = scratch.root().join("ran");
    let evil = scratch.write("evil", format!("#!/bin/sh\ntouch '{}'\n", ran.display()));
    fs::set_permissions(&evil, fs::Permissions::from_mode(0o755)).expect("it is ours");
    extended(&scratch, &[]).run("git init -q && git add a.txt && echo more >> a.txt");
    let mut caller = scratch.call(&[]);
    let evil = evil.to_string_lossy();
    for name in [
        "GIT_EXTERNAL_DIFF",
        "GIT_SSH_COMMAND",
        "GIT_EXEC_PATH",
        "GIT_EDITOR",
        "GIT_PAGER",
        "GIT_CONFIG_GLOBAL",
        "GIT_CONFIG_COUNT",
    ] {
        assert_refused(&mut caller, "git diff", name, &evil);
    }
    assert!(!ran.exists());
}

#[test]
fn variables_that_run_shell_text_are_refused() {
    let scratch = Scratch::new();
    let mut caller = scratch.call(&[]);
    assert_refused(&mut caller, "set -x; :", "PS4", "$(touch pwn)");
    assert_refused(&mut caller, "ls", "BASH_FUNC_ls%%", "() { echo hijack; }");
    assert!(!scratch.has("pwn"));
}

#[test]
fn active_environments_are_kept_alike() {
    let scratch = Scratch::new();
    let variables = [
        ("CONDA_PREFIX", "/opt/conda"),
        ("CONDA_DEFAULT_ENV", "base"),
        ("VIRTUAL_ENV", "/opt/venv"),
    ];
    for mut caller in [
        openclaw(&scratch, &variables),
        extended(&scratch, &variables),
    ] {
        let answer = caller.run("printenv CONDA_PREFIX CONDA_DEFAULT_ENV VIRTUAL_ENV");
        assert_eq!(answer.text(), "/opt/conda\nbase\n/opt/venv");
    }
}

/// There is one mode, and no profile of a login shell that could change the order.
#[test]
fn the_path_keeps_its_order() {
    let scratch = Scratch::new();
    let first = scratch.root().join("first");
    fs::create_dir(&first).expect("the test's own directory can be written");
    let path = format!("{}:/usr/bin:/bin", first.display());
    let mut caller = extended(&scratch, &[("PATH", &path)]);
    let answer = caller.run("echo $PATH; shopt -q login_shell || echo plain");
    assert_eq!(answer.text(), format!("{path}\nplain"));
}

#[test]
fn descriptors_of_other_sessions_are_not_passed_on() {
    let scratch = Scratch::new();
    let mut caller = openclaw(&scratch, &[]);
    for _ in 0..20 {
        background(&mut caller, "sleep 600");
    }
    // The last one is the listing's own.
    assert_eq!(
        caller.run("ls /proc/self/fd | tr '\\n' ' '").text(),
        "0 1 2 3"
    );
}

/// A stream whose program was started by one that ignores signals.
pub fn with_ignored_signals(scratch: &Scratch) -> Caller {
    let program = scratch.command(["call", "--profile", "openclaw"]);
    let mut shell = Command::new("sh");
    shell
        .args(["-c", "trap '' HUP INT QUIT PIPE; exec \"$0\" \"$@\""])
        .arg(program.get_program())
        .args(program.get_args())
        .env_clear();
    for (name, value) in program.get_envs() {
        shell.env(name, value.unwrap_or_default());
    }
    if let Some(directory) = program.get_current_dir() {
        shell.current_dir(directory);
    }
    Caller::start(shell)
}

#[test]
fn ignored_signals_are_not_passed_on() {
    let scratch = Scratch::new();
    let answer = with_ignored_signals(&scratch).run("grep -E 'Sig(Blk|Ign)' /proc/self/status");
    let sets: Vec<&str> = answer
        .text()
        .lines()
        .filter_map(|line| line.split_once(":\t"))
        .map(|(_, set)| set)
        .collect();
    assert_eq!(sets, ["0000000000000000", "0000000000000000"]);
    assert_eq!(text(answer.details(), "status"), "completed");
}
