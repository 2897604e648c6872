//! `execgate attach`: a session at this terminal, as if it had been started here.

use std::io::IsTerminal as _;

use anyhow::Context as _;
use clap::Args;
use execgate::daemon::Incoming;
use execgate::exit_code;
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcgetwinsize, tcsetattr};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _};
use tokio::net::unix::OwnedWriteHalf;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;

use super::client::Client;
use super::output::{note, raw};
use super::sessions::{decoded, encoded, process, resolve};
use super::{Setup, block_on};

/// Bytes of one read of the keyboard.
const TYPED: usize = 4096;

/// Show a session at this terminal and type into it, until it ends or the detach key is pressed
#[derive(Args)]
pub struct Attach {
    #[command(flatten)]
    setup: Setup,
    /// Key that leaves the session running: `C-` and a letter, or `\`, `]`, `^`
    #[arg(long, value_name = "KEY", default_value = r"C-\", value_parser = control)]
    detach_key: u8,
    /// Only look on: nothing is typed
    #[arg(long)]
    read_only: bool,
    /// Its id, or the beginning of it
    #[arg(value_name = "ID")]
    id: String,
}

/// The byte that a control key sends.
fn control(text: &str) -> Result<u8, String> {
    let key = text
        .strip_prefix("C-")
        .or_else(|| text.strip_prefix("ctrl-"));
    match key.map(str::as_bytes) {
        Some([key])
            if matches!(
                key.to_ascii_uppercase(),
                b'A'..=b'Z' | b'\\' | b']' | b'^' | b'_'
            ) =>
        {
            Ok(key.to_ascii_uppercase() & 0x1F)
        }
        _ => Err(r"give it as C-\ or C-b".to_owned()),
    }
}

/// What happens at this end.
enum Here {
    Typed(Vec<u8>),
    /// Nothing more will be typed.
    Closed,
    Resized,
}

/// How it came to its end.
enum Over {
    Detached,
    Ended,
}

impl Attach {
    /// Attaches.
    pub fn execute(self) -> anyhow::Result<u8> {
        block_on(async {
            let mut client = Client::running(&self.setup).await?;
            let id = resolve(&mut client, &self.id).await?;
            let raw_mode = Raw::enter()?;
            if raw_mode.is_some() {
                note(&format!(
                    "attached to {id}; {} leaves it running\r",
                    key_name(self.detach_key)
                ));
            }
            let over = self.follow(client, &id).await;
            drop(raw_mode);
            match over? {
                Over::Detached => {
                    note(&format!(
                        "left {id} running; `execgate attach {id}` comes back"
                    ));
                    Ok(exit_code::SUCCESS)
                }
                Over::Ended => self.report(&id).await,
            }
        })
    }

    /// Says how the session ended, with its own code.
    async fn report(&self, id: &str) -> anyhow::Result<u8> {
        let mut client = Client::running(&self.setup).await?;
        let answer = process(&mut client, json!({"action": "poll", "sessionId": id})).await?;
        let code = answer["details"]["exitCode"].as_i64();
        note(&match code {
            Some(code) => format!("{id} ended with exit code {code}"),
            None => format!("{id} ended"),
        });
        Ok(code
            .and_then(|code| u8::try_from(code).ok())
            .unwrap_or(exit_code::SUCCESS))
    }

    async fn follow(&self, mut client: Client, id: &str) -> anyhow::Result<Over> {
        let attached = client
            .send("attach", json!({"sessionId": id, "follow": true}))
            .await?;
        let (mut reader, mut writer) = client.split();
        let mut here = self.watch_this_end()?;
        let mut line = String::new();
        resize(&mut writer, id).await?;
        loop {
            tokio::select! {
                read = reader.read_line(&mut line) => {
                    if read? == 0 {
                        anyhow::bail!("the daemon has closed the connection");
                    }
                    match serde_json::from_str(&line)? {
                        Incoming::Notification { method, params } if method == "output" => raw(&decoded(&params)),
                        Incoming::Result { id, .. } if id == json!(attached) => return Ok(Over::Ended),
                        Incoming::Error { id, error } if id == json!(attached) => return Err(error.into()),
                        // Typing into what has just ended is no error worth a word.
                        _ => {}
                    }
                    line.clear();
                }
                Some(happened) = here.recv() => match happened {
                    Here::Resized => resize(&mut writer, id).await?,
                    Here::Closed => self.type_in(&mut writer, id, &[], true).await?,
                    Here::Typed(bytes) => {
                        let end = bytes.iter().position(|byte| *byte == self.detach_key);
                        let typed = &bytes[..end.unwrap_or(bytes.len())];
                        if !typed.is_empty() {
                            self.type_in(&mut writer, id, typed, false).await?;
                        }
                        if end.is_some() {
                            return Ok(Over::Detached);
                        }
                    }
                },
            }
        }
    }

