//! What patches do, and what they refuse.

use std::fs;
use std::os::unix::fs::MetadataExt;

use pretty_assertions::assert_eq;

use super::place::{Place, patch};
use crate::{Change, FileRecord, Patcher, Problem, Settings, Site, parse};

#[test]
fn operations_follow_each_other_within_a_patch() {
    let place = Place::new(&[
        ("ws/a", "one\n"),
        ("ws/b", "two\n"),
        ("ws/d/x", "x\n"),
        ("ws/empty/", ""),
        ("ws/link", "-> a"),
    ]);
    let lines = [
        "*** Update File: a\n@@\n-one\n+1",
        "*** Update File: ./x/../a\n@@\n-1\n+uno",
        "*** Delete File: b\n*** Add File: b\n+new",
        "*** Add File: n/m/c\n+c",
        "*** Update File: n/m/c\n*** Move to: n/e\n@@\n-c\n+e",
        "*** Delete File: d/x\n*** Delete File: d\n*** Delete File: empty\n*** Delete File: link",
        "*** Add File: gone\n+x\n*** Delete File: gone",
    ];
    let applied = place.apply(&lines.join("\n")).expect("it fits");
    let text = "Success. Updated the following files:\nA b\nA n/m/c\nA gone\nM a\nM n/e\nD b\nD d/x\nD d\nD empty\nD link\nD gone";
    assert_eq!(applied.text, text);
    let tree = place.tree();
    let paths: Vec<&str> = tree.keys().map(String::as_str).collect();
    assert_eq!(paths, ["out", "ws", "ws/a", "ws/b", "ws/n", "ws/n/e"]);
    let content = |path: &str| fs::read_to_string(place.at(path)).expect("it is there");
    assert_eq!(
        (content("ws/a"), content("ws/b"), content("ws/n/e")),
        ("uno\n".into(), "new\n".into(), "e\n".into())
    );
}

