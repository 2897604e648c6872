//! What happened in a recording.

use std::time::Duration;

use serde_json::Value;

use crate::size::Size;

/// What happened at a time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// The program printed something.
    Output(String),
    /// Something was typed.
    Input(String),
    /// The terminal changed its size.
    Resize(Size),
    /// A place with a name.
    Marker(String),
}

impl Event {
    pub(super) fn line(&self, at: Duration) -> String {
        let (code, data) = match self {
            Self::Output(text) => ("o", text),
            Self::Input(text) => ("i", text),
            Self::Resize(size) => ("r", &format!("{}x{}", size.columns(), size.rows())),
            Self::Marker(label) => ("m", label),
        };
        let (seconds, micros) = (at.as_secs(), at.subsec_micros());
        let data = Value::from(data.as_str());
        format!("[{seconds}.{micros:06}, \"{code}\", {data}]\n")
    }

    /// Reads a line; no event if it is of a kind that the format may have and we do not know.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn parse(line: &str) -> Result<(Duration, Option<Self>), String> {
        let (time, code, data): (f64, String, String) =
            serde_json::from_str(line).map_err(|error| error.to_string())?;
        let at =
            Duration::try_from_secs_f64(time).map_err(|_| format!("the time `{time}` is none"))?;
        let event = match code.as_str() {
            "o" => Some(Self::Output(data)),
            "i" => Some(Self::Input(data)),
            "m" => Some(Self::Marker(data)),
            "r" => Some(Self::Resize(size(&data)?)),
            _ => None,
        };
        Ok((at, event))
    }
}

fn size(text: &str) -> Result<Size, String> {
    let none = || format!("the size `{text}` is none");
    let (columns, rows) = text.split_once('x').ok_or_else(none)?;
    let (rows, columns) = rows
        .parse()
        .ok()
        .zip(columns.parse().ok())
        .ok_or_else(none)?;
    Size::new(rows, columns).map_err(|error| error.to_string())
}
