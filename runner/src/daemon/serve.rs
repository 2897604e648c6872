//! Accepts connections and answers requests.

use std::fs::File;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD as BASE64;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::{Notify, mpsc};
use tokio::task::JoinSet;
use tokio::time;

use super::ask::Questions;
use super::peer;
use super::place::{Endpoint, EndpointError};
use super::rpc::{self, ErrorObject, Request, code};
use crate::Attachment;
use crate::approvals;
use crate::causes::in_full;
use crate::components::SlotName;
use crate::config::Config;
use crate::request::{Caller, ExecRequest};
use crate::response::Response;
use crate::runner::{BuildError, Load, Runner};
use crate::session::View;
use crate::terminal::WindowSize;

/// Longest line that is read, in bytes.
const MAX_LINE: u64 = 16 << 20;

/// Answers and notifications that wait for a slow client before those who send them wait too.
const BACKLOG: usize = 64;

/// How long a daemon without sessions and connections stays.
const PATIENCE: Duration = Duration::from_secs(30 * 60);

/// Why a daemon cannot be.
#[derive(Debug, thiserror::Error)]
pub enum DaemonError {
    /// The runner.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The place.
    #[error(transparent)]
    Endpoint(#[from] EndpointError),
}

/// A runner that listens.
pub struct Daemon {
    shared: Arc<Shared>,
    endpoint: Endpoint,
    listener: UnixListener,
    /// Held as long as this is the daemon of its place.
    _lock: File,
}

/// What all connections share.
struct Shared {
    runner: Runner,
    questions: Questions,
    connections: AtomicUsize,
    /// Whether a client was granted the end.
    wanted: AtomicBool,
    /// Told when the daemon is to end.
    ending: Notify,
    /// Told when a connection has ended.
    left: Notify,
}

/// Where a connection's answers go.
type Answers = mpsc::Sender<Value>;

impl Daemon {
    /// Makes the runner and takes the place of its workspace.
    ///
    /// # Errors
    /// [`DaemonError`].
    pub async fn start(config: &Config) -> Result<Self, DaemonError> {
        let questions = Questions::default();
        let ask = Box::new(questions.clone());
        let runner = Runner::new(config, Some(ask), Load::Many).await?;
        let endpoint = Endpoint::new(config, runner.workspace());
        let (lock, listener) = endpoint.take()?;
        let shared = Shared {
            runner,
            questions,
            connections: AtomicUsize::new(0),
            wanted: AtomicBool::new(false),
            ending: Notify::new(),
            left: Notify::new(),
        };
        Ok(Self {
            shared: Arc::new(shared),
            endpoint,
            listener,
            _lock: lock,
        })
    }

    /// Where it listens.
    pub fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// Serves until it is told to end, by a client or by `ended`, or has had nothing to do for half an hour. Then its sessions are ended in order.
    pub async fn serve(self, ended: impl Future<Output = ()>) {
        let mut ended = std::pin::pin!(ended);
        let mut connections = JoinSet::new();
        loop {
            let idle = self.idle();
            tokio::select! {
                accepted = self.listener.accept() => match accepted {
                    Ok((stream, _)) => {
                        let shared = Arc::clone(&self.shared);
                        shared.connections.fetch_add(1, Ordering::Relaxed);
                        connections.spawn(connection(shared, stream));
                    }
                    Err(error) => {
                        tracing::error!(%error, "a connection could not be accepted");
                        // Out of descriptors perhaps: some come back when connections end.
                        time::sleep(Duration::from_millis(100)).await;
                    }
                },
                Some(_) = connections.join_next() => {}
                () = self.shared.ending.notified() => break,
                () = &mut ended => break,
                () = idle => break,
            }
        }
        self.endpoint.leave();
        self.shared.runner.shutdown().await;
        // Whoever asked for the end is answered; the others see theirs in a closed connection.
        let answered = async { while connections.join_next().await.is_some() {} };
        let _ = time::timeout(Duration::from_millis(200), answered).await;
    }

