//! `execgate call`: tool calls as JSON lines.
//!
//! One task reads, one writes, and each lane has a task of its own that takes
//! its calls in order; operator lines stand outside every lane.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use clap::Args;
use execgate::{
    Attachment, Caller, Event, ExecRequest, Follower, Load, Response, Runner, SlotName, exit_code,
    in_full,
};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tokio::io::{AsyncBufRead, AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;

use super::Setup;

/// Longest line that is taken, in bytes.
const MAX_LINE: usize = 16 * 1024 * 1024;

/// Silence after which a running command is said to run on.
const HEARTBEAT: Duration = Duration::from_secs(5);

/// Calls that wait in one lane before reading stops.
const LANE_DEPTH: usize = 64;

/// Answer tool calls, one JSON object a line, from standard input to standard output
#[derive(Args)]
pub struct Call {
    #[command(flatten)]
    setup: Setup,
    /// Take operator lines, which swap components; for streams that no agent writes to
    #[arg(long)]
    operator: bool,
    /// Wait for sessions that still run when the input ends, in place of ending them
    #[arg(long)]
    keep_sessions: bool,
    /// Tell what commands print while their calls wait for them, and that they still run
    #[arg(long)]
    stream: bool,
}

/// A call of a tool.
#[derive(Debug, Deserialize)]
struct Line {
    #[serde(default)]
    id: Value,
    tool: String,
    args: Map<String, Value>,
    caller: Option<Caller>,
    #[serde(default)]
    lane: String,
}

/// A line of the operator.
#[derive(Debug, Deserialize)]
struct Operation {
    op: String,
    #[serde(default)]
    slot: String,
    path: Option<PathBuf>,
}

type Answers = mpsc::Sender<Value>;

impl Call {
    /// Answers until the input ends.
    pub fn execute(self) -> anyhow::Result<u8> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()?;
        let result = runtime.block_on(self.serve());
        // A reader of standard input blocks a thread until its next line, which may never come.
        runtime.shutdown_background();
        result
    }

    async fn serve(self) -> anyhow::Result<u8> {
        let config = self.setup.load(Vec::new())?;
        let runner = Arc::new(Runner::new(&config, None, Load::Many).await?);
        let (answers, received) = mpsc::channel(LANE_DEPTH);
        let writer = tokio::spawn(write_answers(received));
        let news = tokio::spawn(pass_on(runner.events(), answers.clone()));
        let mut lanes = Lanes {
            runner: Arc::clone(&runner),
            answers,
            senders: HashMap::new(),
            tasks: JoinSet::new(),
            stream: self.stream,
        };
        let (operator, keep_sessions) = (self.operator, self.keep_sessions);
        let (stop, mut stopped) = watch::channel(false);
        tokio::spawn(async move {
            terminated().await;
            // Nobody waits any more when the input has ended and everything with it.
            let _ = stop.send(true);
        });
        tokio::select! {
            read = lanes.read(BufReader::new(tokio::io::stdin()), operator) => read?,
            _ = stopped.wait_for(|stopped| *stopped) => {}
        }
        tokio::select! {
            // Calls in flight that are given up end with their commands.
            _ = stopped.wait_for(|stopped| *stopped) => {}
            () = lanes.finish() => {}
        }
        if keep_sessions {
            tokio::select! {
                _ = stopped.wait_for(|stopped| *stopped) => {}
                () = runner.idle() => {}
            }
        }
        runner.shutdown().await;
        // The subscription has ended with the runner; what was told before is passed on.
        news.await.context("the reader of events failed")?;
        writer.await.context("the writer of answers failed")??;
        Ok(exit_code::SUCCESS)
    }
}

/// Writes events between answers.
async fn pass_on(mut events: mpsc::UnboundedReceiver<Event>, answers: Answers) {
    while let Some(event) = events.recv().await {
        if answers.send(event.to_json()).await.is_err() {
            return;
        }
    }
}

/// Completes when the program is asked to end.
pub async fn terminated() {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut terminate), Ok(mut interrupt)) = (
        signal(SignalKind::terminate()),
        signal(SignalKind::interrupt()),
    ) else {
        return std::future::pending().await;
    };
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
}

async fn write_answers(mut answers: mpsc::Receiver<Value>) -> std::io::Result<()> {
    let mut stdout = tokio::io::stdout();
    while let Some(answer) = answers.recv().await {
        stdout.write_all(format!("{answer}\n").as_bytes()).await?;
        stdout.flush().await?;
    }
    Ok(())
}

struct Lanes {
    runner: Arc<Runner>,
    answers: Answers,
    senders: HashMap<String, mpsc::Sender<Line>>,
    tasks: JoinSet<()>,
    stream: bool,
}

impl Lanes {
    async fn read(
        &mut self,
        mut input: impl AsyncBufRead + Unpin,
        operator: bool,
    ) -> anyhow::Result<()> {
        let mut line = Vec::new();
        while read_line(&mut input, &mut line).await? {
            if line.len() > MAX_LINE {
                self.refuse(
                    Value::Null,
                    format!("the line is longer than {MAX_LINE} bytes; send less"),
                )
                .await;
            } else if !line.trim_ascii().is_empty() {
                self.take(&line, operator).await;
            }
        }
        Ok(())
    }

    async fn take(&mut self, line: &[u8], operator: bool) {
        let value: Value = match serde_json::from_slice(line) {
            Ok(value) => value,
            Err(error) => {
                return self
                    .refuse(Value::Null, format!("the line is not JSON: {error}"))
                    .await;
            }
        };
        let id = value.get("id").cloned().unwrap_or_default();
        if value.get("op").is_some() {
            return self.operate(value, id, operator).await;
        }
        match serde_json::from_value::<Line>(value) {
            Ok(line) => self.enqueue(line).await,
            Err(error) => {
                self.refuse(
                    id,
                    format!("the line is not a call: {error}; give `tool` and `args`"),
                )
                .await
            }
        }
    }

