//! OpenClaw's `process`, which the default profile takes over and adds to.

use std::time::Duration;

use regex::Regex;
use serde_json::Value;

use super::{Argument, Arguments, Call, Shape, Surface, argument, boolean, check, list, text};
use crate::profile::Profile;
use crate::request::{BadArguments, Caller};
use crate::session::action::{Act, Action, KeyData, Keys, ProcessRequest, Range, Wait};
use crate::session::{Look, signals};
use crate::terminal::WindowSize;

/// What the tool is for, as a model reads it.
pub(super) const DESCRIPTION: &str = "Look after commands in the background: list them, see what they print, wait for a condition, send input or keys, end them.";

/// OpenClaw's actions.
const ACTIONS: &[&str] = &[
    "list",
    "poll",
    "log",
    "write",
    "send-keys",
    "submit",
    "paste",
    "kill",
    "clear",
    "remove",
];

/// The default profile's further actions.
const MORE_ACTIONS: &[&str] = &["wait", "read", "search", "signal", "screen", "resize"];

/// The surface's arguments.
const ARGUMENTS: &[Argument] = &[
    argument("action", Shape::Text, "What to do"),
    argument("sessionId", Shape::Text, "The session; `list` names them"),
    argument("data", Shape::Text, "Text for write"),
    argument(
        "keys",
        Shape::TextList,
        "Names of keys for send-keys: enter, up, C-c, M-x, f1",
    ),
    argument("hex", Shape::TextList, "Bytes in hex for send-keys"),
    argument(
        "literal",
        Shape::Text,
        "Text that send-keys sends before the keys",
    ),
    argument("text", Shape::Text, "Text for paste; text that wait is for"),
    argument(
        "bracketed",
        Shape::Boolean,
        "Whether paste tells the program that it is one; true if absent",
    ),
    argument("eof", Shape::Boolean, "Whether write closes the input"),
    argument(
        "offset",
        Shape::Number,
        "First line for log, from 0; first byte for read",
    ),
    argument(
        "limit",
        Shape::Number,
        "How many lines for log and search, bytes for read",
    ),
    argument(
        "timeout",
        Shape::Any,
        "How long poll or wait waits at most, in milliseconds",
    ),
];

/// The default profile's further arguments.
const MORE_ARGUMENTS: &[Argument] = &[
    argument(
        "pattern",
        Shape::Text,
        "Regular expression for search, or that wait is for",
    ),
    argument(
        "context",
        Shape::Number,
        "Lines around each that search finds",
    ),
    argument(
        "raw",
        Shape::Boolean,
        "Whether read leaves control bytes as they are",
    ),
    argument(
        "quietMs",
        Shape::Number,
        "Milliseconds without output that wait is for",
    ),
    argument(
        "port",
        Shape::Number,
        "TCP port that wait is for: something listens on it",
    ),
    argument("file", Shape::Text, "File that wait is for: it exists"),
    argument("signal", Shape::Any, "Name or number for signal"),
    argument(
        "screen",
        Shape::Boolean,
        "Whether wait looks for text and pattern on the screen, and not in new output",
    ),
    argument(
        "since",
        Shape::Number,
        "Revision of an earlier screen: only rows that differ are shown",
    ),
    argument(
        "styles",
        Shape::Boolean,
        "Whether screen tells colours and the like in its details",
    ),
    argument("columns", Shape::Number, "Columns for resize, 1 to 500"),
    argument("rows", Shape::Number, "Rows for resize, 1 to 500"),
];

/// The longest poll, in milliseconds.
const LONGEST_POLL_MS: f64 = 30_000.0;

/// How long a wait lasts that names no time, and at most, in milliseconds.
const WAIT_MS: (f64, f64) = (30_000.0, 600_000.0);

/// Lines that search shows of itself, and at most.
const MATCHES: (f64, f64) = (50.0, 1000.0);

/// Lines around a match, at most.
const CONTEXT: f64 = 20.0;

/// Bytes that a pattern's program may take.
const PATTERN_BYTES: usize = 1 << 20;