    async fn type_in(
        &self,
        writer: &mut OwnedWriteHalf,
        id: &str,
        bytes: &[u8],
        eof: bool,
    ) -> anyhow::Result<()> {
        if self.read_only {
            return Ok(());
        }
        send(
            writer,
            "input",
            json!({"sessionId": id, "base64": encoded(bytes), "eof": eof}),
        )
        .await
    }

    /// Reads the keyboard on a thread of its own, and hears of the window's changes.
    fn watch_this_end(&self) -> anyhow::Result<mpsc::Receiver<Here>> {
        let (sender, receiver) = mpsc::channel(16);
        let is_terminal = std::io::stdin().is_terminal();
        let keys = sender.clone();
        std::thread::Builder::new()
            .name("execgate-keys".to_owned())
            .spawn(move || {
                use std::io::Read as _;
                let mut buffer = [0; TYPED];
                loop {
                    match std::io::stdin().read(&mut buffer) {
                        Ok(0) | Err(_) => break,
                        Ok(count) => {
                            if keys
                                .blocking_send(Here::Typed(buffer[..count].to_vec()))
                                .is_err()
                            {
                                return;
                            }
                        }
                    }
                }
                // The end of a pipe is the end of the input; a terminal that hangs up ends this program anyway.
                if !is_terminal {
                    let _ = keys.blocking_send(Here::Closed);
                }
            })?;
        let mut changes = signal(SignalKind::window_change())?;
        tokio::spawn(async move {
            while changes.recv().await.is_some() {
                if sender.send(Here::Resized).await.is_err() {
                    return;
                }
            }
        });
        Ok(receiver)
    }
}

/// Gives the session's window the size of this one, if both have one.
async fn resize(writer: &mut OwnedWriteHalf, id: &str) -> anyhow::Result<()> {
    let Ok(size) = tcgetwinsize(std::io::stdout()) else {
        return Ok(());
    };
    if size.ws_col == 0 || size.ws_row == 0 {
        return Ok(());
    }
    send(
        writer,
        "resize",
        json!({"sessionId": id, "columns": size.ws_col, "rows": size.ws_row}),
    )
    .await
}

/// Sends a notification: its answer is not waited for.
async fn send(writer: &mut OwnedWriteHalf, method: &str, params: Value) -> anyhow::Result<()> {
    let request = json!({"jsonrpc": "2.0", "method": method, "params": params});
    let sent = writer.write_all(format!("{request}\n").as_bytes()).await;
    sent.context("the daemon has closed the connection")
}

fn key_name(key: u8) -> String {
    format!("Ctrl-{}", char::from(key | 0x40))
}

/// The terminal without line editing and signals of its own, until this is dropped.
struct Raw(Termios);

impl Raw {
    /// Changes the terminal, if there is one.
    fn enter() -> anyhow::Result<Option<Self>> {
        let stdin = std::io::stdin();
        if !stdin.is_terminal() {
            return Ok(None);
        }
        let before = tcgetattr(&stdin).context("the terminal cannot be asked for its mode")?;
        let mut mode = before.clone();
        mode.make_raw();
        tcsetattr(&stdin, OptionalActions::Drain, &mode)
            .context("the terminal cannot be put into raw mode")?;
        Ok(Some(Self(before)))
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        // A terminal that is gone needs no mode.
        let _ = tcsetattr(std::io::stdin(), OptionalActions::Drain, &self.0);
    }
}
