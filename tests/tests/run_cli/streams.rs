//! What `run` passes on: output, input, arguments, directory, variables.

use std::fs;

use execgate_tests::{Running, Scratch, text};
use pretty_assertions::assert_eq;
use serde_json::json;

#[test]
fn both_streams_stay_apart() {
    let scratch = Scratch::new();
    let finished = scratch.run(["run", "--", "echo out; echo err >&2; printf end"]);
    assert_eq!(
        (
            finished.code,
            finished.stdout.as_str(),
            finished.stderr.as_str()
        ),
        (0, "out\nend", "err\n")
    );
}

/// Bytes go through as they are, in any amount.
#[test]
fn output_is_passed_on_whole() {
    let scratch = Scratch::new();
    let lines: String = (0..200_000).map(|number| format!("{number}\n")).collect();
    fs::write(scratch.workspace().join("lines"), &lines).expect("the workspace can be written");
    let finished = scratch.run(["run", "--", "cat lines"]);
    assert!(finished.stdout == lines, "{} bytes", finished.stdout.len());
}

#[test]
fn output_is_printed_as_it_comes() {
    let scratch = Scratch::new();
    let text = "echo first; until test -e go; do sleep 0.01; done; echo second";
    let mut running = Running::start(scratch.command(["run", "--", text]));
    running.wait_for("first\n");
    fs::write(scratch.workspace().join("go"), "").expect("the workspace can be written");
    assert_eq!(running.finish().stdout, "first\nsecond\n");
}

#[test]
fn json_is_one_line_in_place_of_the_output() {
    let scratch = Scratch::new();
    let finished = scratch.run(["run", "--json", "--", "echo out; echo err >&2; exit 3"]);
    assert_eq!((finished.code, finished.stderr.as_str()), (3, ""));
    assert_eq!(finished.stdout.lines().count(), 1);
    let answer = finished.json();
    // A command that ran to its own end is no failure of the tool.
    assert_eq!(answer["isError"], false);
    assert_eq!(answer["details"]["exitCode"], 3);
    for part in ["out", "err"] {
        assert!(text(&answer, "text").contains(part), "{answer}");
    }
    let refused = scratch.run(["run", "--json", "--", "rm -rf /"]);
    assert_eq!((refused.code, refused.stderr.as_str()), (126, ""));
    assert_eq!(refused.json()["details"]["rule"], "delete/outside");
}

#[test]
fn the_directory_is_seen_from_the_workspace() {
    let scratch = Scratch::new();
    let sub = scratch.workspace().join("sub");
    for directory in ["sub", &sub.to_string_lossy()] {
        let finished = scratch.run(["run", "--cwd", directory, "--", "pwd; cat f.txt"]);
        assert_eq!(finished.stdout, format!("{}\nin sub\n", sub.display()));
    }
}

#[test]
fn variables_are_set_for_the_command() {
    let scratch = Scratch::new();
    let arguments = [
        "run",
        "--env",
        "A=b c=d",
        "--env",
        "EMPTY=",
        "--",
        "printenv A EMPTY",
    ];
    assert_eq!(scratch.run(arguments).stdout, "b c=d\n\n");
}

/// Names that look like secrets, and the program's own, stay outside.
#[test]
fn secrets_of_the_environment_stay_outside() {
    let scratch = Scratch::new();
    let mut command = scratch.command(["run", "--", "printenv"]);
    command
        .env("OPENAI_API_KEY", "sk-1")
        .env("LC_ALL", "C")
        // Otherwise it would be asked.
        .env("EXECGATE_POLICY_MODE", "full");
    let finished = Running::start(command).finish();
    let names: Vec<&str> = finished
        .stdout
        .lines()
        .filter_map(|line| line.split_once('=').map(|(name, _)| name))
        .collect();
    assert!(!names.contains(&"OPENAI_API_KEY"), "{names:?}");
    for name in ["HOME", "PATH", "LC_ALL"] {
        assert!(names.contains(&name), "{name} in {names:?}");
    }
}

#[test]
fn input_is_at_its_end_unless_asked_for() {
    let scratch = Scratch::new();
    for (arguments, expected) in [
        (vec!["run", "--", "cat; echo done"], "done\n"),
        (
            vec!["run", "--stdin", "--", "cat; echo done"],
            "text\ndone\n",
        ),
    ] {
        assert_eq!(scratch.run_with_input(arguments, "text\n").stdout, expected);
    }
}

#[test]
fn several_arguments_reach_the_program_as_they_are() {
    let scratch = Scratch::new();
    let words = ["a b", "it's", "", "$HOME", "*", "-n", "x;y", "`id`", "é\n"];
    let arguments = ["run", "--", "printf", "<%s>"].into_iter().chain(words);
    let expected: String = words.iter().map(|word| format!("<{word}>")).collect();
    assert_eq!(scratch.run(arguments).stdout, expected);
}

#[test]
fn one_argument_is_shell_text() {
    let scratch = Scratch::new();
    assert_eq!(
        scratch
            .run(["run", "--", "echo a | tr a b; echo 'c  d'"])
            .stdout,
        "b\nc  d\n"
    );
    let record = scratch.store().calls();
    assert_eq!(record[0]["command"], json!("echo a | tr a b; echo 'c  d'"));
}
