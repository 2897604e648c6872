//! Sessions: what is asked about them is answered at once, once, and to nobody else.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use execgate_tests::{Answer, Caller, Scratch, text};
use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use super::{
    Rows, act, await_end, await_text, background, extended, openclaw, poll_to_the_end,
    printed_bytes, start,
};

pub const ROWS: Rows = &[
    ("SS01", an_unknown_session_is_not_waited_for),
    ("SS02", a_session_that_has_ended_shows_every_line),
    ("SS03", one_end_is_told_once_and_stays_the_same),
    ("SS09", a_session_is_there_for_its_own_agent_only),
    (
        "SS10",
        a_call_tells_what_its_command_prints_and_that_it_runs,
    ),
    ("SS11", a_wait_that_ends_first_is_no_error_and_no_kill),
    ("SS12", parallel_outputs_stay_apart),
    ("SS13", whoever_looks_in_vain_is_told_of_the_end),
];

/// Actions on one session, each with whatever it needs.
const ACTIONS: [&str; 13] = [
    "poll",
    "wait",
    "log",
    "read",
    "search",
    "write",
    "submit",
    "paste",
    "send-keys",
    "signal",
    "kill",
    "clear",
    "remove",
];

/// An action with everything that any action takes.
fn action(name: &str, id: &str) -> Value {
    json!({
        "action": name, "sessionId": id, "timeout": 600_000, "pattern": "x", "data": "x", "text": "x",
        "keys": ["enter"], "signal": "TERM",
    })
}

fn kind(answer: &Answer) -> &str {
    text(answer.details(), "errorKind")
}

/// The longest poll.
const POLL: Duration = Duration::from_secs(30);

#[test]
fn an_unknown_session_is_not_waited_for() {
    let scratch = Scratch::new();
    let mut caller = extended(&scratch, &[]);
    let begun = Instant::now();
    for name in ACTIONS {
        let answer = caller.process(action(name, "nope"));
        assert!(
            answer.is_error() && kind(&answer).starts_with("unknown-"),
            "{answer:?}"
        );
    }
    assert!(begun.elapsed() < POLL, "{:?}", begun.elapsed());
}

/// The call may see the end itself on a machine that is busy enough.
fn lines_of(caller: &mut Caller, answer: &Answer) -> String {
    if answer.details()["status"] != "running" {
        return answer.text().to_owned();
    }
    let id = text(answer.details(), "sessionId");
    let ended = poll_to_the_end(caller, id);
    assert_eq!(*printed_bytes(&ended), 1_692);
    let log = json!({"action": "log", "sessionId": id, "offset": 0, "limit": 1_000});
    let log = caller.process(log);
    assert_eq!(log.details()["totalLines"], 200, "{log:?}");
    log.text().to_owned()
}

#[test]
fn a_session_that_has_ended_shows_every_line() {
    let scratch = Scratch::new();
    let mut caller = openclaw(&scratch, &[]);
    let lines: Vec<String> = (1..=200).map(|number| format!("line {number}")).collect();
    let call = json!({"command": "sleep 0.3; for i in $(seq 1 200); do echo line $i; done", "yieldMs": 100});
    for round in 0..5 {
        let mut send = |lane: usize| {
            caller.send(json!({"tool": "exec", "args": call, "lane": lane.to_string()}))
        };
        let calls: Vec<Value> = (0..20).map(&mut send).collect();
        for id in &calls {
            let answer = caller.answer(id);
            assert_eq!(lines_of(&mut caller, &answer), lines.join("\n"), "{round}");
        }
    }
}

#[test]
fn one_end_is_told_once_and_stays_the_same() {
    let scratch = Scratch::new();
    let mut caller = openclaw(&scratch, &[]);
    let id = background(&mut caller, "sleep 0.2; exit 7");
    let poll = json!({"action": "poll", "sessionId": id, "timeout": 30_000});
    let mut send = |lane: usize| {
        caller.send(json!({"tool": "process", "args": poll, "lane": lane.to_string()}))
    };
    let polls: Vec<Value> = (0..10).map(&mut send).collect();
    let event = caller.event("session-exited");
    assert_eq!(
        (&event["sessionId"], &event["details"]["exitCode"]),
        (&json!(id), &json!(7))
    );
    let list = caller.process(json!({"action": "list"}));
    let listed = list.details()["sessions"][0].clone();
    let polls = polls
        .iter()
        .map(|poll| caller.answer(poll).details().clone());
    for told in polls.chain([listed]).collect::<Vec<_>>() {
        assert_eq!(
            json!([told["status"], told["exitCode"]]),
            json!(["completed", 7])
        );
    }
    let (_, rest, _) = caller.finish();
    assert_eq!(rest, Vec::<Value>::new());
}

/// As one of agent `a` and as one of agent `b`.
fn ask_as(caller: &mut Caller, agent: &str, arguments: Value) -> Answer {
    let who = json!({"agent": agent, "session": "s", "channel": "cli"});
    caller.request(json!({"tool": "process", "args": arguments, "caller": who}))
}

