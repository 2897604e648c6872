//! A stream of calls in a place of its own, and the steps that tests are made of.

use std::fs;

use execgate_tests::{Answer, Caller, Scratch, comes_true};
use serde_json::{Value, json};

/// Runs until the file `go` is there.
pub const UNTIL_GO: &str = "until test -e go; do sleep 0.01; done";

/// Where nothing is judged.
pub const FULL: (&str, &str) = ("EXECGATE_POLICY_MODE", "full");

/// Keeps the time short that something unwilling is given to end.
const SHORT_GRACE: (&str, &str) = ("EXECGATE_EXEC_GRACE_MS", "100");

/// A stream of calls and its place.
pub struct Place {
    pub caller: Caller,
    pub scratch: Scratch,
}

impl Place {
    /// The default profile as it is.
    pub fn new() -> Self {
        Self::with(&[])
    }

    /// The default profile where everything runs as written: for tests that are not about judgement.
    pub fn full() -> Self {
        Self::with(&[FULL])
    }

    /// The default profile where shells may be started, whose input is then judged.
    pub fn with_shells() -> Self {
        Self::with(&[("EXECGATE_POLICY_EXEMPT", "eval/inline-code")])
    }

    /// The default profile with more settings.
    pub fn with(variables: &[(&str, &str)]) -> Self {
        Self::started(&[], variables)
    }

    /// A stream with more arguments and settings.
    pub fn started(arguments: &[&str], variables: &[(&str, &str)]) -> Self {
        let scratch = Scratch::new();
        let variables: Vec<(&str, &str)> = [SHORT_GRACE]
            .into_iter()
            .chain(variables.iter().copied())
            .collect();
        Self {
            caller: scratch.call_with(arguments, &variables),
            scratch,
        }
    }

    /// Starts a command in the background; returns the id of its session.
    pub fn start(&mut self, command: &str) -> String {
        self.start_with(command, &json!({}))
    }

    /// The same with more arguments.
    pub fn start_with(&mut self, command: &str, more: &Value) -> String {
        let arguments = merged(json!({"command": command, "background": true}), more);
        session_of(&self.caller.exec(arguments))
    }

    /// Does something with a session.
    pub fn act(&mut self, action: &str, session: &str, more: &Value) -> Answer {
        let arguments = merged(json!({"action": action, "sessionId": session}), more);
        self.caller.process(arguments)
    }

    /// The same in a lane of its own: returns the id of the line, whose answer is to be waited for.
    pub fn send_act(&mut self, action: &str, session: &str, more: &Value) -> Value {
        let arguments = merged(json!({"action": action, "sessionId": session}), more);
        self.caller
            .send(json!({"tool": "process", "args": arguments, "lane": "aside"}))
    }

    /// Sends text, which is taken.
    pub fn write(&mut self, session: &str, data: &str) -> Answer {
        let answer = self.act("write", session, &json!({"data": data}));
        assert!(!answer.is_error(), "{data:?}: {answer:?}");
        answer
    }

    /// Looks at what is new.
    pub fn poll(&mut self, session: &str) -> Answer {
        self.act("poll", session, &json!({}))
    }

    /// Everything printed so far; no look.
    pub fn log(&mut self, session: &str) -> String {
        let answer = self.act("log", session, &json!({}));
        let output = answer.details()["output"].as_str().unwrap_or_default();
        output.to_owned()
    }

    /// Waits for output without looking at it.
    pub fn await_output(&mut self, session: &str, text: &str) {
        let mut log = String::new();
        let came = comes_true(|| {
            log = self.log(session);
            log.contains(text)
        });
        assert!(came, "no `{text}` in {log:?}");
    }

    /// What a listing says of a session.
    pub fn listed(&mut self, session: &str) -> Value {
        let answer = self.caller.process(json!({"action": "list"}));
        let items = answer.details()["sessions"].as_array();
        let item = items.and_then(|items| items.iter().find(|item| item["sessionId"] == session));
        item.cloned().unwrap_or_default()
    }

    /// Waits for the end of a session without looking at its output.
    pub fn await_end(&mut self, session: &str) {
        let ended = comes_true(|| self.listed(session)["status"] != "running");
        assert!(ended, "{session} does not end");
    }

    /// Makes a file in the workspace, such as one that a command waits for.
    pub fn make(&self, name: &str) {
        fs::write(self.scratch.workspace().join(name), "").expect("the workspace can be written");
    }

    /// Waits for a file in the workspace.
    pub fn await_file(&self, name: &str) {
        assert!(comes_true(|| self.scratch.has(name)), "no file `{name}`");
    }

    /// Content of a file in the workspace.
    pub fn content(&self, name: &str) -> Vec<u8> {
        fs::read(self.scratch.workspace().join(name)).unwrap_or_default()
    }
}

/// The id of the session that an answer is about.
pub fn session_of(answer: &Answer) -> String {
    answer.details()["sessionId"]
        .as_str()
        .unwrap_or_else(|| panic!("no session: {answer:?}"))
        .to_owned()
}

/// Arguments with more of them.
pub fn merged(mut arguments: Value, more: &Value) -> Value {
    for (name, value) in more.as_object().into_iter().flatten() {
        arguments[name] = value.clone();
    }
    arguments
}
