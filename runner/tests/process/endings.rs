use std::time::Duration;

use execgate::keeper::Killed;
use pretty_assertions::assert_eq;
use rustix::process::Signal;

use super::support::{Bench, is_alive, poll_until, read_pid, wait_gone};

const NO_GRACE: Duration = Duration::ZERO;

#[tokio::test]
async fn children_that_left_the_group_or_the_session_end_too() {
    let bench = Bench::new().await;
    let text = "sleep 1000 & echo $! > a; setsid sleep 1000 & echo $! > b; (setsid sh -c 'echo $$ > c; sleep 1000; :' &); wait";
    let running = bench.start(text).await;
    let mut pids = vec![running.pid];
    for file in ["a", "b", "c"] {
        pids.push(read_pid(&bench.path(file)).await);
    }
    let killed = bench
        .keeper
        .kill_tree(&running.session, Duration::from_secs(2))
        .await
        .unwrap();
    assert!(killed.count >= 4 && killed.left == 0, "{killed:?}");
    assert_eq!(pids.into_iter().filter(|&pid| is_alive(pid)).count(), 0);
}

#[tokio::test]
async fn an_orphan_without_any_environment_is_found_among_others() {
    let bench = Bench::new().await;
    let other = bench.start("(setsid sleep 1000 &) ; sleep 1000").await;
    // Reparented before any scan has seen its parent, in a session of its own, its environment empty.
    let daemon = "(setsid env -i /bin/sh -c 'echo $$ > pid; exec /bin/sleep 1000' &) ; true";
    let mut running = bench.start(daemon).await;
    running.exit.wait().await;
    let orphan = read_pid(&bench.path("pid")).await;
    let survivors = bench.keeper.survivors(&running.session).await.unwrap();
    assert_eq!(
        survivors.iter().map(|one| one.pid).collect::<Vec<_>>(),
        [orphan]
    );
    let killed = bench
        .keeper
        .kill_tree(&running.session, NO_GRACE)
        .await
        .unwrap();
    assert_eq!(killed, Killed { count: 1, left: 0 });
    assert!(!is_alive(orphan) && is_alive(other.pid));
}

#[tokio::test]
async fn an_orphan_whose_limits_were_changed_is_found_by_its_environment() {
    let bench = Bench::new().await;
    let daemon = "(setsid sh -c 'echo $$ > pid; exec sleep 1000' &) ; true";
    let mut running = bench.start(&format!("ulimit -R 1000000; {daemon}")).await;
    running.exit.wait().await;
    let orphan = read_pid(&bench.path("pid")).await;
    let killed = bench
        .keeper
        .kill_tree(&running.session, NO_GRACE)
        .await
        .unwrap();
    assert_eq!(killed, Killed { count: 1, left: 0 });
    assert!(!is_alive(orphan));
}

#[tokio::test]
async fn only_the_session_asked_for_ends() {
    let bench = Bench::new().await;
    let (one, other) = (
        bench.start("sleep 1000").await,
        bench.start("sleep 1000").await,
    );
    bench
        .keeper
        .kill_tree(&one.session, NO_GRACE)
        .await
        .unwrap();
    assert_eq!((is_alive(one.pid), is_alive(other.pid)), (false, true));
}

#[tokio::test]
async fn an_ended_session_gets_no_signal() {
    let bench = Bench::new().await;
    let mut running = bench.start("true").await;
    running.exit.wait().await;
    let killed = bench
        .keeper
        .kill_tree(&running.session, NO_GRACE)
        .await
        .unwrap();
    assert_eq!(killed, Killed { count: 0, left: 0 });
    let error = bench
        .keeper
        .signal(&running.session, libc::SIGTERM)
        .await
        .unwrap_err();
    assert!(error.to_string().contains("No such process"), "{error}");
    let unknown = bench
        .keeper
        .kill_tree("never started", NO_GRACE)
        .await
        .unwrap();
    assert_eq!(unknown, Killed { count: 0, left: 0 });
}

#[tokio::test]
async fn a_tree_that_keeps_forking_ends() {
    let bench = Bench::new().await;
    // Each process starts the next one and ends; two chains, one of them in ever new sessions.
    let chain = "f() { (f &); }; echo up > up; f & while :; do setsid sh -c 'sleep 0.01 & sleep 0.01 &'; done";
    let running = bench.start(chain).await;
    poll_until(|| bench.path("up").exists().then_some(())).await;
    let killed = bench
        .keeper
        .kill_tree(&running.session, NO_GRACE)
        .await
        .unwrap();
    assert_eq!(killed.left, 0);
    assert_eq!(bench.keeper.survivors(&running.session).await.unwrap(), []);
}

#[tokio::test]
async fn a_kill_without_grace_hastens_one_that_waits() {
    let bench = Bench::new().await;
    let running = bench
        .start("trap '' TERM; echo up > up; while :; do sleep 0.1; done")
        .await;
    poll_until(|| bench.path("up").exists().then_some(())).await;
    let patient = bench.keeper.kill_tree(&running.session, Duration::MAX);
    let hasty = bench.keeper.kill_tree(&running.session, NO_GRACE);
    let (patient, hasty) = tokio::join!(patient, hasty);
    assert_eq!(patient.unwrap(), hasty.unwrap());
    assert!(!is_alive(running.pid));
}

#[tokio::test]
async fn a_signal_reaches_the_group_of_the_first_process() {
    let bench = Bench::new().await;
    let mut running = bench
        .start("trap 'exit 9' USR1; sleep 1000 & echo up > up; wait")
        .await;
    poll_until(|| bench.path("up").exists().then_some(())).await;
    bench
        .keeper
        .signal(&running.session, Signal::USR1.as_raw())
        .await
        .unwrap();
    let execgate::keeper::Exit::Ended { status, .. } = running.exit.wait().await else {
        panic!("lost")
    };
    assert_eq!(status, execgate::keeper::Status::Exited(9));
    assert!(bench.keeper.signal(&running.session, 4000).await.is_err());
}

#[tokio::test]
async fn shutdown_ends_every_session_every_orphan_and_the_keeper() {
    let bench = Bench::new().await;
    let one = bench
        .start("trap 'echo bye > bye; exit' TERM; sleep 1000 & echo $PPID > keeper; wait")
        .await;
    let mut orphaned = bench
        .start("(setsid env -i /bin/sh -c 'echo $$ > pid; exec /bin/sleep 1000' &); true")
        .await;
    orphaned.exit.wait().await;
    let keeper = read_pid(&bench.path("keeper")).await;
    let orphan = read_pid(&bench.path("pid")).await;
    let killed = bench
        .keeper
        .shutdown(Duration::from_secs(30))
        .await
        .unwrap();
    assert!(killed.count >= 3 && killed.left == 0, "{killed:?}");
    assert!(bench.path("bye").exists());
    assert_eq!([one.pid, orphan, keeper].map(is_alive), [false; 3]);
    assert!(bench.keeper.spawn(bench.bash("true")).await.is_err());
}

#[tokio::test]
async fn dropping_the_last_handle_ends_everything() {
    let bench = Bench::new().await;
    let running = bench.start("setsid sleep 1000 & echo $! > pid; wait").await;
    let child = read_pid(&bench.path("pid")).await;
    let root = running.pid;
    drop((running, bench));
    wait_gone(root).await;
    wait_gone(child).await;
}
