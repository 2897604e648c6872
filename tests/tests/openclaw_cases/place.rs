//! A row's place: a scratch directory, a stream of calls, and the sessions that the row names.

use std::fs;

use execgate_tests::{Answer, Caller, Scratch, comes_true, text};
use serde_json::{Value, json};

use super::program::Program;
use super::steps;

/// A place that a row is run in.
pub struct Place {
    scratch: Scratch,
    caller: Caller,
    sessions: Vec<Session>,
}

/// A session of the row's.
struct Session {
    /// As the row's inputs name it.
    id: String,
    /// As the row's results name it.
    shown: String,
    /// As the program names it.
    real: String,
    /// Whose it is.
    scope: Option<String>,
    /// How many of the bytes that its program has read the row has seen.
    seen: usize,
}

/// Settings of the other program that are given as variables here: a path in the row's inputs, and the variable.
const SETTINGS: &[(&str, &str)] = &[
    ("/maxOutputChars", "EXECGATE_SESSIONS_KEPT_CHARS"),
    ("/pendingMaxOutputChars", "EXECGATE_SESSIONS_PENDING_CHARS"),
    ("/defaults/mode", "EXECGATE_POLICY_MODE"),
    (
        "/defaults/processToolAvailable",
        "EXECGATE_SESSIONS_ENABLED",
    ),
];

impl Place {
    /// A place with the settings of a row.
    pub fn new(row: &Value) -> Self {
        let scratch = Scratch::new();
        let mut settings: Vec<(&str, String)> = vec![
            ("SHELL", "/bin/bash".to_owned()),
            ("EXECGATE_EXEC_GRACE_MS", "100".to_owned()),
            // No row waits for long: what is slow here is the machine.
            ("EXECGATE_SESSIONS_INPUT_WAIT_MS", "600000".to_owned()),
        ];
        for step in steps::of(row) {
            for (path, variable) in SETTINGS {
                if let Some(value) = step["input"].pointer(path) {
                    let value = value.as_str().map_or(value.to_string(), str::to_owned);
                    settings.push((variable, value));
                }
            }
        }
        let variables: Vec<(&str, &str)> = settings
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        let caller = scratch.call_with(&["--profile", "openclaw"], &variables);
        Self {
            scratch,
            caller,
            sessions: Vec::new(),
        }
    }

    /// Takes the steps of a row; `expected` tells what to wait for where the row slept.
    pub fn run(mut self, row: &Value, expected: &Value) -> Value {
        let steps = steps::of(row);
        let take = |(index, step): (usize, &&Value)| {
            let (input, expected) = (&step["input"], &expected[index]);
            match text(step, "op") {
                "exec" => self.exec(step),
                "process" => self.process(input, expected),
                "session" => self.session(input, &steps),
                "append" => self.append(input),
                "written" => self.written(input, expected),
                "file" => self.file(input),
                "sleep" => Value::Null,
                other => json!({"operation is not known here": other}),
            }
        };
        steps.iter().enumerate().map(take).collect()
    }

    fn file(&self, input: &Value) -> Value {
        let path = self.scratch.workspace().join(text(input, "path"));
        let parent = path.parent().expect("it lies in the workspace");
        fs::create_dir_all(parent).expect("the workspace can be written");
        fs::write(&path, text(input, "content")).expect("the workspace can be written");
        Value::Null
    }

    fn exec(&mut self, step: &Value) -> Value {
        let answer = self.caller.exec(step["input"]["params"].clone());
        if let (Some(id), Some(real)) = (
            step["input"]["as"].as_str(),
            answer.details()["sessionId"].as_str(),
        ) {
            self.sessions.push(Session {
                id: id.to_owned(),
                shown: format!("<{id}>"),
                real: real.to_owned(),
                scope: None,
                seen: 0,
            });
        }
        if step["expected"]["result"].get("threw").is_some() && answer.is_error() {
            return json!({"threw": answer.text()});
        }
        self.seen(&answer)
    }

    fn process(&mut self, input: &Value, expected: &Value) -> Value {
        let mut params = input["params"].clone();
        let known = self.real(&params["sessionId"]);
        if let Some((real, scope)) = known {
            params["sessionId"] = real.as_str().into();
            self.await_state(&real, scope.as_deref(), &expected["details"]);
        }
        let scope = input.pointer("/defaults/scopeKey").and_then(Value::as_str);
        let answer = self.ask(scope, params);
        self.seen(&answer)
    }

    /// The program's name of a session, and whose it is.
    fn real(&self, id: &Value) -> Option<(String, Option<String>)> {
        let session = self.sessions.iter().find(|session| *id == session.id)?;
        Some((session.real.clone(), session.scope.clone()))
    }

    fn ask(&mut self, scope: Option<&str>, params: Value) -> Answer {
        let mut line = json!({"tool": "process", "args": params});
        if let Some(scope) = scope {
            line["caller"] = json!({"agent": scope, "session": "s1", "channel": "cli"});
        }
        self.caller.request(line)
    }

    /// Waits until a session has come to where the expected details see it: an end, or all its output.
    fn await_state(&mut self, real: &str, scope: Option<&str>, details: &Value) {
        let is_finished = details.get("error").is_none()
            && matches!(details["status"].as_str(), Some("completed" | "failed"))
            && details.get("exitReason").is_some();
        if is_finished {
            self.await_listed(real, scope, |item| item["status"] != "running");
        }
        if let Some(output) = details["aggregated"].as_str() {
            let output = output.replace("\r\n", "\n");
            self.await_log(real, scope, output.trim_end());
        }
    }