#[test]
fn the_answer_of_what_cannot_be_done() {
    let table = [
        (
            "*** Add File: a\n+x",
            "Cannot create a: the file already exists. Use \"*** Update File: a\" to change it, or delete it earlier in the same patch.",
        ),
        (
            "*** Add File: link\n+x",
            "Cannot create link: the file already exists. Use \"*** Update File: link\" to change it, or delete it earlier in the same patch.",
        ),
        (
            "*** Add File: d\n+x",
            "Cannot create d: the file already exists. Use \"*** Update File: d\" to change it, or delete it earlier in the same patch.",
        ),
        (
            "*** Add File: n\n+x\n*** Add File: ./n\n+y",
            "Cannot create n: the file already exists. Use \"*** Update File: n\" to change it, or delete it earlier in the same patch.",
        ),
        (
            "*** Add File: n\n+x\n*** Add File: n/m\n+y",
            "Cannot create n/m: the patch itself changes n above it; make it two patches",
        ),
        (
            "*** Add File: n/m\n+x\n*** Add File: n\n+y",
            "Cannot create n: the patch puts files below it, as into a directory; choose another path",
        ),
        (
            "*** Delete File: empty\n*** Add File: empty\n+x",
            "Cannot create empty: the patch removes a directory of that name; make it two patches",
        ),
        (
            "*** Delete File: empty\n*** Add File: empty/x\n+x",
            "Cannot create empty/x: the patch itself changes empty above it; make it two patches",
        ),
        (
            "*** Delete File: dirlink\n*** Add File: dirlink/y\n+x",
            "Cannot create dirlink/y: the patch itself changes dirlink above it; make it two patches",
        ),
        (
            "*** Delete File: none",
            "Cannot delete none: the file was not found.",
        ),
        (
            "*** Delete File: none/none",
            "Cannot delete none/none: the file was not found.",
        ),
        (
            "*** Delete File: a\n*** Delete File: a",
            "Cannot delete a: the file was not found.",
        ),
        ("*** Delete File: d", "directory is not empty"),
        (
            "*** Add File: empty/x\n+x\n*** Delete File: empty",
            "directory is not empty",
        ),
        (
            "*** Update File: none\n@@\n+x",
            "Failed to read file to update $BASE/ws/none: file not found",
        ),
        (
            "*** Delete File: a\n*** Update File: a\n@@\n+x",
            "Failed to read file to update $BASE/ws/a: file not found",
        ),
        (
            "*** Update File: d\n@@\n+x",
            "Failed to read file to update $BASE/ws/d: it is a directory",
        ),
        (
            "*** Update File: link\n@@\n+x",
            "Failed to read file to update $BASE/ws/link: unsafe path: it is a symbolic link; name the file itself",
        ),
        (
            "*** Update File: hard\n@@\n+x",
            "Failed to read file to update $BASE/ws/hard: unsafe path: the file has other names (hard links), which would not change with it",
        ),
        (
            "*** Update File: fifo\n@@\n+x",
            "Failed to read file to update $BASE/ws/fifo: unsafe path: it is no regular file",
        ),
        (
            "*** Delete File: fifo",
            "Cannot delete fifo: unsafe path: it is no regular file",
        ),
        (
            "*** Update File: a\n*** Move to: d/x\n@@\n+x",
            "Cannot create d/x: the file already exists. Delete it earlier in the same patch to replace it.",
        ),
        (
            "*** Add File: a/x\n+x",
            "Cannot use path $BASE/ws/a: it is no directory",
        ),
        (
            "*** Add File: .\n+x",
            "Cannot use path .: it is a directory; name a file in it",
        ),
        (
            "*** Update File: a\n@@\n-b\n+c",
            "Failed to find expected lines in $BASE/ws/a:\nb",
        ),
        (
            "*** Update File: a\n@@ b\n+c",
            "Failed to find context 'b' in $BASE/ws/a",
        ),
        (
            "*** Update File: two\n@@ x\n+c",
            "Found 2 occurrences of context 'x' in $BASE/ws/two. The context must be unique; use a more specific @@ context line.",
        ),
        (
            "*** Update File: two\n@@\n-x\n+c",
            "Found 2 occurrences of these lines in $BASE/ws/two. The lines must be unique; include more surrounding lines in the hunk:\nx",
        ),
    ];
    let place = Place::new(&[
        ("ws/a", "a\n"),
        ("ws/two", "x\nx\n"),
        ("ws/d/x", "x\n"),
        ("ws/empty/", ""),
        ("ws/link", "-> a"),
        ("ws/dirlink", "-> d"),
        ("ws/hard", "h\n"),
    ]);
    fs::hard_link(place.at("ws/hard"), place.at("out/hard")).expect("it is new");
    let mode = rustix::fs::Mode::from_raw_mode(0o600);
    rustix::fs::mkfifoat(rustix::fs::CWD, place.at("ws/fifo"), mode).expect("it is new");
    let fifo = place.at("ws/fifo");
    for (lines, expected) in table {
        assert_eq!(place.answer(lines), expected, "{lines}");
    }
    fs::remove_file(fifo).expect("it is still there");
    assert_eq!(place.kept(), [""; 0], "nothing was begun");
}

#[test]
fn a_hard_link_can_be_removed_with_its_other_names() {
    let place = Place::new(&[("ws/a", "a\n")]);
    fs::hard_link(place.at("ws/a"), place.at("ws/b")).expect("it is new");
    let answer = place.answer("*** Delete File: a\n*** Delete File: b");
    assert_eq!(answer, "Success. Updated the following files:\nD a\nD b");
}

