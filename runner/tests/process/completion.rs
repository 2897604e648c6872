use std::time::Duration;

use execgate::completion::{Drained, Limits, Outcome, Recording, complete};
use pretty_assertions::assert_eq;

use super::support::{Bench, capture, is_alive, read_pid, wait_gone};

#[tokio::test]
async fn a_background_child_does_not_hold_the_call_and_is_listed() {
    let bench = Bench::new().await;
    for text in ["sleep 1000 & echo hi", "setsid sleep 1000 & echo hi"] {
        let (completion, printed) = bench.run(text).await;
        assert_eq!(
            (completion.outcome, printed.as_str()),
            (Outcome::Exited(0), "hi\n")
        );
        assert_eq!(completion.drained, Drained::Cut);
        let [survivor] = completion.survivors.as_slice() else {
            panic!("{:?}", completion.survivors)
        };
        assert_eq!(survivor.command, "sleep 1000");
        assert!(is_alive(survivor.pid));
    }
}

#[tokio::test]
async fn a_detached_child_leaves_the_streams_complete() {
    let bench = Bench::new().await;
    let (completion, _) = bench
        .run("sleep 1000 </dev/null >/dev/null 2>&1 & echo x")
        .await;
    assert_eq!(
        (completion.drained, completion.survivors.len()),
        (Drained::Complete, 1)
    );
}

#[tokio::test]
async fn a_command_without_children_has_no_survivors() {
    let bench = Bench::new().await;
    let other = bench.start("sleep 1000").await;
    let (completion, _) = bench.run("true").await;
    assert_eq!(completion.survivors, []);
    let survivors = bench.keeper.survivors(&other.session).await.unwrap();
    assert_eq!(survivors.len(), 1);
}

#[tokio::test]
async fn what_a_reader_behind_the_shell_prints_last_is_not_lost() {
    let bench = Bench::new().await;
    for _ in 0..50 {
        // As long as a busy machine may take to let the reader run.
        let limits = Limits {
            drain_quiet: Duration::from_secs(30),
            drain_limit: Duration::from_secs(30),
            ..Limits::default()
        };
        let launch = bench.bash("exec > >(tee -a log) 2>&1; echo done");
        let (_, printed) = bench.run_with(launch, limits).await;
        assert_eq!(printed, "done\n");
    }
}

#[tokio::test]
async fn a_chatty_survivor_does_not_hold_the_call() {
    let bench = Bench::new().await;
    let text = "(while :; do echo tick; read -t 0.02 < <(sleep 1000); done) & echo main";
    let (completion, printed) = bench.run(text).await;
    assert_eq!(
        (completion.outcome, completion.drained),
        (Outcome::Exited(0), Drained::Cut)
    );
    assert!(printed.contains("main\n"));
}

#[tokio::test]
async fn a_timeout_ends_the_tree_and_keeps_what_was_printed() {
    let bench = Bench::new().await;
    let launch = bench
        .bash("echo start; sleep 1000 & echo $! > pid; setsid sleep 1000 & echo $! > far; wait");
    let (completion, printed) = bench.run_with(launch, limits(2_000)).await;
    assert_eq!(
        (completion.outcome, printed.as_str()),
        (Outcome::TimedOut, "start\n")
    );
    assert_eq!(
        (completion.survivors.len(), completion.drained),
        (0, Drained::Complete)
    );
    for file in ["pid", "far"] {
        assert!(!is_alive(read_pid(&bench.path(file)).await));
    }
}

#[tokio::test]
async fn a_child_that_ignores_the_polite_signal_is_killed() {
    let bench = Bench::new().await;
    let launch = bench.bash("trap '' TERM; echo ready; while :; do sleep 0.2; done");
    let limits = Limits {
        grace: Duration::from_millis(100),
        ..limits(2_000)
    };
    let (completion, printed) = bench.run_with(launch, limits).await;
    assert_eq!(
        (completion.outcome, printed.as_str()),
        (Outcome::TimedOut, "ready\n")
    );
    let killed = execgate::keeper::Status::Signaled {
        signal: libc::SIGKILL,
        core: false,
    };
    assert_eq!(completion.status, Some(killed));
}

