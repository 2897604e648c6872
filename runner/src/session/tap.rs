//! What a session prints, byte by byte, for somebody who looks on.

use std::sync::{Arc, Weak};

use tokio::sync::watch;

use super::input::{Bytes, NoInput};
use super::transcript::held_back;
use super::{Scope, Session};
use crate::request::Caller;
use crate::runner::Runner;
use crate::terminal::WindowSize;

/// Most bytes of one piece.
const PIECE: usize = 64 << 10;

/// How somebody looks on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// Offset of the first byte; what is no longer kept is skipped.
    pub offset: u64,
    /// Whether secrets are covered. An end that may be the beginning of one is held back then while the command runs.
    pub masked: bool,
    /// Whether to wait for more, up to the session's end.
    pub follow: bool,
}

/// A piece of what was printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Offset of its first byte from the session's start.
    pub offset: u64,
    /// The bytes, with whatever control sequences they have.
    pub bytes: Vec<u8>,
}

/// Follows the bytes of one session. It keeps nothing alive.
#[derive(Debug)]
pub struct Tap {
    session: Weak<Session>,
    changed: watch::Receiver<u64>,
    view: View,
}

impl Tap {
    fn new(session: &Arc<Session>, view: View) -> Self {
        Self {
            changed: session.changed.subscribe(),
            session: Arc::downgrade(session),
            view,
        }
    }

    /// Gives more, waiting for it where the view follows; `None` once there is nothing more to give.
    pub async fn next(&mut self) -> Option<Piece> {
        loop {
            self.changed.borrow_and_update();
            let (piece, has_ended) = self.look()?;
            if let Some(piece) = piece {
                self.view.offset = piece.offset + piece.bytes.len() as u64;
                return Some(piece);
            }
            if has_ended || !self.view.follow {
                return None;
            }
            self.changed.changed().await.ok()?;
        }
    }

    /// What is new, and whether nothing more will come.
    fn look(&self) -> Option<(Option<Piece>, bool)> {
        let session = self.session.upgrade()?;
        let state = session.state();
        let has_ended = state.end.is_some();
        let output = &state.output;
        let secrets = &session.origin.secrets;
        let held = match self.view.masked && !has_ended {
            true => held_back(output, secrets),
            false => 0,
        };
        let offset = self.view.offset.max(output.start());
        let room = output
            .total_bytes()
            .saturating_sub(held)
            .saturating_sub(offset);
        let max = usize::try_from(room).map_or(PIECE, |room| room.min(PIECE));
        let bytes = match self.view.masked {
            true => output.masked(offset, max, secrets),
            false => output.read(offset, max).bytes,
        };
        let piece = (!bytes.is_empty()).then_some(Piece { offset, bytes });
        Some((piece, has_ended))
    }
}

/// Why nobody can look on, type or resize.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TapError {
    /// There is none of that id, or it is somebody else's.
    #[error("there is no session `{0}`; `execgate ps` lists them")]
    Unknown(String),
    /// It takes no input.
    #[error("session `{0}` takes no input: it has ended, or was started without one")]
    Closed(String),
    /// It runs on no terminal.
    #[error("session `{0}` runs on no terminal; start it with `--pty`")]
    NoTerminal(String),
    /// The system refused the size.
    #[error("the window of session `{0}` cannot be resized: {1}")]
    Size(String, String),
}

impl Runner {
    fn seen(&self, caller: &Caller, id: &str) -> Result<Arc<Session>, TapError> {
        let session = self.sessions.find(&Scope::of(caller), id);
        session.ok_or_else(|| TapError::Unknown(id.to_owned()))
    }

    /// Looks on at a session. Without masks it is for people alone.
    ///
    /// # Errors
    /// [`TapError::Unknown`].
    pub fn tap(&self, caller: &Caller, id: &str, view: View) -> Result<Tap, TapError> {
        Ok(Tap::new(&self.seen(caller, id)?, view))
    }

    /// Sends what a person types, who answers for it: no policy is asked.
    ///
    /// # Errors
    /// [`TapError::Unknown`], [`TapError::Closed`].
    pub async fn type_as_person(
        &self,
        caller: &Caller,
        id: &str,
        bytes: Vec<u8>,
        eof: bool,
    ) -> Result<usize, TapError> {
        let session = self.seen(caller, id)?;
        let closed = || TapError::Closed(id.to_owned());
        if !session.is_writable() {
            return Err(closed());
        }
        let _turn = session.turn.lock().await;
        let input = Bytes::new(bytes, eof);
        let taken = session.type_in(&input).await;
        let taken = taken.map_err(|no| match no {
            NoInput::Closed | NoInput::Broken => closed(),
        })?;
        session.note_typed(&input.bytes[..taken.bytes], taken.eof);
        Ok(taken.bytes)
    }

    /// Gives the window of a session another size; its program is told by SIGWINCH.
    ///
    /// # Errors
    /// [`TapError::Unknown`], [`TapError::NoTerminal`], [`TapError::Size`].
    pub fn resize(&self, caller: &Caller, id: &str, size: WindowSize) -> Result<(), TapError> {
        let session = self.seen(caller, id)?;
        let terminal = session.origin().terminal.as_ref();
        let terminal = terminal.ok_or_else(|| TapError::NoTerminal(id.to_owned()))?;
        let size = WindowSize {
            columns: size.columns.min(WindowSize::MOST),
            rows: size.rows.min(WindowSize::MOST),
        };
        let resized = terminal.resize(size);
        resized.map_err(|error| TapError::Size(id.to_owned(), error.to_string()))?;
        session.resize_screen(size);
        Ok(())
    }

    /// Ids of the sessions that run, whoever they belong to.
    pub fn live_sessions(&self) -> Vec<String> {
        self.sessions.live_ids()
    }
}
