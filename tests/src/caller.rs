//! A running `execgate call`.

use std::collections::{BTreeMap, VecDeque};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use serde_json::{Value, json};

use crate::DEADLINE;

/// A stream of calls and their answers; it is killed on drop, and what it started with it.
#[derive(Debug)]
pub struct Caller {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<Value>,
    stderr: Option<JoinHandle<String>>,
    /// Answers that came before they were asked for, by id.
    early: BTreeMap<String, Value>,
    /// What was told unasked and not yet taken, in order. The id of an `output` event is that of its call: it is no answer.
    events: VecDeque<Value>,
    next: u64,
}

/// One answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer(pub Value);

impl Answer {
    /// What the model sees.
    ///
    /// # Panics
    /// There is no such text, as in the answer to an operator's line.
    pub fn text(&self) -> &str {
        self.0["text"]
            .as_str()
            .unwrap_or_else(|| panic!("no text: {self:?}"))
    }

    /// What a person sees.
    ///
    /// # Panics
    /// There is no such text.
    pub fn user_text(&self) -> &str {
        self.0["userText"]
            .as_str()
            .unwrap_or_else(|| panic!("no text: {self:?}"))
    }

    /// Whether the call counts as failed.
    ///
    /// # Panics
    /// The answer does not say so.
    pub fn is_error(&self) -> bool {
        self.0["isError"]
            .as_bool()
            .unwrap_or_else(|| panic!("no flag: {self:?}"))
    }

    /// The details for programs.
    pub fn details(&self) -> &Value {
        &self.0["details"]
    }

    /// The rule that decided.
    pub fn rule(&self) -> &str {
        self.details()["rule"].as_str().unwrap_or_default()
    }
}

impl Caller {
    /// Starts the program.
    ///
    /// # Panics
    /// It does not start.
    pub fn start(mut command: Command) -> Self {
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let stdout = BufReader::new(child.stdout.take().expect("standard output is a pipe"));
        let mut stderr = child.stderr.take().expect("standard error is a pipe");
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                let value = serde_json::from_str(&line)
                    .unwrap_or_else(|error| json!({"notJson": line, "error": error.to_string()}));
                if sender.send(value).is_err() {
                    return;
                }
            }
        });
        let stderr = thread::spawn(move || {
            let mut bytes = Vec::new();
            // What was read before a failure is still worth showing.
            let _ = stderr.read_to_end(&mut bytes);
            String::from_utf8_lossy(&bytes).into_owned()
        });
        Self {
            stdin: child.stdin.take(),
            child,
            lines,
            stderr: Some(stderr),
            early: BTreeMap::new(),
            events: VecDeque::new(),
            next: 0,
        }
    }

    /// Sends bytes as they are.
    ///
    /// # Panics
    /// The program no longer reads.
    pub fn send_raw(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("the input is not closed");
        stdin
            .write_all(bytes)
            .and_then(|()| stdin.flush())
            .expect("the program reads its input");
    }

    /// Sends a line, with an id of its own if it has none, and returns the id.
    pub fn send(&mut self, mut line: Value) -> Value {
        if line.get("id").is_none() {
            self.next += 1;
            line["id"] = self.next.into();
        }
        self.send_raw(format!("{line}\n").as_bytes());
        line["id"].clone()
    }

    /// Waits for the answer to an id; others that come meanwhile are kept.
    ///
    /// # Panics
    /// The program ends without, or the deadline passes.
    pub fn answer(&mut self, id: &Value) -> Answer {
        let end = Instant::now() + DEADLINE;
        loop {
            if let Some(answer) = self.early.remove(&id.to_string()) {
                return Answer(answer);
            }
            self.read(end, &format!("answer to {id}"));
        }
    }

    /// Waits for the next event of this name; others that come meanwhile are kept.
    ///
    /// # Panics
    /// The program ends without, or the deadline passes.
    pub fn event(&mut self, name: &str) -> Value {
        let end = Instant::now() + DEADLINE;
        loop {
            let found = self.events.iter().position(|event| event["event"] == name);
            if let Some(event) = found.and_then(|index| self.events.remove(index)) {
                return event;
            }
            self.read(end, &format!("event `{name}`"));
        }
    }

    /// Keeps one more line of the program.
    fn read(&mut self, end: Instant, wanted: &str) {
        let left = end.saturating_duration_since(Instant::now());
        match self.lines.recv_timeout(left) {
            Ok(line) if line.get("event").is_some() => self.events.push_back(line),
            Ok(line) => drop(self.early.insert(line["id"].to_string(), line)),
            Err(error) => {
                let (events, said) = (std::mem::take(&mut self.events), self.last_words());
                panic!("no {wanted} ({error}), events {events:?}: {said}")
            }
        }
    }

    /// Sends a line and waits for its answer.
    pub fn request(&mut self, line: Value) -> Answer {
        let id = self.send(line);
        self.answer(&id)
    }

    /// Calls the tool `exec`.
    pub fn exec(&mut self, arguments: Value) -> Answer {
        self.request(json!({"tool": "exec", "args": arguments}))
    }

    /// Calls the tool `process`.
    pub fn process(&mut self, arguments: Value) -> Answer {
        self.request(json!({"tool": "process", "args": arguments}))
    }

    /// Runs a command through the surface of the default profile.
    pub fn run(&mut self, command: &str) -> Answer {
        self.exec(json!({"command": command}))
    }

    /// Ends the input.
    pub fn close(&mut self) {
        drop(self.stdin.take());
    }

    /// Process id of the program itself.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Sends the program itself a signal.
    ///
    /// # Panics
    /// It has ended already and was waited for.
    pub fn signal(&self, signal: rustix::process::Signal) {
        let pid = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(pid, signal).expect("it has not been waited for");
    }

    /// Ends the input and waits for the program; returns its exit code, the answers and then the events that nobody took, and what it said
    /// on standard error.
    ///
    /// # Panics
    /// The deadline passes.
    pub fn finish(mut self) -> (i32, Vec<Value>, String) {
        self.close();
        let end = Instant::now() + DEADLINE;
        let mut rest: Vec<Value> = std::mem::take(&mut self.early).into_values().collect();
        rest.extend(std::mem::take(&mut self.events));
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) => rest.push(line),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("it does not end: {rest:?}"),
            }
        }
        let status = self.child.wait().expect("it was not waited for before");
        let stderr = self.join_stderr();
        (status.code().unwrap_or(-1), rest, stderr)
    }

    /// How it ended, if it has, and what it said.
    fn last_words(&mut self) -> String {
        let ended = match self.child.try_wait() {
            Ok(Some(status)) => status.to_string(),
            Ok(None) | Err(_) => "still running".to_owned(),
        };
        let _ = self.child.kill();
        format!("{ended}; {}", self.join_stderr())
    }

    fn join_stderr(&mut self) -> String {
        self.stderr
            .take()
            .and_then(|reader| reader.join().ok())
            .unwrap_or_default()
    }
}

impl Drop for Caller {
    fn drop(&mut self) {
        // It may have ended, and been waited for, long ago.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
