//! What is sent to a program: text, its end, keys, signals.

use execgate_tests::{Answer, comes_true};
use pretty_assertions::assert_eq;
use serde_json::json;

use super::place::{Place, UNTIL_GO, session_of};

/// More than a pipe holds.
const MUCH: usize = 300_000;

fn number(answer: &Answer, name: &str) -> usize {
    let number = answer.details()[name].as_u64();
    usize::try_from(number.unwrap_or_else(|| panic!("no number `{name}`: {answer:?}")))
        .expect("it fits")
}

/// The call comes back with how much was taken; nothing is lost, and the rest can be sent later.
#[test]
fn a_write_to_a_program_that_does_not_read_takes_what_fits() {
    let mut place = Place::full();
    let session = place.start(&format!("{UNTIL_GO}; cat > read"));
    let data = |length: usize| json!({"data": "x".repeat(length)});
    let first = place.act("write", &session, &data(MUCH));
    assert!(!first.is_error(), "{first:?}");
    let mut taken = number(&first, "takenBytes");
    assert!((1..MUCH).contains(&taken), "{first:?}");
    assert_eq!(number(&first, "offeredBytes"), MUCH);
    let says = format!("{taken} of {MUCH} bytes");
    assert!(first.text().contains(&says), "{first:?}");
    // Others are answered as ever.
    assert_eq!(place.poll(&session).details()["status"], "running");
    place.make("go");
    let all = comes_true(|| {
        let answer = place.act("write", &session, &data(MUCH - taken));
        let partial = answer.details()["takenBytes"].as_u64();
        taken += partial.map_or(MUCH - taken, |bytes| {
            usize::try_from(bytes).expect("it fits")
        });
        taken == MUCH
    });
    assert!(all, "{taken} of {MUCH} were taken");
    place.act("write", &session, &json!({"data": "", "eof": true}));
    place.await_end(&session);
    assert_eq!(place.content("read").len(), MUCH);
}

/// An end of the input that comes behind text which was not taken would cut the text off: it is not sent.
#[test]
fn the_end_is_not_sent_behind_half_a_text() {
    let mut place = Place::full();
    let session = place.start(&format!("{UNTIL_GO}; cat > read"));
    let more = json!({"data": "x".repeat(MUCH), "eof": true});
    let answer = place.act("write", &session, &more);
    assert!(number(&answer, "takenBytes") < MUCH, "{answer:?}");
    assert!(!answer.text().contains("stdin closed"), "{answer:?}");
    place.make("go");
    let closed = comes_true(|| {
        let answer = place.act("write", &session, &json!({"data": "", "eof": true}));
        answer.text().contains("stdin closed")
    });
    assert!(closed);
    place.await_end(&session);
    assert_eq!(place.content("read").len(), number(&answer, "takenBytes"));
}

/// Two writes at the same time do not mix.
#[test]
fn writes_of_many_lanes_stay_whole() {
    let mut place = Place::full();
    let session = place.start("cat > read");
    let line = |writer: usize| {
        format!(
            "{}\n",
            char::from(b'a' + writer as u8).to_string().repeat(3_000)
        )
    };
    let ids: Vec<_> = (0..20)
        .map(|writer| {
            let arguments = json!({"action": "write", "sessionId": session, "data": line(writer)});
            let lane = format!("w{writer}");
            place
                .caller
                .send(json!({"tool": "process", "args": arguments, "lane": lane}))
        })
        .collect();
    for id in &ids {
        let answer = place.caller.answer(id);
        assert!(!answer.is_error(), "{answer:?}");
    }
    place.act("write", &session, &json!({"data": "", "eof": true}));
    place.await_end(&session);
    let content = String::from_utf8(place.content("read")).expect("it is text");
    let mut lines: Vec<&str> = content.split_inclusive('\n').collect();
    lines.sort_unstable();
    let expected: Vec<String> = (0..20).map(line).collect();
    assert_eq!(lines, expected);
}

#[test]
fn the_end_of_the_input_lets_a_reader_end() {
    let mut place = Place::full();
    let session = place.start("cat; echo over");
    let answer = place.act("write", &session, &json!({"data": "last", "eof": true}));
    assert!(answer.text().contains("stdin closed"), "{answer:?}");
    place.await_end(&session);
    assert_eq!(place.log(&session), "lastover");
}