/// The surface's arguments in a profile.
pub(super) fn arguments(profile: Profile) -> Vec<Argument> {
    let more: &[Argument] = match profile {
        Profile::Default => MORE_ARGUMENTS,
        Profile::Openclaw | Profile::Picoclaw => &[],
    };
    ARGUMENTS.iter().chain(more).copied().collect()
}

fn actions(profile: Profile) -> Vec<&'static str> {
    let more: &[&str] = match profile {
        Profile::Default => MORE_ACTIONS,
        Profile::Openclaw | Profile::Picoclaw => &[],
    };
    ACTIONS.iter().chain(more).copied().collect()
}

/// Reads a call.
pub(super) fn read(
    surface: &Surface,
    arguments: &Arguments,
    caller: Caller,
) -> Result<Call, BadArguments> {
    let actions = actions(surface.profile);
    let action = text(arguments, "action").unwrap_or_default();
    if !actions.contains(&action) {
        return Err(BadArguments(format!(
            "Invalid process action. Expected one of: {}",
            actions.join(", ")
        )));
    }
    check(&self::arguments(surface.profile), arguments).map_err(|problem| {
        BadArguments(format!("invalid arguments for tool \"process\": {problem}"))
    })?;
    let action = match action {
        "list" => Action::List,
        _ => Action::On {
            session_id: text(arguments, "sessionId")
                .unwrap_or_default()
                .trim()
                .to_owned(),
            act: act(surface, action, arguments)?,
        },
    };
    Ok(Call::Process(Box::new(ProcessRequest { caller, action })))
}

fn act(surface: &Surface, action: &str, arguments: &Arguments) -> Result<Act, BadArguments> {
    let owned = |name: &str| text(arguments, name).unwrap_or_default().to_owned();
    Ok(match action {
        "poll" => Act::Poll(poll_time(arguments.get("timeout"))),
        "wait" => Act::Wait(wait(arguments)?),
        "log" => Act::Log {
            offset: number(arguments, "offset"),
            limit: number(arguments, "limit"),
        },
        "read" => Act::Read(Range {
            offset: count(arguments, "offset")?,
            limit: match count(arguments, "limit")? {
                None => surface.read_bytes,
                Some(0) => return Err(BadArguments("limit must be 1 or more".to_owned())),
                Some(limit) => limit,
            },
            raw: boolean(arguments, "raw"),
        }),
        "search" => {
            let pattern = text(arguments, "pattern");
            let pattern =
                pattern.ok_or_else(|| BadArguments("search needs a `pattern`".to_owned()))?;
            Act::Search {
                pattern: compile(pattern)?,
                context: bounded(arguments, "context", (0.0, CONTEXT)) as usize,
                limit: bounded(arguments, "limit", MATCHES) as usize,
            }
        }
        "write" => Act::Write {
            data: owned("data"),
            eof: boolean(arguments, "eof"),
        },
        "submit" => Act::Submit,
        "paste" => Act::Paste {
            text: owned("text"),
            bracketed: bracketed(surface.profile, arguments),
        },
        "send-keys" => Act::SendKeys(Keys::Openclaw(KeyData {
            literal: owned("literal"),
            hex: list(arguments, "hex"),
            keys: list(arguments, "keys"),
        })),
        "signal" => Act::Signal(signal(arguments)?),
        "screen" => Act::Screen(Look {
            since: count(arguments, "since")?,
            styles: boolean(arguments, "styles"),
        }),
        "resize" => Act::Resize(WindowSize {
            columns: side(arguments, "columns")?,
            rows: side(arguments, "rows")?,
        }),
        "kill" => Act::Kill,
        "clear" => Act::Clear,
        _ => Act::Remove,
    })
}

/// Whether pasted text goes between marks: OpenClaw's clients get them unless they say otherwise, others as the program asked for.
fn bracketed(profile: Profile, arguments: &Arguments) -> Option<bool> {
    match (arguments.contains_key("bracketed"), profile) {
        (true, _) => Some(boolean(arguments, "bracketed")),
        (false, Profile::Default) => None,
        (false, Profile::Openclaw | Profile::Picoclaw) => Some(true),
    }
}

