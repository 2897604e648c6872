//! What the tests share: a keeper each, a directory each, and no process left behind.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use execgate::completion::{Completion, Limits, Recording, complete};
use execgate::keeper::{Keeper, Launch, Output, Running, Stdin, Streams};
use execgate::output::{Capture, CaptureSettings};
use tempfile::TempDir;

/// Generous: reached only when something is broken.
pub const DEADLINE: Duration = Duration::from_secs(60);

/// A keeper and a directory of the test's own. Dropping it ends every process below the keeper.
pub struct Bench {
    pub keeper: Keeper,
    pub directory: TempDir,
}

impl Bench {
    pub async fn new() -> Self {
        let keeper = Keeper::start().await.unwrap();
        Self {
            keeper,
            directory: tempfile::tempdir().unwrap(),
        }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// `bash -c TEXT` in the test's directory, both streams on one pipe, standard input at its end.
    pub fn bash(&self, text: &str) -> Launch {
        Launch {
            session: uuid::Uuid::new_v4().to_string(),
            program: "/bin/bash".into(),
            name: None,
            arguments: Vec::new(),
            directory: self.directory.path().to_owned(),
            environment: vec![(
                "PATH".into(),
                OsString::from("/usr/local/bin:/usr/bin:/bin"),
            )],
            streams: pipes(Output::Shared),
            text: Some(text.as_bytes().to_vec()),
        }
    }

    pub async fn start(&self, text: &str) -> Running {
        self.keeper.spawn(self.bash(text)).await.unwrap()
    }

    /// Runs a text to its completion without a limit.
    pub async fn run(&self, text: &str) -> (Completion, String) {
        self.run_with(self.bash(text), Limits::default()).await
    }

    pub async fn run_with(&self, launch: Launch, limits: Limits) -> (Completion, String) {
        let running = self.keeper.spawn(launch).await.unwrap();
        let mut capture = capture();
        let completion = finish(running, &mut capture, limits).await;
        (completion, capture.head_text(usize::MAX))
    }
}

pub fn pipes(output: Output) -> Streams {
    Streams::Pipes {
        stdin: Stdin::Eof,
        output,
    }
}

pub fn capture() -> Capture {
    Capture::new(CaptureSettings {
        ring_bytes: 1 << 20,
        inline_scalars: 100_000,
        spill: None,
        secrets: Default::default(),
    })
}

pub async fn finish(running: Running, capture: &mut Capture, limits: Limits) -> Completion {
    let mut recording = Recording {
        output: capture,
        error: None,
        observer: None,
    };
    let completion = complete(running, &mut recording, limits, std::future::pending());
    tokio::time::timeout(DEADLINE, completion)
        .await
        .expect("completes before the deadline")
}

/// Whether a process with this number runs, zombies not counted.
pub fn is_alive(pid: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = stat
        .rsplit(')')
        .next()
        .and_then(|rest| rest.split_whitespace().next());
    !matches!(state, None | Some("Z" | "X"))
}

/// Reads the number a script has written to a file with a line end; waits until it is there.
pub async fn read_pid(path: &Path) -> u32 {
    let read = || {
        fs::read_to_string(path)
            .ok()?
            .strip_suffix('\n')?
            .trim()
            .parse()
            .ok()
    };
    poll_until(read).await
}

/// Waits until a process is gone.
pub async fn wait_gone(pid: u32) {
    poll_until(|| (!is_alive(pid)).then_some(())).await;
}

/// Asks again and again, giving way in between, until there is an answer; for what no event announces.
pub async fn poll_until<T>(mut ask: impl FnMut() -> Option<T>) -> T {
    let poll = async {
        loop {
            if let Some(answer) = ask() {
                return answer;
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    tokio::time::timeout(DEADLINE, poll)
        .await
        .expect("happens before the deadline")
}
