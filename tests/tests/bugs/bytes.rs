//! Output as text: no character is cut, no terminal control is shown, every byte is counted.

use std::fs;

use execgate_tests::{Answer, Scratch, text};
use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use super::{Rows, await_end, background, extended, openclaw, printed_bytes};

pub const ROWS: Rows = &[
    ("BY01", a_character_in_pieces_is_one_character),
    ("BY03", bytes_that_are_no_text_are_shown_as_such),
    ("BY03", bytes_that_are_no_text_can_be_read_as_they_are),
    ("BY04", a_page_ends_before_a_character_that_is_not_whole),
    ("BY04", a_cap_cuts_between_characters),
    ("BY05", of_a_progress_bar_the_last_frame_is_shown),
    ("BY08", colours_titles_and_links_are_not_shown),
    ("BY09", a_control_sequence_in_pieces_is_not_shown),
    ("BY12", binary_output_stays_small_on_the_wire),
    ("BY13", a_missing_last_line_end_is_told_by_the_count),
];

const REPLACEMENT: char = '\u{FFFD}';

/// Runs commands with their output told as it comes; gives each answer and the text of its events.
fn streamed(calls: &[Value]) -> Vec<(Answer, String)> {
    let scratch = Scratch::new();
    let variables = [("EXECGATE_POLICY_MODE", "full")];
    let mut caller = scratch.call_with(&["--stream"], &variables);
    let answers: Vec<Answer> = calls.iter().map(|call| caller.exec(call.clone())).collect();
    let (_, rest, _) = caller.finish();
    let told = |answer: &Answer| {
        let events = rest.iter().filter(|line| line["event"] == "output");
        let own = events.filter(|event| event["id"] == answer.0["id"]);
        own.map(|event| text(event, "text")).collect()
    };
    let pairs = answers.iter().map(|answer| (answer.clone(), told(answer)));
    pairs.collect()
}

#[test]
fn a_character_in_pieces_is_one_character() {
    let pieces = r"printf '\xe2'; sleep .1; printf '\x89'; sleep .1; printf '\xa4'";
    let calls = [
        json!({"command": pieces}),
        json!({"command": format!("({pieces}) >&2")}),
        json!({"command": pieces, "pty": true}),
    ];
    for (answer, told) in streamed(&calls) {
        assert_eq!((answer.text(), told.as_str()), ("≤", "≤"));
        assert_eq!(*printed_bytes(&answer), 3);
    }
}

const NO_TEXT: &str = r"printf 'ok\xff\xfeend\n'";

#[test]
fn bytes_that_are_no_text_are_shown_as_such() {
    let scratch = Scratch::new();
    for mut caller in [openclaw(&scratch, &[]), extended(&scratch, &[])] {
        let answer = caller.run(NO_TEXT);
        assert_eq!(
            (answer.text(), printed_bytes(&answer)),
            ("ok\u{FFFD}\u{FFFD}end", &json!(8))
        );
    }
}

/// Text has no room for them: they come in an encoding that does.
#[test]
fn bytes_that_are_no_text_can_be_read_as_they_are() {
    let scratch = Scratch::new();
    let mut caller = extended(&scratch, &[]);
    let id = background(&mut caller, NO_TEXT);
    await_end(&mut caller, &id);
    let raw = json!({"action": "read", "sessionId": id, "raw": true});
    let answer = caller.process(raw);
    assert_eq!(answer.details()["totalBytes"], 8);
    assert_eq!(
        answer.details()["outputBase64"],
        "b2v//mVuZAo=",
        "{answer:?}"
    );
}

#[test]
fn a_page_ends_before_a_character_that_is_not_whole() {
    let scratch = Scratch::new();
    let mut caller = extended(&scratch, &[]);
    let id = background(&mut caller, "printf 'a€€'");
    await_end(&mut caller, &id);
    let page = json!({"action": "read", "sessionId": id, "offset": 0, "limit": 5});
    let answer = caller.process(page);
    let details = answer.details();
    assert_eq!(
        json!([
            details["output"],
            details["nextOffset"],
            details["totalBytes"],
            details["hasMore"]
        ]),
        json!(["a€", 4, 7, true])
    );
    assert!(answer.text().contains("bytes 0..4 of 7"), "{answer:?}");
}

#[test]
fn a_cap_cuts_between_characters() {
    let scratch = Scratch::new();
    for chars in ["1", "2"] {
        let variable = ("EXECGATE_EXEC_MAX_OUTPUT_CHARS", chars);
        for mut caller in [
            openclaw(&scratch, &[variable]),
            extended(&scratch, &[variable]),
        ] {
            let answer = caller.run("printf 'a€€'");
            assert!(!answer.text().contains(REPLACEMENT), "{answer:?}");
            assert!(answer.text().contains('€'), "{answer:?}");
            assert_eq!(*printed_bytes(&answer), 7);
        }
    }
}

/// What a command's output is shown as in both profiles.
fn shown(command: &str) -> Vec<String> {
    let scratch = Scratch::new();
    let callers = [openclaw(&scratch, &[]), extended(&scratch, &[])];
    let show = |mut caller: execgate_tests::Caller| caller.run(command).text().to_owned();
    callers.into_iter().map(show).collect()
}

#[test]
fn of_a_progress_bar_the_last_frame_is_shown() {
    let bar = r"for i in $(seq 1 100); do printf '\rloading %d%%' $i; done; echo";
    assert_eq!(shown(bar), ["loading 100%", "loading 100%"]);
}

#[test]
fn colours_titles_and_links_are_not_shown() {
    let text =
        r"printf '\e[31mred\e[0m\n'; printf '\e]0;title\a\e]8;;http://x\e\\link\e]8;;\e\\\n'";
    assert_eq!(shown(text), ["red\nlink", "red\nlink"]);
}

#[test]
fn a_control_sequence_in_pieces_is_not_shown() {
    let pieces = r"printf '\e[3'; sleep .1; printf '1mred\n'";
    for (answer, told) in streamed(&[json!({"command": pieces})]) {
        assert_eq!((answer.text(), told.as_str()), ("red", "red\n"));
    }
}

#[test]
fn binary_output_stays_small_on_the_wire() {
    let scratch = Scratch::new();
    let cap = 50_000;
    let variable = ("EXECGATE_EXEC_MAX_OUTPUT_CHARS", "50000");
    let answer = extended(&scratch, &[variable]).run("head -c 3000000 /dev/urandom");
    assert_eq!(*printed_bytes(&answer), 3_000_000);
    let saved = fs::metadata(text(&answer.details()["artifact"], "path"));
    assert_eq!(saved.expect("it is there").len(), 3_000_000);
    let wire = answer.0.to_string().len();
    assert!(wire <= 4 * cap, "{wire} bytes");
}

#[test]
fn a_missing_last_line_end_is_told_by_the_count() {
    let scratch = Scratch::new();
    let mut caller = openclaw(&scratch, &[]);
    for (command, bytes) in [("printf abc", 3), ("echo abc", 4)] {
        let answer = caller.run(command);
        assert_eq!(
            (answer.text(), printed_bytes(&answer)),
            ("abc", &json!(bytes))
        );
    }
}
