//! The task that owns one child.

use std::sync::{Arc, Weak};
use std::time::{Instant, SystemTime};

use tokio::sync::mpsc;

use super::registry::Registry;
use super::{Ended, Session};
use crate::completion::{self, Completion, Limits, Observer, Outcome, Sink, Stream};
use crate::keeper::{OutputStreams, Running};
use crate::memory;

/// Answers that wait for a program to read its terminal; more are dropped, as a terminal's own would be.
const REPLIES: usize = 64;

/// What the task holds.
pub(super) struct Child {
    pub session: Arc<Session>,
    pub registry: Weak<Registry>,
    pub observer: Option<Box<Observer<'static>>>,
    /// Takes the answers to what the program asks of its terminal, if it has one.
    pub replies: Option<mpsc::Sender<Vec<u8>>>,
}

/// Types answers into a session's terminal, one after the other, until whoever gives them has gone.
pub(super) fn replies(session: &Arc<Session>) -> mpsc::Sender<Vec<u8>> {
    let (sender, mut received) = mpsc::channel::<Vec<u8>>(REPLIES);
    let session = Arc::downgrade(session);
    tokio::spawn(async move {
        while let Some(reply) = received.recv().await {
            let Some(session) = session.upgrade() else {
                return;
            };
            session.reply(&reply).await;
        }
    });
    sender
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
        if let Some(tape) = &mut state.tape {
            tape.push(chunk);
        }
        let mut reply = Vec::new();
        if let Some(screen) = &mut state.screen {
            reply = screen.push(chunk).into_bytes();
        }
        drop(state);
        if let Some(replies) = self.replies.as_ref().filter(|_| !reply.is_empty()) {
            // A program that does not read what it asks for is not waited for.
            let _ = replies.try_send(reply);
        }
        self.session.touch();
    }

    fn finish(&mut self) {
        let mut state = self.session.state();
        state.output.finish();
        if let Some(mut tape) = state.tape.take() {
            tape.finish();
        }
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
