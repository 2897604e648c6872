//! What a command prints while its call waits for it, as text and piece by piece.

use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time;

use super::Session;

/// What is new.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct News {
    /// New text: decoded, masked, without terminal control but for CR and LF. Empty when nothing has come for a while.
    pub text: String,
    /// Time since the start, in milliseconds.
    pub elapsed_ms: u64,
    /// Bytes printed so far.
    pub total_bytes: u64,
}

/// Follows one session's output from its start.
///
/// It ends with the session, or when the session's call leaves it to the background. It keeps nothing alive.
#[derive(Debug)]
pub struct Follower {
    session: Weak<Session>,
    changed: watch::Receiver<u64>,
    /// Scalar of the transcript up to which text was given.
    mark: u64,
}

impl Follower {
    pub(crate) fn new(session: &Arc<Session>) -> Self {
        Self {
            changed: session.changed.subscribe(),
            session: Arc::downgrade(session),
            mark: 0,
        }
    }

    /// Waits for new text, at most as long as `silence`; `None` once there is nothing more to tell.
    pub async fn next(&mut self, silence: Duration) -> Option<News> {
        let quiet = time::sleep(silence);
        tokio::pin!(quiet);
        loop {
            self.changed.borrow_and_update();
            let (news, is_over) = self.look()?;
            if !news.text.is_empty() {
                return Some(news);
            }
            if is_over {
                return None;
            }
            tokio::select! {
                changed = self.changed.changed() => changed.ok()?,
                () = &mut quiet => return self.look().map(|(news, _)| news),
            }
        }
    }

    /// What is new, and whether it is the last.
    fn look(&mut self) -> Option<(News, bool)> {
        let session = self.session.upgrade()?;
        let mut state = session.state();
        if state.is_background {
            return None;
        }
        session.render(&mut state);
        let (text, _) = state.transcript.since(self.mark);
        let news = News {
            text: text.to_owned(),
            elapsed_ms: u64::try_from(session.origin.started.0.elapsed().as_millis())
                .unwrap_or(u64::MAX),
            total_bytes: state.output.total_bytes(),
        };
        self.mark = state.transcript.total();
        let is_over = state.end.is_some();
        Some((news, is_over))
    }
}
