//! PicoClaw's `exec`: one tool with actions.

use std::time::Duration;

use super::{Argument, Arguments, Call, Shape, argument, boolean, check, integer, text};
use crate::request::{BadArguments, Caller, ExecRequest, TimeLimit};

/// What the tool is for, as a model reads it.
pub(super) const DESCRIPTION: &str = "Run a shell command in the workspace. The answer's first line is a header with exitCode, timedOut, truncated and durationMs; the command's output follows.";

/// The surface's arguments.
pub(super) const ARGUMENTS: &[Argument] = &[
    Argument {
        name: "action",
        shape: Shape::Text,
        one_of: &["run"],
        doc: "What to do: run",
    },
    argument("command", Shape::Text, "Shell command to run"),
    argument(
        "cwd",
        Shape::Text,
        "Working directory, relative to the workspace",
    ),
    argument(
        "timeout",
        Shape::Integer,
        "Seconds until the command is stopped; 0 for no limit",
    ),
    argument(
        "background",
        Shape::Boolean,
        "Start the command and answer at once",
    ),
    argument("pty", Shape::Boolean, "Run on a terminal"),
];

/// Reads a call.
pub(super) fn read(mut arguments: Arguments, caller: Caller) -> Result<Call, BadArguments> {
    // An internal argument of PicoClaw's scheduler; the caller's own channel is what counts.
    arguments.remove("__channel");
    let invalid =
        |problem: String| BadArguments(format!("invalid arguments for tool \"exec\": {problem}"));
    let action = match arguments.get("action") {
        None => return Err(invalid("missing required property \"action\"".to_owned())),
        Some(action) => action.as_str().map(str::to_owned),
    };
    match action.as_deref() {
        Some("") => return Err(BadArguments("action is required".to_owned())),
        Some("run") | None => check(ARGUMENTS, &arguments).map_err(invalid)?,
        Some(other) => return Err(BadArguments(format!("unknown action: {other}"))),
    }
    run(&arguments, caller)
}

fn run(arguments: &Arguments, caller: Caller) -> Result<Call, BadArguments> {
    let refuse = |message: &str| Err(BadArguments(message.to_owned()));
    let Some(command) = text(arguments, "command") else {
        return refuse("command is required");
    };
    let timeout = arguments.get("timeout").and_then(integer);
    if boolean(arguments, "background") {
        if timeout.is_some() {
            return refuse(
                "timeout cannot be combined with background: a background command has no time limit; leave one of them out",
            );
        }
        return refuse(
            "background is not available here; leave it out to run the command in the foreground",
        );
    }
    if boolean(arguments, "pty") {
        return refuse(
            "pty is not available here; leave it out to run the command without a terminal",
        );
    }
    let timeout = match timeout {
        None => TimeLimit::Configured,
        Some(0) => TimeLimit::Unlimited,
        Some(seconds) => match u64::try_from(seconds) {
            Ok(seconds) => TimeLimit::After(Duration::from_secs(seconds)),
            Err(_) => {
                return refuse(
                    "timeout must be a whole number of seconds from 0 on; 0 means no limit",
                );
            }
        },
    };
    Ok(Call::Exec(Box::new(ExecRequest {
        command: command.to_owned(),
        cwd: text(arguments, "cwd")
            .filter(|cwd| !cwd.is_empty())
            .map(str::to_owned),
        timeout,
        caller,
        ..ExecRequest::default()
    })))
}
