//! Output without end takes neither the memory, nor the disk, nor anybody's time.

use std::fs;
use std::path::Path;

use execgate_tests::{Answer, Scratch, comes_true, text};
use pretty_assertions::assert_eq;
use serde_json::json;

use super::processes::{anonymous_memory, peak_memory};
use super::{Rows, extended, openclaw, printed, printed_bytes, start};

pub const ROWS: Rows = &[
    ("LI01", both_ends_of_long_output_are_shown),
    ("LI01", output_that_was_cut_is_flagged),
    ("LI02", a_long_line_is_cut_and_what_follows_it_is_shown),
    ("LI05", output_without_end_takes_no_memory),
    ("LI05", much_output_is_counted_to_the_byte),
    ("LI06", output_without_end_holds_nobody_else),
    ("LI07", one_file_of_bounded_size_holds_long_output),
    ("LI09", output_of_ended_calls_is_not_kept),
    ("LI09", output_of_ended_sessions_is_not_kept_for_ever),
];

/// Memory that may be taken by what does not depend on the amount of output, in bytes.
const SOME_MEMORY: u64 = 64 << 20;

/// Most bytes of a file that holds output.
const MOST_SAVED: u64 = 5_000_000;

const SHORT: (&str, &str) = ("EXECGATE_EXEC_MAX_OUTPUT_CHARS", "10000");

#[test]
fn both_ends_of_long_output_are_shown() {
    let scratch = Scratch::new();
    let answer =
        extended(&scratch, &[SHORT]).run("seq 1 20000; echo 'error[E0001]: boom' >&2; exit 1");
    let (printed, _) = printed(&answer)
        .split_once("\n[file:")
        .unwrap_or_else(|| panic!("no file: {answer:?}"));
    assert!(printed.starts_with("1\n2\n"), "{printed}");
    assert!(
        printed.ends_with("\n20000\nerror[E0001]: boom"),
        "{printed}"
    );
    assert_eq!(answer.details()["exitCode"], 1);
}

#[test]
fn output_that_was_cut_is_flagged() {
    let scratch = Scratch::new();
    let answer = extended(&scratch, &[SHORT]).run("seq 1 20000");
    assert_eq!(answer.details()["truncated"], true, "{answer:?}");
}

/// The line has characters of two bytes, of which a cut may not leave half a one.
#[test]
fn a_long_line_is_cut_and_what_follows_it_is_shown() {
    let scratch = Scratch::new();
    let line = "é".repeat(500_000);
    fs::write(scratch.workspace().join("line"), line).expect("the workspace can be written");
    for mut caller in [openclaw(&scratch, &[SHORT]), extended(&scratch, &[SHORT])] {
        let answer = caller.run("cat line; echo; echo ERR");
        let shown = printed(&answer)
            .split("\n[file:")
            .next()
            .unwrap_or_default();
        assert!(shown.ends_with("é\nERR"), "{answer:?}");
        assert!(!shown.contains('\u{FFFD}'), "{answer:?}");
        assert_eq!(*printed_bytes(&answer), 1_000_005);
    }
}

fn saved_bytes(answer: &Answer) -> u64 {
    let path = Path::new(text(&answer.details()["artifact"], "path"));
    path.metadata().expect("it is there").len()
}

#[test]
fn output_without_end_takes_no_memory() {
    let scratch = Scratch::new();
    let mut caller = extended(&scratch, &[]);
    caller.run("true");
    let before = peak_memory(caller.pid());
    let answer = caller.exec(json!({"command": "yes", "timeoutSeconds": 2}));
    let grown = peak_memory(caller.pid()) - before;
    assert_eq!(answer.details()["timedOut"], true);
    assert!(grown < SOME_MEMORY, "{grown} bytes");
    assert!(saved_bytes(&answer) <= MOST_SAVED, "{answer:?}");
}

#[test]
fn much_output_is_counted_to_the_byte() {
    let scratch = Scratch::new();
    let answer = extended(&scratch, &[]).run("yes | head -c 200000001");
    assert_eq!(*printed_bytes(&answer), 200_000_001);
}

/// The second command finds the first one alive, and is answered.
#[test]
fn output_without_end_holds_nobody_else() {
    let scratch = Scratch::new();
    let mut caller = openclaw(&scratch, &[]);
    let endless = json!({"command": "echo $$ > pid; exec yes", "timeoutSeconds": 3});
    let endless = caller.send(json!({"tool": "exec", "args": endless, "lane": "a"}));
    let other = "until test -s pid; do sleep 0.01; done; kill -0 $(cat pid) && echo hi";
    let other = json!({"tool": "exec", "args": {"command": other}, "lane": "b"});
    assert_eq!(caller.request(other).text(), "hi");
    assert_eq!(caller.answer(&endless).details()["timedOut"], true);
}

/// Bytes of all files below a directory.
fn disk_use(directory: &Path) -> u64 {
    let entries = fs::read_dir(directory).expect("it can be read").flatten();
    let size = |entry: fs::DirEntry| {
        let metadata = entry.metadata().expect("it is there");
        match metadata.is_dir() {
            true => disk_use(&entry.path()),
            false => metadata.len(),
        }
    };
    entries.map(size).sum()
}

#[test]
fn one_file_of_bounded_size_holds_long_output() {
    let scratch = Scratch::new();
    let mut caller = extended(&scratch, &[]);
    caller.run("true");
    let before = disk_use(&scratch.root());
    let answer = caller.run("head -c 20000000 /dev/zero");
    assert_eq!(*printed_bytes(&answer), 20_000_000);
    assert_eq!(saved_bytes(&answer), MOST_SAVED);
    assert_eq!(answer.details()["artifact"]["complete"], false);
    let used = disk_use(&scratch.root()) - before;
    assert!(used <= MOST_SAVED + (64 << 10), "{used} bytes");
}

/// A megabyte of text, to be printed again and again.
fn megabyte(scratch: &Scratch) -> String {
    let text = "0123456789abcde\n".repeat(1 << 16);
    fs::write(scratch.workspace().join("megabyte"), text).expect("the workspace can be written");
    "cat megabyte".to_owned()
}

#[test]
fn output_of_ended_calls_is_not_kept() {
    let scratch = Scratch::new();
    let mut caller = openclaw(&scratch, &[SHORT]);
    let command = megabyte(&scratch);
    caller.run(&command);
    let before = anonymous_memory(caller.pid());
    for _ in 0..200 {
        assert_eq!(*printed_bytes(&caller.run(&command)), 1 << 20);
    }
    let grown = anonymous_memory(caller.pid()).saturating_sub(before);
    assert!(grown < SOME_MEMORY, "{grown} bytes");
}

#[test]
fn output_of_ended_sessions_is_not_kept_for_ever() {
    let scratch = Scratch::new();
    let variables = [("EXECGATE_SESSIONS_KEEP_SECONDS", "1"), SHORT];
    let mut caller = openclaw(&scratch, &variables);
    let command = megabyte(&scratch);
    caller.run(&command);
    let before = anonymous_memory(caller.pid());
    let call = json!({"command": command, "background": true, "notify": false});
    for _ in 0..200 {
        start(&mut caller, call.clone());
    }
    let is_over = || {
        let list = caller.process(json!({"action": "list"}));
        list.details()["sessions"] == json!([])
    };
    assert!(comes_true(is_over), "no session is kept");
    let grown = anonymous_memory(caller.pid()).saturating_sub(before);
    assert!(grown < SOME_MEMORY, "{grown} bytes");
}
