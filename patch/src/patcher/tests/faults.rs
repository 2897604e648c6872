//! Steps that fail, and processes that end between two of them.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use pretty_assertions::assert_eq;

use super::place::{Place, patch};
use crate::recover::recover_watched;
use crate::steps::Steps;
use crate::{Applied, Patch, Patcher, UndoId, parse, recover};

/// What somebody else does to a workspace.
type Change = fn(&Place);

/// What happens at a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    /// It fails, and later ones do not.
    Error,
    /// It is never done, and neither is anything after it: as if the process had been killed.
    End,
}

fn failing(at: u64, fault: Fault) -> Steps {
    Steps::watched(move |number| match fault {
        Fault::Error if number != at => Ok(()),
        Fault::End if number < at => Ok(()),
        Fault::Error | Fault::End => Err(io::Error::other("made to fail")),
    })
}

/// Steps that are only counted.
fn counted() -> (Steps, Arc<AtomicU64>) {
    let count = Arc::new(AtomicU64::new(0));
    let seen = count.clone();
    let steps = Steps::watched(move |_| {
        seen.fetch_add(1, Ordering::Relaxed);
        Ok(())
    });
    (steps, count)
}

/// Every kind of change at once.
fn place() -> Place {
    let place = Place::new(&[
        ("ws/update", "one\n"),
        ("ws/move", "two\n"),
        ("ws/delete", "three\n"),
        ("ws/again", "four\n"),
        ("ws/link", "-> update"),
        ("ws/full/x", "x\n"),
        ("ws/empty/", ""),
    ]);
    place.mode("ws/update", 0o751);
    place.mode("ws/empty", 0o700);
    place
}

fn everything() -> Patch {
    let lines = [
        "*** Update File: update\n@@\n-one\n+1",
        "*** Update File: move\n*** Move to: new/moved\n@@\n-two\n+2",
        "*** Delete File: delete",
        "*** Delete File: again\n*** Add File: again\n+4",
        "*** Delete File: link",
        "*** Delete File: full/x\n*** Delete File: full",
        "*** Delete File: empty",
        "*** Add File: new/er/file\n+n",
    ];
    parse(&patch(&lines.join("\n"))).expect("it is a patch")
}

/// What is done at each step of one way of working, and what it must leave.
struct Trial {
    prepare: fn(&Place) -> Option<UndoId>,
    run: fn(&Patcher, Option<&UndoId>) -> bool,
}

const APPLY: Trial = Trial {
    prepare: |_| None,
    run: |patcher, _| patcher.apply(&everything()).is_ok(),
};

const UNDO: Trial = Trial {
    prepare: |place| {
        let applied: Applied = place.patcher().apply(&everything()).expect("it fits");
        applied.undo
    },
    run: |patcher, id| patcher.undo(id.expect("it was kept")).is_ok(),
};

impl Trial {
    /// Number of its steps, at least two for each kind of change.
    fn steps(&self) -> u64 {
        let place = place();
        let id = (self.prepare)(&place);
        let (steps, count) = counted();
        assert!(
            (self.run)(&place.patcher_with(steps), id.as_ref()),
            "nothing fails"
        );
        let count = count.load(Ordering::Relaxed);
        assert!(count > 20, "{count} steps");
        count
    }

    fn check(&self, fault: Fault) {
        let expected = self.after();
        for at in 0..self.steps() {
            let place = place();
            let id = (self.prepare)(&place);
            let before = place.tree();
            let is_done = (self.run)(&place.patcher_with(failing(at, fault)), id.as_ref());
            if fault == Fault::Error {
                assert_eq!(place.tree() == before, !is_done, "step {at}");
            }
            let recovered = recover(&place.at("state")).expect("nothing fails");
            assert_eq!(recovered.left, [""; 0], "step {at}");
            let after = place.tree();
            if after == before {
                assert!(
                    (self.run)(&place.patcher(), id.as_ref()),
                    "it can be done again after step {at}"
                );
            }
            assert_eq!(place.tree(), expected, "step {at}: {:?}", place.kept());
            let is_clean = place.kept().iter().all(|name| !name.contains('.'));
            assert!(is_clean, "step {at}: {:?}", place.kept());
        }
    }

    fn after(&self) -> std::collections::BTreeMap<String, String> {
        let place = place();
        let id = (self.prepare)(&place);
        assert!((self.run)(&place.patcher(), id.as_ref()), "nothing fails");
        place.tree()
    }
}

