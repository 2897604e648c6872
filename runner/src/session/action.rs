//! What can be done with sessions, whatever a tool surface calls it.

use std::path::PathBuf;
use std::time::Duration;

use regex::Regex;

use super::display::Look;
use crate::request::Caller;
use crate::terminal::WindowSize;

/// One action of one caller.
#[derive(Clone, Debug)]
pub struct ProcessRequest {
    /// Who asks.
    pub caller: Caller,
    /// What for.
    pub action: Action,
}

/// What can be done.
#[derive(Clone, Debug)]
pub enum Action {
    /// Name the caller's sessions.
    List,
    /// Something with one of them.
    On {
        /// Its id, as it was given; empty where none was.
        session_id: String,
        /// What.
        act: Act,
    },
}

/// What can be done with one session.
#[derive(Clone, Debug)]
pub enum Act {
    /// Shows what is new, after waiting at most this long for something.
    Poll(Duration),
    /// Waits for a condition, and shows what is new.
    Wait(Wait),
    /// Shows lines of what is kept.
    Log {
        /// First line, from 0.
        offset: Option<f64>,
        /// How many.
        limit: Option<f64>,
    },
    /// Shows bytes of what is kept.
    Read(Range),
    /// Finds lines of what is kept.
    Search {
        /// What they match.
        pattern: Regex,
        /// Lines shown around each.
        context: usize,
        /// Most lines that are shown.
        limit: usize,
    },
    /// Shows what its terminal shows.
    Screen(Look),
    /// Gives its terminal another size.
    Resize(WindowSize),
    /// Sends text.
    Write {
        /// The text.
        data: String,
        /// Whether it is the last.
        eof: bool,
    },
    /// Sends a return.
    Submit,
    /// Sends text as if it was pasted.
    Paste {
        /// The text.
        text: String,
        /// Whether the program is told that it is pasted; as it asked for if absent, and told where that is not known.
        bracketed: Option<bool>,
    },
    /// Sends keys.
    SendKeys(Keys),
    /// Sends a signal to the process group of its first process.
    Signal(i32),
    /// Ends it.
    Kill,
    /// Forgets it, if it has ended.
    Clear,
    /// Ends it where it runs, and forgets it.
    Remove,
}

/// What a wait is for. The end of the session ends it in any case.
#[derive(Clone, Debug, Default)]
pub struct Wait {
    /// Whether text and pattern are looked for on the screen, whatever was shown before, and not in new output.
    pub screen: bool,
    /// Text in output that was not shown yet.
    pub text: Option<String>,
    /// What output that was not shown yet matches.
    pub pattern: Option<Regex>,
    /// No output for this long.
    pub quiet: Option<Duration>,
    /// A TCP port that something listens on.
    pub port: Option<u16>,
    /// A file that exists, seen from the session's directory.
    pub file: Option<PathBuf>,
    /// How long to wait at most.
    pub timeout: Duration,
}

/// Which bytes are read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Range {
    /// The first, from the session's start; without it the last ones are read.
    pub offset: Option<u64>,
    /// Most bytes.
    pub limit: u64,
    /// Whether control bytes are left as they are.
    pub raw: bool,
}

/// Keys in OpenClaw's words, sent in this order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeyData {
    /// Text, as it is.
    pub literal: String,
    /// Bytes in hex.
    pub hex: Vec<String>,
    /// Names of keys.
    pub keys: Vec<String>,
}

/// Keys, in the words of a surface.
#[derive(Clone, Debug)]
pub enum Keys {
    /// OpenClaw's: text, bytes and names of keys.
    Openclaw(KeyData),
    /// PicoClaw's: names separated by commas.
    Picoclaw(String),
}

impl Action {
    /// Its stable name.
    pub fn name(&self) -> &'static str {
        match self {
            Self::List => "list",
            Self::On { act, .. } => act.name(),
        }
    }
}

impl Act {
    /// Its stable name.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Poll(_) => "poll",
            Self::Wait(_) => "wait",
            Self::Log { .. } => "log",
            Self::Read(_) => "read",
            Self::Search { .. } => "search",
            Self::Screen(_) => "screen",
            Self::Resize(_) => "resize",
            Self::Write { .. } => "write",
            Self::Submit => "submit",
            Self::Paste { .. } => "paste",
            Self::SendKeys(_) => "send-keys",
            Self::Signal(_) => "signal",
            Self::Kill => "kill",
            Self::Clear => "clear",
            Self::Remove => "remove",
        }
    }

    /// Whether it is for a running session only.
    pub(super) fn needs_running(&self) -> bool {
        match self {
            Self::Write { .. }
            | Self::Resize(_)
            | Self::Submit
            | Self::Paste { .. }
            | Self::SendKeys(_)
            | Self::Signal(_)
            | Self::Kill => true,
            Self::Poll(_)
            | Self::Wait(_)
            | Self::Log { .. }
            | Self::Read(_)
            | Self::Search { .. }
            | Self::Screen(_)
            | Self::Clear
            | Self::Remove => false,
        }
    }
}
