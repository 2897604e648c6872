//! `execgate run`: one command in the foreground, no daemon.

use std::io::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use execgate::keeper::{Output, Stdin};
use execgate::{
    Attachment, Caller, ExecRequest, Load, Outcome, Response, Runner, Stream, TimeLimit, exit_code,
};
use serde_json::{Value, json};

use super::ask::{self, Terminal};
use super::client::Client;
use super::output::{escaped, line, note};
use super::{Setup, block_on};

/// Run one command in the foreground
#[derive(Args)]
pub struct Run {
    #[command(flatten)]
    setup: Setup,
    /// Seconds until the command is stopped; 0 for no limit
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    timeout: Option<f64>,
    /// Print one line of JSON about the command when it has ended, in place of its output
    #[arg(long)]
    json: bool,
    /// Directory to run in, seen from the workspace
    #[arg(long, value_name = "DIR")]
    cwd: Option<PathBuf>,
    /// Set a variable for the command
    #[arg(long = "env", value_name = "NAME=VALUE", value_parser = parse_variable)]
    variables: Vec<(String, String)>,
    /// Let the command read standard input
    #[arg(long)]
    stdin: bool,
    /// Run it on a terminal of its own
    #[arg(long, conflicts_with = "stdin")]
    pty: bool,
    /// Record what it prints into a new file, as asciicast v2; `replay` plays it
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Run it in the background and print its session's id; `ps`, `logs`, `attach`, `send`, `wait` and `kill` look after it
    #[arg(long, conflicts_with = "stdin")]
    background: bool,
    /// One argument is shell text; several are a program and its arguments
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<String>,
}

pub fn parse_seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds.is_finite() && seconds >= 0.0 => Ok(seconds),
        Ok(_) | Err(_) => Err("give a number of seconds from 0 on".to_owned()),
    }
}

fn parse_variable(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        Some(_) | None => Err("give it as NAME=VALUE".to_owned()),
    }
}

impl Run {
    /// Runs the command and answers with its exit code.
    pub fn execute(self) -> anyhow::Result<u8> {
        if self.background {
            return block_on(self.leave());
        }
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        runtime.block_on(self.run())
    }

    async fn run(self) -> anyhow::Result<u8> {
        let config = self.setup.load(Vec::new())?;
        let runner = Runner::new(&config, Terminal::if_present(), Load::Single).await?;
        let json = self.json;
        let attachment = Attachment {
            stdin: if self.stdin {
                Stdin::Inherit
            } else {
                Stdin::Eof
            },
            output: Output::Separate,
            observer: if json { None } else { Some(Box::new(print)) },
            follow: None,
            cancel: Box::pin(interrupted()),
        };
        let response = runner.exec(self.request(), attachment).await;
        let code = report(&response, json);
        if survivors(&response) > 0 {
            // They must be gone before the answer is. Without any the keeper ends by itself.
            runner.shutdown().await;
        }
        Ok(code)
    }

    /// Hands the command to the daemon.
    async fn leave(self) -> anyhow::Result<u8> {
        let mut client = Client::started(&self.setup).await?;
        let mut arguments = json!({
            "command": command_text(&self.command), "background": true, "pty": self.pty, "stdin": "open", "notify": false,
        });
        if let Some(cwd) = &self.cwd {
            arguments["workdir"] = cwd.to_string_lossy().into();
        }
        if !self.variables.is_empty() {
            arguments["env"] = self
                .variables
                .iter()
                .map(|(name, value)| (name.clone(), Value::from(value.as_str())))
                .collect();
        }
        if let Some(seconds) = self.timeout.filter(|seconds| *seconds > 0.0) {
            arguments["timeoutSeconds"] = seconds.into();
        }
        let record = self.record.map(std::path::absolute).transpose()?;
        let call = json!({"tool": "exec", "args": arguments, "interactive": ask::is_possible(), "record": record});
        let answer = client.request("call", call).await?;
        if self.json {
            line(&answer.to_string());
        }
        let details = &answer["details"];
        match details["sessionId"].as_str() {
            Some(id) if answer["isError"] != json!(true) => {
                if !self.json {
                    line(id);
                }
                Ok(exit_code::SUCCESS)
            }
            _ => {
                if !self.json {
                    note(&escaped(answer["text"].as_str().unwrap_or_default()));
                }
                Ok(match details["verdict"].as_str() {
                    Some("ask" | "deny") => exit_code::REFUSED,
                    _ => exit_code::FAILURE,
                })
            }
        }
    }

