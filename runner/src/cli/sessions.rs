//! `execgate ps`, `logs`, `send`, `wait` and `kill`: sessions of the daemon.

use std::path::PathBuf;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD as BASE64;
use clap::Args;
use execgate::exit_code;
use serde_json::{Map, Value, json};

use super::client::Client;
use super::output::{escaped, line, note, raw};
use super::{Setup, block_on};

/// List sessions: commands that run, or ran, in the background
#[derive(Args)]
pub struct Ps {
    #[command(flatten)]
    setup: Setup,
    /// Those of other workspaces too
    #[arg(long)]
    all: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Ps {
    /// Lists them.
    pub fn execute(self) -> anyhow::Result<u8> {
        let sessions = block_on(self.collect())?;
        if self.json {
            line(&serde_json::to_string(&sessions)?);
            return Ok(exit_code::SUCCESS);
        }
        if sessions.is_empty() {
            note("no sessions; `execgate run --background -- COMMAND` starts one");
        }
        for row in table(&sessions) {
            line(&row);
        }
        Ok(exit_code::SUCCESS)
    }

    async fn collect(&self) -> anyhow::Result<Vec<Value>> {
        let clients = match self.all {
            true => Client::all(&self.setup).await?,
            false => Client::if_running(&self.setup).await?.into_iter().collect(),
        };
        let mut all = Vec::new();
        for mut client in clients {
            all.extend(list(&mut client).await?);
        }
        Ok(all)
    }
}

/// Lines of a table, its head first.
fn table(sessions: &[Value]) -> Vec<String> {
    if sessions.is_empty() {
        return Vec::new();
    }
    let mut rows = vec![["ID", "STATUS", "TIME", "COMMAND"].map(str::to_owned)];
    for session in sessions {
        let text =
            |name: &str| escaped(session[name].as_str().unwrap_or_default()).replace('\n', " ");
        let status = match session["exitCode"].as_i64() {
            Some(code) if session["status"] != "running" => format!("{} {code}", text("status")),
            _ => text("status"),
        };
        rows.push([
            text("sessionId"),
            status,
            duration(session["runtimeMs"].as_u64().unwrap_or(0)),
            text("command"),
        ]);
    }
    let width = |column: usize| {
        rows.iter()
            .map(|row| row[column].chars().count())
            .max()
            .unwrap_or(0)
    };
    let [id, status, time] = [width(0), width(1), width(2)];
    rows.iter()
        .map(|[a, b, c, d]| format!("{a:id$}  {b:status$}  {c:>time$}  {d}"))
        .collect()
}

fn duration(milliseconds: u64) -> String {
    let seconds = milliseconds / 1000;
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, seconds) => format!("{seconds}s"),
        (0, minutes, seconds) => format!("{minutes}m{seconds:02}s"),
        (hours, minutes, _) => format!("{hours}h{minutes:02}m"),
    }
}

/// The sessions of a daemon, as `process list` gives them.
async fn list(client: &mut Client) -> anyhow::Result<Vec<Value>> {
    let answer = process(client, json!({"action": "list"})).await?;
    Ok(answer["details"]["sessions"]
        .as_array()
        .cloned()
        .unwrap_or_default())
}

/// A call of the tool `process`.
pub async fn process(client: &mut Client, arguments: Value) -> anyhow::Result<Value> {
    let call =
        json!({"tool": "process", "args": arguments, "interactive": super::ask::is_possible()});
    Ok(client.request("call", call).await?)
}

/// The id that an id or the beginning of one stands for.
pub async fn resolve(client: &mut Client, id: &str) -> anyhow::Result<String> {
    let sessions = list(client).await?;
    let ids: Vec<&str> = sessions
        .iter()
        .filter_map(|session| session["sessionId"].as_str())
        .collect();
    if ids.contains(&id) {
        return Ok(id.to_owned());
    }
    let matching: Vec<&str> = ids
        .into_iter()
        .filter(|known| known.starts_with(id))
        .collect();
    match matching[..] {
        [one] => Ok(one.to_owned()),
        [] => anyhow::bail!(
            "there is no session `{}`; `execgate ps` lists them",
            id.escape_debug()
        ),
        [..] => anyhow::bail!(
            "`{}` stands for several sessions: {}",
            id.escape_debug(),
            matching.join(", ")
        ),
    }
}

/// Prints what a call answered; its code is 0, or 1 where it failed.
fn answered(answer: &Value) -> u8 {
    let text = escaped(answer["text"].as_str().unwrap_or_default());
    if answer["isError"] == json!(true) {
        note(&text);
        return exit_code::ODD;
    }
    line(text.trim_end_matches('\n'));
    exit_code::SUCCESS
}

/// Show what a session has printed
#[derive(Args)]
pub struct Logs {
    #[command(flatten)]
    setup: Setup,
    /// Go on showing what it prints, until it ends
    #[arg(short, long)]
    follow: bool,
    /// Only the last lines, this many
    #[arg(short = 'n', long, value_name = "LINES")]
    lines: Option<usize>,
    /// Its id, or the beginning of it
    #[arg(value_name = "ID")]
    id: String,
}

