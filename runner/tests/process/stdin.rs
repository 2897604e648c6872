use execgate::completion::{Limits, Outcome};
use execgate::keeper::{Output, Stdin, Streams};
use pretty_assertions::assert_eq;
use tokio::io::AsyncWriteExt;

use super::support::{Bench, capture, finish};

#[tokio::test]
async fn standard_input_is_at_its_end() {
    let bench = Bench::new().await;
    let (completion, text) = bench
        .run("cat; grep foo; echo rc=$?; read -r line; echo rc=$?")
        .await;
    assert_eq!(
        (completion.outcome, text.as_str()),
        (Outcome::Exited(0), "rc=1\nrc=1\n")
    );
}

#[tokio::test]
async fn a_dropped_writing_end_is_end_of_file() {
    let bench = Bench::new().await;
    let mut launch = bench.bash("cat");
    launch.streams = Streams::Pipes {
        stdin: Stdin::Pipe,
        output: Output::Shared,
    };
    let mut running = bench.keeper.spawn(launch).await.unwrap();
    let mut stdin = running.stdin.take().unwrap();
    stdin.write_all(b"abc").await.unwrap();
    drop(stdin);
    let mut capture = capture();
    let completion = finish(running, &mut capture, Limits::default()).await;
    assert_eq!(
        (completion.outcome, capture.head_text(9)),
        (Outcome::Exited(0), "abc".into())
    );
}

#[tokio::test]
async fn a_write_to_an_ended_process_is_an_error_and_no_signal() {
    let bench = Bench::new().await;
    let mut launch = bench.bash("true");
    launch.streams = Streams::Pipes {
        stdin: Stdin::Pipe,
        output: Output::Shared,
    };
    let mut running = bench.keeper.spawn(launch).await.unwrap();
    running.exit.wait().await;
    let mut stdin = running.stdin.take().unwrap();
    let error = stdin.write_all(b"x").await.unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::BrokenPipe);
}
