//! A foreground `true` through the library, against spawning and waiting for the same shell.

use std::process::{Command, Stdio};
use std::time::Instant;

use execgate::config::Config;
use execgate::{Attachment, ExecRequest, Load, Outcome, Profile, Runner};

use super::stats::{Table, Times};

const ROUNDS: usize = 400;

/// A runner with its own store and workspace.
pub async fn runner(directory: &std::path::Path) -> Runner {
    let mut config = Config::new(Profile::Default);
    for (name, path) in [
        ("workspace", directory.to_owned()),
        ("state-dir", directory.join("state")),
        ("cache-dir", directory.join("cache")),
    ] {
        config
            .set(
                name,
                toml::Value::String(path.to_str().unwrap().to_owned()),
                execgate::config::Origin::Flag,
            )
            .unwrap();
    }
    Runner::new(&config, None, Load::Many).await.unwrap()
}

/// The same shell, arguments and pipes as the library uses; its output is read to the end.
fn raw(text: &str) -> std::process::Output {
    Command::new("bash")
        .args(["--noprofile", "--norc", "-c", text])
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

pub async fn measure(table: &mut Table) {
    let directory = tempfile::tempdir().unwrap();
    let runner = runner(directory.path()).await;
    let (mut ours, mut plain) = (Times::default(), Times::default());
    for round in 0..ROUNDS + 20 {
        let start = Instant::now();
        let response = runner
            .exec(ExecRequest::new("true"), Attachment::default())
            .await;
        let time = start.elapsed();
        assert_eq!(response.outcome, Outcome::Exited(0), "{}", response.text);
        let start = Instant::now();
        let output = tokio::task::block_in_place(|| raw("true"));
        assert!(output.status.success());
        // The first rounds warm both up.
        if round >= 20 {
            ours.add(time);
            plain.add(start.elapsed());
        }
    }
    table.compare(
        "foreground `true` through the library, against spawn + wait of the same shell, p50",
        "us",
        (ours.micros(0.5), plain.micros(0.5)),
        "<= 1.5x",
    );
    table.compare(
        "the same, p99",
        "us",
        (ours.micros(0.99), plain.micros(0.99)),
        "",
    );
    runner.shutdown().await;
}
