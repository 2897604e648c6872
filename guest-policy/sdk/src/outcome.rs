//! What became of a command, as a formatter sees it.

use crate::bindings::execgate::policy::outcome as host;
use crate::types::{Artifact, Ending, Survivor};

/// How a command went.
pub trait Completion {
    /// How it ended.
    fn ending(&self) -> Ending;
    /// Its exit code, if it exited by itself.
    fn exit_code(&self) -> Option<i32>;
    /// Number of the signal that ended it.
    fn signal(&self) -> Option<u32>;
    /// What went wrong outside the command itself.
    fn error(&self) -> Option<String>;
    /// From start to end, in milliseconds.
    fn duration_ms(&self) -> u64;
    /// The limit that was in force, in milliseconds.
    fn timeout_ms(&self) -> Option<u64>;
    /// The directory it ran in.
    fn cwd(&self) -> String;
    /// Processor time in user mode, in microseconds.
    fn user_time_us(&self) -> u64;
    /// Processor time in the kernel, in microseconds.
    fn system_time_us(&self) -> u64;
    /// Peak resident memory in bytes.
    fn max_resident(&self) -> u64;
    /// The file that holds its output.
    fn artifact(&self) -> Option<Artifact>;
    /// Processes that it left behind.
    fn survivors(&self) -> Vec<Survivor>;
    /// The value of a fact that later versions add.
    fn annotation(&self, name: &str) -> Option<String>;
}

/// What a command printed. Lengths of text are in Unicode scalars.
pub trait Output {
    /// Bytes printed in all.
    fn total_bytes(&self) -> u64;
    /// Scalars printed in all.
    fn total_chars(&self) -> u64;
    /// Invalid sequences that were replaced by U+FFFD.
    fn invalid_sequences(&self) -> u64;
    /// The byte range `[start, end)` that [`Output::read`] can give.
    fn retained(&self) -> (u64, u64);
    /// Raw bytes from an absolute offset on, at most 1 MiB a call.
    fn read(&self, offset: u64, max: u32) -> Vec<u8>;
    /// The first `max` scalars, or as many as were kept.
    fn head(&self, max: u32) -> String;
    /// The last `max` scalars, or as many as were kept.
    fn tail(&self, max: u32) -> String;
}

impl Completion for host::Completion {
    fn ending(&self) -> Ending {
        self.ending()
    }
    fn exit_code(&self) -> Option<i32> {
        self.exit_code()
    }
    fn signal(&self) -> Option<u32> {
        self.signal()
    }
    fn error(&self) -> Option<String> {
        self.error()
    }
    fn duration_ms(&self) -> u64 {
        self.duration_ms()
    }
    fn timeout_ms(&self) -> Option<u64> {
        self.timeout_ms()
    }
    fn cwd(&self) -> String {
        self.cwd()
    }
    fn user_time_us(&self) -> u64 {
        self.user_time_us()
    }
    fn system_time_us(&self) -> u64 {
        self.system_time_us()
    }
    fn max_resident(&self) -> u64 {
        self.max_resident()
    }
    fn artifact(&self) -> Option<Artifact> {
        self.artifact()
    }
    fn survivors(&self) -> Vec<Survivor> {
        self.survivors()
    }
    fn annotation(&self, name: &str) -> Option<String> {
        self.annotation(name)
    }
}

impl Output for host::Output {
    fn total_bytes(&self) -> u64 {
        self.total_bytes()
    }
    fn total_chars(&self) -> u64 {
        self.total_chars()
    }
    fn invalid_sequences(&self) -> u64 {
        self.invalid_sequences()
    }
    fn retained(&self) -> (u64, u64) {
        self.retained()
    }
    fn read(&self, offset: u64, max: u32) -> Vec<u8> {
        self.read(offset, max)
    }
    fn head(&self, max: u32) -> String {
        self.head(max)
    }
    fn tail(&self, max: u32) -> String {
        self.tail(max)
    }
}