#[test]
fn modes_and_owners_stay() {
    let place = Place::new(&[("ws/run", "a\n"), ("ws/move", "b\n")]);
    place.mode("ws/run", 0o751);
    place.mode("ws/move", 0o604);
    let is_root = rustix::process::geteuid().is_root();
    if is_root {
        std::os::unix::fs::chown(place.at("ws/run"), Some(12), Some(34)).expect("root may");
    }
    let lines =
        "*** Update File: run\n@@\n-a\n+A\n*** Update File: move\n*** Move to: moved\n@@\n-b\n+B";
    place.apply(lines).expect("it fits");
    let metadata = |path: &str| place.at(path).metadata().expect("it is there");
    assert_eq!(metadata("ws/run").mode() & 0o7777, 0o751);
    assert_eq!(metadata("ws/moved").mode() & 0o7777, 0o604);
    if is_root {
        assert_eq!(
            (metadata("ws/run").uid(), metadata("ws/run").gid()),
            (12, 34)
        );
    }
}

#[test]
fn what_was_done_is_told_with_digests() {
    let place = Place::new(&[("ws/a", "x"), ("ws/same", "s\n")]);
    let lines = "*** Update File: a\n*** Move to: b\n@@\n-x\n+y\n*** Update File: same\n@@\n s";
    let applied = place.apply(lines).expect("it fits");
    let record = |path: &str, change, before: Option<&str>, after: Option<&str>| FileRecord {
        path: path.to_owned(),
        change,
        before: before.map(str::to_owned),
        after: after.map(str::to_owned),
    };
    // Of `x` and `y`.
    let before = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881";
    let after = "a1fce4363854ff888cff4b8e7875d600c2682390412a8cf79b37d0b11148b0fa";
    let mut files = applied.files.clone();
    files.sort_by(|one, other| one.path.cmp(&other.path));
    let expected = [
        record("a", Change::Deleted, Some(before), None),
        record("b", Change::Added, None, Some(after)),
    ];
    assert_eq!(files, expected);
    let json = serde_json::to_value(&applied).expect("it is JSON");
    assert_eq!(json["summary"]["modified"][0], "b");
    assert_eq!(json["files"].as_array().map(Vec::len), Some(2));
}

#[test]
fn nothing_to_do_leaves_no_trace() {
    let place = Place::new(&[("ws/a", "a\r\n"), ("ws/b", "b")]);
    let applied = place.apply("*** Update File: a\n@@\n a\n*** Update File: b\n@@\n-b\n+b");
    let applied = applied.expect("it fits");
    assert_eq!(applied.text, "No changes made to a, b.");
    assert_eq!((applied.undo, applied.files), (None, Vec::new()));
    assert_eq!(place.kept(), [""; 0]);
}

#[test]
fn errors_name_file_hunk_and_line() {
    let place = Place::new(&[("ws/a", "a\nb\n"), ("ws/f", "f {\n  x\n}\ng {\n  x\n}\n")]);
    let lines =
        "*** Update File: a\n@@\n-a\n+A\n*** Update File: f\n@@\n-f {\n+F {\n@@\n-  x\n+  y";
    let error = place.apply(lines).expect_err("it is ambiguous");
    let site = Site {
        path: "f".to_owned(),
        section: 2,
        hunk: Some(2),
        line: 10,
    };
    assert_eq!(error.site(), Some(&site));
    assert_eq!(
        error.explain(),
        "`f`, hunk 2, line 10 of the patch: expected one match; ambiguous (2 matches: lines 2, 5)"
    );
    assert!(matches!(error.problem(), Problem::LinesAmbiguous { .. }));
    let error = place
        .apply("*** Update File: a\n@@\n a\n-c")
        .expect_err("it does not fit");
    assert_eq!(
        error.explain(),
        "`a`, hunk 1, line 3 of the patch: expected its old lines after the hunks before; nearest candidate at line 1: its first 1 of 2 lines are there, then line 2 has `b` where the hunk has `c`"
    );
    let error = place.apply("nonsense").expect_err("it is no patch");
    assert_eq!(
        error.explain(),
        "line 2 of the patch: expected `*** Add File: `, `*** Delete File: ` or `*** Update File: ` and a path"
    );
}

