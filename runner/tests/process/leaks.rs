use std::fs;

use execgate::keeper::{Keeper, Output, Stdin, Streams};
use pretty_assertions::assert_eq;

use super::support::{Bench, poll_until, read_pid};

/// Set to make the test below the only one of its process: it counts the descriptors of all of it.
const ALONE: &str = "EXECGATE_TEST_ALONE";

fn descriptors(process: &str) -> usize {
    fs::read_dir(format!("/proc/{process}/fd")).unwrap().count()
}

#[test]
fn no_descriptor_is_left_after_two_hundred_processes() {
    let status = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "process::leaks::counting_alone", "--ignored"])
        .env(ALONE, "1")
        .stdout(std::process::Stdio::null())
        .status()
        .unwrap();
    assert!(status.success());
}

#[tokio::test]
#[ignore = "runs in a process of its own"]
async fn counting_alone() {
    if std::env::var_os(ALONE).is_none() {
        return;
    }
    let bench = Bench::new().await;
    let _held = bench.start("echo $PPID > keeper; exec sleep 1000").await;
    let keeper = read_pid(&bench.path("keeper")).await.to_string();
    bench.run("true").await;
    let before = (descriptors("self"), descriptors(&keeper));
    for round in 0..200 {
        let mut launch = bench.bash("true");
        let output = if round % 2 == 0 {
            Output::Shared
        } else {
            Output::Separate
        };
        launch.streams = Streams::Pipes {
            stdin: Stdin::Pipe,
            output,
        };
        if round % 5 == 0 {
            launch.text = Some(vec![b'#'; 200_000]);
        }
        if round % 7 == 0 {
            launch.directory = bench.path("none");
            bench.keeper.spawn(launch).await.unwrap_err();
            continue;
        }
        bench.run_with(launch, Default::default()).await;
    }
    assert_eq!((descriptors("self"), descriptors(&keeper)), before);
}

#[tokio::test]
async fn ended_processes_are_reaped_without_being_asked_for() {
    let bench = Bench::new().await;
    let _held = bench.start("echo $PPID > keeper; exec sleep 1000").await;
    let keeper = read_pid(&bench.path("keeper")).await;
    let mut unpolled = Vec::new();
    for _ in 0..50 {
        unpolled.push(bench.start("true").await);
    }
    // What is left below the keeper is the one that sleeps.
    let children = format!("/proc/{keeper}/task/{keeper}/children");
    poll_until(|| {
        (fs::read_to_string(&children)
            .unwrap()
            .split_whitespace()
            .count()
            == 1)
            .then_some(())
    })
    .await;
}

#[tokio::test]
async fn keepers_do_not_disturb_each_other() {
    let (one, other) = (Bench::new().await, Bench::new().await);
    let running = other.start("sleep 1000").await;
    one.start("sleep 1000").await;
    one.keeper
        .shutdown(std::time::Duration::ZERO)
        .await
        .unwrap();
    assert_eq!(
        other
            .keeper
            .survivors(&running.session)
            .await
            .unwrap()
            .len(),
        1
    );
}

#[tokio::test]
async fn a_start_that_is_given_up_leaves_no_process() {
    let bench = Bench::new().await;
    let mut launch = bench.bash("sleep 1000");
    let session = "given up".to_owned();
    launch.session = session.clone();
    let keeper: &Keeper = &bench.keeper;
    tokio::select! {
        biased;
        // The order is sent by the first poll, and the answer cannot have come by then.
        result = keeper.spawn(launch) => panic!("answered at once: {result:?}"),
        () = std::future::ready(()) => {}
    }
    // Answers come in order: by this one the ending has begun, and it joins it.
    keeper
        .kill_tree(&session, std::time::Duration::MAX)
        .await
        .unwrap();
    assert_eq!(keeper.survivors(&session).await.unwrap(), []);
}

#[tokio::test]
async fn the_keeper_holds_nothing_of_the_runner_open() {
    // A pipe without close-on-exec, as careless libraries make them: its reader must see its end.
    let (read, write) = rustix::pipe::pipe().unwrap();
    let bench = Bench::new().await;
    let _held = bench.start("exec sleep 1000").await;
    drop(write);
    let mut reader =
        tokio::net::unix::pipe::Receiver::from_owned_fd_unchecked(nonblocking(read)).unwrap();
    let mut bytes = Vec::new();
    let end = tokio::io::AsyncReadExt::read_to_end(&mut reader, &mut bytes);
    tokio::time::timeout(super::support::DEADLINE, end)
        .await
        .unwrap()
        .unwrap();
}

fn nonblocking(descriptor: std::os::fd::OwnedFd) -> std::os::fd::OwnedFd {
    rustix::io::ioctl_fionbio(&descriptor, true).unwrap();
    descriptor
}
