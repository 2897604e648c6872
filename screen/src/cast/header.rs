//! The first line of a recording.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Map, Value, json};

use super::error::CastError;
use crate::size::Size;

/// The only version of the format that is read and written.
const VERSION: u64 = 2;

/// What a recording is of.
#[derive(Debug, Clone, PartialEq)]
pub struct Header {
    /// Rows and columns at the beginning.
    pub size: Size,
    /// Seconds from the beginning of 1970 to the beginning of the recording.
    pub timestamp_s: Option<u64>,
    /// The longest pause that is worth while playing.
    pub idle_limit: Option<Duration>,
    /// What was run. Leave out what is secret.
    pub command: Option<String>,
    /// What to call it.
    pub title: Option<String>,
    /// `TERM` and `SHELL` of what was run; others are not written.
    pub environment: BTreeMap<String, String>,
}

/// The variables that a recording names: others may be secret.
const NAMED: [&str; 2] = ["TERM", "SHELL"];

impl Header {
    /// Creates a header that says no more than it must.
    pub fn new(size: Size) -> Self {
        Self {
            size,
            timestamp_s: None,
            idle_limit: None,
            command: None,
            title: None,
            environment: BTreeMap::new(),
        }
    }

    pub(super) fn line(&self) -> String {
        let named = |(name, _): &(&String, &String)| NAMED.contains(&name.as_str());
        let environment: BTreeMap<_, _> = self.environment.iter().filter(named).collect();
        let mut header = json!({
            "version": VERSION,
            "width": self.size.columns(),
            "height": self.size.rows(),
        });
        let optional = [
            ("timestamp", self.timestamp_s.map(Value::from)),
            (
                "idle_time_limit",
                self.idle_limit.map(|limit| limit.as_secs_f64().into()),
            ),
            ("command", self.command.clone().map(Value::from)),
            ("title", self.title.clone().map(Value::from)),
            ("env", (!environment.is_empty()).then(|| json!(environment))),
        ];
        for (name, value) in optional {
            if let Some(value) = value {
                header[name] = value;
            }
        }
        format!("{header}\n")
    }

    pub(super) fn parse(line: &str) -> Result<Self, CastError> {
        let problem = |problem: String| CastError::Header(problem);
        let value: Value =
            serde_json::from_str(line).map_err(|error| problem(error.to_string()))?;
        let object = value
            .as_object()
            .ok_or_else(|| problem("it is no object".to_owned()))?;
        match object.get("version").and_then(Value::as_u64) {
            Some(VERSION) => {}
            Some(other) => return Err(CastError::Version(other)),
            None => return Err(problem("it has no version".to_owned())),
        }
        let dimension = |name: &str| {
            let number = object.get(name).and_then(Value::as_u64);
            let number = number.ok_or_else(|| problem(format!("`{name}` is no number")))?;
            Ok::<_, CastError>(u16::try_from(number).unwrap_or(u16::MAX))
        };
        let size = Size::new(dimension("height")?, dimension("width")?);
        let size = size.map_err(|error| problem(error.to_string()))?;
        Ok(Self::optional(object, size))
    }

    /// Reads what need not be there; what is of another kind counts as not there.
    fn optional(object: &Map<String, Value>, size: Size) -> Self {
        let text = |name| object.get(name).and_then(Value::as_str).map(str::to_owned);
        let limit = object.get("idle_time_limit").and_then(Value::as_f64);
        let environment = object.get("env").and_then(Value::as_object);
        let pairs = environment.into_iter().flatten();
        Self {
            size,
            // Some programs write fractions.
            timestamp_s: object
                .get("timestamp")
                .and_then(Value::as_f64)
                .map(|time| time as u64),
            idle_limit: limit.and_then(|limit| Duration::try_from_secs_f64(limit).ok()),
            command: text("command"),
            title: text("title"),
            environment: pairs
                .filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned())))
                .collect(),
        }
    }
}
