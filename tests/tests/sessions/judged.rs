//! Text sent to a shell is a command too: it is judged before its line ends.

use execgate_tests::{Answer, comes_true, processes};
use serde_json::{Value, json};

use super::place::Place;

/// A shell whose input is judged, on a pipe or a terminal.
fn shell(place: &mut Place, terminal: bool) -> String {
    let session = place.start_with("bash --norc", &json!({"pty": terminal}));
    place.write(&session, "echo re''ady\n");
    place.await_output(&session, "ready");
    session
}

/// A line that would take away what lies outside the workspace.
fn harm(place: &Place) -> String {
    format!("rm -rf {}", place.scratch.outside().display())
}

/// It was refused by one of these rules, denied or asked of nobody.
fn assert_refused(place: &Place, answer: &Answer, rules: &str) {
    assert!(answer.is_error(), "{answer:?}");
    assert!(answer.rule().starts_with(rules), "{answer:?}");
    assert!(place.scratch.outside().join("secret.txt").exists());
}

/// Ends the shell and looks whether anything of what was refused has run.
fn assert_nothing_ran(mut place: Place, session: &str) {
    place.act("kill", session, &json!({}));
    place.await_end(session);
    assert!(place.scratch.outside().join("secret.txt").exists());
    assert!(!place.scratch.has("ran"));
}

#[test]
fn a_harmful_line_is_refused_and_nothing_of_it_runs() {
    for terminal in [false, true] {
        let mut place = Place::with_shells();
        let session = shell(&mut place, terminal);
        for line in [
            "rm -rf /\n".to_owned(),
            format!("touch ran; {}\n", harm(&place)),
        ] {
            let answer = place.act("write", &session, &json!({"data": line}));
            assert_refused(&place, &answer, "delete/");
        }
        // The shell has seen nothing of it, and goes on.
        place.write(&session, "echo still he''re\n");
        place.await_output(&session, "still here");
        assert_nothing_ran(place, &session);
    }
}

#[test]
fn a_line_that_would_be_asked_is_not_sent_while_nobody_can_be_asked() {
    let mut place = Place::with_shells();
    let session = shell(&mut place, false);
    let answer = place.act("write", &session, &json!({"data": "git push; touch ran\n"}));
    assert_refused(&place, &answer, "git/");
    assert_nothing_ran(place, &session);
}

/// Of several lines none is sent when one is refused.
#[test]
fn several_lines_are_sent_all_or_none() {
    let mut place = Place::with_shells();
    let session = shell(&mut place, false);
    let lines = format!("touch ran\n{}\n", harm(&place));
    let answer = place.act("write", &session, &json!({"data": lines}));
    assert_refused(&place, &answer, "delete/");
    place.write(&session, "echo one\necho two\n");
    place.await_output(&session, "two");
    assert_nothing_ran(place, &session);
}

/// Text passes as it is typed; what it would run is judged when its line ends, in whatever way that is.
#[test]
fn a_line_is_judged_when_it_ends() {
    let ends = [
        ("write", json!({"data": "\n"})),
        ("write", json!({"data": "\r"})),
        ("submit", json!({})),
        ("paste", json!({"text": "\n"})),
        ("paste", json!({"text": "\n", "bracketed": false})),
        ("send-keys", json!({"keys": ["enter"]})),
        ("send-keys", json!({"hex": ["0d"]})),
        ("send-keys", json!({"literal": "\n"})),
        ("write", json!({"data": "", "eof": true})),
    ];
    for terminal in [false, true] {
        let mut place = Place::with_shells();
        let session = shell(&mut place, terminal);
        let text = harm(&place);
        let (first, second) = text.split_at(text.len() / 2);
        place.write(&session, first);
        place.write(&session, second);
        for (action, more) in &ends {
            let answer = place.act(action, &session, more);
            assert!(answer.is_error(), "{action} {more}: {answer:?}");
            assert!(!answer.rule().is_empty(), "{action} {more}: {answer:?}");
        }
        assert_nothing_ran(place, &session);
    }
}

/// Whole lines are judged in whatever way they come.
#[test]
fn every_way_to_type_is_judged() {
    let mut place = Place::with_shells();
    let session = shell(&mut place, true);
    let line = harm(&place);
    let hex: Vec<String> = format!("{line}\r")
        .bytes()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let ways: [(&str, Value); 5] = [
        ("write", json!({"data": format!("{line}\r")})),
        ("paste", json!({"text": format!("{line}\n")})),
        (
            "paste",
            json!({"text": format!("{line}\n"), "bracketed": false}),
        ),
        ("send-keys", json!({"literal": line, "keys": ["enter"]})),
        ("send-keys", json!({"hex": hex})),
    ];
    for (action, more) in ways {
        let answer = place.act(action, &session, &more);
        assert_refused(&place, &answer, "delete/");
    }
    assert_nothing_ran(place, &session);
}

