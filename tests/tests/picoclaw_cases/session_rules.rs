//! Rows that follow from PicoClaw's document about sessions: waits, pages, notices, ends.

use std::fs;

use execgate_tests::{Caller, Tally, comes_true, text};
use serde_json::{Value, json};

use super::place::{Place, Settings};

/// The areas of these rows.
pub const AREAS: &[&str] = &["wait", "read", "notify", "kill", "exitcode"];

/// What a row states that does not hold.
type Problems = Vec<String>;

/// Goes on until the file `go` is there.
const UNTIL_GO: &str = "until test -e go; do sleep 0.01; done";

/// The same, having said something when the file `speak` is there.
const UNTIL_SPEAK_AND_GO: &str =
    "until test -e speak; do sleep 0.01; done; echo news; until test -e go; do sleep 0.01; done";

/// Seconds that nothing here lasts.
const LONG: u64 = 600;

pub fn check(row: &Value, tally: &mut Tally) {
    let (input, result) = (&row["input"], &row["result"]);
    let problems = match text(row, "area") {
        "wait" => wait(input, result),
        "read" => read(input, result),
        "notify" => notify(input, result),
        "kill" => kill(input, result),
        _ => exit_code(input, result),
    };
    tally.check(row, &problems);
}

/// A stream of calls in a place of its own.
struct Stream {
    place: Place,
    caller: Caller,
}

impl Stream {
    fn new(exec: &Value) -> Self {
        let place = Place::new(&Settings {
            exec: Some(exec),
            ..Settings::default()
        });
        Self {
            caller: place.call(),
            place,
        }
    }

    /// Starts a command in the background; returns its id.
    fn start(&mut self, command: &str, more: &Value) -> String {
        let mut arguments = json!({"action": "run", "command": command, "background": true});
        for (name, value) in more.as_object().into_iter().flatten() {
            arguments[name] = value.clone();
        }
        let answer = self.caller.exec(arguments);
        let object: Value = serde_json::from_str(answer.text()).unwrap_or_default();
        object["sessionId"]
            .as_str()
            .unwrap_or_else(|| panic!("it does not start: {answer:?}"))
            .to_owned()
    }

    /// The answer to an action, as an object; a refusal as a text.
    fn act(&mut self, action: &str, session: &str, more: &Value) -> Value {
        let mut arguments = json!({"action": action, "sessionId": session});
        for (name, value) in more.as_object().into_iter().flatten() {
            arguments[name] = value.clone();
        }
        let answer = self.caller.exec(arguments);
        serde_json::from_str(answer.text()).unwrap_or_else(|_| answer.text().into())
    }

    fn poll(&mut self, session: &str) -> Value {
        self.act("poll", session, &json!({}))
    }

    fn listed(&mut self, session: &str) -> Value {
        let answer = self.caller.exec(json!({"action": "list"}));
        let object: Value = serde_json::from_str(answer.text()).unwrap_or_default();
        let items = object["sessions"].as_array();
        let item = items.and_then(|items| items.iter().find(|item| item["id"] == *session));
        item.cloned().unwrap_or_default()
    }

    /// Waits for an end without looking at what was printed.
    fn await_end(&mut self, session: &str) {
        comes_true(|| self.listed(session)["status"] == "done");
    }

    /// Waits for output without looking at it in a way that counts.
    fn await_output(&mut self, session: &str, output: &str) {
        comes_true(|| self.act("read", session, &json!({}))["output"] == output);
    }

    /// Makes the file that a command waits for.
    fn make(&self, name: &str) {
        fs::write(self.place.scratch.workspace().join(name), "")
            .expect("the workspace can be written");
    }

    /// Ends a session that is waiting, and counts what is told of it until another one, started later, has been told.
    fn notices(mut self, session: &str) -> usize {
        self.make("go");
        self.await_end(session);
        let last = self.start("echo last", &json!({"notify": true}));
        let told = self.caller.event("session-exited");
        let first = usize::from(told["sessionId"] == *session);
        if told["sessionId"] != last {
            self.caller.event("session-exited");
        }
        let (_, rest, _) = self.caller.finish();
        let more = rest.iter().filter(|line| line["sessionId"] == *session);
        first + more.count()
    }
}

