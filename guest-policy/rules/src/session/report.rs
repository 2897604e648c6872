//! The report, as the runner writes it. Fields that are not known are ignored, those that are missing have their defaults.

use execgate_guest::Ending;
use serde::Deserialize;

/// What an action on sessions came to.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase", default)]
pub struct Report {
    /// The action's name; `start` for a command that goes on in the background, `notice` for the news of its end.
    pub action: String,
    /// Why the action was not carried out.
    pub problem: Option<Problem>,
    /// The session it was about.
    pub session: Option<Session>,
    /// The sessions of a listing, the newest first.
    pub sessions: Vec<Session>,
    /// What was printed since the last look.
    pub printed: Option<Printed>,
    /// Lines of what is kept.
    pub log: Option<Log>,
    /// Bytes of what is kept.
    pub page: Option<Page>,
    /// What was sent to the program.
    pub input: Option<Input>,
    /// What a wait ended by.
    pub wait: Option<Wait>,
    /// Lines that were found.
    pub search: Option<Search>,
    /// What its terminal shows: an object as docs/session-report.md says.
    pub screen: Option<serde_json::Value>,
    /// The signal that was sent, by name.
    pub signal: Option<String>,
    /// How the news of its end is told.
    pub notice: Notice,
    /// How many looks were made before this one since output last came.
    pub checks: u32,
    /// How many looks in a row, this one included, have found nothing new.
    pub empty_checks: u32,
}

/// Why an action was not carried out.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase", default)]
pub struct Problem {
    /// A stable name.
    pub kind: String,
    /// The session's id as it was given; empty where none was.
    pub session_id: String,
    /// In one sentence, with the remedy.
    pub message: String,
}

/// One session.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase", default)]
pub struct Session {
    /// Its id.
    pub id: String,
    /// Whether its first process still runs.
    pub running: bool,
    /// How it ended: `exited`, `signaled`, `timed-out`, `cancelled` or `lost`.
    pub ending: Option<String>,
    /// Its exit code.
    pub exit_code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<u32>,
    /// Whether somebody asked for its end.
    pub stop_requested: bool,
    /// Whether the kernel ended it for want of memory.
    pub out_of_memory: bool,
    /// The text it runs.
    pub command: String,
    /// A short label made of the text.
    pub name: Option<String>,
    /// Where it runs.
    pub cwd: String,
    /// Its first process.
    pub pid: u32,
    /// When it started, in milliseconds since 1970.
    pub started_at_ms: u64,
    /// When it ended, in milliseconds since 1970.
    pub ended_at_ms: Option<u64>,
    /// How long it has run, in milliseconds.
    pub runtime_ms: u64,
    /// When it last printed, in milliseconds since 1970.
    pub last_output_at_ms: Option<u64>,
    /// For how long it has printed nothing, in milliseconds.
    pub idle_ms: u64,
    /// Its limit, in milliseconds.
    pub timeout_ms: Option<u64>,
    /// The end of what it printed.
    pub tail: String,
    /// Whether early output is no longer kept.
    pub truncated: bool,
    /// Bytes printed in all.
    pub total_bytes: u64,
    /// Whether it runs on a terminal.
    pub terminal: bool,
    /// Whether it can be written to.
    pub stdin_writable: bool,
    /// Whether it seems to wait for input.
    pub waiting_for_input: bool,
    /// What it used, once it has ended.
    pub usage: Option<Usage>,
    /// Processes that it left behind.
    pub survivors: Vec<Survivor>,
}

impl Session {
    /// How it ended; a running one has not.
    pub fn ending(&self) -> Option<Ending> {
        Some(match self.ending.as_deref()? {
            "exited" => Ending::Exited,
            "signaled" => Ending::Signaled,
            "timed-out" => Ending::TimedOut,
            "cancelled" => Ending::Cancelled,
            _ => Ending::Lost,
        })
    }
}

/// What a session used.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "camelCase", default)]
pub struct Usage {
    /// Processor time in user mode, in milliseconds.
    pub user_ms: u64,
    /// Processor time in the kernel, in milliseconds.
    pub system_ms: u64,
    /// Peak resident memory in bytes.
    pub max_resident_bytes: u64,
}

/// A process that a session left behind.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "camelCase", default)]
pub struct Survivor {
    /// Its number.
    pub pid: u32,
    /// Its command line.
    pub command: String,
}

/// What was printed since the last look.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase", default)]
pub struct Printed {
    /// The new text.
    pub text: String,
    /// All text that is kept, up to the cap.
    pub retained: String,
    /// Whether new text was left out for its length.
    pub omitted: bool,
    /// Whether early text is lost for good.
    pub lost: bool,
}

/// Lines of what is kept.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase", default)]
pub struct Log {
    /// The lines asked for.
    pub text: String,
    /// Lines kept in all.
    pub total_lines: u64,
    /// Unicode scalars kept in all.
    pub total_chars: u64,
    /// How many lines from the end are shown, where fewer than all are because no range was given.
    pub last_only: Option<u64>,
    /// Whether early text is lost for good.
    pub lost: bool,
}

/// Bytes of what is kept, as text.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase", default)]
pub struct Page {
    /// The text of the bytes.
    pub text: String,
    /// The bytes in base64, where they are no text and were asked for as they are.
    pub base64: Option<String>,
    /// Where it begins, from the session's start.
    pub offset: u64,
    /// Where the next page begins.
    pub next_offset: u64,
    /// Bytes printed so far.
    pub total_bytes: u64,
    /// Whether there is more.
    pub has_more: bool,
    /// Bytes at the start that are no longer kept.
    pub dropped_bytes: u64,
    /// Bytes that were asked for and are no longer kept.
    pub skipped_bytes: u64,
}

/// What was sent to the program.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase", default)]
pub struct Input {
    /// Bytes to be sent.
    pub offered_bytes: u64,
    /// Bytes the program's input took.
    pub taken_bytes: u64,
    /// Unicode scalars of the text.
    pub chars: u64,
    /// Whether the input was closed.
    pub eof: bool,
    /// The keys, as they were named.
    pub keys: Vec<String>,
    /// What was not clear, a sentence each.
    pub warnings: Vec<String>,
}

/// What a wait ended by.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase", default)]
pub struct Wait {
    /// `exit`, `text`, `pattern`, `quiet`, `port`, `file`, or `time` when nothing of it came.
    pub met: String,
    /// The text that was found.
    pub matched: Option<String>,
    /// How long it waited, in milliseconds.
    pub waited_ms: u64,
}

/// Lines that were found.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase", default)]
pub struct Search {
    /// The first of them.
    pub matches: Vec<Match>,
    /// How many there are.
    pub total_matches: u64,
}

/// One line that was found.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase", default)]
pub struct Match {
    /// Its number, from 1.
    pub line: u64,
    /// The line.
    pub text: String,
    /// Lines before it.
    pub before: Vec<String>,
    /// Lines behind it.
    pub after: Vec<String>,
}

/// How the news of a session's end is told.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "camelCase", default)]
pub struct Notice {
    /// Whether there will be one.
    pub on: bool,
    /// Whether this very call switched it on, because looking again and again found nothing.
    pub switched_on: bool,
}