    async fn refuse(&self, id: Value, message: String) {
        let answer = json!({
            "id": id, "isError": true, "text": message, "userText": "",
            "details": {"status": "failed", "error": {"kind": "bad-request", "message": message}},
        });
        // A writer that is gone has nobody to answer to.
        let _ = self.answers.send(answer).await;
    }

    /// Hands a call to its lane, which is started with its first call.
    async fn enqueue(&mut self, line: Line) {
        let runner = &self.runner;
        let answers = &self.answers;
        let tasks = &mut self.tasks;
        let stream = self.stream;
        let lane = self.senders.entry(line.lane.clone()).or_insert_with(|| {
            let (sender, receiver) = mpsc::channel(LANE_DEPTH);
            let lane = Lane {
                runner: Arc::clone(runner),
                answers: answers.clone(),
                stream,
            };
            tasks.spawn(lane.run(receiver));
            sender
        });
        // A lane ends only when its sender is dropped.
        let _ = lane.send(line).await;
    }

    async fn operate(&self, value: Value, id: Value, operator: bool) {
        let op = value.get("op").cloned().unwrap_or_default();
        let result = if operator {
            match serde_json::from_value::<Operation>(value) {
                Ok(operation) => operate(&self.runner, &operation).await,
                Err(error) => Err(format!("the line is not an operation: {error}")),
            }
        } else {
            Err("operator lines are taken only under `execgate call --operator`".to_owned())
        };
        let answer = match result {
            Ok(details) => json!({"op": op, "id": id, "ok": true, "details": details}),
            Err(error) => json!({"op": op, "id": id, "ok": false, "error": error}),
        };
        let _ = self.answers.send(answer).await;
    }

    /// Lets the calls in flight end.
    async fn finish(self) {
        let Self {
            senders,
            mut tasks,
            answers,
            ..
        } = self;
        drop(senders);
        drop(answers);
        while tasks.join_next().await.is_some() {}
    }
}

async fn operate(runner: &Runner, operation: &Operation) -> Result<Value, String> {
    let slot = || {
        operation
            .slot
            .parse::<SlotName>()
            .map_err(|error| error.to_string())
    };
    let swapped = match operation.op.as_str() {
        "swap" => {
            let path = operation.path.as_ref().ok_or("swap needs a `path`")?;
            runner.swap(slot()?, path).await
        }
        "rollback" => runner.rollback(slot()?).await,
        other => {
            return Err(format!(
                "operation `{}` is not known; there are swap and rollback",
                other.escape_debug()
            ));
        }
    };
    let swapped = swapped.map_err(|error| in_full(&error))?;
    Ok(
        json!({"slot": operation.slot, "oldDigest": swapped.old_digest, "newDigest": swapped.new_digest}),
    )
}

/// One lane: its calls run in order.
struct Lane {
    runner: Arc<Runner>,
    answers: Answers,
    stream: bool,
}

impl Lane {
    async fn run(self, mut lines: mpsc::Receiver<Line>) {
        while let Some(line) = lines.recv().await {
            let id = line.id.clone();
            let response = self.answer(line).await;
            let answer = match serde_json::to_value(&response) {
                Ok(Value::Object(mut answer)) => {
                    answer.insert("id".to_owned(), id);
                    Value::Object(answer)
                }
                Ok(_) | Err(_) => {
                    json!({"id": id, "isError": true, "text": "the answer could not be written as JSON", "userText": "", "details": {}})
                }
            };
            if self.answers.send(answer).await.is_err() {
                return;
            }
        }
    }

    async fn answer(&self, line: Line) -> Response {
        let caller = line.caller.unwrap_or_else(Caller::local);
        let follow = self.stream.then(|| self.follow(line.id));
        let attach = |_: &mut ExecRequest| Attachment {
            follow,
            ..Attachment::default()
        };
        self.runner
            .call(&line.tool, line.args, caller, attach)
            .await
    }

    /// Tells what a command prints as long as its call waits for it.
    fn follow(&self, id: Value) -> Box<dyn FnOnce(Follower) + Send> {
        let answers = self.answers.clone();
        Box::new(move |mut follower| {
            tokio::spawn(async move {
                while let Some(news) = follower.next(HEARTBEAT).await {
                    let event = json!({
                        "event": "output", "id": id, "text": news.text, "elapsedMs": news.elapsed_ms,
                        "totalBytes": news.total_bytes,
                    });
                    if answers.send(event).await.is_err() {
                        return;
                    }
                }
            });
        })
    }
}

/// Reads one line without its end, of an oversized one only a little more than
/// allowed. Answers whether there was one.
async fn read_line(
    input: &mut (impl AsyncBufRead + Unpin),
    line: &mut Vec<u8>,
) -> std::io::Result<bool> {
    line.clear();
    let mut any = false;
    loop {
        let available = input.fill_buf().await?;
        if available.is_empty() {
            return Ok(any);
        }
        any = true;
        let end = available.iter().position(|byte| *byte == b'\n');
        let taken = end.unwrap_or(available.len());
        if line.len() <= MAX_LINE {
            line.extend_from_slice(&available[..taken]);
        }
        let consumed = end.map_or(taken, |end| end + 1);
        input.consume(consumed);
        if end.is_some() {
            return Ok(true);
        }
    }
}
