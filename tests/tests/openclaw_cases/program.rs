//! A program that stands for a session of a row.

use serde_json::{Value, json};

/// How long a session lives that its time limit is to end, in seconds: long enough to print before.
const LIFE: u64 = 2;

/// What is started for a session, and what is done to it until it stands as the row says.
#[derive(Debug)]
pub struct Program {
    /// The arguments of `exec`.
    pub arguments: Value,
    /// What it is given to read.
    pub data: String,
    /// Whether that is all it is given.
    pub eof: bool,
    /// Whether it is to be killed by the tool.
    pub is_killed: bool,
    /// A file by whose existence it tells that it is ready to read.
    pub tells_by_file: bool,
    /// Whether it tells by printing something.
    pub tells_by_output: bool,
}

impl Program {
    /// The program for a session; `record` is the file in which it keeps what it reads.
    pub fn of(input: &Value, record: Option<&str>) -> Self {
        let reader = match record {
            Some(file) => format!("cat > {file}"),
            None => reader(input),
        };
        let mut program = Self {
            arguments: json!({"background": true}),
            data: printed(input),
            eof: false,
            is_killed: false,
            tells_by_file: false,
            tells_by_output: false,
        };
        let command = match input.get("exit") {
            Some(exit) => program.ending(exit, &reader),
            None => match input["cursorKeyMode"].as_str() {
                Some(mode) => program.on_terminal(mode, &reader),
                None => reader,
            },
        };
        program.arguments["command"] = command.into();
        program
    }

    /// Ends as a row says.
    fn ending(&mut self, exit: &Value, reader: &str) -> String {
        let signal = exit["signal"].as_str().unwrap_or_default();
        let signal = signal.trim_start_matches("SIG");
        match exit["reason"].as_str().unwrap_or("exit") {
            "overall-timeout" => {
                self.arguments["timeoutSeconds"] = LIFE.into();
                let stays = if signal == "KILL" {
                    "trap '' TERM; "
                } else {
                    ""
                };
                let data = std::mem::take(&mut self.data);
                format!("{stays}printf %s '{data}'; {reader}")
            }
            "manual-cancel" => {
                self.is_killed = true;
                reader.to_owned()
            }
            "signal" => {
                self.eof = true;
                format!("{reader}; kill -{signal} $$")
            }
            _ => {
                self.eof = true;
                format!("{reader}; exit {}", exit["code"])
            }
        }
    }

    /// Reads from a terminal byte by byte, having chosen a mode for the cursor keys, or none.
    fn on_terminal(&mut self, mode: &str, reader: &str) -> String {
        self.arguments["pty"] = true.into();
        let tells = match mode {
            "application" => "printf '\\033[?1h'",
            "normal" => "printf '\\033[?1l'",
            _ => ": > ready",
        };
        self.tells_by_file = mode == "unknown";
        self.tells_by_output = !self.tells_by_file;
        format!("stty raw -echo; {tells}; {reader}")
    }
}

/// Prints what it reads; a piece for standard error there.
fn reader(input: &Value) -> String {
    let pieces = pieces(input);
    if pieces.iter().all(|(stream, _)| *stream == "stdout") {
        return "cat".to_owned();
    }
    let heads: String = pieces
        .iter()
        .map(|(stream, text)| {
            let target = if *stream == "stderr" { " >&2" } else { "" };
            format!("head -c {}{target}; ", text.len())
        })
        .collect();
    format!("{heads}cat")
}

/// Everything that a session has printed.
fn printed(input: &Value) -> String {
    let pieces = pieces(input);
    pieces.into_iter().map(|(_, text)| text).collect()
}

/// What a session has printed, with the streams.
fn pieces(input: &Value) -> Vec<(&str, String)> {
    let output = input["output"].as_array().map(Vec::as_slice);
    let piece = |piece: &'_ Value| match piece.as_array().map(Vec::as_slice) {
        Some([stream, text]) => (stream.as_str() == Some("stderr"), spelled(text)),
        _ => (false, spelled(piece)),
    };
    let pieces = output.unwrap_or_default().iter().map(piece);
    pieces
        .map(|(is_error, text)| (if is_error { "stderr" } else { "stdout" }, text))
        .collect()
}

/// A text, or one that is repeated.
fn spelled(text: &Value) -> String {
    match (text["repeat"].as_str(), text["times"].as_u64()) {
        (Some(part), Some(times)) => part.repeat(usize::try_from(times).expect("it fits")),
        _ => text.as_str().unwrap_or_default().to_owned(),
    }
}
