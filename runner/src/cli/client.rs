//! The client's side of the daemon: find it, start it, ask it.

use std::os::unix::fs::OpenOptionsExt as _;
use std::process::Stdio;

use anyhow::Context as _;
use execgate::daemon::{Endpoint, ErrorObject, Incoming};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::UnixStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};

use super::Setup;
use super::ask;

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum Remote {
    /// The daemon says why.
    #[error(transparent)]
    Error(#[from] ErrorObject),
    /// It does not answer any more.
    #[error(
        "the daemon has closed the connection; see its log, or start it by hand with `execgate serve`"
    )]
    Gone,
    /// It answers what nobody understands.
    #[error(
        "the daemon's answer cannot be read: {0}; is it another version? `execgate serve --restart` replaces it"
    )]
    Unreadable(String),
}

/// A connection to a daemon.
pub struct Client {
    reader: BufReader<OwnedReadHalf>,
    writer: OwnedWriteHalf,
    last: u64,
}

impl Client {
    fn new(stream: UnixStream) -> Self {
        let (reader, writer) = stream.into_split();
        Self {
            reader: BufReader::new(reader),
            writer,
            last: 0,
        }
    }

    /// Connects to the daemon of the workspace, if it runs.
    pub async fn if_running(setup: &Setup) -> anyhow::Result<Option<Self>> {
        Ok(endpoint(setup)?.connect().await.map(Self::new))
    }

    /// Connects to the daemon of the workspace, or says that there is none.
    pub async fn running(setup: &Setup) -> anyhow::Result<Self> {
        let client = Self::if_running(setup).await?;
        client.context("no daemon runs for this workspace: nothing was started in the background here; `execgate ps --all` lists what runs elsewhere")
    }

    /// Connects to every daemon of the state directory.
    pub async fn all(setup: &Setup) -> anyhow::Result<Vec<Self>> {
        let mut clients = Vec::new();
        for endpoint in Endpoint::all(&setup.load(Vec::new())?) {
            clients.extend(endpoint.connect().await.map(Self::new));
        }
        Ok(clients)
    }

    /// Connects to the daemon of the workspace, which is started where it does not run.
    pub async fn started(setup: &Setup) -> anyhow::Result<Self> {
        let endpoint = endpoint(setup)?;
        if let Some(stream) = endpoint.connect().await {
            return Ok(Self::new(stream));
        }
        let said = start(setup, &endpoint).await?;
        match endpoint.connect().await {
            Some(stream) => Ok(Self::new(stream)),
            None if said.is_empty() => anyhow::bail!(
                "the daemon did not start; see `{}`",
                endpoint.log().display()
            ),
            None => anyhow::bail!("the daemon did not start: {said}"),
        }
    }

    /// Asks, and waits for the answer; questions that come meanwhile are put to the person at the terminal.
    pub async fn request(&mut self, method: &str, params: Value) -> Result<Value, Remote> {
        self.request_with(method, params, |_, _| {}).await
    }

    /// The same, with what is told meanwhile.
    pub async fn request_with(
        &mut self,
        method: &str,
        params: Value,
        mut tell: impl FnMut(&str, &Value),
    ) -> Result<Value, Remote> {
        let id = self.send(method, params).await?;
        loop {
            match self.next().await? {
                Incoming::Result {
                    id: answered,
                    result,
                } if answered == json!(id) => return Ok(result),
                // An error without an id is about what could not be read, or about this connection.
                Incoming::Error {
                    id: answered,
                    error,
                } if answered == json!(id) || answered.is_null() => {
                    return Err(error.into());
                }
                Incoming::Notification { method, params } if method == "approval-requested" => {
                    self.answer(&params).await?;
                }
                Incoming::Notification { method, params } => tell(&method, &params),
                Incoming::Result { .. } | Incoming::Error { .. } => {}
            }
        }
    }

    /// Sends a request and gives its id.
    pub async fn send(&mut self, method: &str, params: Value) -> Result<u64, Remote> {
        self.last += 1;
        let request =
            json!({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params});
        // A daemon that closes the connection may have said why: reading tells.
        let _ = self
            .writer
            .write_all(format!("{request}\n").as_bytes())
            .await;
        Ok(self.last)
    }

    /// The next line of the daemon's.
    pub async fn next(&mut self) -> Result<Incoming, Remote> {
        let mut line = String::new();
        match self.reader.read_line(&mut line).await {
            Ok(0) | Err(_) => Err(Remote::Gone),
            Ok(_) => {
                serde_json::from_str(&line).map_err(|error| Remote::Unreadable(error.to_string()))
            }
        }
    }

    /// Its two halves, for those who read and write at the same time.
    pub fn split(self) -> (BufReader<OwnedReadHalf>, OwnedWriteHalf) {
        (self.reader, self.writer)
    }

    /// Waits until the daemon has gone.
    pub async fn until_closed(&mut self) {
        let mut rest = Vec::new();
        // Whatever it is, it is the end.
        let _ = self.reader.read_to_end(&mut rest).await;
    }

    async fn answer(&mut self, params: &Value) -> Result<(), Remote> {
        let decision = match ask::question(params).await {
            true => "allow-once",
            false => "deny",
        };
        let answer = json!({"approvalId": params["approvalId"], "decision": decision});
        self.send("answer", answer).await.map(drop)
    }
}

fn endpoint(setup: &Setup) -> anyhow::Result<Endpoint> {
    let config = setup.load(Vec::new())?;
    let workspace = config.path("workspace").unwrap_or_else(|| ".".into());
    Ok(Endpoint::new(&config, &std::path::absolute(workspace)?))
}

/// Starts a daemon that nobody waits for, and waits until it listens or has ended; gives the last of what it said.
async fn start(setup: &Setup, endpoint: &Endpoint) -> anyhow::Result<String> {
    endpoint.make_directory()?;
    let mut options = std::fs::OpenOptions::new();
    options.create(true).append(true).mode(0o600);
    let log = options.open(endpoint.log());
    let log = log.with_context(|| format!("cannot write `{}`", endpoint.log().display()))?;
    let mut command = tokio::process::Command::new(std::env::current_exe()?);
    command
        .arg("serve")
        .args(setup.arguments())
        .arg("--announce")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(log)
        // Ctrl-C at the terminal is for the commands in the foreground.
        .process_group(0);
    let mut child = command.spawn().context("the daemon cannot be started")?;
    let mut said = String::new();
    if let Some(stdout) = child.stdout.take() {
        // A line once it listens, or nothing when it has ended.
        BufReader::new(stdout).read_line(&mut said).await?;
    }
    if said.trim() == "ready" {
        return Ok(said);
    }
    // Another one may have been faster.
    child.wait().await?;
    let log = std::fs::read_to_string(endpoint.log()).unwrap_or_default();
    Ok(log.lines().last().unwrap_or_default().to_owned())
}
