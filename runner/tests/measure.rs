//! Measurements for `docs/findings/keeper.md`. Nothing is asserted about time:
//! `cargo test -p execgate --test measure -- --ignored --nocapture --test-threads 1`.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a measurement prints, and ends where it cannot go on"
)]

use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::future::pending;
use std::os::unix::fs::OpenOptionsExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use execgate::completion::{Limits, Recording, complete};
use execgate::keeper::{Keeper, Launch, Output, Running, Stdin, Streams};
use execgate::output::{Capture, CaptureSettings};
use portable_pty::{PtySize, native_pty_system};

const ROUNDS: usize = 1000;

/// Set to the directory of the measurement that started this program again.
const SACRIFICE: &str = "EXECGATE_MEASURE_SACRIFICE";

fn launch(session: impl ToString, text: &str) -> Launch {
    Launch {
        session: session.to_string(),
        program: "/bin/bash".into(),
        name: None,
        arguments: Vec::new(),
        directory: "/".into(),
        environment: vec![("PATH".into(), OsString::from("/usr/bin:/bin"))],
        streams: Streams::Pipes {
            stdin: Stdin::Eof,
            output: Output::Shared,
        },
        text: Some(text.into()),
    }
}

fn capture() -> Capture {
    Capture::new(CaptureSettings {
        ring_bytes: 1 << 20,
        inline_scalars: 10_000,
        spill: None,
        secrets: Default::default(),
    })
}

fn direct() {
    let mut command = Command::new("/bin/bash");
    command
        .args(["-c", "true"])
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .current_dir("/");
    let status = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    assert!(status.unwrap().success());
}

async fn completed(keeper: &Keeper, session: usize) {
    let running = keeper
        .spawn(launch(format!("c{session}"), "true"))
        .await
        .unwrap();
    let mut capture = capture();
    let mut recording = Recording {
        output: &mut capture,
        error: None,
        observer: None,
    };
    complete(running, &mut recording, Limits::default(), pending()).await;
}

async fn on_terminal(keeper: &Keeper, session: usize) {
    let pair = native_pty_system().openpty(PtySize::default()).unwrap();
    let name = pair.master.tty_name().unwrap();
    let mut slave = OpenOptions::new();
    let slave = slave
        .read(true)
        .write(true)
        .custom_flags(libc::O_NOCTTY)
        .open(name)
        .unwrap();
    let streams = Streams::Terminal(slave.into());
    let launch = Launch {
        streams,
        ..launch(format!("t{session}"), "true")
    };
    keeper.spawn(launch).await.unwrap().exit.wait().await;
}

async fn timed(future: impl Future<Output = ()>) -> Duration {
    let start = Instant::now();
    future.await;
    start.elapsed()
}

fn report(name: &str, times: &mut [Duration], base: Duration) -> Duration {
    times.sort();
    let (p50, p99) = (times[times.len() / 2], times[times.len() * 99 / 100]);
    let ratio = if base.is_zero() {
        1.0
    } else {
        p50.as_secs_f64() / base.as_secs_f64()
    };
    println!("{name:<44} p50 {p50:>9.1?}  p99 {p99:>9.1?}  ratio {ratio:.2}");
    p50
}

#[tokio::test]
#[ignore = "measures"]
async fn spawning() {
    let keeper = Keeper::start().await.unwrap();
    let mut times: [Vec<Duration>; 4] = Default::default();
    for round in 0..ROUNDS {
        times[0].push(timed(async { direct() }).await);
        let plain = async {
            let mut running = keeper
                .spawn(launch(format!("p{round}"), "true"))
                .await
                .unwrap();
            running.exit.wait().await;
        };
        times[1].push(timed(plain).await);
        times[2].push(timed(completed(&keeper, round)).await);
        times[3].push(timed(on_terminal(&keeper, round)).await);
    }
    let [direct, plain, complete, terminal] = &mut times;
    let base = report("posix_spawn + wait, null streams", direct, Duration::ZERO);
    report("keeper: spawn + exit", plain, base);
    report("keeper: spawn + complete (pipe, survivors)", complete, base);
    report("keeper: spawn on a new terminal + exit", terminal, base);
}

#[tokio::test]
#[ignore = "measures"]
async fn memory_and_starts() {
    let mut starts = Vec::new();
    for _ in 0..50 {
        starts.push(timed(async { drop(Keeper::start().await.unwrap()) }).await);
    }
    report("Keeper::start", &mut starts, Duration::ZERO);
    let keeper = Keeper::start().await.unwrap();
    let mut held: Vec<Running> = Vec::new();
    for count in [1, 100, 1000] {
        while held.len() < count {
            held.push(
                keeper
                    .spawn(launch(held.len(), "exec sleep 1000"))
                    .await
                    .unwrap(),
            );
        }
        let keeper = parent_of(held[0].pid);
        println!(
            "keeper with {count:>4} live sessions: {}",
            memory_of(keeper)
        );
    }
    let survivors = timed(async { drop(keeper.survivors("0").await) }).await;
    println!("survivors of one among 1,000 live sessions   {survivors:.1?}");
    let kill = timed(async { drop(keeper.kill_tree("0", Duration::ZERO).await) }).await;
    println!("kill_tree of one among 1,000 live sessions   {kill:.1?}");
    let shutdown = timed(async { drop(keeper.shutdown(Duration::ZERO).await) }).await;
    println!("shutdown of 1,000 live sessions              {shutdown:.1?}");
}

fn parent_of(pid: u32) -> u32 {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    stat.rsplit(") ")
        .next()
        .unwrap()
        .split(' ')
        .nth(1)
        .unwrap()
        .parse()
        .unwrap()
}

fn memory_of(pid: u32) -> String {
    let rollup = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).unwrap();
    let wanted = ["Rss:", "Pss:", "Private_Dirty:"];
    let lines = rollup
        .lines()
        .filter(|line| wanted.iter().any(|name| line.starts_with(name)));
    lines
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect::<Vec<_>>()
        .join(", ")
}

#[tokio::test]
#[ignore = "measures"]
async fn a_killed_runner() {
    let directory = tempfile::tempdir().unwrap();
    let mut runner = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "the_runner_that_is_killed", "--ignored"])
        .env(SACRIFICE, directory.path())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let file = directory.path().join("keeper");
    let keeper: u32 = loop {
        match fs::read_to_string(&file)
            .ok()
            .and_then(|text| text.strip_suffix('\n')?.parse().ok())
        {
            Some(pid) => break pid,
            None => tokio::time::sleep(Duration::from_millis(1)).await,
        }
    };
    let start = Instant::now();
    runner.kill().unwrap();
    runner.wait().unwrap();
    // Whoever adopts the keeper may be slow to reap it.
    while fs::read(format!("/proc/{keeper}/cmdline")).is_ok_and(|line| !line.is_empty()) {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    println!(
        "runner SIGKILL to the end of 100 sessions of 2 and the keeper: {:.1?}",
        start.elapsed()
    );
}

#[tokio::test]
#[ignore = "is the program that a measurement starts and kills"]
async fn the_runner_that_is_killed() {
    let Some(directory) = std::env::var_os(SACRIFICE) else {
        return;
    };
    let keeper = Keeper::start().await.unwrap();
    let mut held = Vec::new();
    for session in 0..100 {
        let text = "setsid sleep 1000 & exec sleep 1000";
        held.push(keeper.spawn(launch(session, text)).await.unwrap());
    }
    let pid = parent_of(held[0].pid);
    fs::write(
        std::path::Path::new(&directory).join("keeper"),
        format!("{pid}\n"),
    )
    .unwrap();
    pending::<()>().await;
}