/// After editing, history or completion nobody knows what the line is: it is asked, and here refused.
#[test]
fn an_edited_line_is_not_trusted() {
    for keys in [
        "\u{1b}[A\n",
        "\u{1b}OA\n",
        "ls\u{7f}\n",
        "ech\to\n",
        "\u{12}rm\n",
        "\u{10}\n",
        "echo \u{1b}b rm\n",
        "echo\u{17}rm\n",
        "ls\u{1b}\u{7f}\n",
    ] {
        let mut place = Place::with_shells();
        let session = shell(&mut place, true);
        let answer = place.act("write", &session, &json!({"data": keys}));
        assert!(answer.is_error(), "{keys:?}: {answer:?}");
        assert!(answer.rule().starts_with("opaque/"), "{keys:?}: {answer:?}");
        assert_nothing_ran(place, &session);
    }
}

/// Keys that run the line without a return are returns.
#[test]
fn there_is_no_other_key_that_runs_a_line() {
    for key in ["\u{0f}", "\u{18}\u{05}", "\u{1b}\r"] {
        let mut place = Place::with_shells();
        let session = shell(&mut place, true);
        let text = format!("{}; touch ran", harm(&place));
        place.write(&session, &text);
        let answer = place.act("write", &session, &json!({"data": key}));
        assert!(answer.is_error(), "{key:?}: {answer:?}");
        assert_nothing_ran(place, &session);
    }
}

#[test]
fn control_keys_pass() {
    let mut place = Place::with_shells();
    let session = shell(&mut place, true);
    for keys in [["C-c"], ["C-z"], ["C-l"]] {
        let answer = place.act("send-keys", &session, &json!({"keys": keys}));
        assert!(!answer.is_error(), "{answer:?}");
    }
    let session = shell(&mut place, true);
    let answer = place.act("send-keys", &session, &json!({"keys": ["C-d"]}));
    assert!(!answer.is_error(), "{answer:?}");
    place.await_end(&session);
}

#[test]
fn harmless_lines_run() {
    for terminal in [false, true] {
        let mut place = Place::with_shells();
        let session = shell(&mut place, terminal);
        place.write(&session, "touch fi");
        place.write(&session, "rst; echo do''ne\n");
        place.await_output(&session, "done");
        assert!(place.scratch.has("first"));
        place.write(&session, "for i in 1 2 3; do\necho n$i\ndone\n");
        place.await_output(&session, "n1\nn2\nn3");
    }
}

/// Input of a program that does not run it is nobody's command.
#[test]
fn what_another_program_reads_passes() {
    for terminal in [false, true] {
        let mut place = Place::new();
        let session = place.start_with("cat", &json!({"pty": terminal}));
        place.write(&session, "rm -rf /\ngit push\n");
        place.await_output(&session, "git push");
    }
}

/// A shell that has been told what to run reads its input as data.
#[test]
fn what_a_script_reads_passes() {
    for command in [
        "read x; echo \"got $x\"",
        "bash -c 'read x; echo \"got $x\"'",
    ] {
        let mut place = Place::new();
        let session = place.start(command);
        place.write(&session, "some words\n");
        place.await_output(&session, "got some words");
    }
}

/// It does not matter how soon after its start a program is written to.
#[test]
fn the_first_moment_is_no_other() {
    let mut place = Place::new();
    for _ in 0..40 {
        let session = place.start("cat; echo over");
        let more = json!({"data": "some words\n", "eof": true});
        let answer = place.act("write", &session, &more);
        assert!(!answer.is_error(), "{answer:?}");
        place.act("remove", &session, &json!({}));
    }
}

/// Typed ahead, a text is read by the shell that comes.
#[test]
fn text_for_a_shell_that_is_yet_to_start_is_judged() {
    let mut place = Place::with_shells();
    let session = place.start("until test -e go; do sleep 0.01; done; bash");
    let line = format!("{}\n", harm(&place));
    let answer = place.act("write", &session, &json!({"data": line}));
    assert_refused(&place, &answer, "delete/");
    place.make("go");
    place.write(&session, "echo he''re\n");
    place.await_output(&session, "here");
    assert_nothing_ran(place, &session);
}

/// A program in the foreground that ends by a key leaves what follows to the shell behind it.
#[test]
fn text_behind_the_end_of_the_foreground_program_is_judged() {
    for key in ["\u{04}", "\u{03}", "\u{1a}", "\u{1c}"] {
        let mut place = Place::with_shells();
        let session = shell(&mut place, true);
        place.write(&session, "cat\n");
        assert!(comes_true(|| !processes(&place.scratch, "cat").is_empty()));
        let data = format!("{key}{}\n", harm(&place));
        let answer = place.act("write", &session, &json!({"data": data}));
        assert!(answer.is_error(), "{key:?}: {answer:?}");
        assert_nothing_ran(place, &session);
    }
}

/// Two halves of a line in two lanes are one line.
#[test]
fn halves_of_a_line_from_different_lanes_are_judged_together() {
    let mut place = Place::with_shells();
    let session = shell(&mut place, false);
    let line = harm(&place);
    let (first, second) = line.split_at(4);
    for half in [first, second] {
        let id = place.send_act("write", &session, &json!({"data": half}));
        assert!(!place.caller.answer(&id).is_error());
    }
    let answer = place.act("write", &session, &json!({"data": "\n"}));
    assert_refused(&place, &answer, "delete/");
    assert_nothing_ran(place, &session);
}
