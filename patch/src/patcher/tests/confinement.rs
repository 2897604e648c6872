//! Paths that leave the workspace, and those that may.

use std::fs;
use std::os::unix::fs::symlink;

use pretty_assertions::assert_eq;

use super::place::Place;
use crate::{Patcher, Settings, parse};

#[test]
fn nothing_leaves_the_workspace() {
    let place = Place::new(&[
        ("out/x", "x\n"),
        ("ws/d/f", "f\n"),
        ("ws/leak", "-> ../out"),
        ("ws/d/far", "-> ../../out"),
        ("ws/new", "-> ../out/new"),
        ("ws/file", "-> ../out/x"),
        ("ws/twice", "-> d/far"),
        ("ws/nothing", "-> d/none"),
    ]);
    symlink(place.at("out"), place.at("ws/absolute")).expect("it is new");
    let out = place.at("out/x").display().to_string();
    let out = out.as_str();
    let before = place.tree();
    let escapes = |path: &str| format!("Path escapes sandbox root ($BASE/ws): {path}");
    let link = |path: &str| format!("Symlink escapes sandbox root ($BASE/ws): $BASE/ws/{path}");
    let table = [
        ("../out/x", escapes("../out/x")),
        ("d/../../out/x", escapes("d/../../out/x")),
        ("..", escapes("..")),
        (out, escapes("$BASE/out/x")),
        ("/etc/passwd", escapes("/etc/passwd")),
        ("~/../../x", escapes("~/../../x")),
        ("leak/x", link("leak")),
        ("d/far/x", link("d/far")),
        ("twice/x", link("twice")),
        ("absolute/x", link("absolute")),
        ("new", link("new")),
        ("file", link("file")),
        (
            "nothing/x",
            "Cannot use path $BASE/ws/nothing: it is a link to nothing; name the directory itself"
                .to_owned(),
        ),
        (
            "a\0b",
            "Cannot use path a\0b: it has a NUL character".to_owned(),
        ),
    ];
    for (path, expected) in &table {
        let update = place.answer(&format!("*** Update File: {path}\n@@\n-x\n+y"));
        assert_eq!(update, *expected, "update of {path:?}");
        let add = place.answer(&format!("*** Add File: {path}\n+y"));
        assert_eq!(add, *expected, "add of {path:?}");
        let moved = place.answer(&format!(
            "*** Update File: d/f\n*** Move to: {path}\n@@\n-f\n+y"
        ));
        assert_eq!(moved, *expected, "move to {path:?}");
    }
    assert_eq!(place.tree(), before);
    let long = place.answer(&format!("*** Add File: {}\n+y", "a/".repeat(3000)));
    assert!(long.ends_with("it is longer than 4096 bytes"), "{long}");
}

#[test]
fn links_that_stay_inside_are_followed() {
    let place = Place::new(&[("ws/d/f", "f\n"), ("ws/l", "-> d"), ("ws/up", "-> d/../d")]);
    symlink(place.at("ws/d"), place.at("ws/absolute")).expect("it is new");
    let lines = "*** Update File: l/f\n@@\n-f\n+1\n*** Update File: up/f\n@@\n-1\n+2\n*** Update File: absolute/f\n@@\n-2\n+3\n*** Add File: l/n/g\n+g\n*** Delete File: up";
    let answer = place.answer(lines);
    assert_eq!(
        answer,
        "Success. Updated the following files:\nA l/n/g\nM l/f\nM up/f\nM absolute/f\nD up"
    );
    assert_eq!(
        fs::read_to_string(place.at("ws/d/f")).expect("it is there"),
        "3\n"
    );
    assert!(place.at("ws/d/n/g").exists());
    assert!(place.at("ws/d").exists());
}

#[test]
fn the_workspace_may_be_named_through_a_link_or_in_full() {
    let place = Place::new(&[("ws/a", "a\n"), ("link", "-> ws")]);
    let settings = Settings {
        workspace: place.at("link"),
        ..place.settings()
    };
    let patcher = Patcher::open(&settings).expect("it is there");
    for (path, old, new) in [("ws/a", "a", "b"), ("link/a", "b", "c")] {
        let path = place.at(path);
        let text = super::place::patch(&format!(
            "*** Update File: {}\n@@\n-{old}\n+{new}",
            path.display()
        ));
        let applied = patcher
            .apply(&parse(&text).expect("it is a patch"))
            .expect("it is inside");
        assert_eq!(applied.text, "Success. Updated the following files:\nM a");
    }
}

#[test]
fn without_confinement_other_paths_work() {
    let place = Place::new(&[
        ("out/x", "x\n"),
        ("ws/a", "a\n"),
        ("ws/leak", "-> ../out"),
        ("ws/final", "-> ../out/x"),
    ]);
    let settings = Settings {
        workspace_only: false,
        ..place.settings()
    };
    let patcher = Patcher::open(&settings).expect("it is there");
    let apply = |lines: &str| {
        let patch = parse(&super::place::patch(lines)).expect("it is a patch");
        patcher.apply(&patch).map(|applied| applied.text)
    };
    let out = place.at("out");
    let absolute = out.join("x").display().to_string();
    let shown = format!("Success. Updated the following files:\nM {absolute}\nM a\nM leak/x");
    let lines = format!(
        "*** Update File: {absolute}\n@@\n-x\n+1\n*** Update File: ../ws/a\n@@\n-a\n+b\n*** Update File: leak/x\n@@\n-1\n+2"
    );
    assert_eq!(apply(&lines).expect("it fits"), shown);
    assert_eq!(
        fs::read_to_string(out.join("x")).expect("it is there"),
        "2\n"
    );
    let added = apply("*** Add File: ~/h\n+h").expect("it fits");
    assert_eq!(added, "Success. Updated the following files:\nA home/h");
    assert!(
        apply("*** Update File: final\n@@\n+x").is_err(),
        "final links stay refused"
    );
}

#[test]
fn a_mention_is_no_part_of_a_name_unless_there_is_such_a_file() {
    let place = Place::new(&[
        ("ws/@there", "a\n"),
        ("ws/@scope/p", "p\n"),
        ("ws/a", "a\n"),
    ]);
    let lines = "*** Update File: @there\n@@\n-a\n+b\n*** Update File: @scope/p\n@@\n-p\n+q\n*** Update File: @a\n@@\n-a\n+c\n*** Add File: @scope/n\n+n\n*** Add File: @new/n\n+n";
    assert_eq!(
        place.answer(lines),
        "Success. Updated the following files:\nA @scope/n\nA new/n\nM @there\nM @scope/p\nM a"
    );
}

#[test]
fn the_state_directory_is_out_of_reach() {
    let place = Place::new(&[("ws/a", "a\n"), ("ws/l", "-> .state")]);
    let settings = Settings {
        state: place.at("ws/.state"),
        ..place.settings()
    };
    let patcher = Patcher::open(&settings).expect("it is there");
    let apply = |path: &str| {
        let text = super::place::patch(&format!("*** Add File: {path}\n+x"));
        patcher.apply(&parse(&text).expect("it is a patch"))
    };
    assert!(apply("b").is_ok());
    for path in [".state/lock", ".state/patches/x", "l/x", "./.state/new"] {
        let error = apply(path).expect_err("it is kept");
        assert!(
            error
                .to_string()
                .ends_with("what is kept to undo patches is there"),
            "{error}"
        );
    }
}