    fn request(self) -> ExecRequest {
        let timeout = match self.timeout {
            None => TimeLimit::Configured,
            Some(0.0) => TimeLimit::Unlimited,
            Some(seconds) => {
                TimeLimit::After(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
            }
        };
        ExecRequest {
            command: command_text(&self.command),
            cwd: self.cwd.map(|cwd| cwd.to_string_lossy().into_owned()),
            env: self.variables,
            timeout,
            caller: Caller::local(),
            terminal: self.pty,
            record: self.record,
            ..ExecRequest::default()
        }
    }
}

/// One argument is shell text, several are an argument vector, each quoted.
fn command_text(arguments: &[String]) -> String {
    match arguments {
        [text] => text.clone(),
        words => words
            .iter()
            .map(|word| quoted(word))
            .collect::<Vec<_>>()
            .join(" "),
    }
}

fn quoted(word: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-./:@%+,".contains(&byte);
    if !word.is_empty() && word.bytes().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

fn print(stream: Stream, chunk: &[u8]) {
    // A reader that went away does not end the command; the record is complete all the same.
    let _ = match stream {
        Stream::Output => {
            let mut stdout = std::io::stdout().lock();
            stdout.write_all(chunk).and_then(|()| stdout.flush())
        }
        Stream::Error => std::io::stderr().lock().write_all(chunk),
    };
}

/// Completes at an interrupt or a request to end.
async fn interrupted() {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut interrupt), Ok(mut terminate)) = (
        signal(SignalKind::interrupt()),
        signal(SignalKind::terminate()),
    ) else {
        return std::future::pending().await;
    };
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
}

/// Says what the output does not say, and gives the exit code.
fn report(response: &Response, json: bool) -> u8 {
    if json {
        line(&json!({"isError": response.is_error, "text": response.text, "details": response.details}).to_string());
    } else {
        explain(response);
    }
    match response.outcome {
        Outcome::Exited(code) => u8::try_from(code).unwrap_or(exit_code::FAILURE),
        Outcome::Signaled(signal) => u8::try_from(signal)
            .ok()
            .and_then(|signal| exit_code::SIGNAL_BASE.checked_add(signal))
            .unwrap_or(exit_code::FAILURE),
        Outcome::TimedOut => exit_code::TIMED_OUT,
        Outcome::Cancelled => exit_code::SIGNAL_BASE + 2,
        Outcome::Refused => exit_code::REFUSED,
        Outcome::NotStarted
        | Outcome::Lost
        | Outcome::BadArguments
        | Outcome::Running
        | Outcome::Managed => exit_code::FAILURE,
    }
}

/// How many processes the command left behind.
fn survivors(response: &Response) -> usize {
    let survivors = response.details.get("survivors").and_then(Value::as_array);
    survivors.map_or(0, Vec::len)
}

fn explain(response: &Response) {
    match response.outcome {
        Outcome::Exited(_) | Outcome::Signaled(_) | Outcome::Running | Outcome::Managed => {}
        Outcome::TimedOut => note(
            "execgate: the command was stopped: its time was up; give it more with `--timeout`",
        ),
        Outcome::Cancelled => note("execgate: the command was stopped"),
        Outcome::Lost => {
            note("execgate: what became of the command is not known: its keeper was killed")
        }
        Outcome::Refused | Outcome::NotStarted | Outcome::BadArguments => {
            note(&format!("execgate: {}", response.text))
        }
    }
    let count = survivors(response);
    if count > 0 {
        note(&format!(
            "execgate: stopped {count} process(es) that the command left behind"
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_arguments_are_quoted() {
        let text = |words: &[&str]| {
            command_text(
                &words
                    .iter()
                    .map(|word| (*word).to_owned())
                    .collect::<Vec<_>>(),
            )
        };
        assert_eq!(text(&["echo a; ls"]), "echo a; ls");
        assert_eq!(
            text(&["echo", "a b", "it's", "", "-x=1"]),
            r"echo 'a b' 'it'\''s' '' '-x=1'"
        );
    }
}
