//! One call as it comes in: the same type for the command line, JSON lines and the library.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;

/// Who asks.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Caller {
    /// The agent.
    pub agent: String,
    /// Its session.
    pub session: String,
    /// Where the conversation takes place; empty when it is not known.
    pub channel: String,
    /// Who wrote to the agent.
    pub sender: Option<String>,
    /// `model`, `chat`, `provider` and what else the platform sends.
    #[serde(flatten)]
    pub more: BTreeMap<String, Value>,
}

impl Caller {
    /// Whom a call is from that names no caller: agent `main` on channel `cli`.
    pub fn local() -> Self {
        Self {
            channel: "cli".to_owned(),
            ..Self::default()
        }
    }
}

impl Default for Caller {
    /// Agent and session `main`; the channel of a caller that names none is empty.
    fn default() -> Self {
        Self {
            agent: "main".to_owned(),
            session: "main".to_owned(),
            channel: String::new(),
            sender: None,
            more: BTreeMap::new(),
        }
    }
}

/// How long a command may take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimeLimit {
    /// As configured.
    #[default]
    Configured,
    /// No limit.
    Unlimited,
    /// This long.
    After(Duration),
}

/// How long a call may take whose command runs on another machine: the way there and back takes time too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RemoteDeadlines {
    /// The command's own limit.
    pub run: Duration,
    /// Until the other machine must have answered.
    pub answer: Duration,
    /// Until the answer must have arrived.
    pub arrival: Duration,
}

impl RemoteDeadlines {
    /// What the way takes at most, each time.
    const WAY: Duration = Duration::from_secs(5);

    /// The shortest time for an answer: another machine may have to start something first.
    const LEAST: Duration = Duration::from_secs(10);

    /// The deadlines of a command with this limit.
    pub fn of(limit: Duration) -> Self {
        let answer = limit.saturating_add(Self::WAY).max(Self::LEAST);
        Self {
            run: limit,
            answer,
            arrival: answer.saturating_add(Self::WAY),
        }
    }
}

/// How long a call stays with its command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Attendance {
    /// Until it ends.
    #[default]
    ToTheEnd,
    /// Until it ends or this much time has passed; then it goes on in the background.
    Yield(Duration),
    /// Not at all: it goes on in the background at once.
    Background,
}

/// A command to run.
#[derive(Clone, Debug, Default)]
pub struct ExecRequest {
    /// Shell text.
    pub command: String,
    /// Directory to run in; relative to the workspace. The workspace if absent.
    pub cwd: Option<String>,
    /// Variables for this call.
    pub env: Vec<(String, String)>,
    /// How long it may take.
    pub timeout: TimeLimit,
    /// Who asks.
    pub caller: Caller,
    /// What a person reads before the answer, a line each.
    pub warnings: Vec<String>,
    /// How long the call stays with it.
    pub attendance: Attendance,
    /// Whether it runs on a terminal.
    pub terminal: bool,
    /// Whether it can be written to. On a terminal, and in the background from the start, it always can.
    pub open_input: bool,
    /// Whether its end is told unasked once it is in the background; as configured if absent.
    pub notify: Option<bool>,
    /// File that what it prints is recorded in, as asciicast v2; it must be new.
    pub record: Option<PathBuf>,
    /// Whether policies are to say everything that they considered.
    pub explain: bool,
}

/// A call that cannot become a request: arguments of the wrong shape.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadArguments(pub String);

impl ExecRequest {
    /// A command of the local caller.
    pub fn new(command: impl Into<String>) -> Self {
        Self {
            command: command.into(),
            caller: Caller::local(),
            ..Self::default()
        }
    }

    /// Whether its command gets an input that can be written to.
    pub(crate) fn has_own_input(&self) -> bool {
        self.terminal || self.open_input || self.attendance == Attendance::Background
    }

    /// Checks what no policy needs to see: bytes that cannot be passed on, and size.
    ///
    /// # Errors
    /// What cannot be passed on, and what would be right.
    pub fn check(&self, max_command_bytes: u64) -> Result<(), BadArguments> {
        let size = self.command.len();
        if self.command.contains('\0') {
            return Err(BadArguments(
                "the command contains a NUL byte, which no program can be given; remove it"
                    .to_owned(),
            ));
        }
        if u64::try_from(size).unwrap_or(u64::MAX) > max_command_bytes {
            return Err(BadArguments(format!(
                "the command is too large: {size} bytes, at most {max_command_bytes} are taken (`exec.max-command-bytes`); write it into a file and run that"
            )));
        }
        if self.cwd.as_deref().is_some_and(|cwd| cwd.contains('\0')) {
            return Err(BadArguments(
                "the working directory contains a NUL byte; remove it".to_owned(),
            ));
        }
        for (name, value) in &self.env {
            crate::environment::check_override(name, value).map_err(BadArguments)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::rows;

    #[test]
    fn deadlines_of_another_machine_are_those_of_the_table() {
        for row in rows("openclaw.jsonl", "timeouts") {
            let seconds = row["input"]["timeoutSec"].as_f64().unwrap_or(1800.0);
            let deadlines = RemoteDeadlines::of(Duration::from_secs_f64(seconds));
            let expected = &row["expected"]["result"];
            for (name, found) in [
                ("runTimeoutMs", deadlines.run),
                ("invokeDeadlineMs", deadlines.answer),
                ("invokeWaitMs", deadlines.arrival),
            ] {
                assert_eq!(
                    expected[name].as_u64(),
                    u64::try_from(found.as_millis()).ok(),
                    "{row}"
                );
            }
        }
    }
}
