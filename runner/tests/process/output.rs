use execgate::completion::{Limits, Outcome, Recording, Stream, complete};
use execgate::keeper::{Output, Stdin, Streams};
use execgate::output::{Capture, CaptureSettings, SpillTarget};
use pretty_assertions::assert_eq;
use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use super::support::{Bench, capture, finish, pipes};

#[tokio::test]
async fn both_streams_keep_their_order_on_the_shared_pipe() {
    let bench = Bench::new().await;
    let (_, text) = bench
        .run("for i in {1..500}; do echo o$i; echo e$i >&2; done")
        .await;
    let expected: String = (1..=500).map(|i| format!("o{i}\ne{i}\n")).collect();
    assert_eq!(text, expected);
}

#[tokio::test]
async fn separate_streams_are_captured_apart_and_observed_as_they_come() {
    let bench = Bench::new().await;
    let mut launch = bench.bash("echo out; echo err >&2");
    launch.streams = pipes(Output::Separate);
    let running = bench.keeper.spawn(launch).await.unwrap();
    let (mut output, mut error, mut seen) = (capture(), capture(), Vec::new());
    let mut observer = |stream: Stream, chunk: &[u8]| seen.push((stream, chunk.to_vec()));
    let mut recording = Recording {
        output: &mut output,
        error: Some(&mut error),
        observer: Some(&mut observer),
    };
    complete(
        running,
        &mut recording,
        Limits::default(),
        std::future::pending(),
    )
    .await;
    assert_eq!(
        (output.head_text(9), error.head_text(9)),
        ("out\n".into(), "err\n".into())
    );
    seen.sort_by_key(|(stream, _)| *stream == Stream::Error);
    let expected = [
        (Stream::Output, b"out\n".to_vec()),
        (Stream::Error, b"err\n".to_vec()),
    ];
    assert_eq!(seen, expected);
}

#[tokio::test]
async fn a_hundred_megabytes_take_the_memory_of_the_ring() {
    let bench = Bench::new().await;
    let running = bench.start("head -c 100000000 /dev/zero; printf end").await;
    let settings = CaptureSettings {
        ring_bytes: 1 << 20,
        inline_scalars: 1000,
        spill: None,
        secrets: Default::default(),
    };
    let mut capture = Capture::new(settings);
    let completion = finish(running, &mut capture, Limits::default()).await;
    assert_eq!(completion.outcome, Outcome::Exited(0));
    assert_eq!(capture.total_bytes(), 100_000_003);
    assert_eq!(capture.ring_capacity(), 1 << 20);
    assert_eq!(capture.tail_text(3), "end");
    assert_eq!(capture.start(), 100_000_003 - (1 << 20));
}

#[tokio::test]
async fn a_long_stream_is_spilled_raw_and_whole() {
    let bench = Bench::new().await;
    let running = bench.start("head -c 3000000 /dev/urandom | tee copy").await;
    let spill = SpillTarget {
        workspace: bench.directory.path().to_owned(),
        name: "a.log".into(),
        limit: SpillTarget::DEFAULT_LIMIT,
        quota: SpillTarget::DEFAULT_QUOTA,
    };
    let settings = CaptureSettings {
        ring_bytes: 1 << 20,
        inline_scalars: 50_000,
        spill: Some(spill),
        secrets: Default::default(),
    };
    let mut capture = Capture::new(settings);
    finish(running, &mut capture, Limits::default()).await;
    let artifact = capture.artifact().unwrap();
    assert_eq!(
        (artifact.bytes, artifact.stopped, &artifact.problem),
        (3_000_000, false, &None)
    );
    assert!(fs::read(&artifact.path).unwrap() == fs::read(bench.path("copy")).unwrap());
}

#[tokio::test]
async fn a_character_in_three_writes_is_one() {
    let bench = Bench::new().await;
    let (_, text) = bench
        .run(r"printf '\xe2'; /bin/true; printf '\x89'; /bin/true; printf '\xa4'")
        .await;
    assert_eq!(text, "≤");
}

/// Set to start this program again as a runner whose own streams its test holds.
const INHERITING: &str = "EXECGATE_TEST_INHERITING";

#[test]
fn inherited_streams_are_the_runners_own() {
    let mut runner = Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "process::output::the_runner_that_passes_its_streams_on",
            "--ignored",
        ])
        .env(INHERITING, "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    runner.stdin.take().unwrap().write_all(b"abc").unwrap();
    let output = runner.wait_with_output().unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).contains("out abc.\n"));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "err\n");
}

#[tokio::test]
#[ignore = "is the program that another test starts"]
async fn the_runner_that_passes_its_streams_on() {
    if std::env::var_os(INHERITING).is_none() {
        return;
    }
    let bench = Bench::new().await;
    let mut launch = bench.bash("echo out $(cat).; echo err >&2");
    launch.streams = Streams::Pipes {
        stdin: Stdin::Inherit,
        output: Output::Inherit,
    };
    let (completion, _) = bench.run_with(launch, Limits::default()).await;
    assert_eq!(completion.outcome, Outcome::Exited(0));
}