/// What another agent is told is what it is told of a session that never was.
#[test]
fn a_session_is_there_for_its_own_agent_only() {
    let scratch = Scratch::new();
    let mut caller = extended(&scratch, &[]);
    let line = json!({
        "tool": "exec", "args": {"command": "sleep 600", "background": true},
        "caller": {"agent": "a", "session": "s", "channel": "cli"},
    });
    let started = caller.request(line);
    let id = text(started.details(), "sessionId");
    let list = json!({"action": "list"});
    assert_eq!(
        ask_as(&mut caller, "b", list.clone()).details()["sessions"],
        json!([])
    );
    for name in ACTIONS {
        let foreign = ask_as(&mut caller, "b", action(name, id));
        let unknown = ask_as(&mut caller, "b", action(name, "nope"));
        assert_eq!(kind(&foreign), kind(&unknown));
        assert_eq!(foreign.text(), unknown.text().replace("nope", id));
    }
    let own = ask_as(&mut caller, "a", list);
    assert_eq!(own.details()["sessions"][0]["status"], "running", "{own:?}");
}

/// The next piece of output that a call tells.
fn told(caller: &mut Caller, id: &Value) -> (String, u64) {
    let event = caller.event("output");
    assert_eq!(event["id"], *id);
    let elapsed = event["elapsedMs"].as_u64().expect("it is a number");
    (text(&event, "text").to_owned(), elapsed)
}

#[test]
fn a_call_tells_what_its_command_prints_and_that_it_runs() {
    let scratch = Scratch::new();
    let mut caller = scratch.call(&["--profile", "openclaw", "--stream"]);
    let command = "echo a; until test -e go; do sleep 0.01; done; echo b";
    let call = json!({"command": command, "yieldMs": 120_000});
    let id = caller.send(json!({"tool": "exec", "args": call}));
    let (first, begun) = told(&mut caller, &id);
    let (silence, later) = told(&mut caller, &id);
    assert_eq!((first.as_str(), silence.as_str()), ("a\n", ""));
    assert!(begun < later, "{begun} ms, then {later} ms");
    fs::write(scratch.workspace().join("go"), "").expect("the workspace can be written");
    assert_eq!(caller.answer(&id).text(), "a\nb");
    assert_eq!(told(&mut caller, &id).0, "b\n");
}

#[test]
fn a_wait_that_ends_first_is_no_error_and_no_kill() {
    let scratch = Scratch::new();
    let mut caller = extended(&scratch, &[]);
    let call =
        json!({"command": "echo part; until test -e go; do sleep 0.01; done", "background": true});
    let started = caller.exec(call);
    let id = text(started.details(), "sessionId");
    await_text(&mut caller, id, "part");
    let wait = json!({"action": "wait", "sessionId": id, "timeout": 100});
    let answer = caller.process(wait);
    let details = answer.details();
    assert_eq!(
        json!([
            answer.is_error(),
            details["status"],
            details["wait"]["met"],
            details["aggregated"]
        ]),
        json!([false, "running", "time", "part\n"])
    );
    assert!(answer.text().contains("That is no error"), "{answer:?}");
    let process = format!("/proc/{}", started.details()["pid"]);
    assert!(Path::new(&process).exists());
    fs::write(scratch.workspace().join("go"), "").expect("the workspace can be written");
    assert_eq!(await_end(&mut caller, id).details()["exitCode"], 0);
}

#[test]
fn parallel_outputs_stay_apart() {
    let scratch = Scratch::new();
    let mut caller = openclaw(&scratch, &[]);
    let mut send = |number: usize| {
        let command = format!("for i in $(seq 1 5000); do echo {number}; done");
        let call = json!({"command": command});
        caller.send(json!({"tool": "exec", "args": call, "lane": number.to_string()}))
    };
    let calls: Vec<Value> = (0..20).map(&mut send).collect();
    for (number, id) in calls.iter().enumerate() {
        let own = number.to_string();
        let answer = caller.answer(id);
        assert_eq!(answer.text().lines().count(), 5_000, "{number}");
        assert!(answer.text().lines().all(|line| line == own), "{number}");
    }
}

#[test]
fn whoever_looks_in_vain_is_told_of_the_end() {
    let scratch = Scratch::new();
    let mut caller = extended(&scratch, &[]);
    let call = json!({"command": "sleep 600", "background": true, "notify": false});
    let id = start(&mut caller, call);
    let looks: Vec<Answer> = (0..3).map(|_| act(&mut caller, "poll", &id)).collect();
    assert!(looks[0].details()["notifyOnExit"].is_null(), "{looks:?}");
    assert_eq!(looks[2].details()["notifyOnExit"], true, "{looks:?}");
    assert!(looks[2].text().contains("use wait"), "{looks:?}");
    caller.process(json!({"action": "signal", "sessionId": id, "signal": "TERM"}));
    assert_eq!(caller.event("session-exited")["sessionId"], *id);
}
