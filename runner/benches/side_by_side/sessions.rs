//! Sessions: what starting, looking and reading cost, what an idle one holds, and a hundred that print at once.

use std::io::Read as _;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use execgate::session::action::{Act, Action, ProcessRequest, Range, Wait};
use execgate::{Attachment, Attendance, Caller, ExecRequest, Response, Runner};

use super::command::runner;
use super::stats::{Table, Times};

/// Lasts until its call has left it.
const SHORT: &str = "sleep 0.05";

const STARTS: usize = 200;

const LOOKS: usize = 1_000;

/// Idle sessions whose memory is measured.
const IDLE: usize = 1_000;

/// Sessions that print at the same time, and what each prints.
const PRINTING: usize = 100;
const PRINTED: u64 = 2_000_000;

pub async fn measure(table: &mut Table) {
    let directory = tempfile::tempdir().unwrap();
    let runner = Arc::new(runner(directory.path()).await);
    starts(&runner, table).await;
    looks(&runner, table).await;
    printing(&runner, table).await;
    idle(&runner, table).await;
    runner.shutdown().await;
}

async fn start(runner: &Runner, command: &str) -> String {
    let request = ExecRequest {
        attendance: Attendance::Background,
        ..ExecRequest::new(command)
    };
    let response = runner.exec(request, Attachment::default()).await;
    let id = response.details.get("sessionId").and_then(|id| id.as_str());
    id.unwrap_or_else(|| panic!("{}", response.text)).to_owned()
}

async fn act(runner: &Runner, id: &str, act: Act) -> Response {
    let action = Action::On {
        session_id: id.to_owned(),
        act,
    };
    let caller = Caller::local();
    runner.process(ProcessRequest { caller, action }).await
}

async fn end(runner: &Runner, id: &str) {
    act(
        runner,
        id,
        Act::Wait(Wait {
            timeout: Duration::from_secs(60),
            ..Wait::default()
        }),
    )
    .await;
    act(runner, id, Act::Remove).await;
}

async fn starts(runner: &Runner, table: &mut Table) {
    let (mut ours, mut plain) = (Times::default(), Times::default());
    for _ in 0..STARTS {
        let begun = Instant::now();
        let id = start(runner, SHORT).await;
        ours.add(begun.elapsed());
        end(runner, &id).await;
        let begun = Instant::now();
        let mut child = Command::new("bash")
            .args(["--noprofile", "--norc", "-c", SHORT])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        plain.add(begun.elapsed());
        child.wait().unwrap();
    }
    table.compare(
        "start of a background session, judged and recorded, against spawning the same shell, p50",
        "us",
        (ours.micros(0.5), plain.micros(0.5)),
        "",
    );
}

async fn looks(runner: &Runner, table: &mut Table) {
    let id = start(
        runner,
        "head -c 1000000 /dev/zero | tr '\\0' x; exec sleep 1000",
    )
    .await;
    let full = Wait {
        quiet: Some(Duration::from_millis(300)),
        timeout: Duration::from_secs(60),
        ..Wait::default()
    };
    act(runner, &id, Act::Wait(full)).await;
    let (mut polls, mut reads) = (Times::default(), Times::default());
    for _ in 0..LOOKS {
        let begun = Instant::now();
        act(runner, &id, Act::Poll(Duration::ZERO)).await;
        polls.add(begun.elapsed());
    }
    for _ in 0..LOOKS / 20 {
        let range = Range {
            offset: Some(0),
            limit: 1_000_000,
            raw: true,
        };
        let begun = Instant::now();
        act(runner, &id, Act::Read(range)).await;
        reads.add(begun.elapsed());
    }
    act(runner, &id, Act::Remove).await;
    table.report(
        "poll that finds nothing new, 200,000 characters kept, p50",
        "us",
        polls.micros(0.5),
        "",
    );
    table.report("read of 1 MB, p50", "us", reads.micros(0.5), "");
}

async fn printing(runner: &Arc<Runner>, table: &mut Table) {
    let text = format!("head -c {PRINTED} /dev/zero | tr '\\0' x");
    let begun = Instant::now();
    let tasks: Vec<_> = (0..PRINTING)
        .map(|_| {
            let (runner, text) = (Arc::clone(runner), text.clone());
            tokio::spawn(async move {
                let id = start(&runner, &text).await;
                end(&runner, &id).await;
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    let ours = begun.elapsed();
    let begun = Instant::now();
    let plain = tokio::task::spawn_blocking(move || raw(&text))
        .await
        .unwrap();
    assert_eq!(plain, PRINTED * PRINTING as u64);
    table.compare(
        "100 sessions that print 2 MB each at once, against 100 threads that read the same pipes",
        "ms",
        (
            ours.as_secs_f64() * 1000.0,
            begun.elapsed().as_secs_f64() * 1000.0,
        ),
        "",
    );
}

/// The same by a thread each; gives the bytes read.
fn raw(text: &str) -> u64 {
    std::thread::scope(|scope| {
        let readers: Vec<_> = (0..PRINTING)
            .map(|_| {
                scope.spawn(|| {
                    let mut child = Command::new("bash")
                        .args(["--noprofile", "--norc", "-c", text])
                        .stdin(Stdio::null())
                        .stdout(Stdio::piped())
                        .spawn()
                        .unwrap();
                    let mut bytes = Vec::new();
                    child
                        .stdout
                        .take()
                        .unwrap()
                        .read_to_end(&mut bytes)
                        .unwrap();
                    child.wait().unwrap();
                    bytes.len() as u64
                })
            })
            .collect();
        readers
            .into_iter()
            .map(|reader| reader.join().unwrap())
            .sum()
    })
}

async fn idle(runner: &Runner, table: &mut Table) {
    let before = resident();
    let mut ids = Vec::new();
    for _ in 0..IDLE {
        ids.push(start(runner, "exec sleep 1000").await);
    }
    let each = resident().saturating_sub(before) as f64 / IDLE as f64 / 1024.0;
    table.report(
        "memory of an idle session, beyond its output",
        "KiB",
        each,
        "",
    );
    for id in &ids {
        act(runner, id, Act::Remove).await;
    }
}

/// Memory of this process's own, in bytes.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("RssAnon:"));
    let kilobytes = line.and_then(|line| line.split_ascii_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}
