//! What the record says of commands in the background.

use execgate_tests::text;
use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use super::place::{Place, UNTIL_GO, session_of};

/// Of the ends in the record, the one of a session.
fn end(place: &Place, session: &str) -> Value {
    let mut ends = place.scratch.store().ends();
    ends.retain(|end| end["session_id"] == session);
    assert_eq!(ends.len(), 1, "{session}: {ends:?}");
    ends.remove(0)
}

/// A call that goes on is recorded when it is answered; how it ended comes later, under the same plan.
#[test]
fn a_start_and_an_end_are_recorded() {
    let mut place = Place::new();
    let command = format!("{UNTIL_GO}; echo out; exit 3");
    let answer = place
        .caller
        .exec(json!({"command": command, "background": true}));
    let session = session_of(&answer);
    let calls = place.scratch.store().calls();
    assert_eq!(
        json!([
            calls[0]["command"],
            calls[0]["decision"],
            calls[0]["outcome"]
        ]),
        json!([command, "allow", "running"])
    );
    assert_eq!(place.scratch.store().ends(), Vec::<Value>::new());
    place.make("go");
    place.caller.event("session-exited");
    let end = end(&place, &session);
    assert_eq!(
        json!([
            end["outcome"],
            end["exit_code"],
            end["signal"],
            end["output_bytes"]
        ]),
        json!(["exited", 3, null, 4])
    );
    assert_eq!(end["plan"], calls[0]["plan"]);
    assert_eq!(place.scratch.store().calls().len(), 1);
}

#[test]
fn every_way_to_end_has_a_name() {
    let mut place = Place::full();
    let exited = place.start("true");
    let signaled = place.start("kill -KILL $$");
    let timed_out = place.start_with("sleep 600", &json!({"timeoutSeconds": 0.1}));
    let killed = place.start("sleep 600");
    place.act("kill", &killed, &json!({}));
    let removed = place.start("sleep 600");
    place.act("remove", &removed, &json!({}));
    let left = place.start("sleep 600");
    for session in [&exited, &signaled, &timed_out, &killed] {
        place.await_end(session);
    }
    let Place { caller, scratch } = place;
    caller.finish();
    let ends = scratch.store().ends();
    let outcome = |session: &str| {
        let end = ends.iter().find(|end| end["session_id"] == session);
        end.map(|end| json!([end["outcome"], end["exit_code"]]))
            .unwrap_or_default()
    };
    assert_eq!(outcome(&exited), json!(["exited", 0]));
    assert_eq!(outcome(&signaled), json!(["signaled", null]));
    assert_eq!(outcome(&timed_out), json!(["timed-out", null]));
    for session in [&killed, &removed, &left] {
        assert_eq!(outcome(session), json!(["cancelled", null]), "{ends:?}");
    }
    assert_eq!(ends.len(), 6, "each once: {ends:?}");
}

/// A command that ended while its call stayed with it has one row, and no other.
#[test]
fn a_command_that_ended_in_its_call_has_no_second_row() {
    let mut place = Place::new();
    place.caller.run("echo out");
    let store = place.scratch.store();
    assert_eq!((store.calls().len(), store.ends().len()), (1, 0));
}

/// What is sent to a program is recorded with what was decided, and without secrets; looking is not recorded.
#[test]
fn input_is_recorded_and_looks_are_not() {
    let secret = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
    let mut place = Place::with(&[
        ("EXECGATE_POLICY_EXEMPT", "eval/inline-code"),
        ("GITHUB_TOKEN", secret),
    ]);
    let session = place.start("bash --norc");
    place.write(&session, "echo do");
    place.write(&session, &format!("ne {secret}\n"));
    let answer = place.act("write", &session, &json!({"data": "rm -rf /\n"}));
    assert!(answer.is_error());
    place.poll(&session);
    place.log(&session);
    let calls = place.scratch.store().calls();
    let rows: Vec<Value> = calls
        .iter()
        .map(|call| json!([call["decision"], call["outcome"]]))
        .collect();
    assert_eq!(
        rows,
        [
            json!(["allow", "running"]),
            json!(["allow", "input"]),
            json!(["deny", "refused"])
        ]
    );
    assert!(
        text(&calls[1], "command").starts_with("echo done "),
        "{calls:?}"
    );
    assert!(!json!(calls).to_string().contains(secret), "{calls:?}");
}
