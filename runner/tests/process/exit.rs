use execgate::completion::{Drained, Outcome};
use pretty_assertions::assert_eq;

use super::support::Bench;

#[tokio::test]
async fn exit_codes_are_those_of_wait() {
    let bench = Bench::new().await;
    let table = [
        ("true", 0),
        ("exit 3", 3),
        ("exit 256", 0),
        ("exit -1", 255),
        ("ls -l |", 2),
        ("exec true", 0),
    ];
    for (text, code) in table {
        let (completion, _) = bench.run(text).await;
        assert_eq!(completion.outcome, Outcome::Exited(code), "`{text}`");
    }
}

#[tokio::test]
async fn a_signal_is_told_apart_from_a_reported_signal() {
    let bench = Bench::new().await;
    let killed = Outcome::Signaled {
        signal: libc::SIGKILL,
        core: false,
    };
    assert_eq!(bench.run("kill -9 $$").await.0.outcome, killed);
    assert_eq!(
        bench.run("sh -c 'kill -9 $$'; exit $?").await.0.outcome,
        Outcome::Exited(137)
    );
}

#[tokio::test]
async fn two_hundred_runs_complete() {
    let bench = Bench::new().await;
    for _ in 0..200 {
        let (completion, text) = bench.run("exec 2>&1; echo done").await;
        assert_eq!(
            (completion.outcome, text.as_str()),
            (Outcome::Exited(0), "done\n")
        );
        assert_eq!(completion.drained, Drained::Complete);
    }
}

#[tokio::test]
async fn usage_is_that_of_the_process() {
    let bench = Bench::new().await;
    let (completion, _) = bench
        .run("for ((i = 0; i < 200000; i++)); do :; done")
        .await;
    assert!(completion.usage.user_us > 0 && completion.usage.maximum_resident_kib > 0);
}
