//! Sessions: rows of several steps, through one stream of calls.
//!
//! The older format's results are read as the newer one writes them (PICOCLAW.md 9): `read` takes nothing away and tells its range, `poll`
//! shows what was printed and the exit code, `kill` shows the last output and has no code. No step waits for a time: where a row slept, the
//! next step waits for what it expects, and a short sleep of a row's command lasts until a step expects its end.

use std::fs;

use execgate_tests::{Answer, Caller, Tally, comes_true, processes, text};
use serde_json::{Map, Value, json};

use super::answer;
use super::exec;
use super::place::{Place, Settings};

/// Texts longer than this are known by their ends.
const LONG: usize = 1000;

/// Sleeps of commands that stand for "until later", with the file that ends them.
const SLEEPS: &[&str] = &["sleep 0.4", "sleep 0.6", "sleep 1", "sleep 2"];
const UNTIL_LATER: &str = "until test -e go; do sleep 0.01; done";

/// Whether a row is about commands in the background.
pub fn is_about_sessions(row: &Value) -> bool {
    steps(row).iter().any(|step| {
        let arguments = &step["args"];
        arguments.get("background").is_some()
            || arguments["action"]
                .as_str()
                .is_some_and(|action| action != "run")
    })
}

pub fn check(row: &Value, tally: &mut Tally) {
    let expected = tally.expected(row, observed(row));
    let found = Stream::new(row).run(row, &expected);
    tally.settle(row, &expected, &found);
}

fn steps(row: &Value) -> &[Value] {
    row["steps"].as_array().map_or(&[], Vec::as_slice)
}

/// What was observed of a row in the terms of the newer format, an entry for each step.
fn observed(row: &Value) -> Value {
    let steps = steps(row);
    let mut printed = String::new();
    let step = |(index, step): (usize, &Value)| {
        if step.get("sleep_s").is_some() {
            return Value::Null;
        }
        let shown = format!("{printed}{}", coming(&steps[index..]));
        if step["args"]["action"] == "read" {
            printed.clone_from(&shown);
        }
        result(step, &shown)
    };
    steps.iter().enumerate().map(step).collect()
}

/// What the next read takes, if nothing happens before it that could print more.
fn coming(steps: &[Value]) -> String {
    let is_change = |step: &&Value| {
        let action = step["args"]["action"].as_str();
        step.get("sleep_s").is_some() || action.is_some_and(|action| action == "write")
    };
    let mut before = steps.iter().take_while(|step| !is_change(step));
    let read = before.find(|step| step["args"]["action"] == "read");
    let object = read.and_then(|step| parsed(text(&step["result"], "for_llm")));
    let output = object.and_then(|object| Some(object.get("output")?.as_str()?.to_owned()));
    output.unwrap_or_default()
}

fn parsed(text: &str) -> Option<Map<String, Value>> {
    serde_json::from_str(text).ok()
}

fn result(step: &Value, printed: &str) -> Value {
    let result = &step["result"];
    let Some(mut object) = parsed(text(result, "for_llm")) else {
        return exec::observed(result);
    };
    let is_done = object.get("status").is_some_and(|status| status == "done");
    match step["args"]["action"].as_str() {
        Some("poll") => {
            show(&mut object, printed);
            if is_done {
                object.entry("exitCode").or_insert(0.into());
            }
        }
        Some("read") => {
            show(&mut object, printed);
            add_range(&mut object, printed.len());
        }
        Some("kill") => {
            show(&mut object, printed);
            object.insert("error".to_owned(), true.into());
            object.insert("exitCode".to_owned(), Value::Null);
        }
        _ => {}
    }
    json!({"answer": object, "user": result["for_user"], "isError": result["is_error"]})
}

/// Empty fields are left out.
fn show(object: &mut Map<String, Value>, printed: &str) {
    object.remove("output");
    if !printed.is_empty() {
        object.insert("output".to_owned(), printed.into());
    }
}

fn add_range(object: &mut Map<String, Value>, total: usize) {
    let range = json!({"totalBytes": total, "offset": 0, "nextOffset": total, "hasMore": false, "droppedBytes": 0, "skippedBytes": 0});
    object.extend(range.as_object().cloned().unwrap_or_default());
}

/// A stream of calls, and the ids of its sessions in the order of their starts: S1, S2, …
struct Stream {
    place: Place,
    caller: Caller,
    ids: Vec<String>,
}

impl Stream {
    fn new(row: &Value) -> Self {
        let tool = &row["tool"];
        let place = Place::new(&Settings {
            exec: tool.get("config"),
            restrict: tool["restrict"] == true,
            allow_read_paths: tool.get("allow_read_paths"),
            max_inline_result_chars: None,
        });
        Self {
            caller: place.call(),
            place,
            ids: Vec::new(),
        }
    }

    fn run(mut self, row: &Value, expected: &Value) -> Value {
        let steps = steps(row);
        let mut found = Vec::new();
        for (index, step) in steps.iter().enumerate() {
            if step.get("sleep_s").is_some() {
                found.push(Value::Null);
                continue;
            }
            self.await_state(&step["args"]["sessionId"], &expected[index]["answer"]);
            found.push(self.step(step));
        }
        if row["observed_survivors"] == 0
            && !comes_true(|| processes(&self.place.scratch, "sleep").is_empty())
        {
            found.push(json!({"survivors": processes(&self.place.scratch, "sleep")}));
        }
        found.into()
    }

