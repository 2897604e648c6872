use pretty_assertions::assert_eq;

use super::support::Bench;

#[tokio::test]
async fn the_environment_is_the_given_one_and_the_marker() {
    let bench = Bench::new().await;
    let mut launch = bench.bash("");
    launch.program = "/usr/bin/env".into();
    launch.text = None;
    launch.environment = vec![
        ("A".into(), "1 2\n3".into()),
        ("EMPTY".into(), "".into()),
        ("EXECGATE_SESSION".into(), "forged".into()),
    ];
    let marker = format!("EXECGATE_SESSION={}\n", launch.session);
    let (_, text) = bench.run_with(launch, Default::default()).await;
    assert_eq!(text, marker + "A=1 2\n3\nEMPTY=\n");
}

#[tokio::test]
async fn the_parent_of_all_commands_has_no_environment() {
    let bench = Bench::new().await;
    let (_, text) = bench
        .run("cat /proc/$PPID/comm; wc -c < /proc/$PPID/environ")
        .await;
    assert_eq!(text, "execgate-keeper\n0\n");
}

#[tokio::test]
async fn no_descriptor_is_inherited() {
    let bench = Bench::new().await;
    let _others = (
        bench.start("sleep 1000").await,
        bench.start("sleep 1000").await,
    );
    let (_, text) = bench.run("ls /proc/self/fd | tr '\\n' ' '").await;
    assert_eq!(text, "0 1 2 3 ");
}

#[tokio::test]
async fn signals_are_not_blocked_nor_ignored() {
    let bench = Bench::new().await;
    let (_, text) = bench
        .run("exec grep -E 'Sig(Blk|Ign)' /proc/self/status")
        .await;
    assert_eq!(
        text,
        "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n"
    );
}

#[tokio::test]
async fn a_broken_pipe_ends_a_writer_quietly() {
    let bench = Bench::new().await;
    let (_, text) = bench
        .run("for i in $(seq 1 20000); do echo $i; done | head -1")
        .await;
    assert_eq!(text, "1\n");
}

#[tokio::test]
async fn the_process_leads_a_session_and_a_group_without_a_terminal() {
    let bench = Bench::new().await;
    let running = bench.start("sleep 1000").await;
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", running.pid)).unwrap();
    let fields: Vec<&str> = stat.rsplit(") ").next().unwrap().split(' ').collect();
    let pid = running.pid.to_string();
    assert_eq!(
        (fields[2], fields[3], fields[4]),
        (pid.as_str(), pid.as_str(), "0")
    );
}

#[tokio::test]
async fn the_limit_on_open_files_is_the_runners() {
    let bench = Bench::new().await;
    let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile)
        .current
        .unwrap();
    let (_, text) = bench.run("ulimit -Sn").await;
    assert_eq!(text, format!("{limit}\n"));
}
