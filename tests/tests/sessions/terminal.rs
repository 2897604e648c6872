//! Sessions on a terminal.

use execgate_tests::{comes_true, processes};
use pretty_assertions::assert_eq;
use serde_json::json;

use super::place::{Place, UNTIL_GO};

/// A session on a terminal, where everything runs as written.
fn start(place: &mut Place, command: &str) -> String {
    place.start_with(command, &json!({"pty": true}))
}

#[test]
fn a_terminal_has_a_size_a_kind_and_shows_what_is_typed() {
    let mut place = Place::full();
    let session = start(&mut place, "tty > /dev/null && stty size; echo $TERM; cat");
    place.await_output(&session, "30 120\nxterm-256color");
    place.write(&session, "typed\n");
    place.await_output(&session, "typed\ntyped");
}

#[test]
fn an_interrupt_ends_what_runs_in_the_foreground() {
    let mut place = Place::full();
    let session = start(
        &mut place,
        "trap 'echo got it; exit 3' INT; echo ready; sleep 600; echo no",
    );
    place.await_output(&session, "ready");
    let answer = place.act("send-keys", &session, &json!({"keys": ["C-c"]}));
    assert!(!answer.is_error(), "{answer:?}");
    place.await_end(&session);
    assert!(place.log(&session).contains("got it"));
    assert_eq!(place.listed(&session)["exitCode"], 3);
}

/// The shell that started it lives on: the terminal is a controlling one.
#[test]
fn an_interrupt_ends_a_job_and_not_its_shell() {
    let mut place = Place::full();
    let session = start(&mut place, "bash --norc -i");
    place.write(&session, "sleep 600\n");
    assert!(comes_true(|| !processes(&place.scratch, "sleep").is_empty()));
    place.act("send-keys", &session, &json!({"keys": ["C-c"]}));
    assert!(comes_true(|| processes(&place.scratch, "sleep").is_empty()));
    place.write(&session, "touch lives-on\n");
    place.await_file("lives-on");
}

#[test]
fn an_end_of_file_ends_a_reader_and_not_the_terminal() {
    let mut place = Place::full();
    let session = start(&mut place, "cat; echo second; cat; echo over");
    place.write(&session, "line\n");
    place.await_output(&session, "line\nline");
    place.act("write", &session, &json!({"data": "", "eof": true}));
    place.await_output(&session, "second");
    place.act("send-keys", &session, &json!({"keys": ["C-d"]}));
    place.await_end(&session);
    assert!(place.log(&session).ends_with("over"));
}

/// Until the program has chosen a mode for its cursor keys nobody knows what they are; other keys are sent.
#[test]
fn cursor_keys_follow_the_mode_that_the_program_chose() {
    let mut place = Place::full();
    let command = "stty raw -echo; touch ready; until test -e go; do sleep 0.01; done; printf '\\033[?1h'; printf 'chosen'; cat > read";
    let session = start(&mut place, command);
    place.await_file("ready");
    let up = json!({"keys": ["up"]});
    let answer = place.act("send-keys", &session, &up);
    assert_eq!(
        answer.details()["errorKind"],
        "cursor-keys-unknown",
        "{answer:?}"
    );
    assert!(
        !place
            .act("send-keys", &session, &json!({"keys": ["pgup"]}))
            .is_error()
    );
    place.make("go");
    place.await_output(&session, "chosen");
    assert!(!place.act("send-keys", &session, &up).is_error());
    let expected = b"\x1b[5~\x1bOA";
    assert!(
        comes_true(|| place.content("read") == expected),
        "{:?}",
        place.content("read")
    );
}

/// A program that asks where the cursor is does not wait in vain.
#[test]
fn a_terminal_answers_where_its_cursor_is() {
    let mut place = Place::full();
    let command = "stty raw -echo; printf '\\033[6n'; head -c 6 > read; touch done";
    start(&mut place, command);
    place.await_file("done");
    assert_eq!(place.content("read"), b"\x1b[1;1R");
}

/// Lines are shown as a person sees them: what was written over is gone.
#[test]
fn progress_is_shown_as_it_stands() {
    let mut place = Place::full();
    let command = format!("printf '10%%\\r50%%\\r100%%\\n'; {UNTIL_GO}");
    let session = start(&mut place, &command);
    place.await_output(&session, "100%");
    assert_eq!(place.log(&session), "100%");
    assert!(place.poll(&session).text().starts_with("100%\n\n"));
}

#[test]
fn killing_it_ends_everything_on_the_terminal() {
    let mut place = Place::full();
    let session = start(
        &mut place,
        "trap '' HUP; sleep 600 & sleep 600 & echo ready; wait",
    );
    place.await_output(&session, "ready");
    place.act("kill", &session, &json!({}));
    place.await_end(&session);
    assert!(comes_true(|| processes(&place.scratch, "sleep").is_empty()));
}
