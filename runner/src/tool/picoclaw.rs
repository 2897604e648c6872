//! PicoClaw's `exec`: one tool with actions.

use std::time::Duration;

use serde_json::Value;

use super::{Argument, Arguments, Call, Shape, Surface, argument, boolean, check, integer, text};
use crate::request::{Attendance, BadArguments, Caller, ExecRequest, TimeLimit};
use crate::session::action::{Act, Action, Keys, ProcessRequest, Range, Wait};

/// What the tool is for, as a model reads it.
pub(super) const DESCRIPTION: &str = "Run a shell command in the workspace, or look after one in the background. The answer of a command's first line is a header with exitCode, timedOut, truncated and durationMs; its output follows.";

/// The surface's actions.
const ACTIONS: &[&str] = &[
    "run",
    "list",
    "poll",
    "read",
    "write",
    "kill",
    "send-keys",
    "wait",
];

/// The surface's arguments.
pub(super) const ARGUMENTS: &[Argument] = &[
    Argument {
        name: "action",
        shape: Shape::Text,
        one_of: ACTIONS,
        doc: "What to do",
    },
    argument("command", Shape::Text, "Shell command for run"),
    argument("sessionId", Shape::Text, "The session; `list` names them"),
    argument(
        "keys",
        Shape::Text,
        "Names of keys for send-keys, separated by commas",
    ),
    argument("data", Shape::Text, "Text for write"),
    argument(
        "cwd",
        Shape::Text,
        "Working directory for run, relative to the workspace",
    ),
    argument(
        "timeout",
        Shape::Integer,
        "Seconds until the command is stopped, 0 for no limit; seconds that wait waits at most",
    ),
    argument(
        "background",
        Shape::Boolean,
        "Start the command and answer at once",
    ),
    argument(
        "pty",
        Shape::Boolean,
        "Run a background command on a terminal",
    ),
    argument(
        "notify",
        Shape::Boolean,
        "Tell the end of a background command unasked",
    ),
    argument(
        "offset",
        Shape::Integer,
        "First byte for read, from the session's start",
    ),
    argument("limit", Shape::Integer, "Most bytes for read"),
];

/// Reads a call.
pub(super) fn read(
    surface: &Surface,
    mut arguments: Arguments,
    caller: Caller,
) -> Result<Call, BadArguments> {
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
        Some(known) if ACTIONS.contains(&known) => {}
        Some(other) => return Err(BadArguments(format!("unknown action: {other}"))),
        None => {}
    }
    // Keys of another type have a message of their own.
    if action.as_deref() == Some("send-keys")
        && arguments.get("keys").is_some_and(|keys| !keys.is_string())
    {
        return Err(BadArguments("keys must be a string".to_owned()));
    }
    check(ARGUMENTS, &arguments).map_err(invalid)?;
    match action.as_deref() {
        None | Some("run") => run(surface, &arguments, caller),
        Some("list") => Ok(process(caller, Action::List)),
        Some(action) => on_session(surface, action, &arguments, caller),
    }
}

fn process(caller: Caller, action: Action) -> Call {
    Call::Process(Box::new(ProcessRequest { caller, action }))
}

fn refuse<T>(message: &str) -> Result<T, BadArguments> {
    Err(BadArguments(message.to_owned()))
}

fn on_session(
    surface: &Surface,
    action: &str,
    arguments: &Arguments,
    caller: Caller,
) -> Result<Call, BadArguments> {
    let session_id = text(arguments, "sessionId").unwrap_or_default().to_owned();
    if session_id.is_empty() {
        return refuse("sessionId is required");
    }
    let act = match action {
        "poll" => Act::Poll(Duration::ZERO),
        "wait" => Act::Wait(wait(surface, arguments)?),
        "read" => Act::Read(range(surface, arguments)?),
        "write" => match text(arguments, "data") {
            Some(data) => Act::Write {
                data: data.to_owned(),
                eof: false,
            },
            None => return refuse("data is required"),
        },
        "send-keys" => match text(arguments, "keys") {
            None => return refuse("keys must be a string"),
            Some(keys) if keys.split(',').all(|key| key.trim().is_empty()) => {
                return refuse("keys cannot be empty");
            }
            Some(keys) => Act::SendKeys(Keys::Picoclaw(keys.to_owned())),
        },
        _ => Act::Kill,
    };
    Ok(process(caller, Action::On { session_id, act }))
}

/// The time asked for, at most the limit of commands.
fn wait(surface: &Surface, arguments: &Arguments) -> Result<Wait, BadArguments> {
    let timeout = match arguments.get("timeout").and_then(integer) {
        None => surface.longest_wait,
        Some(seconds) => match u64::try_from(seconds) {
            Ok(seconds) if seconds > 0 => Duration::from_secs(seconds).min(surface.longest_wait),
            Ok(_) | Err(_) => {
                return refuse("timeout must be a whole number of seconds from 1 on");
            }
        },
    };
    Ok(Wait {
        timeout,
        ..Wait::default()
    })
}

fn range(surface: &Surface, arguments: &Arguments) -> Result<Range, BadArguments> {
    let offset = match arguments.get("offset").and_then(integer) {
        None => None,
        Some(offset) => match u64::try_from(offset) {
            Ok(offset) => Some(offset),
            Err(_) => return refuse("offset must be 0 or more"),
        },
    };
    let limit = match arguments.get("limit").and_then(integer) {
        None => surface.read_bytes,
        Some(limit) => match u64::try_from(limit) {
            Ok(limit) if limit > 0 => limit,
            Ok(_) | Err(_) => return refuse("limit must be 1 or more"),
        },
    };
    Ok(Range {
        offset,
        limit,
        raw: false,
    })
}

fn run(surface: &Surface, arguments: &Arguments, caller: Caller) -> Result<Call, BadArguments> {
    let Some(command) = text(arguments, "command") else {
        return refuse("command is required");
    };
    let timeout = arguments.get("timeout").and_then(integer);
    let background = boolean(arguments, "background");
    if background && timeout.is_some() {
        return refuse(
            "timeout cannot be combined with background: a background command has no time limit; leave one of them out",
        );
    }
    if background && !surface.continues {
        return refuse(
            "background is not available here; leave it out to run the command in the foreground",
        );
    }
    if boolean(arguments, "notify") && !background {
        return refuse("notify is for background commands; add background, or leave it out");
    }
    let timeout = match timeout {
        None if background => TimeLimit::Unlimited,
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
        attendance: if background {
            Attendance::Background
        } else {
            Attendance::ToTheEnd
        },
        // A terminal is for what goes on in the background; elsewhere PicoClaw passes the wish over.
        terminal: background && boolean(arguments, "pty"),
        notify: arguments
            .get("notify")
            .map(|value| matches!(value, Value::Bool(true)) || value == "true"),
        ..ExecRequest::default()
    })))
}
