//! A process that is killed for real.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use super::place::{Place, patch};
use crate::steps::Steps;
use crate::{Patcher, Settings, parse, recover};

/// Tells the child, which is this test program again, where to work and before which step to wait.
const BASE: &str = "EXECGATE_PATCH_TEST_BASE";
const STEP: &str = "EXECGATE_PATCH_TEST_STEP";

const LINES: &str = "*** Update File: a\n@@\n-a\n+A\n*** Delete File: b\n*** Add File: n/c\n+c";

/// Does nothing unless the other test starts it.
#[test]
fn child() {
    let (Some(base), Some(step)) = (std::env::var_os(BASE), std::env::var_os(STEP)) else {
        return;
    };
    let base = std::path::PathBuf::from(base);
    let step: u64 = step.to_string_lossy().parse().expect("it is a number");
    let settings = Settings {
        workspace: base.join("ws"),
        workspace_only: true,
        home: None,
        state: base.join("state"),
        undo_quota_bytes: 0,
    };
    let mut patcher = Patcher::open(&settings).expect("it is there");
    patcher.steps = Steps::watched(move |number| {
        if number == step {
            println!("\nwaiting");
            std::io::stdout().flush()?;
            // Until it is killed.
            std::io::stdin().read_line(&mut String::new())?;
        }
        Ok(())
    });
    let applied = patcher.apply(&parse(&patch(LINES)).expect("it is a patch"));
    applied.expect("it fits");
    println!("\ndone");
}

/// Starts the child and kills it at a step. `false` if it was done before.
fn kill_at(place: &Place, step: u64) -> bool {
    let mut child = Command::new(std::env::current_exe().expect("it runs"))
        .args(["--exact", "patcher::tests::kill::child", "--nocapture"])
        .env(BASE, place.base.path())
        .env(STEP, step.to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it can be started");
    let output = BufReader::new(child.stdout.take().expect("it is a pipe"));
    let mut lines = output.lines().map(|line| line.expect("it is text"));
    let told = lines.find(|line| line == "waiting" || line == "done");
    child.kill().expect("nobody has waited for it");
    child.wait().expect("it ends");
    told.expect("it says how far it came") == "waiting"
}

#[test]
fn a_killed_process_leaves_the_tree_as_before_or_as_after() {
    let files = [("ws/a", "a\n"), ("ws/b", "b\n")];
    let before = Place::new(&files).tree();
    let done = Place::new(&files);
    done.apply(LINES).expect("it fits");
    let after = done.tree();
    let (mut befores, mut afters) = (0, 0);
    for step in 0.. {
        let place = Place::new(&files);
        let is_killed = kill_at(&place, step);
        recover(&place.at("state")).expect("it can be recovered");
        let tree = place.tree();
        assert!(tree == before || tree == after, "step {step}: {tree:?}");
        befores += usize::from(tree == before);
        afters += usize::from(tree == after);
        if !is_killed {
            break;
        }
    }
    assert!(
        befores > 5 && afters > 1,
        "{befores} as before, {afters} as after"
    );
}