    /// Completes once nothing has gone on for long.
    async fn idle(&self) {
        loop {
            let has_left = time::timeout(PATIENCE, self.shared.left.notified())
                .await
                .is_ok();
            let is_quiet = self.shared.connections.load(Ordering::Relaxed) == 0
                && self.shared.runner.live_sessions().is_empty();
            if !has_left && is_quiet {
                return;
            }
        }
    }
}

async fn connection(shared: Arc<Shared>, stream: UnixStream) {
    let welcome = peer::check(&stream);
    let (reader, writer) = stream.into_split();
    let (answers, received) = mpsc::channel(BACKLOG);
    let writing = tokio::spawn(write(writer, received));
    match welcome {
        Ok(()) => read(&shared, reader, answers).await,
        Err(unwelcome) => {
            let error = ErrorObject::new(code::UNWELCOME, unwelcome.to_string());
            let _ = answers.send(rpc::response(&Value::Null, Err(error))).await;
            drop(answers);
        }
    }
    // A client that reads no more makes the writer fail.
    let _ = writing.await;
    shared.connections.fetch_sub(1, Ordering::Relaxed);
    shared.left.notify_one();
}

async fn write(mut writer: OwnedWriteHalf, mut answers: mpsc::Receiver<Value>) {
    while let Some(answer) = answers.recv().await {
        if writer
            .write_all(format!("{answer}\n").as_bytes())
            .await
            .is_err()
        {
            return;
        }
    }
}

/// Reads requests, each answered by a task of its own, so that none waits for another. They end with the connection.
async fn read(shared: &Arc<Shared>, reader: OwnedReadHalf, answers: Answers) {
    let mut reader = BufReader::new(reader);
    let mut requests = JoinSet::new();
    let mut line = Vec::new();
    loop {
        line.clear();
        match (&mut reader)
            .take(MAX_LINE)
            .read_until(b'\n', &mut line)
            .await
        {
            Ok(0) | Err(_) => break,
            Ok(_) => {}
        }
        if line.last() != Some(&b'\n') && line.len() as u64 >= MAX_LINE {
            let message = format!("the line is longer than {MAX_LINE} bytes");
            let error = ErrorObject::new(code::REQUEST, message);
            let _ = answers.send(rpc::response(&Value::Null, Err(error))).await;
            break;
        }
        while requests.try_join_next().is_some() {}
        match rpc::read(&line) {
            // What is typed keeps its order, and reaches its program even when the client leaves at once. It waits for nobody for long.
            Ok(request) if matches!(request.method.as_str(), "input" | "resize") => {
                answer(Arc::clone(shared), request, answers.clone()).await;
            }
            Ok(request) => {
                requests.spawn(answer(Arc::clone(shared), request, answers.clone()));
            }
            Err(error) => {
                let _ = answers.send(rpc::response(&Value::Null, Err(error))).await;
            }
        }
    }
}

async fn answer(shared: Arc<Shared>, request: Request, answers: Answers) {
    let Request { id, method, params } = request;
    let result = shared.dispatch(&method, params, &answers).await;
    if !id.is_null() {
        // A client that has gone reads nothing.
        let _ = answers.send(rpc::response(&id, result)).await;
    }
    shared.end_if_wanted();
}

/// A tool call, as on a line of `execgate call`.
#[derive(Debug, Deserialize)]
struct ToolCall {
    tool: String,
    #[serde(default)]
    args: Map<String, Value>,
    caller: Option<Caller>,
    /// File that an `exec` is recorded in.
    record: Option<std::path::PathBuf>,
    /// Whether a person can be asked through this connection.
    #[serde(default)]
    interactive: bool,
}

/// A person's answer to a question.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct AnswerCall {
    approval_id: u64,
    decision: String,
}

/// A session, and whose it is.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct SessionCall {
    session_id: String,
    caller: Option<Caller>,
    /// Offset to look on from.
    #[serde(default)]
    offset: u64,
    /// Whether secrets are covered.
    #[serde(default)]
    masked: bool,
    /// Whether more is waited for.
    #[serde(default)]
    follow: bool,
    /// Typed bytes, in base64.
    #[serde(default)]
    base64: String,
    #[serde(default)]
    eof: bool,
    #[serde(default)]
    columns: u16,
    #[serde(default)]
    rows: u16,
}

#[derive(Debug, Deserialize)]
struct SlotCall {
    slot: String,
    path: Option<std::path::PathBuf>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Shutdown {
    force: bool,
}

type Answer = Result<Value, ErrorObject>;

impl Shared {
    async fn dispatch(&self, method: &str, params: Value, answers: &Answers) -> Answer {
        match method {
            "status" => Ok(self.status()),
            "call" => self.call(parameters(params)?, answers).await,
            "answer" => self.take_answer(&parameters(params)?, answers),
            "attach" => self.attach(parameters(params)?, answers).await,
            "input" => self.input(parameters(params)?).await,
            "resize" => self.resize(&parameters(params)?),
            "policies" => Ok(self.policies()),
            "swap" | "rollback" => self.change(method, &parameters(params)?).await,
            "shutdown" => {
                self.shutdown(&parameters::<Option<Shutdown>>(params)?.unwrap_or_default())
            }
            other => Err(ErrorObject::new(
                code::METHOD,
                format!(
                    "there is no method `{}`; there are status, call, answer, attach, input, resize, policies, swap, rollback and shutdown",
                    other.escape_debug()
                ),
            )),
        }
    }

    fn status(&self) -> Value {
        json!({
            "pid": std::process::id(),
            "version": env!("CARGO_PKG_VERSION"),
            "profile": self.runner.profile().name(),
            "workspace": self.runner.workspace(),
            "liveSessions": self.runner.live_sessions(),
        })
    }

    async fn call(&self, call: ToolCall, answers: &Answers) -> Answer {
        let response = match call.interactive {
            true => Questions::asking(answers.clone(), self.tool(call)).await,
            false => self.tool(call).await,
        };
        serde_json::to_value(response).map_err(failed)
    }