fn expect(problems: &mut Problems, is_so: bool, what: &str, found: &Value) {
    if !is_so {
        problems.push(format!("{what}: {found}"));
    }
}

/// Seconds stand for minutes: what is waited for is which of two limits ends the wait.
fn wait(input: &Value, result: &Value) -> Problems {
    if result.get("window_s").is_some() {
        return window(input, result);
    }
    let mut stream = Stream::new(&json!({"timeout_seconds": LONG}));
    let mut problems = Vec::new();
    if input["session"] == "already finished" {
        for command in ["echo x", "echo x; exit 3"] {
            let session = stream.start(command, &json!({}));
            stream.await_end(&session);
            let answer = stream.act("wait", &session, &json!({}));
            let is_done = answer["status"] == "done" && answer["exitCode"].is_number();
            expect(&mut problems, is_done, "done with its exit code", &answer);
        }
        return problems;
    }
    if result["status"] == "done" {
        let session = stream.start("sleep 0.1; echo x", &json!({}));
        let answer = stream.act("wait", &session, &json!({}));
        let is_so = answer["status"] == "done" && answer["exitCode"] == result["exitCode"];
        expect(&mut problems, is_so, "done with its exit code", &answer);
        expect(
            &mut problems,
            answer["output"] == "x\n",
            "its output",
            &answer,
        );
        return problems;
    }
    let session = stream.start("echo x; sleep 600", &json!({}));
    stream.await_output(&session, "x\n");
    let answer = stream.act("wait", &session, &json!({"timeout": 1}));
    let is_so = answer["status"] == "running" && answer.get("exitCode").is_none();
    expect(&mut problems, is_so, "running, without exit code", &answer);
    expect(
        &mut problems,
        answer["output"] == "x\n",
        "the output's end",
        &answer,
    );
    let note = answer["note"].as_str().unwrap_or_default();
    expect(
        &mut problems,
        note.contains("not an error"),
        "says that it is no error",
        &answer,
    );
    problems
}

fn window(input: &Value, result: &Value) -> Problems {
    let is_capped = result["window_s"] == input["timeout_seconds"];
    let (asked, most) = if is_capped { (LONG, 1) } else { (1, LONG) };
    let mut stream = Stream::new(&json!({"timeout_seconds": most}));
    let session = stream.start("sleep 600", &json!({}));
    let answer = stream.act("wait", &session, &json!({"timeout": asked}));
    let mut problems = Vec::new();
    expect(
        &mut problems,
        answer["status"] == "running",
        "the shorter window ends it",
        &answer,
    );
    problems
}

fn read(input: &Value, result: &Value) -> Problems {
    let mut stream = Stream::new(&json!({}));
    let total = input["total_bytes"].as_u64().unwrap_or_default();
    let output: String = (0..total).map(|at| letter(at / 7 + at)).collect();
    fs::write(stream.place.scratch.workspace().join("output"), &output)
        .expect("the workspace can be written");
    let session = stream.start("cat output", &json!({}));
    stream.await_end(&session);
    let mut range = json!({});
    for name in ["offset", "limit"] {
        if input[name].is_number() {
            range[name] = input[name].clone();
        }
    }
    let page = stream.act("read", &session, &range);
    let mut problems = Vec::new();
    if input["twice"] == true {
        let again = stream.act("read", &session, &range);
        expect(&mut problems, again == page, "the same twice", &again);
        return problems;
    }
    let number = |name: &str| usize::try_from(page[name].as_u64().unwrap_or_default());
    let (Ok(from), Ok(to)) = (number("offset"), number("nextOffset")) else {
        return vec![format!("no range: {page}")];
    };
    let shown = page["output"].as_str().unwrap_or_default();
    if output.get(from..to) != Some(shown) {
        problems.push(format!("bytes {from} to {to} are not what is shown"));
    }
    for (name, expected) in result.as_object().into_iter().flatten() {
        let found = match name.as_str() {
            "len" => shown.len().into(),
            _ => page[name].clone(),
        };
        if found != *expected {
            problems.push(format!("{name} is {found}, expected {expected}"));
        }
    }
    problems
}