impl Logs {
    /// Shows it.
    pub fn execute(self) -> anyhow::Result<u8> {
        block_on(async {
            let mut client = Client::running(&self.setup).await?;
            let id = resolve(&mut client, &self.id).await?;
            let mut offset = 0;
            if let Some(lines) = self.lines {
                let mut kept = Vec::new();
                offset = read(&mut client, &id, 0, false, |bytes| {
                    kept.extend_from_slice(bytes)
                })
                .await?;
                raw(last_lines(&kept, lines));
            }
            if self.follow || self.lines.is_none() {
                read(&mut client, &id, offset, self.follow, raw).await?;
            }
            Ok(exit_code::SUCCESS)
        })
    }
}

/// Takes what a session printed from an offset on, with secrets covered, and gives the offset after it.
async fn read(
    client: &mut Client,
    id: &str,
    offset: u64,
    follow: bool,
    mut take: impl FnMut(&[u8]),
) -> anyhow::Result<u64> {
    let mut end = offset;
    let attach = json!({"sessionId": id, "offset": offset, "masked": true, "follow": follow});
    let told = |_: &str, params: &Value| {
        let bytes = decoded(params);
        end = params["offset"].as_u64().unwrap_or(end) + bytes.len() as u64;
        take(&bytes);
    };
    client.request_with("attach", attach, told).await?;
    Ok(end)
}

/// The last lines of a text; a last one without its end is one too.
fn last_lines(bytes: &[u8], lines: usize) -> &[u8] {
    let within = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let mut ends = within
        .iter()
        .enumerate()
        .rev()
        .filter(|(_, byte)| **byte == b'\n');
    match lines {
        0 => &[],
        lines => ends
            .nth(lines - 1)
            .map_or(bytes, |(end, _)| &bytes[end + 1..]),
    }
}

/// Show what a session's terminal shows
#[derive(Args)]
pub struct Screen {
    #[command(flatten)]
    setup: Setup,
    /// Print JSON, with the cursor, the title and the revision
    #[arg(long)]
    json: bool,
    /// Its id, or the beginning of it
    #[arg(value_name = "ID")]
    id: String,
}

impl Screen {
    /// Shows it.
    pub fn execute(self) -> anyhow::Result<u8> {
        block_on(async {
            let mut client = Client::running(&self.setup).await?;
            let id = resolve(&mut client, &self.id).await?;
            let answer = process(
                &mut client,
                json!({"action": "screen", "sessionId": id, "styles": self.json}),
            )
            .await?;
            if answer["isError"] == json!(true) {
                return Ok(answered(&answer));
            }
            let screen = &answer["details"]["screen"];
            if self.json {
                line(&screen.to_string());
            } else {
                let rows = screen["rows"]
                    .as_array()
                    .into_iter()
                    .flatten()
                    .filter_map(Value::as_str);
                let rows: Vec<String> = rows.map(escaped).collect();
                line(rows.join("\n").trim_end_matches('\n'));
            }
            Ok(exit_code::SUCCESS)
        })
    }
}

/// Send text or keys to a session
#[derive(Args)]
pub struct Send {
    #[command(flatten)]
    setup: Setup,
    /// Send it as if it was pasted
    #[arg(long)]
    paste: bool,
    /// Press Enter after the text
    #[arg(short, long)]
    enter: bool,
    /// Press a key after the text: enter, up, C-c, M-x, f1; may be repeated
    #[arg(short, long = "key", value_name = "KEY")]
    keys: Vec<String>,
    /// Close its input after the text
    #[arg(long)]
    eof: bool,
    /// Its id, or the beginning of it
    #[arg(value_name = "ID")]
    id: String,
    /// The text
    #[arg(value_name = "TEXT", allow_hyphen_values = true)]
    text: Option<String>,
}

impl Send {
    /// Sends it.
    pub fn execute(self) -> anyhow::Result<u8> {
        block_on(async {
            let mut client = Client::running(&self.setup).await?;
            let id = resolve(&mut client, &self.id).await?;
            let actions = self.actions();
            if actions.is_empty() {
                anyhow::bail!("there is nothing to send: give TEXT, `--key`, `--enter` or `--eof`");
            }
            for mut action in actions {
                action.insert("sessionId".to_owned(), id.clone().into());
                let answer = process(&mut client, Value::Object(action)).await?;
                if answer["isError"] == json!(true) {
                    return Ok(answered(&answer));
                }
            }
            Ok(exit_code::SUCCESS)
        })
    }

    /// The calls of `process`, in order.
    fn actions(&self) -> Vec<Map<String, Value>> {
        let mut actions = Vec::new();
        let mut add = |action: Value| actions.extend(action.as_object().cloned());
        match &self.text {
            Some(text) if self.paste => add(json!({"action": "paste", "text": text})),
            Some(text) => {
                let enters = if self.enter && self.keys.is_empty() {
                    "\n"
                } else {
                    ""
                };
                add(json!({"action": "write", "data": format!("{text}{enters}"), "eof": self.eof}));
            }
            None if self.eof => add(json!({"action": "write", "data": "", "eof": true})),
            None => {}
        }
        if !self.keys.is_empty() {
            add(json!({"action": "send-keys", "keys": self.keys}));
        }
        if self.enter && (self.text.is_none() || self.paste || !self.keys.is_empty()) {
            add(json!({"action": "submit"}));
        }
        actions
    }
}

