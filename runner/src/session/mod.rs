//! Sessions: commands that may outlive the call which started them.
//!
//! One task owns one child: it reads what the child prints, waits for its end and ends its tree when asked to. Everybody else holds a
//! [`Session`], which shares what was printed and how it stands; no lock is held over an await, but for the order of writes to one input.

pub mod action;
mod child;
mod display;
mod events;
mod follow;
mod input;
pub mod keys;
mod name;
mod outcome;
mod process;
mod program;
mod registry;
mod report;
pub mod signals;
mod slug;
mod start;
mod tap;
mod tape;
mod transcript;
mod typed;
mod wait;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use execgate_screen::Screen;
use tokio::sync::watch;

pub use display::Look;
pub use events::{Event, Events};
pub use follow::{Follower, News};
pub(crate) use outcome::{End, EndFacts, NotStarted, PrintedFacts};
pub use registry::Scope;
pub(crate) use registry::{Registry, RegistrySettings};
pub(crate) use report::started;
pub(crate) use start::Adoption;
pub use tap::{Piece, Tap, TapError, View};

use crate::completion::Completion;
use crate::keeper::Keeper;
use crate::output::mask::Secrets;
use crate::output::{Artifact, Capture};
use crate::plan::ExecPlan;
use crate::terminal::Terminal;
use input::Input;
pub(crate) use tape::Tape;
use transcript::Transcript;
use typed::TypedLine;

/// Why a session is ended before its command ends by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Somebody asked for it.
    Requested,
    /// The call that it belonged to was taken back.
    CallerLeft,
    /// The runner ends.
    Shutdown,
}

/// How a session ended.
#[derive(Debug)]
pub(crate) struct Ended {
    /// What the keeper and the pipes told.
    pub completion: Completion,
    /// When.
    pub at: SystemTime,
    /// Why it was ended, if it did not end by itself.
    pub stopped: Option<Stop>,
    /// Whether the kernel says that memory ran out.
    pub out_of_memory: bool,
}

/// What does not change about a session.
#[derive(Debug)]
pub(crate) struct Origin {
    /// Its id, as its clients know it.
    pub id: String,
    /// Its id with the keeper.
    pub mark: String,
    /// Whose it is.
    pub scope: Scope,
    /// What runs.
    pub plan: Arc<ExecPlan>,
    /// A short label made of the text.
    pub name: Option<String>,
    /// Its first process.
    pub pid: u32,
    /// When it started, on both clocks.
    pub started: (Instant, SystemTime),
    /// Its terminal, if it runs on one.
    pub terminal: Option<Terminal>,
    /// Who can end it.
    pub keeper: Keeper,
    /// What is masked in everything that it prints.
    pub secrets: Arc<Secrets>,
}

/// A started command.
#[derive(Debug)]
pub struct Session {
    origin: Origin,
    state: Mutex<State>,
    /// Counts whatever happens: output, the end.
    changed: watch::Sender<u64>,
    stop: watch::Sender<Option<Stop>>,
    /// Held while one input is judged and sent: what a shell would run depends on what was sent before.
    turn: tokio::sync::Mutex<()>,
    /// Held while one write goes on, so that two do not mix; a write is bounded in time.
    input: tokio::sync::Mutex<Option<Input>>,
    writable: AtomicBool,
}

/// What changes.
#[derive(Debug)]
struct State {
    output: Capture,
    transcript: Transcript,
    /// When it last printed, on both clocks.
    printed: Option<(Instant, SystemTime)>,
    end: Option<Arc<Ended>>,
    /// Whether its end was recorded and told.
    is_settled: bool,
    /// Whether it was removed while it ran: nobody sees it any more.
    is_hidden: bool,
    /// Whether its call has left it to itself.
    is_background: bool,
    looks: Looks,
    notice: Notice,
    typed: TypedLine,
    /// What its terminal shows, if it has one.
    screen: Option<Box<Screen>>,
    /// What records it, if something does.
    tape: Option<Box<Tape>>,
    /// What was typed and will be echoed by the terminal: never an answer to a wait.
    echoes: Vec<String>,
}

/// What the looks at a session have shown.
#[derive(Clone, Copy, Debug, Default)]
struct Looks {
    /// Scalar of the transcript up to which output was shown.
    shown: u64,
    /// Looks since output last came.
    checks: u32,
    /// Looks in a row that found nothing.
    empty: u32,
}

/// Whether the end of a session is told unasked.
#[derive(Clone, Copy, Debug, Default)]
struct Notice {
    on: bool,
    /// Whether somebody asked for it, and not the settings: it comes then whatever the end.
    is_wished: bool,
    sent: bool,
}

impl Session {
    /// Its id.
    pub fn id(&self) -> &str {
        &self.origin.id
    }

    pub(crate) fn origin(&self) -> &Origin {
        &self.origin
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // What a panicking holder left is whole: every change is one assignment or one push.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How it ended, once it has.
    pub(crate) fn end(&self) -> Option<Arc<Ended>> {
        self.state().end.clone()
    }

    /// Waits for its end. May be dropped and called again.
    pub(crate) async fn ended(&self) -> Arc<Ended> {
        let mut changed = self.changed.subscribe();
        loop {
            if let Some(end) = self.end() {
                return end;
            }
            // The sender is this session's own.
            let _ = changed.changed().await;
        }
    }

    /// Waits until its end was recorded and told.
    pub(crate) async fn settled(&self) {
        let mut changed = self.changed.subscribe();
        while !self.state().is_settled {
            // The sender is this session's own.
            let _ = changed.changed().await;
        }
    }

    fn settle(&self) {
        self.state().is_settled = true;
        self.touch();
    }

    fn is_settled(&self) -> bool {
        self.state().is_settled
    }

    /// Lets nobody see it any more; it still counts until it has ended.
    fn hide(&self) {
        self.state().is_hidden = true;
    }

    fn is_hidden(&self) -> bool {
        self.state().is_hidden
    }

    /// Asks for its end; the first reason counts.
    pub(crate) fn stop(&self, reason: Stop) {
        self.stop.send_if_modified(|stop| {
            let first = stop.is_none();
            stop.get_or_insert(reason);
            first
        });
    }

    /// Why it is being ended, if it is.
    fn stopping(&self) -> Option<Stop> {
        *self.stop.borrow()
    }

    /// Leaves it to itself, unless it has ended: false then.
    pub(crate) fn leave(&self) -> bool {
        let mut state = self.state();
        if state.end.is_some() {
            return false;
        }
        state.is_background = true;
        true
    }

    /// Whether its call has left it to itself.
    pub(crate) fn is_background(&self) -> bool {
        self.state().is_background
    }

    /// Whether input can be sent to it.
    pub(crate) fn is_writable(&self) -> bool {
        self.writable.load(Ordering::Relaxed) && self.end().is_none()
    }

    /// For how long nothing has happened on its output.
    fn idle(&self) -> Duration {
        let since = self.state().printed.map(|(at, _)| at);
        since.unwrap_or(self.origin.started.0).elapsed()
    }

    /// The file that holds its output, if one does.
    pub(crate) fn artifact(&self) -> Option<Artifact> {
        self.state().output.artifact().cloned()
    }

    /// Bytes of memory that what it printed takes.
    fn kept_bytes(&self) -> u64 {
        let state = self.state();
        (state.output.capacity() + state.transcript.capacity()) as u64
    }

    fn touch(&self) {
        self.changed
            .send_modify(|count| *count = count.wrapping_add(1));
    }
}
