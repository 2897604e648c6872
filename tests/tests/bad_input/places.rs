//! Directories and files that are not what they should be.

use std::fs;

use execgate_tests::Scratch;
use pretty_assertions::assert_eq;
use serde_json::json;

use super::{assert_alive, assert_nothing_starts};

#[test]
fn a_state_directory_that_cannot_be_used_is_named() {
    let scratch = Scratch::new();
    let file = scratch.write("file", "");
    for directory in [file.clone(), file.join("below"), "/proc/execgate".into()] {
        let directory = directory.to_string_lossy();
        assert_nothing_starts(
            &scratch,
            &["--state-dir", &directory],
            &[&directory, "`--state-dir`"],
        );
    }
}

/// A store that is damaged is left as it is, for someone to look at.
#[test]
fn a_store_that_is_damaged_is_named_and_kept() {
    let scratch = Scratch::new();
    let directory = scratch.root().join("damaged");
    fs::create_dir(&directory).expect("the test's own directory can be written");
    let path = directory.join("execgate.sqlite");
    let content = "this is no database, and long enough to be looked at. ".repeat(100);
    fs::write(&path, &content).expect("the test's own directory can be written");
    assert_nothing_starts(
        &scratch,
        &["--state-dir", &directory.to_string_lossy()],
        &[&path.to_string_lossy(), "move the file away"],
    );
    assert_eq!(
        fs::read_to_string(&path).expect("it is still there"),
        content
    );
}

#[test]
fn a_workspace_that_is_no_directory_is_named() {
    let scratch = Scratch::new();
    let file = scratch.workspace().join("a.txt");
    let missing = scratch.root().join("missing");
    for workspace in [file, missing] {
        let workspace = workspace.to_string_lossy();
        assert_nothing_starts(
            &scratch,
            &["--workspace", &workspace],
            &[&workspace, "`--workspace`"],
        );
    }
}

#[test]
fn a_working_directory_that_is_missing_or_a_file_is_named() {
    let scratch = Scratch::new();
    let mut caller = scratch.call(&[]);
    for directory in ["missing", "a.txt", "a.txt/below", "sub/../missing"] {
        let answer = caller.exec(json!({"command": "touch ran", "workdir": directory}));
        assert!(answer.is_error());
        assert!(answer.text().contains("working directory"), "{answer:?}");
        assert_eq!(answer.details()["exitCode"], json!(null));
        assert!(!scratch.has("ran"));
    }
    assert_alive(&mut caller);
}

/// A directory that is taken away while a stream runs.
#[test]
fn a_workspace_that_vanishes_is_named() {
    let scratch = Scratch::new();
    let workspace = scratch.root().join("vanishing");
    fs::create_dir(&workspace).expect("the test's own directory can be written");
    let mut caller = scratch.call(&["--workspace", &workspace.to_string_lossy()]);
    assert_alive(&mut caller);
    fs::remove_dir_all(&workspace).expect("it is there");
    let answer = caller.run("echo x");
    assert!(answer.is_error());
    assert!(answer.text().contains("vanishing"), "{answer:?}");
    fs::create_dir(&workspace).expect("the test's own directory can be written");
    assert_alive(&mut caller);
}

/// A cache that cannot be written costs time, not answers.
#[test]
fn a_cache_that_is_damaged_is_made_anew() {
    let scratch = Scratch::new();
    let cache = scratch.root().join("cache");
    let run = || {
        let mut command = scratch.command(["run", "--", "echo fine"]);
        command.env("EXECGATE_CACHE_DIR", &cache);
        execgate_tests::Running::start(command).finish()
    };
    assert_eq!(run().stdout, "fine\n");
    let mut damaged = 0;
    for entry in fs::read_dir(&cache)
        .expect("the program has made it")
        .flatten()
    {
        let path = entry.path();
        if path.is_file() {
            fs::write(&path, b"damaged").expect("it is the test's own");
            damaged += 1;
        }
    }
    assert!(damaged > 0, "the program has filled its cache");
    assert_eq!(run().stdout, "fine\n");
}
