//! Exit codes of `run`.

use execgate_tests::{Finished, Running, Scratch};
use pretty_assertions::assert_eq;

/// Runs in mode `full`, where nothing is asked.
fn run(scratch: &Scratch, arguments: &[&str]) -> Finished {
    let mut command = scratch.command(["run"].iter().chain(arguments));
    command.env("EXECGATE_POLICY_MODE", "full");
    Running::start(command).finish()
}

#[test]
fn the_code_is_the_commands_own() {
    let scratch = Scratch::new();
    for code in [0, 1, 3, 124, 126, 255] {
        let finished = run(&scratch, &["--", &format!("exit {code}")]);
        let expected = Finished {
            code,
            stdout: String::new(),
            stderr: String::new(),
        };
        assert_eq!(finished, expected);
    }
    assert_eq!(run(&scratch, &["--", "nosuchcommand_zz"]).code, 127);
}

#[test]
fn a_signal_is_128_and_its_number() {
    let scratch = Scratch::new();
    for (name, code) in [("KILL", 137), ("TERM", 143), ("SEGV", 139)] {
        assert_eq!(
            run(&scratch, &["--", &format!("kill -{name} $$")]).code,
            code
        );
    }
}

#[test]
fn time_that_is_up_is_124() {
    let scratch = Scratch::new();
    let finished = run(
        &scratch,
        &["--timeout", "0.2", "--", "echo begun; sleep 600"],
    );
    assert_eq!((finished.code, finished.stdout.as_str()), (124, "begun\n"));
    assert!(finished.stderr.contains("`--timeout`"), "{finished:?}");
}

#[test]
fn no_limit_is_none() {
    let scratch = Scratch::new();
    let mut command = scratch.command(["run", "--timeout", "0", "--", "sleep 1.5; echo done"]);
    command.env("EXECGATE_EXEC_TIMEOUT_SECONDS", "1");
    assert_eq!(Running::start(command).finish().stdout, "done\n");
}

/// Denied, and asked where nobody can be asked: both did not run, say why and what would pass.
#[test]
fn what_is_refused_is_126() {
    let scratch = Scratch::new();
    for (command, rule) in [
        ("touch ran; rm -rf /", "delete/outside"),
        ("touch ran; git push", "git/push"),
        ("touch ran; echo $(", "opaque/"),
    ] {
        let finished = scratch.run(["run", "--", command]);
        assert_eq!(
            (finished.code, finished.stdout.as_str()),
            (126, ""),
            "{command}"
        );
        assert!(finished.stderr.starts_with("execgate: "), "{finished:?}");
        assert!(finished.stderr.contains(rule), "{finished:?}");
        assert!(!scratch.has("ran"), "{command}");
    }
}

#[test]
fn what_cannot_start_is_125() {
    let scratch = Scratch::new();
    let finished = run(&scratch, &["--cwd", "nowhere", "--", "true"]);
    assert_eq!((finished.code, finished.stdout.as_str()), (125, ""));
    assert!(finished.stderr.contains("nowhere"), "{finished:?}");
    let finished = run(&scratch, &["--workspace", "/nowhere", "--", "true"]);
    assert_eq!(finished.code, 125);
    assert!(finished.stderr.contains("`/nowhere`"), "{finished:?}");
}

#[test]
fn wrong_arguments_are_2() {
    let scratch = Scratch::new();
    let table: [&[&str]; 6] = [
        &[],
        &["--timeout", "-1", "--", "true"],
        &["--timeout", "soon", "--", "true"],
        &["--env", "=x", "--", "true"],
        &["--profile", "none", "--", "true"],
        &["--wrong", "--", "true"],
    ];
    for arguments in table {
        let finished = run(&scratch, arguments);
        assert_eq!(
            (finished.code, finished.stdout.as_str()),
            (2, ""),
            "{arguments:?}"
        );
        assert!(finished.stderr.starts_with("error: "), "{finished:?}");
    }
}
