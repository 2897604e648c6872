//! The facts of a command that ran, as formatters ask for them.

use std::collections::BTreeMap;

use crate::wire::{Artifact, Ending, Survivor};

/// How a command went; the getters of the WIT resource `completion`. None blocks.
pub trait CompletionFacts: Send + Sync {
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

/// What a command printed; the getters of the WIT resource `output`. None
/// blocks. Lengths of text are in Unicode scalars.
pub trait OutputFacts: Send + Sync {
    /// Bytes printed in all.
    fn total_bytes(&self) -> u64;
    /// Scalars printed in all.
    fn total_chars(&self) -> u64;
    /// Invalid sequences that were replaced by U+FFFD.
    fn invalid_sequences(&self) -> u64;
    /// The byte range `[start, end)` that [`OutputFacts::read`] can give.
    fn retained(&self) -> (u64, u64);
    /// Raw bytes from an absolute offset on. The host asks for at most 1 MiB a call.
    fn read(&self, offset: u64, max: u32) -> Vec<u8>;
    /// The first `max` scalars, or as many as were kept.
    fn head(&self, max: u32) -> String;
    /// The last `max` scalars, or as many as were kept.
    fn tail(&self, max: u32) -> String;
}

/// A [`CompletionFacts`] made of plain data.
#[derive(Clone, Debug)]
pub struct StaticCompletion {
    /// How it ended.
    pub ending: Ending,
    /// Its exit code.
    pub exit_code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<u32>,
    /// What went wrong outside the command.
    pub error: Option<String>,
    /// Milliseconds it took.
    pub duration_ms: u64,
    /// Limit in milliseconds.
    pub timeout_ms: Option<u64>,
    /// Where it ran.
    pub cwd: String,
    /// Microseconds in user mode.
    pub user_time_us: u64,
    /// Microseconds in the kernel.
    pub system_time_us: u64,
    /// Peak resident bytes.
    pub max_resident: u64,
    /// The file that holds its output.
    pub artifact: Option<Artifact>,
    /// Processes left behind.
    pub survivors: Vec<Survivor>,
    /// Further facts.
    pub annotations: BTreeMap<String, String>,
}

impl StaticCompletion {
    /// A command that exited by itself in `/`, with all figures 0.
    #[must_use]
    pub fn exited(code: i32) -> Self {
        Self {
            ending: Ending::Exited,
            exit_code: Some(code),
            signal: None,
            error: None,
            duration_ms: 0,
            timeout_ms: None,
            cwd: "/".into(),
            user_time_us: 0,
            system_time_us: 0,
            max_resident: 0,
            artifact: None,
            survivors: Vec::new(),
            annotations: BTreeMap::new(),
        }
    }
}

impl CompletionFacts for StaticCompletion {
    fn ending(&self) -> Ending {
        self.ending
    }
    fn exit_code(&self) -> Option<i32> {
        self.exit_code
    }
    fn signal(&self) -> Option<u32> {
        self.signal
    }
    fn error(&self) -> Option<String> {
        self.error.clone()
    }
    fn duration_ms(&self) -> u64 {
        self.duration_ms
    }
    fn timeout_ms(&self) -> Option<u64> {
        self.timeout_ms
    }
    fn cwd(&self) -> String {
        self.cwd.clone()
    }
    fn user_time_us(&self) -> u64 {
        self.user_time_us
    }
    fn system_time_us(&self) -> u64 {
        self.system_time_us
    }
    fn max_resident(&self) -> u64 {
        self.max_resident
    }
    fn artifact(&self) -> Option<Artifact> {
        self.artifact.clone()
    }
    fn survivors(&self) -> Vec<Survivor> {
        self.survivors.clone()
    }
    fn annotation(&self, name: &str) -> Option<String> {
        self.annotations.get(name).cloned()
    }
}

/// An [`OutputFacts`] that holds the whole output.
#[derive(Clone, Debug, Default)]
pub struct StaticOutput {
    bytes: Vec<u8>,
    text: String,
    invalid: u64,
}

impl StaticOutput {
    /// All that a command printed.
    #[must_use]
    pub fn new(bytes: Vec<u8>) -> Self {
        let invalid = bytes
            .utf8_chunks()
            .filter(|chunk| !chunk.invalid().is_empty())
            .count();
        Self {
            text: String::from_utf8_lossy(&bytes).into_owned(),
            invalid: invalid as u64,
            bytes,
        }
    }
}

impl OutputFacts for StaticOutput {
    fn total_bytes(&self) -> u64 {
        self.bytes.len() as u64
    }
    fn total_chars(&self) -> u64 {
        self.text.chars().count() as u64
    }
    fn invalid_sequences(&self) -> u64 {
        self.invalid
    }
    fn retained(&self) -> (u64, u64) {
        (0, self.total_bytes())
    }
    fn read(&self, offset: u64, max: u32) -> Vec<u8> {
        let start = usize::try_from(offset).map_or(self.bytes.len(), |at| at.min(self.bytes.len()));
        let rest = &self.bytes[start..];
        rest[..rest.len().min(max as usize)].to_vec()
    }
    fn head(&self, max: u32) -> String {
        self.text.chars().take(max as usize).collect()
    }
    fn tail(&self, max: u32) -> String {
        let skipped = self.text.chars().count().saturating_sub(max as usize);
        self.text.chars().skip(skipped).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_counts_what_it_replaced() {
        let output = StaticOutput::new(b"a\xffb\xc3\xa9\xfe".to_vec());
        assert_eq!(output.invalid_sequences(), 2);
        assert_eq!(output.total_chars(), 5);
        assert_eq!(output.head(2), "a\u{fffd}");
        assert_eq!(output.tail(2), "é\u{fffd}");
        assert_eq!(output.read(5, 10), b"\xfe");
        assert_eq!(output.read(u64::MAX, 10), b"");
    }
}
