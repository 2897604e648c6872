//! The task that owns one child.

use std::sync::{Arc, Weak};
use std::time::{Instant, SystemTime};

use super::keys::CursorKeys;
use super::registry::Registry;
use super::{Ended, Session};
use crate::completion::{self, Completion, Limits, Observer, Outcome, Sink, Stream};
use crate::keeper::{OutputStreams, Running};
use crate::memory;
use crate::output::Decoder;
use crate::output::sanitize::Sanitizer;

/// The answer to a program that asks where its cursor is: nobody draws a screen here, so it is at home.
const CURSOR_POSITION: &[u8] = b"\x1b[1;1R";

/// What the task holds.
pub(super) struct Child {
    pub session: Arc<Session>,
    pub registry: Weak<Registry>,
    pub observer: Option<Box<Observer<'static>>>,
    /// Reads what a program asks of its terminal.
    pub queries: Option<Queries>,
}

/// Looks for control sequences in what a terminal shows.
#[derive(Default)]
pub(super) struct Queries {
    decoder: Decoder,
    sanitizer: Sanitizer,
}

impl Queries {
    /// The mode of the cursor keys after a chunk, and whether the cursor's position was asked for.
    fn read(&mut self, chunk: &[u8], mut keys: CursorKeys) -> (CursorKeys, bool) {
        let mut is_asked = false;
        let mut text = String::new();
        let sanitizer = &mut self.sanitizer;
        self.decoder.push(chunk, |piece| {
            sanitizer.push(piece, &mut text, |sequence| {
                is_asked |= matches!(sequence, "6n" | "?6n");
                keys = keys.after(sequence);
            });
            text.clear();
        });
        (keys, is_asked)
    }
}

impl Child {
    /// Follows the process to its end and says so.
    pub(super) async fn run(mut self, running: Running, limits: Limits) {
        let session = Arc::clone(&self.session);
        let mut stop = session.stop.subscribe();
        let stopped = async move {
            // The sender is the session's own, which this task holds.
            let _ = stop.wait_for(Option::is_some).await;
        };
        let mut completion = completion::complete(running, &mut self, limits, stopped).await;
        let rest = std::mem::replace(&mut completion.rest, OutputStreams::None);
        session.finish(completion);
        // Lets survivors print on: a closed pipe would end them.
        tokio::spawn(completion::discard(rest));
        // The runner may be gone by now, and with it whoever wants to know.
        if let Some(registry) = self.registry.upgrade() {
            registry.finished(&session).await;
        }
        session.settle();
    }
}

impl Sink for Child {
    fn take(&mut self, stream: Stream, chunk: &[u8]) {
        if let Some(observer) = &mut self.observer {
            observer(stream, chunk);
        }
        let mut state = self.session.state();
        state.output.push(chunk);
        state.printed = Some((Instant::now(), SystemTime::now()));
        let mut is_asked = false;
        if let Some(queries) = &mut self.queries {
            (state.keys, is_asked) = queries.read(chunk, state.keys);
        }
        drop(state);
        if is_asked {
            self.session.reply(CURSOR_POSITION);
        }
        self.session.touch();
    }

    fn finish(&mut self) {
        self.session.state().output.finish();
    }
}

impl Session {
    fn finish(&self, completion: Completion) {
        let killed = matches!(
            completion.outcome,
            Outcome::Signaled {
                signal: libc::SIGKILL,
                ..
            }
        );
        let end = Ended {
            out_of_memory: killed && memory::ran_out(),
            stopped: self.stopping(),
            at: SystemTime::now(),
            completion,
        };
        self.state().end = Some(Arc::new(end));
        self.close_input();
        self.touch();
    }
}
