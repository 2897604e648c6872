//! 100 MB of output captured with a 1 MB ring, against reading the same pipe raw; and the memory that takes.

use std::io::Read as _;
use std::process::{Command, Stdio};
use std::time::Instant;

use execgate::{Attachment, ExecRequest, Outcome};

use super::command;
use super::stats::{Table, Times};

const TEXT: &str = "head -c 100000000 /dev/zero";
const ROUNDS: usize = 9;

fn raw() {
    let mut child = Command::new("bash")
        .args(["--noprofile", "--norc", "-c", TEXT])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut pipe = child.stdout.take().unwrap();
    let mut buffer = vec![0; 64 * 1024];
    let mut total = 0;
    loop {
        match pipe.read(&mut buffer).unwrap() {
            0 => break,
            count => total += count,
        }
    }
    child.wait().unwrap();
    assert_eq!(total, 100_000_000);
}

/// A field of /proc/self/status in KiB.
fn status(field: &str) -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status
        .lines()
        .find(|line| line.starts_with(field))
        .unwrap_or_default();
    line.split_whitespace()
        .nth(1)
        .and_then(|number| number.parse().ok())
        .unwrap_or(f64::NAN)
}

pub async fn measure(table: &mut Table) {
    let directory = tempfile::tempdir().unwrap();
    let runner = command::runner(directory.path()).await;
    // Idle means warmed up: the components' pool and code are there before anything is printed.
    runner
        .exec(ExecRequest::new("true"), Attachment::default())
        .await;
    let idle = status("VmRSS");
    // 5 resets the peak (proc_pid_clear_refs(5)); without it the peak of the whole run would count.
    let reset = std::fs::write("/proc/self/clear_refs", "5").is_ok();
    let (mut ours, mut plain) = (Times::default(), Times::default());
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let response = runner
            .exec(ExecRequest::new(TEXT), Attachment::default())
            .await;
        ours.add(start.elapsed());
        assert_eq!(response.outcome, Outcome::Exited(0), "{}", response.text);
        assert_eq!(response.details["usage"]["outputBytes"], 100_000_000);
        let start = Instant::now();
        tokio::task::block_in_place(raw);
        plain.add(start.elapsed());
    }
    table.compare(
        "100 MB of output captured, against reading the pipe raw, p50",
        "ms",
        (ours.micros(0.5) / 1e3, plain.micros(0.5) / 1e3),
        "<= 1.5x",
    );
    if reset {
        table.report(
            "peak memory over idle while capturing",
            "MB",
            (status("VmHWM") - idle) / 1024.0,
            "< 32",
        );
    }
    runner.shutdown().await;
}
