//! What is sent to a session's program.

use std::io;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use tokio::net::unix::pipe;
use tokio::time;

use super::Session;

/// How long a write waits for a program that takes nothing.
const PATIENCE: Duration = Duration::from_millis(100);

/// How long a write goes on with a program that takes a little at a time.
const LONGEST: Duration = Duration::from_secs(1);

/// Time after an Escape key, in which programs see that no sequence follows it: more than the 25 ms that most of them wait.
const PAUSE: Duration = Duration::from_millis(50);

/// End of file, as it is typed on a terminal.
const END_OF_FILE: u8 = 4;

/// The writing end of a program's input: a pipe's, or a terminal's.
#[derive(Debug)]
pub(super) struct Input {
    pipe: pipe::Sender,
}

/// What is to be sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Bytes {
    pub bytes: Vec<u8>,
    /// Whether the input ends with them.
    pub eof: bool,
    /// Offsets before which a little time passes.
    pub pauses: Vec<usize>,
}

impl Bytes {
    pub(super) fn new(bytes: Vec<u8>, eof: bool) -> Self {
        Self {
            bytes,
            eof,
            pauses: Vec::new(),
        }
    }
}

/// How much of a write was taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Taken {
    pub bytes: usize,
    /// Whether the input is closed now.
    pub eof: bool,
}

/// Why nothing could be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoInput {
    /// There is no input, or it was closed.
    Closed,
    /// The program closed its side.
    Broken,
}

impl Input {
    pub(super) fn new(pipe: pipe::Sender) -> Self {
        Self { pipe }
    }

    /// Writes until all is taken or the program does not read.
    async fn send(&self, bytes: &[u8]) -> io::Result<usize> {
        let begun = Instant::now();
        let mut taken = 0;
        while taken < bytes.len() && begun.elapsed() < LONGEST {
            match self.pipe.try_write(&bytes[taken..]) {
                Ok(count) => taken += count,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    match time::timeout(PATIENCE, self.pipe.writable()).await {
                        Ok(ready) => ready?,
                        Err(_) => break,
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // What was taken before counts; the next write will tell.
                Err(_) if taken > 0 => break,
                Err(error) => return Err(error),
            }
        }
        Ok(taken)
    }
}

impl Session {
    /// Sends input, piece by piece where it wants pauses.
    pub(super) async fn type_in(&self, input: &Bytes) -> Result<Taken, NoInput> {
        let mut begin = 0;
        for pause in &input.pauses {
            let taken = self.send(&input.bytes[begin..*pause], false).await?;
            if begin + taken.bytes < *pause {
                return Ok(Taken {
                    bytes: begin + taken.bytes,
                    eof: false,
                });
            }
            begin = *pause;
            time::sleep(PAUSE).await;
        }
        let taken = self.send(&input.bytes[begin..], input.eof).await?;
        Ok(Taken {
            bytes: begin + taken.bytes,
            ..taken
        })
    }

    /// Sends bytes, and the end of the input where it is asked for and all bytes were taken.
    ///
    /// Never waits longer than a program takes to read: at most about a second.
    pub(super) async fn send(&self, bytes: &[u8], eof: bool) -> Result<Taken, NoInput> {
        let mut slot = self.input.lock().await;
        let Some(input) = &*slot else {
            return Err(NoInput::Closed);
        };
        let is_terminal = self.origin.terminal.is_some();
        let sent = match input.send(bytes).await {
            Ok(taken) => taken,
            Err(_) => {
                *slot = None;
                self.writable.store(false, Ordering::Relaxed);
                return Err(NoInput::Broken);
            }
        };
        let mut taken = Taken {
            bytes: sent,
            eof: eof && sent == bytes.len(),
        };
        if taken.eof && is_terminal {
            // A terminal is not closed: the program reads an end and may go on reading.
            taken.eof = input.send(&[END_OF_FILE]).await.is_ok_and(|sent| sent == 1);
        } else if taken.eof {
            *slot = None;
            self.writable.store(false, Ordering::Relaxed);
        }
        Ok(taken)
    }

    /// Answers a program that asked its terminal something; lost where the program does not read.
    pub(super) async fn reply(&self, bytes: &[u8]) {
        let _ = self.send(bytes, false).await;
    }

    /// Nobody reads any more.
    pub(super) fn close_input(&self) {
        self.writable.store(false, Ordering::Relaxed);
        // A write that goes on fails by itself, and its holder drops what is left.
        if let Ok(mut input) = self.input.try_lock() {
            *input = None;
        }
    }
}