    fn step(&mut self, step: &Value) -> Value {
        let mut arguments = self.named(&step["args"], |number, real| {
            (format!("\"S{number}\""), format!("\"{real}\""))
        });
        if let Some(command) = arguments["command"].as_str() {
            arguments["command"] = stretched(command).into();
        }
        let mut line = json!({"tool": "exec", "args": arguments});
        if let Some(channel) = step.get("channel") {
            line["caller"] = json!({"agent": "main", "session": "s1", "channel": channel});
        }
        let answer = self.caller.request(line);
        if step["args"].get("background").is_some()
            && let Some(id) = id(&answer)
        {
            self.ids.push(id);
        }
        self.seen(&answer)
    }

    /// A value with its placeholders filled in, and names of sessions replaced.
    fn named(&self, value: &Value, names: impl Fn(usize, &str) -> (String, String)) -> Value {
        let mut text = self.place.scratch.fill_value(value).to_string();
        for (index, real) in self.ids.iter().enumerate() {
            let (name, replacement) = names(index + 1, real);
            text = text.replace(&name, &replacement);
        }
        serde_json::from_str(&text).expect("names need no escapes")
    }

    /// An answer in the terms of the row.
    fn seen(&self, answer: &Answer) -> Value {
        let Some(mut object) = parsed(answer.text()) else {
            return self.place.scratch.unfill_value(&answer::found(answer));
        };
        normalize(&mut object);
        let seen =
            json!({"answer": object, "user": answer.user_text(), "isError": answer.is_error()});
        let seen = self.named(&seen, |number, real| {
            (real.to_owned(), format!("S{number}"))
        });
        self.place.scratch.unfill_value(&seen)
    }

    /// Waits until a session has come to where the expected answer sees it.
    fn await_state(&mut self, session: &Value, expected: &Value) {
        let ends = |item: &Value| item["status"] == "done";
        let listed = expected["sessions"].as_array();
        if ends(expected) || listed.is_some_and(|items| items.iter().any(ends)) {
            fs::write(self.place.scratch.workspace().join("go"), "")
                .expect("the workspace can be written");
        }
        let session = self.named(session, |number, real| {
            (format!("\"S{number}\""), format!("\"{real}\""))
        });
        let is_known = self.ids.iter().any(|id| session == *id);
        // What it was killed by comes with the answer.
        if is_known && ends(expected) && expected.get("error").is_none() {
            self.await_end(&session);
        }
        if is_known && let Some(output) = expected["output"].as_str() {
            comes_true(|| {
                let read = json!({"action": "read", "sessionId": session});
                let object = parsed(self.caller.exec(read).text()).unwrap_or_default();
                object.get("output").is_some_and(|now| now == output)
            });
        }
    }

    fn await_end(&mut self, session: &Value) {
        comes_true(|| {
            let list = self.caller.exec(json!({"action": "list"}));
            let object = parsed(list.text()).unwrap_or_default();
            let items = object.get("sessions").and_then(Value::as_array);
            let item = items.and_then(|items| items.iter().find(|item| item["id"] == *session));
            item.is_none_or(|item| item["status"] == "done")
        });
    }
}

/// The id of a session that an answer is about.
fn id(answer: &Answer) -> Option<String> {
    let object = parsed(answer.text())?;
    Some(object.get("sessionId")?.as_str()?.to_owned())
}

/// A command whose short sleeps last until they are ended.
fn stretched(command: &str) -> String {
    let sleep = SLEEPS
        .iter()
        .find(|sleep| command.split([';', '&']).any(|part| part.trim() == **sleep));
    sleep.map_or_else(
        || command.to_owned(),
        |sleep| command.replacen(sleep, UNTIL_LATER, 1),
    )
}

/// Takes out what differs from run to run, and the wording of errors, which is free.
fn normalize(object: &mut Map<String, Value>) {
    if object.contains_key("totalBytes") {
        // The documents do not say whether a page tells how its session ended.
        object.remove("exitCode");
        object.remove("error");
    }
    if let Some(error) = object.get_mut("error") {
        *error = true.into();
    }
    if let Some(output) = object.get_mut("output") {
        let text = output.as_str().unwrap_or_default();
        let chars = text.chars().count();
        if chars > LONG {
            let last: String = text.chars().skip(chars - 5).collect();
            *output = json!({"last": last});
        }
    }
    let sessions = object.get_mut("sessions").and_then(Value::as_array_mut);
    for item in sessions.into_iter().flatten() {
        for name in ["pid", "startedAt"] {
            if item[name].is_number() {
                item[name] = 0.into();
            }
        }
        if let Some(command) = item["command"].as_str() {
            // Rows that list commands hold no other sleep.
            let sleep = if command == UNTIL_LATER {
                "sleep 1"
            } else {
                "sleep 0.4"
            };
            item["command"] = command.replace(UNTIL_LATER, sleep).into();
        }
    }
}
