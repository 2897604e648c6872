use execgate::keeper::SpawnError;
use pretty_assertions::assert_eq;
use std::fs;

use super::support::Bench;

#[tokio::test]
async fn a_missing_directory_is_told_apart_from_a_missing_program() {
    let bench = Bench::new().await;
    let mut launch = bench.bash("true");
    launch.directory = bench.path("none");
    let error = bench.keeper.spawn(launch).await.unwrap_err();
    assert!(
        matches!(&error, SpawnError::Directory { path, source }
        if *path == bench.path("none") && source.kind() == std::io::ErrorKind::NotFound),
        "{error}"
    );

    let mut launch = bench.bash("true");
    launch.program = bench.path("none");
    let error = bench.keeper.spawn(launch).await.unwrap_err();
    assert!(
        matches!(&error, SpawnError::Program { path, source }
        if *path == bench.path("none") && source.kind() == std::io::ErrorKind::NotFound),
        "{error}"
    );
}

#[tokio::test]
async fn a_file_is_no_directory_and_a_text_file_no_program() {
    let bench = Bench::new().await;
    fs::write(bench.path("file"), "x").unwrap();
    let mut launch = bench.bash("true");
    launch.directory = bench.path("file");
    let error = bench.keeper.spawn(launch).await.unwrap_err();
    assert!(
        matches!(&error, SpawnError::Directory { source, .. }
        if source.kind() == std::io::ErrorKind::NotADirectory),
        "{error}"
    );

    let mut launch = bench.bash("true");
    launch.program = bench.path("file");
    let error = bench.keeper.spawn(launch).await.unwrap_err();
    assert!(
        matches!(&error, SpawnError::Program { source, .. }
        if source.kind() == std::io::ErrorKind::PermissionDenied),
        "{error}"
    );
}

#[tokio::test]
async fn a_failed_start_frees_its_id() {
    let bench = Bench::new().await;
    let mut launch = bench.bash("true");
    launch.program = bench.path("none");
    let session = launch.session.clone();
    bench.keeper.spawn(launch).await.unwrap_err();
    let mut launch = bench.bash("true");
    launch.session = session;
    bench.keeper.spawn(launch).await.unwrap().exit.wait().await;
}

#[tokio::test]
async fn an_id_is_used_once() {
    let bench = Bench::new().await;
    let mut running = bench.start("true").await;
    running.exit.wait().await;
    let mut launch = bench.bash("true");
    launch.session = running.session.clone();
    let error = bench.keeper.spawn(launch).await.unwrap_err();
    assert!(matches!(error, SpawnError::SessionInUse { .. }), "{error}");
}

#[tokio::test]
async fn what_no_process_can_be_given_is_refused_before_it_is_tried() {
    let bench = Bench::new().await;
    let mut nul = bench.bash("echo a\0b");
    assert_eq!(
        refusal(&bench, nul).await,
        "pass the command text: it contains a NUL byte"
    );
    nul = bench.bash("true");
    nul.arguments = vec!["a\0b".into()];
    assert_eq!(
        refusal(&bench, nul).await,
        "pass the argument: it contains a NUL byte"
    );
    nul = bench.bash("true");
    nul.environment = vec![("A".into(), "a\0b".into())];
    assert_eq!(
        refusal(&bench, nul).await,
        "pass the environment variable: it contains a NUL byte"
    );
    let mut name = bench.bash("true");
    name.environment = vec![("A=B".into(), "c".into())];
    let expected = "set the environment variable `A=B`: a name must not be empty nor contain `=`";
    assert_eq!(refusal(&bench, name).await, expected);
    let mut relative = bench.bash("true");
    relative.program = "bash".into();
    assert_eq!(
        refusal(&bench, relative).await,
        "use the program `bash`: it must be an absolute path"
    );
    let mut large = bench.bash("true");
    large.environment = vec![("A".into(), "b".repeat(9 << 20).into())];
    assert_eq!(
        refusal(&bench, large).await,
        "pass arguments and environment of more than 8 MiB"
    );
    let mut long = bench.bash("true");
    long.environment = vec![("A".into(), "b".repeat(1 << 20).into())];
    assert!(
        refusal(&bench, long)
            .await
            .starts_with("execute `/bin/bash`: Argument list too long")
    );
    bench.start("true").await.exit.wait().await;
}

async fn refusal(bench: &Bench, launch: execgate::keeper::Launch) -> String {
    bench.keeper.spawn(launch).await.unwrap_err().to_string()
}