/// What cannot be written to any more says so, and goes on.
#[test]
fn a_closed_input_takes_nothing() {
    let mut place = Place::full();
    let closed = place.start(&format!("cat; {UNTIL_GO}; echo over"));
    place.act("write", &closed, &json!({"data": "", "eof": true}));
    let gone = place.start(&format!("exec 0<&-; echo closed; {UNTIL_GO}; echo over"));
    place.await_output(&gone, "closed");
    for session in [closed, gone] {
        for (action, more) in [
            ("write", json!({"data": "x"})),
            ("submit", json!({})),
            ("paste", json!({"text": "x"})),
            ("send-keys", json!({"keys": ["enter"]})),
        ] {
            let answer = place.act(action, &session, &more);
            assert!(answer.is_error(), "{action}: {answer:?}");
            assert_eq!(answer.details()["errorKind"], "input-closed", "{answer:?}");
            assert_eq!(answer.text().lines().count(), 1, "{answer:?}");
        }
        assert_eq!(place.listed(&session)["stdinWritable"], false);
    }
}

/// A command that was left because it took long read the end of its input from the start, unless it asked for another.
#[test]
fn a_command_that_yielded_has_no_input_unless_it_asked_for_one() {
    let mut place = Place::full();
    let command = format!("cat; {UNTIL_GO}");
    let answer = place
        .caller
        .exec(json!({"command": command, "yieldMs": 10}));
    let session = session_of(&answer);
    assert!(
        place
            .act("write", &session, &json!({"data": "x"}))
            .is_error()
    );
    let answer = place
        .caller
        .exec(json!({"command": command, "yieldMs": 10, "stdin": "open"}));
    let session = session_of(&answer);
    place.write(&session, "taken\n");
    place.await_output(&session, "taken");
}

#[test]
fn keys_pasted_text_and_returns_reach_the_program() {
    let mut place = Place::full();
    let session = place.start("cat > read");
    for (action, more) in [
        ("submit", json!({})),
        ("paste", json!({"text": "a\nb"})),
        ("paste", json!({"text": "plain", "bracketed": false})),
        (
            "send-keys",
            json!({"literal": "é", "hex": ["0x41", "7f"], "keys": ["tab", "C-c", "M-x", "up", "f5"]}),
        ),
    ] {
        let answer = place.act(action, &session, &more);
        assert!(!answer.is_error(), "{answer:?}");
    }
    place.act("write", &session, &json!({"data": "", "eof": true}));
    place.await_end(&session);
    let read = place.content("read");
    let expected = "\r\x1b[200~a\nb\x1b[201~plainéA\x7f\t\x03\x1bx\x1b[A\x1b[15~";
    assert_eq!(String::from_utf8_lossy(&read), expected);
}

/// A name that is no key is sent as text where it has no modifier, and told; bytes that are none are left out, and told.
#[test]
fn what_is_not_clear_about_keys_is_told() {
    let mut place = Place::full();
    let session = place.start("cat > read");
    let keys = json!({"hex": ["zz", "41"], "keys": ["C-nokey"]});
    let answer = place.act("send-keys", &session, &keys);
    assert!(!answer.is_error(), "{answer:?}");
    for part in ["Warnings:", "Invalid hex byte: zz", "Unknown key \"nokey\""] {
        assert!(answer.text().contains(part), "`{part}` in {answer:?}");
    }
    for nothing in [json!({}), json!({"keys": []}), json!({"hex": ["zz"]})] {
        let answer = place.act("send-keys", &session, &nothing);
        assert_eq!(
            (answer.is_error(), answer.text()),
            (true, "No key data provided.")
        );
    }
}

#[test]
fn signals_reach_the_program_by_any_name() {
    let mut place = Place::full();
    let command = format!("trap 'echo one' USR1; trap 'echo two' USR2; echo ready; {UNTIL_GO}");
    let session = place.start(&command);
    place.await_output(&session, "ready");
    for (signal, said) in [("USR1", "one"), ("SIGUSR2", "two")] {
        let answer = place.act("signal", &session, &json!({"signal": signal}));
        assert!(!answer.is_error(), "{answer:?}");
        place.await_output(&session, said);
    }
    let answer = place.act("signal", &session, &json!({"signal": "kill"}));
    assert!(answer.text().contains("SIGKILL"), "{answer:?}");
    place.await_end(&session);
    let listed = place.listed(&session);
    assert_eq!(
        json!([listed["exitSignal"], listed["exitReason"], listed["status"]]),
        json!(["SIGKILL", "signal", "failed"])
    );
}

#[test]
fn what_is_no_signal_is_refused() {
    let mut place = Place::full();
    let session = place.start("cat");
    for signal in [
        json!(""),
        json!("NOPE"),
        json!("0"),
        json!("-9"),
        json!("99"),
        json!(true),
    ] {
        let answer = place.act("signal", &session, &json!({"signal": signal}));
        assert!(answer.is_error(), "{signal}: {answer:?}");
        assert!(answer.text().contains("signal"), "{answer:?}");
        assert_eq!(answer.text().lines().count(), 1, "{answer:?}");
    }
    assert!(place.act("signal", &session, &json!({})).is_error());
    place.write(&session, "alive\n");
    place.await_output(&session, "alive");
}
