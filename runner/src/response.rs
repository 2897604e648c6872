//! One answer as it goes out.

use serde::Serialize;
use serde_json::{Map, Value};

/// How a call ended, for programs that need no text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// The command exited with this code.
    Exited(i32),
    /// A signal with this number ended it.
    Signaled(i32),
    /// Its time was up.
    TimedOut,
    /// The caller took it back.
    Cancelled,
    /// It was denied, or nobody granted it; it did not run.
    Refused,
    /// It did not start.
    NotStarted,
    /// What became of it is not known.
    Lost,
    /// The call's arguments were of the wrong shape.
    BadArguments,
}

/// The answer to one call.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Response {
    /// Whether the call counts as failed.
    pub is_error: bool,
    /// What the model reads.
    pub text: String,
    /// What a person reads.
    pub user_text: String,
    /// Numbers and names for programs.
    pub details: Map<String, Value>,
    /// How it ended.
    #[serde(skip)]
    pub outcome: Outcome,
}

impl Response {
    /// The answer to a call whose arguments cannot be used.
    pub fn bad_arguments(message: impl Into<String>) -> Self {
        let message = message.into();
        let mut details = Map::new();
        details.insert("status".to_owned(), "failed".into());
        details.insert(
            "error".to_owned(),
            serde_json::json!({"kind": "bad-arguments", "message": message}),
        );
        Self {
            is_error: true,
            text: message,
            user_text: String::new(),
            details,
            outcome: Outcome::BadArguments,
        }
    }
}
