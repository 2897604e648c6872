//! Running a process to its completion.
//!
//! Completion is the end of the first process, as wait(2) tells it, plus a short drain of what is still on its way. It is never the end of the
//! pipes: a child left in the background may hold them for ever.

mod streams;

use std::pin::pin;
use std::time::{Duration, Instant};

use tokio::time;

use crate::keeper::{Exit, KillOnDrop, Killed, OutputStreams, Running, Status, Survivor, Usage};
use crate::output::Capture;
use streams::Streams;

/// How long things may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Time until the whole tree is ended; `None` is no limit.
    pub timeout: Option<Duration>,
    /// Time between the polite signal and the last one.
    pub grace: Duration,
    /// The drain ends when nothing has come for this long.
    pub drain_quiet: Duration,
    /// The drain ends after this long in any case.
    pub drain_limit: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            timeout: None,
            grace: Duration::from_secs(2),
            drain_quiet: Duration::from_millis(250),
            drain_limit: Duration::from_secs(1),
        }
    }
}

/// Which of a process's streams a chunk came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stream {
    /// Standard output, or both streams on one pipe.
    Output,
    /// Standard error, when it has a pipe of its own.
    Error,
}

/// Sees every chunk as it comes, raw.
pub type Observer<'a> = dyn FnMut(Stream, &[u8]) + Send + 'a;

/// Where the output goes.
pub trait Sink: Send {
    /// Takes a chunk before the next one is read.
    fn take(&mut self, stream: Stream, chunk: &[u8]);
    /// Is told that no chunk will come any more.
    fn finish(&mut self);
}

/// Where the output goes: into a capture for each stream, and by an observer's eyes.
pub struct Recording<'a, 'o> {
    /// Keeps standard output, or both streams on one pipe.
    pub output: &'a mut Capture,
    /// Keeps standard error when it has a pipe of its own; without one it goes to `output`, in the order of arrival.
    pub error: Option<&'a mut Capture>,
    /// Is called with every chunk before the next one is read.
    pub observer: Option<&'a mut Observer<'o>>,
}

impl Sink for Recording<'_, '_> {
    fn take(&mut self, stream: Stream, chunk: &[u8]) {
        match (stream, &mut self.error) {
            (Stream::Output, _) => self.output.push(chunk),
            (Stream::Error, Some(capture)) => capture.push(chunk),
            (Stream::Error, None) => self.output.push(chunk),
        }
        if let Some(observer) = &mut self.observer {
            observer(stream, chunk);
        }
    }

    fn finish(&mut self) {
        self.output.finish();
        if let Some(capture) = &mut self.error {
            capture.finish();
        }
    }
}

/// How a command came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Its first process exited with this code.
    Exited(i32),
    /// A signal that was not ours ended its first process.
    Signaled {
        /// The signal's number.
        signal: i32,
        /// Whether a core dump was written.
        core: bool,
    },
    /// The time was up, and the tree was ended.
    TimedOut,
    /// The caller gave up, and the tree was ended.
    Cancelled,
    /// The keeper was lost; whether anything still runs is not known.
    Lost,
}

/// Whether everything printed was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Drained {
    /// Every stream came to its end.
    Complete,
    /// A living process still holds a stream, and the drain was cut. What it prints later is not in the captures.
    Cut,
}

/// What is known of a command that has come to its end.
#[derive(Debug)]
pub struct Completion {
    /// How it ended.
    pub outcome: Outcome,
    /// How its first process ended; also told after a timeout. `None` when it could not be ended.
    pub status: Option<Status>,
    /// From the start of the program to the end of its first process.
    pub duration: Duration,
    /// What the first process and the descendants it waited for used.
    pub usage: Usage,
    /// Processes of the session that are still alive.
    pub survivors: Vec<Survivor>,
    /// Whether everything printed was read.
    pub drained: Drained,
    /// The streams that are not at their end. Dropping them gives a survivor that prints `SIGPIPE`; [`discard`] spares it.
    pub rest: OutputStreams,
}

/// Waits for a process, hands what it prints to `sink`, and ends its whole tree when the time is up or `cancel` completes.
///
/// Dropping the returned future before it is done, even before it was ever polled, ends the tree at once. What was printed so far has
/// reached the sink in any case.
pub fn complete(
    running: Running,
    sink: &mut impl Sink,
    limits: Limits,
    cancel: impl Future<Output = ()>,
) -> impl Future<Output = Completion> {
    // Made here and not within: a future that is dropped unpolled runs nothing.
    let guard = KillOnDrop::new(&running.keeper, &running.session);
    async move {
        let mut command = Command::new(running);
        let interruption = command.run(sink, limits.timeout, cancel).await;
        if let Some(outcome) = interruption {
            command.end(sink, limits, outcome).await;
        }
        command.drain(sink, limits).await;
        sink.finish();
        let completion = command.into_completion(interruption).await;
        guard.disarm();
        completion
    }
}