#[tokio::test]
async fn what_is_printed_on_the_polite_signal_is_kept() {
    let bench = Bench::new().await;
    let launch = bench.bash("trap 'echo bye; exit 5' TERM; sleep 1000 & wait");
    let (completion, printed) = bench.run_with(launch, limits(2_000)).await;
    assert_eq!(
        (completion.outcome, printed.as_str()),
        (Outcome::TimedOut, "bye\n")
    );
    assert_eq!(completion.status, Some(execgate::keeper::Status::Exited(5)));
}

#[tokio::test]
async fn a_stopped_process_ends_too() {
    let bench = Bench::new().await;
    let (completion, _) = bench
        .run_with(bench.bash("kill -STOP $$"), limits(2_000))
        .await;
    assert_eq!(completion.outcome, Outcome::TimedOut);
}

#[tokio::test]
async fn a_timeout_within_the_command_is_none_of_ours() {
    let bench = Bench::new().await;
    let (completion, _) = bench
        .run_with(bench.bash("timeout 0.1 sleep 1000"), limits(50_000))
        .await;
    assert_eq!(completion.outcome, Outcome::Exited(124));
}

#[tokio::test]
async fn the_longest_timeout_never_comes() {
    let bench = Bench::new().await;
    let limits = Limits {
        timeout: Some(Duration::MAX),
        ..Limits::default()
    };
    let (completion, _) = bench.run_with(bench.bash("sleep 0.1"), limits).await;
    assert_eq!(completion.outcome, Outcome::Exited(0));
}

#[tokio::test]
async fn cancelling_ends_the_tree() {
    let bench = Bench::new().await;
    let running = bench
        .start("setsid sleep 1000 & echo $! > pid; echo up; wait")
        .await;
    let (cancel, cancelled) = tokio::sync::oneshot::channel::<()>();
    let mut cancel = Some(cancel);
    let mut observer = |_, _: &[u8]| drop(cancel.take());
    let mut capture = capture();
    let mut recording = Recording {
        output: &mut capture,
        error: None,
        observer: Some(&mut observer),
    };
    let cancelled = async { drop(cancelled.await) };
    let completion = complete(running, &mut recording, Limits::default(), cancelled).await;
    assert_eq!(
        (completion.outcome, completion.survivors.len()),
        (Outcome::Cancelled, 0)
    );
    assert!(!is_alive(read_pid(&bench.path("pid")).await));
}

#[tokio::test]
async fn dropping_the_wait_ends_the_tree() {
    let bench = Bench::new().await;
    for polled in [true, false] {
        let file = bench.path(if polled { "polled" } else { "unpolled" });
        let text = format!("setsid sleep 1000 & echo $! > {}; wait", file.display());
        let running = bench.start(&text).await;
        let root = running.pid;
        let mut capture = capture();
        let mut recording = Recording {
            output: &mut capture,
            error: None,
            observer: None,
        };
        let wait = complete(
            running,
            &mut recording,
            Limits::default(),
            std::future::pending(),
        );
        let child = if polled {
            tokio::select! {
                biased;
                _ = wait => unreachable!("sleeps for long"),
                pid = read_pid(&file) => pid,
            }
        } else {
            let pid = read_pid(&file).await;
            drop(wait);
            pid
        };
        wait_gone(root).await;
        wait_gone(child).await;
    }
}

#[tokio::test]
async fn a_survivor_whose_stream_is_discarded_lives_on() {
    let bench = Bench::new().await;
    let text = "(trap 'echo ended > ended' PIPE; until [ -e stop ]; do echo tick; done; echo done > fine) & echo up";
    let (completion, _) = bench.run(text).await;
    let discard = tokio::spawn(execgate::completion::discard(completion.rest));
    std::fs::write(bench.path("stop"), "").unwrap();
    tokio::time::timeout(super::support::DEADLINE, discard)
        .await
        .unwrap()
        .unwrap();
    assert!(bench.path("fine").exists() && !bench.path("ended").exists());
}

fn limits(timeout_ms: u64) -> Limits {
    Limits {
        timeout: Some(Duration::from_millis(timeout_ms)),
        ..Limits::default()
    }
}