    async fn tool(&self, call: ToolCall) -> Response {
        let caller = call.caller.unwrap_or_else(Caller::local);
        let attach = |request: &mut ExecRequest| {
            request.record = call.record;
            Attachment::default()
        };
        self.runner
            .call(&call.tool, call.args, caller, attach)
            .await
    }

    /// The answer of a person to a question that their client was asked.
    fn take_answer(&self, call: &AnswerCall, answers: &Answers) -> Answer {
        let answer = match call.decision.as_str() {
            "allow-once" => approvals::Answer::AllowOnce,
            "deny" => approvals::Answer::Deny,
            other => {
                let message = format!(
                    "decision `{}` is none; there are allow-once and deny",
                    other.escape_debug()
                );
                return Err(ErrorObject::new(code::PARAMETERS, message));
            }
        };
        if !self.questions.answer(answers, call.approval_id, answer) {
            let message = format!("no question {} waits for this client", call.approval_id);
            return Err(ErrorObject::new(code::FAILED, message));
        }
        Ok(json!({}))
    }

    /// Answers when the session has ended, or all was given where nobody follows; what it prints until then goes out as `output` notifications.
    async fn attach(&self, call: SessionCall, answers: &Answers) -> Answer {
        let caller = call.caller.unwrap_or_else(Caller::local);
        let view = View {
            offset: call.offset,
            masked: call.masked,
            follow: call.follow,
        };
        let tap = self.runner.tap(&caller, &call.session_id, view);
        let mut tap = tap.map_err(failed)?;
        while let Some(piece) = tap.next().await {
            let output = json!({
                "sessionId": call.session_id,
                "offset": piece.offset,
                "base64": BASE64.encode(&piece.bytes),
            });
            if answers
                .send(rpc::notification("output", &output))
                .await
                .is_err()
            {
                break;
            }
        }
        Ok(json!({"sessionId": call.session_id}))
    }

    async fn input(&self, call: SessionCall) -> Answer {
        let caller = call.caller.unwrap_or_else(Caller::local);
        let bytes = BASE64.decode(&call.base64).map_err(|error| {
            ErrorObject::new(code::PARAMETERS, format!("`base64` is not base64: {error}"))
        })?;
        let taken = self
            .runner
            .type_as_person(&caller, &call.session_id, bytes, call.eof);
        Ok(json!({"takenBytes": taken.await.map_err(failed)?}))
    }

    fn resize(&self, call: &SessionCall) -> Answer {
        let caller = call.caller.clone().unwrap_or_else(Caller::local);
        if call.columns == 0 || call.rows == 0 {
            let message = "`columns` and `rows` must be 1 or more";
            return Err(ErrorObject::new(code::PARAMETERS, message));
        }
        let size = WindowSize {
            columns: call.columns,
            rows: call.rows,
        };
        self.runner
            .resize(&caller, &call.session_id, size)
            .map_err(failed)?;
        Ok(json!({}))
    }

    fn policies(&self) -> Value {
        let slots = self.runner.components().into_iter();
        slots
            .map(|(slot, identity)| json!({"slot": slot, "live": identity}))
            .collect()
    }

    async fn change(&self, operation: &str, call: &SlotCall) -> Answer {
        let slot: SlotName = call.slot.parse().map_err(failed)?;
        let swapped = match (operation, &call.path) {
            ("rollback", _) => self.runner.rollback(slot).await,
            (_, Some(path)) => self.runner.swap(slot, path).await,
            (_, None) => {
                return Err(ErrorObject::new(code::PARAMETERS, "swap needs a `path`"));
            }
        };
        let swapped = swapped.map_err(|error| ErrorObject::new(code::FAILED, in_full(&error)))?;
        Ok(
            json!({"slot": call.slot, "oldDigest": swapped.old_digest, "newDigest": swapped.new_digest}),
        )
    }

    fn shutdown(&self, shutdown: &Shutdown) -> Answer {
        let live = self.runner.live_sessions();
        if !live.is_empty() && !shutdown.force {
            let message = format!(
                "{} sessions live: {}; end them first, or force it, which ends them in order",
                live.len(),
                live.join(", ")
            );
            return Err(ErrorObject {
                data: json!({"sessions": live}),
                ..ErrorObject::new(code::SESSIONS_LIVE, message)
            });
        }
        self.wanted.store(true, Ordering::Relaxed);
        Ok(json!({"ended": live}))
    }

    fn end_if_wanted(&self) {
        if self.wanted.load(Ordering::Relaxed) {
            self.ending.notify_one();
        }
    }
}

fn parameters<T: for<'de> Deserialize<'de>>(params: Value) -> Result<T, ErrorObject> {
    serde_json::from_value(params).map_err(|error| {
        ErrorObject::new(
            code::PARAMETERS,
            format!("the parameters do not fit: {error}"),
        )
    })
}

fn failed(error: impl std::fmt::Display) -> ErrorObject {
    ErrorObject::new(code::FAILED, error.to_string())
}
