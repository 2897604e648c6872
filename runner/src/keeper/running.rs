//! A started process and how it ended.

use std::time::Instant;

use execgate_keeper::Usage;
use tokio::net::unix::pipe;
use tokio::sync::oneshot;

use super::client::Keeper;

/// A started process: the first one of its session.
///
/// Dropping it does not end anything; [`Keeper::kill_tree`] does. It holds a handle of its keeper, so the keeper stays.
#[derive(Debug)]
pub struct Running {
    /// The session's id.
    pub session: String,
    /// Process id of the first process, which leads a session and a process group of its own.
    pub pid: u32,
    /// When the program was known to run.
    pub started: Instant,
    /// Tells how the first process ends.
    pub exit: ExitWaiter,
    /// The writing end of standard input, for [`super::Stdin::Pipe`]. Dropping it is end of file for the process.
    pub stdin: Option<pipe::Sender>,
    /// The reading ends of what it prints.
    pub output: OutputStreams,
    /// The keeper that holds it.
    pub keeper: Keeper,
}

/// The reading ends of what a process prints; non-blocking, no thread behind them.
#[derive(Debug)]
pub enum OutputStreams {
    /// Nothing to read: the streams are the runner's own, or a terminal that whoever opened it reads.
    None,
    /// Standard output and standard error in the order they were written: one pipe, or a terminal.
    Shared(pipe::Receiver),
    /// Both, each for itself.
    Separate {
        /// Standard output.
        stdout: pipe::Receiver,
        /// Standard error.
        stderr: pipe::Receiver,
    },
}

/// How a session's first process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// It ended and is reaped.
    Ended {
        /// How.
        status: Status,
        /// What it and the descendants it waited for used.
        usage: Usage,
        /// When the runner was told.
        at: Instant,
    },
    /// The keeper ended first; whether the process still runs is not known.
    Lost,
}

/// The status of an ended process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// It exited with this code, 0 to 255.
    Exited(i32),
    /// A signal ended it.
    Signaled {
        /// The signal's number.
        signal: i32,
        /// Whether a core dump was written.
        core: bool,
    },
}

impl Status {
    /// Reads a status as wait(2) gives it.
    pub(super) fn from_raw(raw: i32) -> Self {
        if libc::WIFSIGNALED(raw) {
            return Self::Signaled {
                signal: libc::WTERMSIG(raw),
                core: libc::WCOREDUMP(raw),
            };
        }
        Self::Exited(libc::WEXITSTATUS(raw))
    }
}

/// Waits for an [`Exit`], and keeps it.
#[derive(Debug)]
pub struct ExitWaiter {
    receiver: oneshot::Receiver<Exit>,
    exit: Option<Exit>,
}

impl ExitWaiter {
    pub(super) fn new(receiver: oneshot::Receiver<Exit>) -> Self {
        Self {
            receiver,
            exit: None,
        }
    }

    /// Returns how the first process ended, once it has. May be dropped and called again.
    pub async fn wait(&mut self) -> Exit {
        if let Some(exit) = self.exit {
            return exit;
        }
        // The sender goes away unused only with the keeper.
        let exit = (&mut self.receiver).await.unwrap_or(Exit::Lost);
        self.exit = Some(exit);
        exit
    }
}