/// A text in which no two places look alike for long.
fn letter(at: u64) -> char {
    char::from(b'a' + u8::try_from(at % 23).expect("it is below 23"))
}

fn notify(input: &Value, result: &Value) -> Problems {
    let mut stream = Stream::new(&json!({"timeout_seconds": LONG}));
    let mut problems = Vec::new();
    let Some(looks) = input["sequence"].as_array() else {
        let session = stream.start(UNTIL_GO, &json!({"notify": true}));
        if input["exit"] != "natural" {
            stream.act("kill", &session, &json!({}));
        } else {
            stream.make("go");
            stream.await_end(&session);
        }
        let count = stream.notices(&session);
        expect(
            &mut problems,
            result["messages"] == count,
            "messages",
            &count.into(),
        );
        return problems;
    };
    // Whoever was told to stop checking is told the end, even of what says nothing.
    let speaks = looks.iter().any(|look| look == "poll(new output)");
    let command = if speaks { UNTIL_SPEAK_AND_GO } else { UNTIL_GO };
    let session = stream.start(command, &json!({}));
    let mut answers = Vec::new();
    for look in looks.iter().filter_map(Value::as_str) {
        if look.contains("new output") {
            stream.make("speak");
            stream.await_output(&session, "news\n");
        }
        answers.push(match look.starts_with("wait") {
            true => stream.act("wait", &session, &json!({"timeout": 1})),
            false => stream.poll(&session),
        });
    }
    let is_told = |answer: &Value| {
        let note = answer["note"].as_str().unwrap_or_default();
        note.contains("stop checking")
    };
    let (last, before) = answers.split_last().expect("a sequence has looks");
    let should = result["notify_enabled"] != false;
    expect(
        &mut problems,
        is_told(last) == should,
        "advice to stop checking",
        last,
    );
    let early = before.iter().any(is_told);
    expect(&mut problems, !early, "no advice before", &json!(before));
    let count = stream.notices(&session);
    expect(
        &mut problems,
        count == usize::from(should),
        "messages",
        &count.into(),
    );
    problems
}

fn kill(input: &Value, result: &Value) -> Problems {
    let mut stream = Stream::new(&json!({}));
    let mut problems = Vec::new();
    if input["session"] == "finished" {
        let session = stream.start("echo x", &json!({}));
        stream.await_end(&session);
        let answer = stream.act("kill", &session, &json!({}));
        expect(
            &mut problems,
            answer == result["for_llm"],
            "refused",
            &answer,
        );
        return problems;
    }
    let session = stream.start("printf abc; sleep 600", &json!({"notify": true}));
    stream.await_output(&session, "abc");
    let answer = stream.act("kill", &session, &json!({}));
    expect(
        &mut problems,
        answer["status"] == result["status"],
        "done",
        &answer,
    );
    expect(
        &mut problems,
        answer["output"] == result["output_tail"],
        "the last output",
        &answer,
    );
    let read = stream.act("read", &session, &json!({}));
    expect(
        &mut problems,
        read["output"] == "abc",
        "readable afterwards",
        &read,
    );
    let item = stream.listed(&session);
    expect(&mut problems, item["status"] == "done", "listed", &item);
    let poll = stream.poll(&session);
    expect(
        &mut problems,
        poll.get("exitCode").is_some(),
        "an exit code once finished",
        &poll,
    );
    let count = stream.notices(&session);
    expect(&mut problems, count == 0, "messages", &count.into());
    problems
}

fn exit_code(_input: &Value, result: &Value) -> Problems {
    let mut stream = Stream::new(&json!({}));
    let session = stream.start("sleep 600", &json!({}));
    let answer = stream.poll(&session);
    let is_omitted = answer.get("exitCode").is_none() && answer["status"] == "running";
    let mut problems = Vec::new();
    let should = result["exitCode"] == "omitted";
    expect(
        &mut problems,
        is_omitted == should,
        "no exit code while it runs",
        &answer,
    );
    problems
}
