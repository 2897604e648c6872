use std::sync::Arc;
use std::time::Duration;

use execgate::config::{Config, Origin};
use execgate::session::action::{Act, Action, ProcessRequest, Range, Wait};
use execgate::{Attachment, Attendance, Caller, ExecRequest, Load, Profile, Response, Runner};
use pretty_assertions::assert_eq;
use serde_json::Value;
use tempfile::TempDir;

use super::leftovers::{Held, resident};
use super::random::Random;

/// Set to make the test the only one of its process: it counts what the whole process holds.
const ALONE: &str = "EXECGATE_TEST_ALONE";

/// Sessions of one round.
const SESSIONS: u64 = 250;

/// Rounds.
const ROUNDS: usize = 8;

/// Rounds after which everything is allocated that stays: pages of the store, buffers, places for components.
const WARM: usize = 6;

/// Sessions at the same time.
const AT_ONCE: u64 = 25;

#[test]
fn a_thousand_sessions_lose_nothing_and_leave_nothing() {
    let status = std::process::Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "stress::sessions::alone",
            "--ignored",
            "--nocapture",
        ])
        .env(ALONE, "1")
        .status()
        .unwrap();
    assert!(status.success());
}

#[test]
#[ignore = "runs in a process of its own"]
fn alone() {
    if std::env::var_os(ALONE).is_none() {
        return;
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        // Threads that compiled something are counted only as long as they do.
        .thread_keep_alive(Duration::from_millis(1))
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(rounds());
}

async fn rounds() {
    let scratch = tempfile::tempdir().unwrap();
    let runner = Arc::new(runner(&scratch).await);
    let mut counts = Vec::new();
    for number in 0..ROUNDS {
        round(&runner, number as u64).await;
        settle(&runner).await;
        counts.push((Held::now(), resident()));
    }
    println!("{} sessions: {counts:?}", ROUNDS as u64 * SESSIONS);
    let (warm, cold) = counts.split_at(WARM);
    assert_eq!(cold[cold.len() - 1].0, warm[WARM - 1].0);
    // What is lost in each round is missing in every one of them; what an allocator happens to hold comes and goes.
    let before = warm[WARM - 2].1.max(warm[WARM - 1].1);
    let after = cold.iter().map(|(_, memory)| *memory).min().unwrap();
    let grown = after.saturating_sub(before) as f64 / before as f64;
    assert!(
        grown < 0.05,
        "resident memory grew by {:.1} %",
        grown * 100.0
    );
}

async fn runner(scratch: &TempDir) -> Runner {
    let mut config = Config::new(Profile::Openclaw);
    let path = |name: &str| scratch.path().join(name).to_str().unwrap().to_owned();
    std::fs::create_dir(scratch.path().join("ws")).unwrap();
    for (key, value) in [
        ("workspace", path("ws")),
        ("state-dir", path("state")),
        ("cache-dir", path("cache")),
    ] {
        config.set(key, value.into(), Origin::Flag).unwrap();
    }
    Runner::new(&config, None, Load::Many).await.unwrap()
}

/// Looks in a row that must find the same before it counts as settled.
const STILL: usize = 50;

/// Waits until nothing of the round is in flight any more.
async fn settle(runner: &Runner) {
    runner.idle().await;
    let (mut last, mut still) = (Held::now(), 0);
    while still < STILL || last.processes > 1 {
        tokio::time::sleep(Duration::from_millis(2)).await;
        let now = Held::now();
        still = if now == last { still + 1 } else { 0 };
        last = now;
    }
}

async fn round(runner: &Arc<Runner>, round: u64) {
    for batch in 0..SESSIONS / AT_ONCE {
        let tasks: Vec<_> = (0..AT_ONCE)
            .map(|index| {
                let seed = (round * SESSIONS + batch * AT_ONCE + index) + 1;
                tokio::spawn(session(Arc::clone(runner), Random::new(seed)))
            })
            .collect();
        for task in tasks {
            task.await.unwrap();
        }
    }
}

/// One session: what it prints is what was written to it, or what it counts; some are killed on the way.
async fn session(runner: Arc<Runner>, mut random: Random) {
    match random.below(4) {
        0 => echo(&runner, &mut random).await,
        1 => count(&runner, &mut random).await,
        2 => kill(&runner, &mut random).await,
        _ => foreground(&runner, &mut random).await,
    }
}

async fn start(runner: &Runner, command: String) -> String {
    let request = ExecRequest {
        attendance: Attendance::Background,
        ..ExecRequest::new(command)
    };
    let response = runner.exec(request, Attachment::default()).await;
    response.details["sessionId"].as_str().unwrap().to_owned()
}

async fn act(runner: &Runner, session_id: &str, act: Act) -> Response {
    let action = Action::On {
        session_id: session_id.to_owned(),
        act,
    };
    let caller = Caller::local();
    runner.process(ProcessRequest { caller, action }).await
}

async fn wait(runner: &Runner, id: &str) -> Response {
    let wait = Wait {
        timeout: Duration::from_secs(60),
        ..Wait::default()
    };
    act(runner, id, Act::Wait(wait)).await
}

/// All bytes of a session, read in pages of random length.
async fn read_all(runner: &Runner, id: &str, random: &mut Random) -> String {
    let (mut text, mut offset) = (String::new(), 0);
    loop {
        let range = Range {
            offset: Some(offset),
            limit: 7 + random.below(5000),
            raw: true,
        };
        let response = act(runner, id, Act::Read(range)).await;
        let number = |name: &str| response.details[name].as_u64().unwrap();
        assert_eq!((number("offset"), number("skippedBytes")), (offset, 0));
        text.push_str(response.details["output"].as_str().unwrap());
        offset = number("nextOffset");
        if response.details["hasMore"] == false {
            return text;
        }
    }
}

async fn remove(runner: &Runner, id: &str) {
    act(runner, id, Act::Remove).await;
}

/// Text goes in and comes out again.
async fn echo(runner: &Runner, random: &mut Random) {
    let id = start(runner, "cat".to_owned()).await;
    let mut written = String::new();
    for _ in 0..1 + random.below(5) {
        let length = random.below(3000) as usize;
        let data = format!("{}\n", random.text(length));
        let mut rest = data.as_bytes();
        while !rest.is_empty() {
            let data = std::str::from_utf8(rest).unwrap().to_owned();
            let response = act(runner, &id, Act::Write { data, eof: false }).await;
            let taken = response.details.get("takenBytes").and_then(Value::as_u64);
            rest = &rest[taken.map_or(rest.len(), |taken| taken as usize)..];
        }
        written.push_str(&data);
    }
    let end = Act::Write {
        data: String::new(),
        eof: true,
    };
    act(runner, &id, end).await;
    let response = wait(runner, &id).await;
    assert_eq!(
        response.details.get("exitCode"),
        Some(&0.into()),
        "{}",
        response.text
    );
    assert_eq!(read_all(runner, &id, random).await, written);
    remove(runner, &id).await;
}

/// Both streams in order, read while they come and afterwards.
async fn count(runner: &Runner, random: &mut Random) {
    let lines = 1 + random.below(400);
    let id = start(
        runner,
        format!("for ((i = 0; i < {lines}; i++)); do echo $i; echo e$i >&2; done"),
    )
    .await;
    let expected: String = (0..lines).map(|i| format!("{i}\ne{i}\n")).collect();
    let early = read_all(runner, &id, random).await;
    assert!(expected.starts_with(&early));
    let response = wait(runner, &id).await;
    assert_eq!(
        response.details.get("exitCode"),
        Some(&0.into()),
        "{}",
        response.text
    );
    assert_eq!(read_all(runner, &id, random).await, expected);
    remove(runner, &id).await;
}

/// Whatever it has started ends with it; what it printed stays.
async fn kill(runner: &Runner, random: &mut Random) {
    let id = start(
        runner,
        "echo up; setsid sleep 1000 & sleep 1000 & wait".to_owned(),
    )
    .await;
    if random.below(2) == 0 {
        let up = Wait {
            text: Some("up".to_owned()),
            timeout: Duration::from_secs(60),
            ..Wait::default()
        };
        let response = act(runner, &id, Act::Wait(up)).await;
        assert_eq!(response.details["wait"]["met"], "text");
    }
    act(runner, &id, Act::Kill).await;
    let response = wait(runner, &id).await;
    let reason = response.details.get("exitReason");
    assert_eq!(reason, Some(&"manual-cancel".into()), "{response:?}");
    let text = read_all(runner, &id, random).await;
    assert!(text.is_empty() || text == "up\n", "{text:?}");
    remove(runner, &id).await;
}

async fn foreground(runner: &Runner, random: &mut Random) {
    let bytes = 1 + random.below(100_000);
    let request = ExecRequest::new(format!("head -c {bytes} /dev/zero | tr '\\0' x; exit 3"));
    let response = runner.exec(request, Attachment::default()).await;
    assert_eq!(response.details["exitCode"], 3);
    assert_eq!(response.details["usage"]["outputBytes"], bytes);
}
