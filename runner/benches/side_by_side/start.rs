//! The first command of the program: with an empty component cache, and with a warm one.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use super::stats::{Table, Times};

const COLD: usize = 5;
const WARM: usize = 40;

fn execgate(directory: &Path, cache: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_execgate"));
    command
        .args(["run", "--", "true"])
        .current_dir(directory)
        .env("EXECGATE_STATE_DIR", directory.join("state"))
        .env("EXECGATE_CACHE_DIR", cache)
        .stdin(Stdio::null());
    command
}

fn timed(mut command: Command) -> std::time::Duration {
    let start = Instant::now();
    assert!(command.status().unwrap().success());
    start.elapsed()
}

pub fn measure(table: &mut Table) {
    let directory = tempfile::tempdir().unwrap();
    let (mut cold, mut warm, mut plain) = (Times::default(), Times::default(), Times::default());
    for round in 0..COLD {
        cold.add(timed(execgate(
            directory.path(),
            &directory.path().join(format!("cache-{round}")),
        )));
    }
    let cache = directory.path().join("cache-0");
    for _ in 0..WARM {
        warm.add(timed(execgate(directory.path(), &cache)));
        let mut bash = Command::new("bash");
        bash.args(["--noprofile", "--norc", "-c", "true"]);
        plain.add(timed(bash));
    }
    let base = plain.micros(0.5) / 1e3;
    table.compare(
        "`execgate run -- true` with an empty component cache, against `bash -c true`, p50",
        "ms",
        (cold.micros(0.5) / 1e3, base),
        "",
    );
    table.compare(
        "`execgate run -- true` with a warm component cache, against `bash -c true`, p50",
        "ms",
        (warm.micros(0.5) / 1e3, base),
        "<= 30 ms",
    );
}