/// Reads streams to their end and drops what comes, so that a process which prints into them lives on.
pub async fn discard(rest: OutputStreams) {
    let mut streams = Streams::new(rest);
    while streams.next(|_, _| {}).await {}
}

/// A process on its way.
struct Command {
    running: Running,
    streams: Streams,
    exit: Option<Exit>,
    ended: Instant,
}

impl Command {
    fn new(mut running: Running) -> Self {
        let output = std::mem::replace(&mut running.output, OutputStreams::None);
        let ended = running.started;
        Self {
            running,
            streams: Streams::new(output),
            exit: None,
            ended,
        }
    }

    /// Reads until the first process ends or something interrupts; tells what did.
    async fn run(
        &mut self,
        sink: &mut impl Sink,
        timeout: Option<Duration>,
        cancel: impl Future<Output = ()>,
    ) -> Option<Outcome> {
        let mut cancel = pin!(cancel);
        // A time that no clock can hold never comes.
        let deadline = timeout.and_then(|timeout| self.running.started.checked_add(timeout));
        let mut deadline = pin!(sleep_until(deadline));
        loop {
            tokio::select! {
                biased;
                exit = self.running.exit.wait() => {
                    self.take_exit(exit);
                    return None;
                }
                () = &mut cancel => return Some(Outcome::Cancelled),
                () = &mut deadline => return Some(Outcome::TimedOut),
                true = self.streams.next(|stream, chunk| sink.take(stream, chunk)) => {}
            }
        }
    }

    /// Ends the tree, still reading: what its processes print last counts too, and a full pipe must not keep them from ending.
    async fn end(&mut self, sink: &mut impl Sink, limits: Limits, outcome: Outcome) {
        debug_assert!(matches!(outcome, Outcome::TimedOut | Outcome::Cancelled));
        let keeper = self.running.keeper.clone();
        let session = self.running.session.clone();
        let mut kill = pin!(keeper.kill_tree(&session, limits.grace));
        let killed = loop {
            tokio::select! {
                killed = &mut kill => break killed,
                true = self.streams.next(|stream, chunk| sink.take(stream, chunk)) => {}
            }
        };
        match killed {
            // What resists may be the first process itself: it gets the time of a drain and no more.
            Ok(Killed { left: 1.., .. }) => {
                if let Ok(exit) = time::timeout(limits.drain_limit, self.running.exit.wait()).await
                {
                    self.take_exit(exit);
                }
            }
            Ok(_) | Err(_) => {
                let exit = self.running.exit.wait().await;
                self.take_exit(exit);
            }
        }
    }

    fn take_exit(&mut self, exit: Exit) {
        self.exit = Some(exit);
        self.ended = match exit {
            Exit::Ended { at, .. } => at,
            Exit::Lost => Instant::now(),
        };
    }

    /// Reads what is still on its way, until it is quiet or the time is up.
    async fn drain(&mut self, sink: &mut impl Sink, limits: Limits) {
        let drain = async {
            let mut open = true;
            while open {
                let next = self.streams.next(|stream, chunk| sink.take(stream, chunk));
                open = time::timeout(limits.drain_quiet, next)
                    .await
                    .unwrap_or(false);
            }
        };
        // When the time is up a chunk has been taken or not: none is half read.
        let _ = time::timeout(limits.drain_limit, drain).await;
    }

    async fn into_completion(self, interruption: Option<Outcome>) -> Completion {
        let Running {
            keeper,
            session,
            started,
            ..
        } = self.running;
        // A lost keeper cannot say; `Outcome::Lost` says so.
        let survivors = keeper.survivors(&session).await.unwrap_or_default();
        let (status, usage) = match self.exit {
            Some(Exit::Ended { status, usage, .. }) => (Some(status), usage),
            Some(Exit::Lost) | None => (None, Usage::default()),
        };
        let rest = self.streams.into_rest();
        Completion {
            outcome: interruption.unwrap_or(match status {
                Some(Status::Exited(code)) => Outcome::Exited(code),
                Some(Status::Signaled { signal, core }) => Outcome::Signaled { signal, core },
                None => Outcome::Lost,
            }),
            status,
            duration: self.ended.saturating_duration_since(started),
            usage,
            survivors,
            drained: match rest {
                OutputStreams::None => Drained::Complete,
                OutputStreams::Shared(_) | OutputStreams::Separate { .. } => Drained::Cut,
            },
            rest,
        }
    }
}

async fn sleep_until(deadline: Option<Instant>) {
    match deadline {
        Some(deadline) => time::sleep_until(deadline.into()).await,
        None => std::future::pending().await,
    }
}