#[test]
fn a_step_that_fails_leaves_the_tree_as_before() {
    APPLY.check(Fault::Error);
}

#[test]
fn an_end_at_any_step_leaves_the_tree_as_before_or_as_after() {
    APPLY.check(Fault::End);
}

#[test]
fn a_step_of_an_undo_that_fails_leaves_the_tree_as_before() {
    UNDO.check(Fault::Error);
}

#[test]
fn an_end_at_any_step_of_an_undo_leaves_the_tree_as_before_or_as_after() {
    UNDO.check(Fault::End);
}

#[test]
fn a_recovery_that_ends_at_any_step_is_recovered_from() {
    let (steps, after) = (APPLY.steps(), APPLY.after());
    // Late enough that something is there to be taken back.
    for at in (steps / 2..steps).step_by(4) {
        for end in 0.. {
            let place = place();
            let before = place.tree();
            assert!(
                !(APPLY.run)(&place.patcher_with(failing(at, Fault::End)), None) || at + 3 > steps
            );
            let is_through = recover_watched(&place.at("state"), &failing(end, Fault::End)).is_ok();
            recover(&place.at("state")).expect("nothing fails");
            let tree = place.tree();
            assert!(tree == before || tree == after, "step {at}, then {end}");
            if is_through {
                break;
            }
        }
    }
}

#[test]
fn what_somebody_else_changed_meanwhile_is_left_alone() {
    let place = place();
    let steps = APPLY.steps();
    // All is done but for noting it: then one file changes.
    assert!(!(APPLY.run)(
        &place.patcher_with(failing(steps - 1, Fault::End)),
        None
    ));
    place.put("ws/update", "mine\n");
    let recovered = recover(&place.at("state")).expect("nothing fails");
    assert_eq!(
        recovered.left,
        [place
            .at("ws/update")
            .canonicalize()
            .expect("it is there")
            .display()
            .to_string()]
    );
    assert_eq!(recovered.rolled_back.len(), 1);
    let mut expected = super::faults::place().tree();
    expected.insert("ws/update".to_owned(), "100751 mine\n".to_owned());
    assert_eq!(place.tree(), expected);
    assert_eq!(place.kept(), [format!("{}.left", recovered.rolled_back[0])]);
    assert_eq!(
        recover(&place.at("state")).expect("nothing fails"),
        crate::Recovered::default()
    );
}

#[test]
fn a_workspace_that_is_gone_does_not_block_others() {
    let place = place();
    assert!(!(APPLY.run)(
        &place.patcher_with(failing(APPLY.steps() - 1, Fault::End)),
        None
    ));
    std::fs::remove_dir_all(place.at("ws")).expect("it is there");
    let recovered = recover(&place.at("state")).expect("nothing fails");
    assert_eq!(recovered.left.len(), 10);
    assert_eq!(
        recover(&place.at("state")).expect("nothing fails"),
        crate::Recovered::default()
    );
}

#[test]
fn a_file_that_changes_while_the_patch_is_applied_stops_it() {
    let patch = parse(&patch(
        "*** Update File: update\n@@\n-one\n+1\n*** Delete File: delete\n*** Add File: n/x\n+x",
    ));
    let patch = patch.expect("it is a patch");
    let changes: [(&str, Change); 4] = [
        ("ws/update", |place| place.put("ws/update", "one!\n")),
        ("ws/delete", |place| place.mode("ws/delete", 0o600)),
        ("ws/n/x", |place| place.put("ws/n/x", "mine\n")),
        ("ws/update", |place| {
            std::fs::remove_file(place.at("ws/update")).expect("it is there");
            place.put("ws/update", "-> delete");
        }),
    ];
    for (path, change) in changes {
        let place = Arc::new(place());
        let other = place.clone();
        // When the first temporary file is about to be written, all has been read.
        let steps = Steps::watched(move |number| {
            if number == 6 {
                change(&other);
            }
            Ok(())
        });
        let error = place
            .patcher_with(steps)
            .apply(&patch)
            .expect_err("it changed");
        let path = place.at(path).display().to_string();
        assert_eq!(
            error.to_string(),
            format!(
                "{path} was changed by something else while the patch was applied; nothing was written: read the file again"
            )
        );
        let mut tree = place.tree();
        let expected = self::place();
        change(&expected);
        let mut expected = expected.tree();
        // The directory was made by the patch, and is not empty now.
        assert_eq!(tree.remove("ws/n"), expected.remove("ws/n"));
        assert_eq!(tree, expected);
    }
}
