//! What root does not see: directories that may not be entered, read or written. These tests become another user, where they may.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;

use execgate_tests::{Caller, Running, Scratch};
use serde_json::json;

/// The user and group that own nothing.
const NOBODY: u32 = 65534;

/// Hands a file or directory over to the other user, with all that is in it.
fn give(path: &Path) {
    let metadata = path.symlink_metadata().expect("it is the test's own");
    if metadata.is_symlink() {
        return;
    }
    chown(path, Some(NOBODY), Some(NOBODY)).expect("root can give files away");
    if metadata.is_dir() {
        for entry in fs::read_dir(path).expect("it is the test's own").flatten() {
            give(&entry.path());
        }
    }
}

fn lock(path: &Path) {
    fs::create_dir(path).expect("the test's own directory can be written");
    fs::set_permissions(path, Permissions::from_mode(0o000)).expect("it is the test's own");
}

/// The program as the other user, with a cache of its own: the shared one is not that user's.
fn as_nobody(scratch: &Scratch, arguments: &[&str]) -> Command {
    let mut command = scratch.command(arguments);
    command
        .uid(NOBODY)
        .gid(NOBODY)
        .env("EXECGATE_CACHE_DIR", scratch.root().join("cache"));
    command
}

#[test]
fn directories_that_are_closed_are_named() {
    if !rustix::process::geteuid().is_root() {
        println!("left out: only root can become another user");
        return;
    }
    let scratch = Scratch::new();
    lock(&scratch.workspace().join("locked"));
    lock(&scratch.root().join("locked-state"));
    give(&scratch.root());
    let mut caller = Caller::start(as_nobody(&scratch, &["call"]));
    let answer = caller.exec(json!({"command": "pwd", "workdir": "locked"}));
    assert!(answer.is_error());
    assert!(answer.text().contains("Permission denied"), "{answer:?}");
    assert!(answer.text().contains("locked"), "{answer:?}");
    super::assert_alive(&mut caller);
    for name in ["locked-state", "locked-state/below"] {
        let directory = scratch.root().join(name).to_string_lossy().into_owned();
        let arguments = ["run", "--state-dir", &directory, "--", "touch ran"];
        let finished = Running::start(as_nobody(&scratch, &arguments)).finish();
        super::assert_refused(&scratch, &finished, 125, &[name, "--state-dir"]);
    }
    assert!(!scratch.has("ran"));
}
