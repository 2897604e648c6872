//! One answer as it goes out.

use execgate_host::{Rendered, Verdict};
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
    /// It goes on in the background.
    Running,
    /// It was an action on sessions, not a command.
    Managed,
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
    /// The answer to what a policy refused before it became a call.
    pub(crate) fn refused(verdict: &Verdict, rendered: Rendered) -> Self {
        let mut response = Self::rendered(rendered, Outcome::Refused);
        let rule = verdict.rule.clone();
        response.details.insert("rule".to_owned(), rule.into());
        response
    }

    /// What a formatter wrote.
    pub(crate) fn rendered(rendered: Rendered, outcome: Outcome) -> Self {
        let details = match serde_json::from_str(&rendered.details) {
            Ok(Value::Object(details)) => details,
            Ok(_) | Err(_) => Map::new(),
        };
        Self {
            is_error: rendered.is_error,
            text: rendered.model_text,
            user_text: rendered.user_text,
            details,
            outcome,
        }
    }

    /// The answer to an action on sessions whose arguments cannot be used, as OpenClaw's clients read it.
    pub fn bad_action(message: impl Into<String>) -> Self {
        let mut response = Self::bad_arguments(message);
        let text = response.text.clone();
        response.details.insert("error".to_owned(), text.into());
        response
    }

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
