//! A program on its way to its end.

use std::io::{Read, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

/// How long anything may take. Generous: it is reached only when something is broken.
pub const DEADLINE: Duration = Duration::from_secs(120);

/// A running program; it is killed on drop.
#[derive(Debug)]
pub struct Running {
    child: Child,
    stdout: Receiver<Vec<u8>>,
    stderr: Receiver<Vec<u8>>,
    /// What was read of standard output so far.
    read: Vec<u8>,
}

/// How a program ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finished {
    /// Its exit code, or 128 and the number of the signal that ended it.
    pub code: i32,
    /// Standard output, lossily decoded.
    pub stdout: String,
    /// Standard error, lossily decoded.
    pub stderr: String,
}

impl Running {
    /// Starts a program.
    ///
    /// # Panics
    /// It does not start.
    pub fn start(mut command: Command) -> Self {
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let stdout = chunks(child.stdout.take().expect("standard output is a pipe"));
        let stderr = chunks(child.stderr.take().expect("standard error is a pipe"));
        Self {
            child,
            stdout,
            stderr,
            read: Vec::new(),
        }
    }

    /// Starts a program and gives it this to read, then the end of its input.
    ///
    /// # Panics
    /// It does not start.
    pub fn start_with_input(mut command: Command, input: Vec<u8>) -> Self {
        command.stdin(Stdio::piped());
        let mut running = Self::start(command);
        let mut stdin = running
            .child
            .stdin
            .take()
            .expect("standard input is a pipe");
        // A program that ends early does not read the rest.
        thread::spawn(move || drop(stdin.write_all(&input)));
        running
    }

    /// Its process id.
    pub fn pid(&self) -> rustix::process::Pid {
        rustix::process::Pid::from_child(&self.child)
    }

    /// Sends it a signal.
    ///
    /// # Panics
    /// It has ended already and was waited for.
    pub fn signal(&self, signal: rustix::process::Signal) {
        rustix::process::kill_process(self.pid(), signal).expect("it has not been waited for");
    }

    /// Waits until it has printed this on standard output.
    ///
    /// # Panics
    /// It ends without, or the deadline passes.
    pub fn wait_for(&mut self, text: &str) {
        let end = Instant::now() + DEADLINE;
        while !String::from_utf8_lossy(&self.read).contains(text) {
            let left = end.saturating_duration_since(Instant::now());
            let chunk = self.stdout.recv_timeout(left).unwrap_or_else(|error| {
                panic!(
                    "`{text}` is not printed ({error}): {:?}",
                    String::from_utf8_lossy(&self.read)
                )
            });
            self.read.extend(chunk);
        }
    }

    /// Waits for its end.
    ///
    /// # Panics
    /// The deadline passes: somebody still holds its output.
    pub fn finish(mut self) -> Finished {
        let stdout = rest(&self.stdout, std::mem::take(&mut self.read));
        let stderr = rest(&self.stderr, Vec::new());
        let status = self.child.wait().expect("it was not waited for before");
        Finished {
            code: status
                .code()
                .or_else(|| status.signal().map(|signal| 128 + signal))
                .expect("it exited or was killed"),
            stdout: String::from_utf8_lossy(&stdout).into_owned(),
            stderr: String::from_utf8_lossy(&stderr).into_owned(),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended, and been waited for, long ago.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Finished {
    /// Standard output as one JSON value.
    ///
    /// # Panics
    /// It is not JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("not JSON ({error}): {self:?}"))
    }

    /// Standard output as JSON lines.
    ///
    /// # Panics
    /// A line is not JSON.
    pub fn json_lines(&self) -> Vec<Value> {
        let parse = |line: &str| {
            serde_json::from_str(line)
                .unwrap_or_else(|error| panic!("not JSON ({error}): {line}\n{}", self.stderr))
        };
        self.stdout.lines().map(parse).collect()
    }
}

/// Reads a stream as it comes; the channel closes at its end.
fn chunks(mut stream: impl Read + Send + 'static) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut buffer = [0; 8192];
        while let Ok(size @ 1..) = stream.read(&mut buffer) {
            if sender.send(buffer[..size].to_vec()).is_err() {
                return;
            }
        }
    });
    receiver
}

fn rest(stream: &Receiver<Vec<u8>>, mut bytes: Vec<u8>) -> Vec<u8> {
    use std::sync::mpsc::RecvTimeoutError;
    let end = Instant::now() + DEADLINE;
    loop {
        match stream.recv_timeout(end.saturating_duration_since(Instant::now())) {
            Ok(chunk) => bytes.extend(chunk),
            Err(RecvTimeoutError::Disconnected) => return bytes,
            Err(RecvTimeoutError::Timeout) => panic!(
                "the output does not end: {:?}",
                String::from_utf8_lossy(&bytes)
            ),
        }
    }
}