#[test]
fn a_dry_run_shows_a_diff_and_touches_nothing() {
    let place = Place::new(&[
        ("ws/a", "1\n2\n"),
        ("ws/b", "b"),
        ("ws/link", "-> a"),
        ("ws/e/", ""),
    ]);
    let before = place.tree();
    let lines = "*** Update File: a\n@@\n-2\n+two\n*** Delete File: b\n*** Add File: n/c\n+c\n*** Delete File: link\n*** Delete File: e";
    let preview = place
        .patcher()
        .dry_run(&parse(&patch(lines)).expect("it is a patch"));
    let preview = preview.expect("it fits");
    let diff = "--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n 1\n-2\n+two\n--- a/b\n+++ /dev/null\n@@ -1 +0,0 @@\n-b\n\\ No newline at end of file\n--- /dev/null\n+++ b/n/c\n@@ -0,0 +1 @@\n+c\n--- a/link\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n\\ No newline at end of file\n--- a/e\n+++ /dev/null\n";
    assert_eq!(preview.diff, diff);
    assert_eq!(
        preview.text,
        "Success. Updated the following files:\nA n/c\nM a\nD b\nD link\nD e"
    );
    assert_eq!(place.tree(), before);
    assert!(!place.at("state").exists());
    let applied = place.apply(lines).expect("it fits");
    assert_eq!((applied.text, applied.files), (preview.text, preview.files));
}

#[test]
fn two_patchers_wait_for_each_other() {
    const PATCHES: usize = 12;
    let place = Place::new(&[("ws/a", "start\n")]);
    let lines = |who: &str, number: usize| {
        patch(&format!(
            "*** Update File: a\n@@\n+{who}{number}\n*** Add File: {who}/{number}\n+x"
        ))
    };
    std::thread::scope(|scope| {
        for who in ["x", "y", "z"] {
            let place = &place;
            scope.spawn(move || {
                let patcher = place.patcher();
                for number in 0..PATCHES {
                    let patch = parse(&lines(who, number)).expect("it is a patch");
                    patcher.apply(&patch).expect("nobody else writes meanwhile");
                }
            });
        }
    });
    let content = fs::read_to_string(place.at("ws/a")).expect("it is there");
    assert_eq!(content.lines().count(), 1 + 3 * PATCHES);
    assert_eq!(place.kept().len(), 3 * PATCHES);
}

#[test]
fn a_workspace_that_is_not_there_is_an_error() {
    let place = Place::new(&[]);
    let settings = Settings {
        workspace: place.at("none"),
        ..place.settings()
    };
    let error = Patcher::open(&settings).expect_err("it is not there");
    assert!(
        error.to_string().starts_with("cannot open the workspace `"),
        "{error}"
    );
}

#[test]
fn what_is_too_much_is_refused_with_the_limit() {
    let place = Place::new(&[("ws/lines", &"\n".repeat(1_000_001))]);
    let large = fs::File::create(place.at("ws/large")).expect("it is new");
    large.set_len((64 << 20) + 1).expect("it takes no room");
    let table = [
        (
            "*** Update File: lines\n@@\n+x",
            "Failed to read file to update $BASE/ws/lines: it has more than 1,000,000 lines; change it with a command",
        ),
        (
            "*** Update File: large\n@@\n+x",
            "Failed to read file to update $BASE/ws/large: it has 67108865 bytes, at most 67108864 are read; change it with a command",
        ),
        (
            "*** Delete File: large",
            "Cannot delete large: it has 67108865 bytes, at most 67108864 are read; change it with a command",
        ),
    ];
    for (lines, expected) in table {
        assert_eq!(place.answer(lines), expected, "{lines}");
    }
}

#[test]
fn a_file_without_write_permission_is_refused() {
    let place = Place::new(&[("ws/a", "a\n")]);
    place.mode("ws/a", 0o444);
    let answer = place.answer("*** Update File: a\n@@\n-a\n+b");
    // Root may write to it.
    if rustix::process::geteuid().is_root() {
        assert_eq!(answer, "Success. Updated the following files:\nM a");
    } else {
        assert_eq!(
            answer,
            "Failed to read file to update $BASE/ws/a: permission denied: it is not writable"
        );
    }
}
