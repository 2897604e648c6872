//! OpenClaw's `exec`, which the default profile takes over.

use std::time::Duration;

use serde_json::Value;

use super::{Argument, Arguments, Call, Shape, argument, boolean, check, text};
use crate::request::{BadArguments, Caller, ExecRequest, TimeLimit};

/// What the tool is for, as a model reads it.
pub(super) const DESCRIPTION: &str = "Run a shell command in the workspace and answer with what it printed and how it ended. Text that could do harm is asked about or denied, with the rule that says so.";

/// The surface's arguments.
pub(super) const ARGUMENTS: &[Argument] = &[
    argument("command", Shape::Text, "Shell command to run"),
    argument("title", Shape::Text, "Label for people"),
    argument(
        "workdir",
        Shape::Text,
        "Working directory, taken literally; relative to the workspace",
    ),
    argument("env", Shape::Texts, "Variables for this command"),
    argument(
        "yieldMs",
        Shape::Number,
        "Milliseconds before the command goes on in the background",
    ),
    argument(
        "background",
        Shape::Boolean,
        "Start the command and answer at once",
    ),
    argument(
        "timeoutSeconds",
        Shape::Number,
        "Seconds until the command is stopped; 0 for no limit",
    ),
    argument("timeout", Shape::Number, "The older name of timeoutSeconds"),
    argument("pty", Shape::Boolean, "Run on a terminal"),
    argument("elevated", Shape::Boolean, "Leave the confinement"),
    argument("host", Shape::Text, "Where to run: auto or gateway"),
    argument("security", Shape::Text, "Accepted and ignored"),
    argument(
        "ask",
        Shape::Text,
        "off, on-miss or always; can only tighten",
    ),
    argument("node", Shape::Text, "Accepted where host is node"),
];

/// The longest limit OpenClaw's documents allow, in milliseconds.
const MAX_TIMEOUT_MS: f64 = 2_147_483_647.0;

const SYNCHRONOUS: &str = "Warning: continuation options are unavailable; running synchronously.";

/// Reads a call.
pub(super) fn read(arguments: &Arguments, caller: Caller) -> Result<Call, BadArguments> {
    check(ARGUMENTS, arguments).map_err(|problem| {
        BadArguments(format!("invalid arguments for tool \"exec\": {problem}"))
    })?;
    let command = text(arguments, "command").unwrap_or_default();
    if command.is_empty() {
        return Err(BadArguments("Provide a command to start.".to_owned()));
    }
    check_target(arguments)?;
    let continues = boolean(arguments, "background") || arguments.contains_key("yieldMs");
    Ok(Call::Exec(Box::new(ExecRequest {
        command: command.to_owned(),
        cwd: text(arguments, "workdir")
            .filter(|cwd| !cwd.is_empty())
            .map(str::to_owned),
        env: overrides(arguments),
        timeout: timeout(arguments)?,
        caller,
        warnings: if continues {
            vec![SYNCHRONOUS.to_owned()]
        } else {
            Vec::new()
        },
    })))
}

/// Fails closed where a call wants a place that is not there.
fn check_target(arguments: &Arguments) -> Result<(), BadArguments> {
    let host = text(arguments, "host")
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase();
    match host.as_str() {
        "" | "auto" | "gateway" => {}
        "sandbox" => return Err(BadArguments("host=sandbox was asked for, but no sandbox runtime is available; leave host out to run on this machine".to_owned())),
        "node" => return Err(BadArguments("host=node was asked for, but no node is connected; leave host out to run on this machine".to_owned())),
        other => return Err(BadArguments(format!("host `{}` is not known; use auto or gateway", other.escape_debug()))),
    }
    if boolean(arguments, "elevated") {
        return Err(BadArguments(
            "elevated execution is not available; leave `elevated` out".to_owned(),
        ));
    }
    if boolean(arguments, "pty") {
        return Err(BadArguments(
            "a terminal is not available; leave `pty` out to run the command without one"
                .to_owned(),
        ));
    }
    Ok(())
}

fn timeout(arguments: &Arguments) -> Result<TimeLimit, BadArguments> {
    let seconds = match (arguments.get("timeoutSeconds"), arguments.get("timeout")) {
        (Some(_), Some(_)) => {
            return Err(BadArguments(
                "`timeout` is the older name of `timeoutSeconds`; give only one of them".to_owned(),
            ));
        }
        (value, None) | (None, value) => value.and_then(Value::as_f64),
    };
    Ok(match seconds {
        None => TimeLimit::Configured,
        Some(seconds) if seconds > 0.0 && seconds.is_finite() => {
            let milliseconds = (seconds * 1000.0).clamp(1.0, MAX_TIMEOUT_MS);
            TimeLimit::After(Duration::from_millis(milliseconds as u64))
        }
        Some(_) => TimeLimit::Unlimited,
    })
}

fn overrides(arguments: &Arguments) -> Vec<(String, String)> {
    let map = arguments.get("env").and_then(Value::as_object);
    map.into_iter()
        .flatten()
        .filter_map(|(name, value)| {
            value
                .as_str()
                .map(|value| (name.trim().to_owned(), value.to_owned()))
        })
        .collect()
}