/// One side of a window.
fn side(arguments: &Arguments, name: &str) -> Result<u16, BadArguments> {
    let given = count(arguments, name)?.unwrap_or(0);
    let side = u16::try_from(given)
        .ok()
        .filter(|side| (1..=WindowSize::MOST).contains(side));
    side.ok_or_else(|| {
        BadArguments(format!(
            "resize needs `columns` and `rows` from 1 to {}",
            WindowSize::MOST
        ))
    })
}

/// A number, or a whole one written as text; whatever else is no waiting at all.
fn poll_time(value: Option<&Value>) -> Duration {
    let number = match value {
        Some(Value::String(text)) => text.trim().parse::<i64>().ok().map(|number| number as f64),
        Some(value) => value.as_f64(),
        None => None,
    };
    Duration::from_millis(number.unwrap_or(0.0).clamp(0.0, LONGEST_POLL_MS) as u64)
}

fn wait(arguments: &Arguments) -> Result<Wait, BadArguments> {
    let port = match number(arguments, "port") {
        None => None,
        Some(port) if port.fract() == 0.0 && (1.0..=65_535.0).contains(&port) => Some(port as u16),
        Some(port) => {
            return Err(BadArguments(format!(
                "port must be from 1 to 65535, not {port}"
            )));
        }
    };
    let milliseconds = |number: f64| Duration::from_millis(number.clamp(0.0, WAIT_MS.1) as u64);
    if let Some(quiet) = number(arguments, "quietMs").filter(|quiet| *quiet < 0.0) {
        return Err(BadArguments(format!(
            "quietMs must be 0 or more, not {quiet}"
        )));
    }
    let filled = |name: &str| text(arguments, name).filter(|text| !text.is_empty());
    Ok(Wait {
        screen: boolean(arguments, "screen"),
        text: filled("text").map(str::to_owned),
        pattern: filled("pattern").map(compile).transpose()?,
        quiet: number(arguments, "quietMs").map(milliseconds),
        port,
        file: filled("file").map(Into::into),
        timeout: match arguments.get("timeout") {
            None => milliseconds(WAIT_MS.0),
            Some(value) => match value.as_f64() {
                Some(number) if number >= 0.0 => milliseconds(number),
                Some(_) | None => {
                    return Err(BadArguments(
                        "timeout must be a number of milliseconds from 0 on".to_owned(),
                    ));
                }
            },
        },
    })
}

fn signal(arguments: &Arguments) -> Result<i32, BadArguments> {
    let given = arguments.get("signal").cloned().unwrap_or_default();
    let name = given
        .as_str()
        .map_or_else(|| given.to_string(), str::to_owned);
    signals::parse(&name).ok_or_else(|| {
        BadArguments(format!(
            "signal `{}` is not known; give a name such as INT or TERM, or its number",
            name.escape_debug()
        ))
    })
}

fn compile(pattern: &str) -> Result<Regex, BadArguments> {
    regex::RegexBuilder::new(pattern)
        .multi_line(true)
        .size_limit(PATTERN_BYTES)
        .build()
        .map_err(|error| {
            let message = error.to_string();
            let last = message.lines().last().unwrap_or_default();
            BadArguments(format!(
                "pattern `{}` cannot be used: {}",
                pattern.escape_debug(),
                last.trim_start_matches("error: ")
            ))
        })
}

fn number(arguments: &Arguments, name: &str) -> Option<f64> {
    arguments.get(name).and_then(Value::as_f64)
}

/// A number within bounds; the lower one where none is given, the upper one at most.
fn bounded(arguments: &Arguments, name: &str, (usual, most): (f64, f64)) -> f64 {
    number(arguments, name).map_or(usual, |number| number.clamp(0.0, most))
}

/// A whole number from 0 on.
fn count(arguments: &Arguments, name: &str) -> Result<Option<u64>, BadArguments> {
    match number(arguments, name) {
        None => Ok(None),
        Some(number) if number >= 0.0 && number.fract() == 0.0 => Ok(Some(number as u64)),
        Some(number) => Err(BadArguments(format!(
            "{name} must be a whole number of bytes from 0 on, not {number}"
        ))),
    }
}