/// Wait until a session ends, or for a condition
#[derive(Args)]
pub struct Wait {
    #[command(flatten)]
    setup: Setup,
    /// Text in what it prints from now on
    #[arg(long)]
    text: Option<String>,
    /// What its output matches from now on, a regular expression
    #[arg(long)]
    pattern: Option<String>,
    /// Look for text or pattern on the screen, whatever was shown before
    #[arg(long)]
    screen: bool,
    /// Milliseconds without output
    #[arg(long, value_name = "MS")]
    quiet: Option<u64>,
    /// A TCP port that something listens on
    #[arg(long)]
    port: Option<u16>,
    /// A file that exists
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Seconds until the wait is given up
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    timeout: u64,
    /// Its id, or the beginning of it
    #[arg(value_name = "ID")]
    id: String,
}

impl Wait {
    /// Waits. Answers 0 when the condition came true, 124 when the time was up, and the command's own code when it ended and nothing else was waited for.
    pub fn execute(self) -> anyhow::Result<u8> {
        block_on(async {
            let mut client = Client::running(&self.setup).await?;
            let id = resolve(&mut client, &self.id).await?;
            let mut arguments = json!({"action": "wait", "sessionId": id, "timeout": self.timeout.saturating_mul(1000)});
            if self.screen {
                arguments["screen"] = true.into();
            }
            let conditions = [
                ("text", self.text.map(Value::from)),
                ("pattern", self.pattern.map(Value::from)),
                ("quietMs", self.quiet.map(Value::from)),
                ("port", self.port.map(Value::from)),
                (
                    "file",
                    self.file
                        .map(|file| Value::from(file.to_string_lossy().into_owned())),
                ),
            ];
            let mut is_for_end = true;
            for (name, value) in conditions {
                if let Some(value) = value {
                    arguments[name] = value;
                    is_for_end = false;
                }
            }
            let answer = process(&mut client, arguments).await?;
            let code = answered(&answer);
            Ok(ended(&answer, is_for_end).unwrap_or(code))
        })
    }
}

/// The exit code of a wait, where its answer says how it ended.
fn ended(answer: &Value, is_for_end: bool) -> Option<u8> {
    let details = &answer["details"];
    match details["wait"]["met"].as_str()? {
        "time" => Some(exit_code::TIMED_OUT),
        "exit" if is_for_end => {
            let code = details["exitCode"]
                .as_i64()
                .and_then(|code| u8::try_from(code).ok());
            Some(code.unwrap_or(exit_code::FAILURE))
        }
        "exit" => Some(exit_code::ODD),
        _ => Some(exit_code::SUCCESS),
    }
}

/// End sessions, or send them a signal
#[derive(Args)]
pub struct Kill {
    #[command(flatten)]
    setup: Setup,
    /// Send a signal in place of ending them: INT, HUP, USR1 or a number
    #[arg(short, long)]
    signal: Option<String>,
    /// Ids, or beginnings of them
    #[arg(value_name = "ID", required = true)]
    ids: Vec<String>,
}

impl Kill {
    /// Ends them.
    pub fn execute(self) -> anyhow::Result<u8> {
        block_on(async {
            let mut client = Client::running(&self.setup).await?;
            let mut worst = exit_code::SUCCESS;
            for id in &self.ids {
                let id = resolve(&mut client, id).await?;
                let arguments = match &self.signal {
                    Some(signal) => json!({"action": "signal", "sessionId": id, "signal": signal}),
                    None => json!({"action": "kill", "sessionId": id}),
                };
                worst = worst.max(answered(&process(&mut client, arguments).await?));
            }
            Ok(worst)
        })
    }
}

/// Decodes a notification's bytes.
pub fn decoded(params: &Value) -> Vec<u8> {
    let text = params["base64"].as_str().unwrap_or_default();
    // What is no base64 is not the daemon's.
    BASE64.decode(text).unwrap_or_default()
}

/// Encodes typed bytes.
pub fn encoded(bytes: &[u8]) -> String {
    BASE64.encode(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    #[test]
    fn the_last_lines_are_whole_ones() {
        let text = b"one\ntwo\nthree\n";
        assert_eq!(last_lines(text, 0), b"");
        assert_eq!(last_lines(text, 1), b"three\n");
        assert_eq!(last_lines(text, 2), b"two\nthree\n");
        assert_eq!(last_lines(text, 9), text);
        assert_eq!(last_lines(b"one\ntwo", 1), b"two");
        assert_eq!(last_lines(b"", 1), b"");
    }

    #[test]
    fn times_are_short() {
        let shown = [0, 59_999, 61_000, 3_725_000].map(duration);
        assert_eq!(shown, ["0s", "59s", "1m01s", "1h02m"]);
    }
}