    fn await_listed(&mut self, real: &str, scope: Option<&str>, is_so: impl Fn(&Value) -> bool) {
        comes_true(|| {
            let list = self.ask(scope, json!({"action": "list"}));
            let items = list.details()["sessions"].as_array();
            let item = items.and_then(|items| items.iter().find(|item| item["sessionId"] == real));
            item.is_none_or(&is_so)
        });
    }

    fn await_log(&mut self, real: &str, scope: Option<&str>, end: &str) {
        comes_true(|| {
            let log = self.ask(scope, json!({"action": "log", "sessionId": real}));
            let output = log.details()["output"].as_str().unwrap_or_default();
            // Of a session that its time limit ended more is said behind the output.
            end.is_empty() || output.trim_end().ends_with(end) || output.starts_with(end)
        });
    }

    /// Waits until all of a text was printed, of which the first part may be gone already.
    fn await_printed(&mut self, real: &str, scope: Option<&str>, text: &str) {
        let chars = text.chars().count();
        let last: String = text.chars().skip(chars.saturating_sub(100)).collect();
        comes_true(|| {
            let log = self.ask(scope, json!({"action": "log", "sessionId": real}));
            let details = log.details();
            let output = details["output"].as_str().unwrap_or_default();
            details["totalChars"] == chars
                || details["truncated"] == true && output.ends_with(&last)
        });
    }

    /// Starts a real session and brings it to where the row has it.
    fn session(&mut self, input: &Value, steps: &[&Value]) -> Value {
        let id = text(input, "id");
        let is_read = |step: &&Value| text(step, "op") == "written" && step["input"]["id"] == id;
        let record = record(id);
        let record = steps.iter().any(is_read).then_some(record.as_str());
        let program = Program::of(input, record);
        let scope = input["scopeKey"].as_str();
        let mut line = json!({"tool": "exec", "args": program.arguments});
        if let Some(scope) = scope {
            line["caller"] = json!({"agent": scope, "session": "s1", "channel": "cli"});
        }
        let answer = self.caller.request(line);
        let Some(real) = answer.details()["sessionId"].as_str() else {
            return json!({"not started": answer.0});
        };
        self.sessions.push(Session {
            id: id.to_owned(),
            shown: id.to_owned(),
            real: real.to_owned(),
            scope: scope.map(str::to_owned),
            seen: 0,
        });
        self.prepare(real, scope, &program);
        self.counts(real, scope)
    }

    fn prepare(&mut self, real: &str, scope: Option<&str>, program: &Program) {
        if program.tells_by_file {
            comes_true(|| self.scratch.has("ready"));
        }
        if program.tells_by_output {
            self.await_listed(real, scope, |item| item["lastOutputAt"].is_number());
        }
        if program.eof || !program.data.is_empty() {
            self.write(real, scope, &program.data, program.eof);
            self.await_printed(real, scope, &program.data);
        }
        if program.is_killed {
            self.ask(scope, json!({"action": "kill", "sessionId": real}));
        }
        let ends = program.eof || program.is_killed;
        if ends || program.arguments.get("timeoutSeconds").is_some() {
            self.await_listed(real, scope, |item| item["status"] != "running");
        }
    }

    fn write(&mut self, real: &str, scope: Option<&str>, data: &str, eof: bool) {
        let params = json!({"action": "write", "sessionId": real, "data": data, "eof": eof});
        self.ask(scope, params);
    }

    /// What clients see of a session's counts.
    fn counts(&mut self, real: &str, scope: Option<&str>) -> Value {
        let log = self.ask(scope, json!({"action": "log", "sessionId": real}));
        let list = self.ask(scope, json!({"action": "list"}));
        let items = list.details()["sessions"].as_array();
        let item = items.and_then(|items| items.iter().find(|item| item["sessionId"] == real));
        let tail = item.and_then(|item| item["tail"].as_str());
        json!({
            "aggregatedChars": log.details()["totalChars"],
            "tailChars": tail.map(|tail| tail.chars().count()),
            "truncated": log.details()["truncated"],
        })
    }

    fn append(&mut self, input: &Value) -> Value {
        let Some((real, scope)) = self.real(&input["id"]) else {
            return json!({"no session": input["id"]});
        };
        let text = text(input, "text");
        self.write(&real, scope.as_deref(), text, false);
        self.await_log(&real, scope.as_deref(), text.trim_end());
        Value::Null
    }

    /// What the session's program has read since the row last asked.
    fn written(&mut self, input: &Value, expected: &Value) -> Value {
        let path = self.scratch.workspace().join(record(text(input, "id")));
        let mut sessions = self.sessions.iter_mut();
        let Some(session) = sessions.find(|session| input["id"] == session.id) else {
            return json!({"no session": input["id"]});
        };
        let length = session.seen + text(expected, "written").len() / 2;
        let read = || fs::read(&path).unwrap_or_default();
        comes_true(|| read().len() >= length);
        let bytes = read();
        let new = &bytes[session.seen.min(bytes.len())..];
        let hex: String = new.iter().map(|byte| format!("{byte:02x}")).collect();
        session.seen = bytes.len();
        json!({"written": hex})
    }

    /// An answer in the terms of the row.
    fn seen(&self, answer: &Answer) -> Value {
        let details = answer.details();
        let seen = json!({"text": answer.text(), "details": details}).to_string();
        let mut seen = seen.replace(&*self.scratch.workspace().to_string_lossy(), "$WS");
        for session in &self.sessions {
            seen = seen.replace(&session.real, &session.shown);
        }
        if let Some(pid) = details["pid"].as_u64() {
            seen = seen.replace(&format!("pid {pid}"), "pid <n>");
        }
        serde_json::from_str(&seen).expect("names need no escapes")
    }
}

/// The file in which a session's program keeps what it reads.
fn record(id: &str) -> String {
    format!("{id}.read")
}
