//! `call --stream`: what a command prints while its call waits for it.

use execgate_tests::comes_true;
use pretty_assertions::assert_eq;
use serde_json::json;

use super::place::{Place, UNTIL_GO, session_of};

fn stream() -> Place {
    Place::started(&["--stream"], &[])
}

/// Output is told as it comes, before the call is answered; it bears the call's id and is not its answer.
#[test]
fn output_is_told_as_it_comes() {
    let mut place = stream();
    let command = format!("echo one; {UNTIL_GO}; echo two");
    let line = json!({"tool": "exec", "args": {"command": command}, "id": "call-7"});
    let id = place.caller.send(line);
    let event = place.caller.event("output");
    assert_eq!(
        json!([event["id"], event["text"], event["totalBytes"]]),
        json!(["call-7", "one\n", 4])
    );
    place.make("go");
    let answer = place.caller.answer(&id);
    assert_eq!(answer.text(), "one\ntwo");
    let mut said = "one\n".to_owned();
    assert!(comes_true(|| {
        let event = place.caller.event("output");
        assert_eq!(event["id"], "call-7");
        said.push_str(event["text"].as_str().unwrap_or_default());
        said.len() >= 8
    }));
    assert_eq!(said, "one\ntwo\n");
}

/// Calls of several lanes are told apart by their ids.
#[test]
fn every_piece_bears_the_id_of_its_call() {
    let mut place = stream();
    let ids: Vec<_> = (0..4)
        .map(|lane| {
            let command = format!("echo lane {lane}");
            place.caller.send(
                json!({"tool": "exec", "args": {"command": command}, "lane": lane.to_string()}),
            )
        })
        .collect();
    for (lane, id) in ids.iter().enumerate() {
        assert_eq!(place.caller.answer(id).text(), format!("lane {lane}"));
    }
    for _ in 0..4 {
        let event = place.caller.event("output");
        let lane = ids.iter().position(|id| *id == event["id"]);
        let lane = lane.unwrap_or_else(|| panic!("no call's: {event}"));
        assert_eq!(event["text"], format!("lane {lane}\n"));
    }
}

/// A command that goes on in the background is looked at with `process`.
#[test]
fn what_goes_on_in_the_background_is_not_told() {
    let mut place = stream();
    let command = format!("{UNTIL_GO}; echo out");
    let answer = place
        .caller
        .exec(json!({"command": command, "yieldMs": 10}));
    let session = session_of(&answer);
    place.make("go");
    place.caller.event("session-exited");
    assert_eq!(place.log(&session), "out");
    let (_, rest, _) = place.caller.finish();
    let output = rest.iter().filter(|line| line["event"] == "output");
    assert_eq!(output.filter(|line| line["text"] != "").count(), 0);
}

#[test]
fn without_the_option_nothing_is_told() {
    let mut place = Place::new();
    place.caller.run("echo out");
    let (_, rest, _) = place.caller.finish();
    assert_eq!(rest, Vec::<serde_json::Value>::new());
}
