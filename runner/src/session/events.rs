//! What a runner tells unasked.

use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::request::Caller;
use crate::response::Response;

/// Something that happened.
#[derive(Clone, Debug)]
pub enum Event {
    /// A session in the background has ended.
    SessionExited {
        /// Its id.
        session_id: String,
        /// Whose it was.
        caller: Caller,
        /// The news, as the profile's formatter writes them.
        notice: Response,
    },
}

impl Event {
    /// The event as one JSON object.
    pub fn to_json(&self) -> Value {
        match self {
            Self::SessionExited {
                session_id,
                caller,
                notice,
            } => json!({
                "event": "session-exited",
                "sessionId": session_id,
                "caller": {"agent": caller.agent, "session": caller.session, "channel": caller.channel},
                "text": notice.text,
                "userText": notice.user_text,
                "details": notice.details,
            }),
        }
    }
}

/// Who wants to know.
#[derive(Debug, Default)]
pub struct Events {
    // Unbounded: an event is small, sessions are bounded in number, and none may be lost.
    listeners: Mutex<Vec<mpsc::UnboundedSender<Event>>>,
}

impl Events {
    /// Everything that happens from now on.
    pub fn subscribe(&self) -> mpsc::UnboundedReceiver<Event> {
        let (sender, receiver) = mpsc::unbounded_channel();
        self.listeners
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(sender);
        receiver
    }

    pub(crate) fn tell(&self, event: &Event) {
        let mut listeners = self
            .listeners
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        listeners.retain(|listener| listener.send(event.clone()).is_ok());
    }

    /// Ends every subscription: nothing happens any more.
    pub(crate) fn close(&self) {
        self.listeners
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clear();
    }
}
