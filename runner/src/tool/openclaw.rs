//! OpenClaw's `exec`, which the default profile takes over and adds to.

use std::time::Duration;

use serde_json::Value;

use super::{Argument, Arguments, Call, Shape, Surface, argument, boolean, check, text};
use crate::profile::Profile;
use crate::request::{Attendance, BadArguments, Caller, ExecRequest, TimeLimit};

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
    Argument {
        name: "stdin",
        shape: Shape::Text,
        one_of: &["open", "eof"],
        doc: "Whether the command can be written to later; it can in the background and on a terminal",
    },
    argument(
        "notify",
        Shape::Boolean,
        "Tell the end of a background command unasked",
    ),
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

/// The surface's arguments where commands may, or may not, go on in the background.
pub(super) fn arguments(continues: bool) -> Vec<Argument> {
    let is_about_going_on =
        |argument: &Argument| matches!(argument.name, "background" | "yieldMs" | "notify");
    let arguments = ARGUMENTS.iter().copied();
    arguments
        .filter(|argument| continues || !is_about_going_on(argument))
        .collect()
}

/// The longest limit OpenClaw's documents allow, in milliseconds.
const MAX_TIMEOUT_MS: f64 = 2_147_483_647.0;

const SYNCHRONOUS: &str = "Warning: continuation options are unavailable; running synchronously.";

/// Shortest and longest time that a call stays with its command before that goes on in the background, in milliseconds.
const YIELD_MS: (f64, f64) = (10.0, 120_000.0);

/// What broken model output leaves at the end of an argument.
const STRAY_TAG: &str = "</arg_value>";

/// Reads a call.
pub(super) fn read(
    surface: &Surface,
    mut arguments: Arguments,
    caller: Caller,
) -> Result<Call, BadArguments> {
    repair(&mut arguments);
    check(ARGUMENTS, &arguments).map_err(|problem| {
        BadArguments(format!("invalid arguments for tool \"exec\": {problem}"))
    })?;
    let command = text(&arguments, "command").unwrap_or_default();
    if command.is_empty() {
        return Err(BadArguments("Provide a command to start.".to_owned()));
    }
    check_target(surface.profile, &arguments)?;
    let (attendance, warning) = attendance(surface, &arguments);
    Ok(Call::Exec(Box::new(ExecRequest {
        command: command.to_owned(),
        cwd: text(&arguments, "workdir")
            .filter(|cwd| !cwd.is_empty())
            .map(str::to_owned),
        env: overrides(surface.profile, &arguments),
        timeout: timeout(surface.profile, &arguments)?,
        caller,
        warnings: warning.map(str::to_owned).into_iter().collect(),
        attendance,
        terminal: boolean(&arguments, "pty"),
        open_input: text(&arguments, "stdin") == Some("open"),
        notify: arguments
            .contains_key("notify")
            .then(|| boolean(&arguments, "notify")),
        ..ExecRequest::default()
    })))
}

/// Cuts what broken model output leaves behind: a closing tag and more `>` than it has.
fn repair(arguments: &mut Arguments) {
    for name in ["command", "workdir", "host", "ask", "node"] {
        let Some(Value::String(text)) = arguments.get_mut(name) else {
            continue;
        };
        let trimmed = text.trim_end_matches('>');
        let is_broken =
            text.len() > trimmed.len() + 1 && text[..trimmed.len() + 1].ends_with(STRAY_TAG);
        if is_broken {
            text.truncate(trimmed.len() + 1 - STRAY_TAG.len());
        }
    }
}

/// How long the call stays with its command, and what to say where that is not as asked.
fn attendance(surface: &Surface, arguments: &Arguments) -> (Attendance, Option<&'static str>) {
    let yield_ms = arguments.get("yieldMs").and_then(Value::as_f64);
    let background = boolean(arguments, "background");
    if !surface.continues {
        let asked = background || yield_ms.is_some();
        return (Attendance::ToTheEnd, asked.then_some(SYNCHRONOUS));
    }
    if background {
        return (Attendance::Background, None);
    }
    let window = yield_ms.map_or(surface.yield_after, |milliseconds| {
        let (shortest, longest) = YIELD_MS;
        Duration::from_millis(milliseconds.clamp(shortest, longest) as u64)
    });
    (Attendance::Yield(window), None)
}

/// Fails closed where a call wants a place that is not there.
fn check_target(profile: Profile, arguments: &Arguments) -> Result<(), BadArguments> {
    let host = text(arguments, "host")
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase();
    let message = match host.as_str() {
        "" | "auto" | "gateway" => None,
        "sandbox" => Some("host=sandbox was asked for, but no sandbox runtime is available; leave host out to run on this machine".to_owned()),
        "node" if profile == Profile::Openclaw => Some("exec host=node requires a paired node (none available). This requires a companion app or node host.".to_owned()),
        "node" => Some("host=node was asked for, but no node is connected; leave host out to run on this machine".to_owned()),
        other if profile == Profile::Default => Some(format!("host `{}` is not known; use auto or gateway", other.escape_debug())),
        other => Some(format!("Invalid exec host \"{}\". Allowed values: auto, sandbox, gateway, node.", other.escape_debug())),
    };
    if let Some(message) = message {
        return Err(BadArguments(message));
    }
    if boolean(arguments, "elevated") {
        return Err(BadArguments(
            "elevated execution is not available; leave `elevated` out".to_owned(),
        ));
    }
    Ok(())
}

fn timeout(profile: Profile, arguments: &Arguments) -> Result<TimeLimit, BadArguments> {
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
        // OpenClaw takes whatever is not a time for no limit.
        Some(seconds) if seconds == 0.0 || profile == Profile::Openclaw => TimeLimit::Unlimited,
        Some(seconds) => {
            return Err(BadArguments(format!(
                "timeoutSeconds must be 0 (no limit) or more, not {seconds}"
            )));
        }
    })
}

fn overrides(profile: Profile, arguments: &Arguments) -> Vec<(String, String)> {
    let map = arguments.get("env").and_then(Value::as_object);
    map.into_iter()
        .flatten()
        .filter_map(|(name, value)| {
            let (name, value) = (name.trim(), value.as_str()?);
            // OpenClaw's way to ask for no pager at all.
            let no_pager = profile == Profile::Openclaw
                && matches!(name, "PAGER" | "GIT_PAGER")
                && value == "cat";
            Some((
                name.to_owned(),
                if no_pager { "" } else { value }.to_owned(),
            ))
        })
        .collect()
}
