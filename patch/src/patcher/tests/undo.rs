//! Patches that are taken back.

use std::fs;

use pretty_assertions::assert_eq;

use super::place::{Place, patch};
use crate::{Change, Patcher, Settings, UndoId, parse};

fn undo(place: &Place, id: &UndoId) -> Result<Vec<String>, String> {
    let base = place.base.path().display().to_string();
    match place.patcher().undo(id) {
        Ok(undone) => Ok(undone.files.into_iter().map(|file| file.path).collect()),
        Err(error) => Err(error
            .to_string()
            .replace(&base, "$BASE")
            .replace(&id.0, "$ID")),
    }
}

#[test]
fn everything_comes_back() {
    let place = Place::new(&[
        ("ws/a", "a\r\nb"),
        ("ws/m", "m\n"),
        ("ws/run", "r\n"),
        ("ws/l", "-> a"),
        ("ws/e/", ""),
        ("ws/d/kept/", ""),
    ]);
    place.mode("ws/run", 0o755);
    place.mode("ws/e", 0o711);
    let before = place.tree();
    let lines = "*** Update File: a\n@@\n-b\n+B\n*** Update File: m\n*** Move to: x/y/m\n@@\n m\n+n\n*** Delete File: run\n*** Delete File: l\n*** Delete File: e\n*** Add File: d/kept/n/f\n+f\n*** Add File: z\n+z";
    let applied = place.apply(lines).expect("it fits");
    let id = applied.undo.expect("it is kept");
    let undone = place.patcher().undo(&id).expect("nothing has changed");
    assert_eq!(place.tree(), before);
    let changes: Vec<(String, Change)> = undone
        .files
        .iter()
        .map(|file| (file.path.clone(), file.change))
        .collect();
    let expected = [
        ("a", Change::Modified),
        ("m", Change::Added),
        ("x/y/m", Change::Deleted),
        ("run", Change::Added),
        ("l", Change::Added),
        ("e", Change::Added),
        ("d/kept/n/f", Change::Deleted),
        ("z", Change::Deleted),
    ];
    assert_eq!(
        changes,
        expected.map(|(path, change)| (path.to_owned(), change))
    );
    assert_eq!(
        undo(&place, &id),
        Err(
            "there is nothing to undo by the name of $ID; only the latest patches are kept"
                .to_owned()
        )
    );
    assert_eq!(place.kept(), [""; 0]);
}

#[test]
fn files_that_have_changed_since_are_named_and_nothing_is_touched() {
    let place = Place::new(&[("ws/a", "a\n"), ("ws/b", "b\n"), ("ws/c", "c\n")]);
    let lines = "*** Update File: a\n@@\n-a\n+A\n*** Delete File: b\n*** Add File: n/n\n+n\n*** Update File: c\n@@\n-c\n+C";
    let id = place
        .apply(lines)
        .expect("it fits")
        .undo
        .expect("it is kept");
    place.put("ws/a", "mine\n");
    place.put("ws/b", "mine\n");
    fs::remove_dir_all(place.at("ws/n")).expect("it is there");
    let before = place.tree();
    assert_eq!(
        undo(&place, &id),
        Err("patch $ID cannot be undone, something else has changed since: $BASE/ws/a, $BASE/ws/b, $BASE/ws/n/n".to_owned())
    );
    assert_eq!(place.tree(), before);
    place.put("ws/a", "A\n");
    place.put("ws/n/n", "n\n");
    fs::remove_file(place.at("ws/b")).expect("it is there");
    assert!(undo(&place, &id).is_ok(), "by content, not by time");
}

#[test]
fn patches_are_undone_from_the_last_one_on() {
    let place = Place::new(&[("ws/a", "0\n")]);
    let mut ids = Vec::new();
    for number in 0..3 {
        let lines = format!("*** Update File: a\n@@\n-{number}\n+{}", number + 1);
        ids.extend(place.apply(&lines).expect("it fits").undo);
    }
    assert!(undo(&place, &ids[1]).is_err());
    for id in ids.iter().rev() {
        assert_eq!(undo(&place, id), Ok(vec!["a".to_owned()]));
    }
    assert_eq!(
        fs::read_to_string(place.at("ws/a")).expect("it is there"),
        "0\n"
    );
}

#[test]
fn directories_that_got_something_else_stay() {
    let place = Place::new(&[]);
    let id = place
        .apply("*** Add File: a/b/c/f\n+f")
        .expect("it fits")
        .undo
        .expect("it is kept");
    place.put("ws/a/mine", "x\n");
    assert!(undo(&place, &id).is_ok());
    assert!(place.at("ws/a/mine").exists());
    assert!(!place.at("ws/a/b").exists());
}

#[test]
fn the_quota_drops_the_oldest_and_what_is_too_much_alone() {
    let place = Place::new(&[
        ("ws/a", &"x".repeat(10_000)),
        ("ws/b", "b\n"),
        ("ws/c", "c\n"),
    ]);
    let settings = Settings {
        undo_quota_bytes: 3_000,
        ..place.settings()
    };
    let patcher = Patcher::open(&settings).expect("it is there");
    let apply = |lines: &str| {
        let patch = parse(&patch(lines)).expect("it is a patch");
        patcher.apply(&patch).expect("it fits").undo
    };
    let first = apply("*** Delete File: b").expect("it is kept");
    assert_eq!(apply("*** Delete File: a"), None);
    assert!(!place.at("ws/a").exists(), "it was applied all the same");
    assert!(undo(&place, &first).is_err(), "it made room");
    let last = apply("*** Delete File: c").expect("it is kept");
    assert!(undo(&place, &last).is_ok());
}

#[test]
fn names_of_others_are_no_patches() {
    let place = Place::new(&[("ws/a", "a\n"), ("other/", "")]);
    for id in ["", "../..", "0000000000000000", "x"] {
        let error = place
            .patcher()
            .undo(&UndoId(id.to_owned()))
            .expect_err("there is none");
        assert!(
            error.to_string().starts_with("there is nothing to undo"),
            "{error}"
        );
    }
    let id = place
        .apply("*** Delete File: a")
        .expect("it fits")
        .undo
        .expect("it is kept");
    let settings = Settings {
        workspace: place.at("other"),
        ..place.settings()
    };
    let other = Patcher::open(&settings).expect("it is there");
    let error = other.undo(&id).expect_err("it is of another workspace");
    assert!(
        error.to_string().contains("belongs to the workspace"),
        "{error}"
    );
}
