use std::fs;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

use execgate::completion::{Limits, Outcome};
use execgate::keeper::{Exit, KeeperError, SpawnError};
use pretty_assertions::assert_eq;
use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use super::support::{Bench, capture, finish, is_alive, read_pid, wait_gone};

/// Set to the directory of the test that started this program again.
const SACRIFICE: &str = "EXECGATE_TEST_SACRIFICE";

#[tokio::test]
async fn a_killed_keeper_is_noticed_by_every_session() {
    let bench = Bench::new().await;
    let mut waiting = bench.start("echo $PPID > keeper; exec sleep 1000").await;
    let completing = bench.start("exec sleep 1000").await;
    let keeper = read_pid(&bench.path("keeper")).await;
    let (roots, mut capture) = ([waiting.pid, completing.pid], capture());
    kill(keeper, Signal::KILL);
    let completion = finish(completing, &mut capture, Limits::default()).await;
    assert_eq!(
        (completion.outcome, completion.status),
        (Outcome::Lost, None)
    );
    assert_eq!(waiting.exit.wait().await, Exit::Lost);
    for root in roots {
        wait_gone(root).await;
    }
    let error = bench.keeper.spawn(bench.bash("true")).await.unwrap_err();
    assert!(
        matches!(error, SpawnError::Keeper(KeeperError::Lost)),
        "{error}"
    );
    assert!(matches!(
        bench.keeper.survivors("x").await,
        Err(KeeperError::Lost)
    ));
}

#[tokio::test]
async fn a_keeper_killed_while_it_starts_a_process_is_noticed() {
    let bench = Bench::new().await;
    let mut first = bench.start("echo $PPID > keeper; exec sleep 1000").await;
    kill(read_pid(&bench.path("keeper")).await, Signal::STOP);
    let spawn = tokio::spawn({
        let (keeper, launch) = (bench.keeper.clone(), bench.bash("true"));
        async move { keeper.spawn(launch).await.map(drop) }
    });
    kill(read_pid(&bench.path("keeper")).await, Signal::KILL);
    let result = spawn.await.unwrap();
    assert!(matches!(result, Err(SpawnError::Keeper(KeeperError::Lost))));
    assert_eq!(first.exit.wait().await, Exit::Lost);
}

#[tokio::test]
async fn the_keeper_does_not_end_by_the_signals_of_a_terminal() {
    let bench = Bench::new().await;
    let mut running = bench
        .start("echo $PPID > keeper; until [ -e stop ]; do sleep 0.01; done")
        .await;
    let keeper = read_pid(&bench.path("keeper")).await;
    for signal in [
        Signal::INT,
        Signal::HUP,
        Signal::TERM,
        Signal::QUIT,
        Signal::PIPE,
    ] {
        kill(keeper, signal);
    }
    fs::write(bench.path("stop"), "").unwrap();
    assert!(matches!(running.exit.wait().await, Exit::Ended { .. }));
}

#[tokio::test]
async fn a_killed_runner_leaves_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    let mut runner = start_sacrifice(&directory);
    let mut pids = Vec::new();
    for name in ["root", "child", "far", "daemon", "keeper"] {
        pids.push(read_pid(&path(name)).await);
    }
    assert!(pids.iter().all(|&pid| is_alive(pid)));
    runner.kill().unwrap();
    runner.wait().unwrap();
    for pid in pids {
        wait_gone(pid).await;
    }
}

#[tokio::test]
async fn an_interrupt_at_the_terminal_spares_the_keeper_until_the_runner_is_gone() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    let mut runner = start_sacrifice(&directory);
    let keeper = read_pid(&path("keeper")).await;
    let root = read_pid(&path("root")).await;
    let group = Pid::from_raw(runner.id().cast_signed()).unwrap();
    kill_process_group(group, Signal::INT).unwrap();
    runner.wait().unwrap();
    wait_gone(root).await;
    wait_gone(keeper).await;
    assert!(
        !path("interrupted").exists(),
        "the command is not of the terminal's group"
    );
}

/// Starts this program again as a runner that waits to be killed.
fn start_sacrifice(directory: &tempfile::TempDir) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "process::keeper_loss::the_runner_that_is_killed",
            "--ignored",
        ])
        .env(SACRIFICE, directory.path())
        // What it leaves there goes with the test's directory.
        .env("TMPDIR", directory.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .unwrap()
}

#[tokio::test]
#[ignore = "is the program that other tests start and kill"]
async fn the_runner_that_is_killed() {
    let Some(directory) = std::env::var_os(SACRIFICE) else {
        return;
    };
    let bench = Bench::new().await;
    let text = "echo $PPID > keeper; echo $$ > root; sleep 1000 & echo $! > child; setsid sleep 1000 & echo $! > far;
        (setsid env -i /bin/sh -c 'echo $$ > daemon; exec /bin/sleep 1000' &); trap 'echo > interrupted' INT; wait";
    let mut launch = bench.bash(text);
    launch.directory = directory.into();
    let mut running = bench.keeper.spawn(launch).await.unwrap();
    running.exit.wait().await;
}

fn kill(pid: u32, signal: Signal) {
    kill_process(Pid::from_raw(pid.cast_signed()).unwrap(), signal).unwrap();
}
