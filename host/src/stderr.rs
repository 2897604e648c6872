//! The standard error of a component: the last bytes are kept for fault messages.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use tokio::io::AsyncWrite;
use wasmtime_wasi::async_trait;
use wasmtime_wasi::cli::{IsTerminal, StdoutStream};
use wasmtime_wasi::p2::{OutputStream, Pollable, StreamResult};

/// Bytes kept: a panic message with its location is a few hundred.
const KEPT: usize = 2048;
/// Bytes that a component may write at once.
const CHUNK: usize = 64 << 10;

/// A stream that takes everything and keeps the tail.
#[derive(Clone, Default)]
pub(crate) struct Stderr(Arc<Mutex<VecDeque<u8>>>);

impl Stderr {
    /// The kept text on one line.
    pub(crate) fn tail(&self) -> String {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes: Vec<u8> = kept.iter().copied().collect();
        let text = String::from_utf8_lossy(&bytes);
        let lines: Vec<&str> = text
            .split(char::is_control)
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .collect();
        lines.join("; ")
    }
}

#[async_trait]
impl Pollable for Stderr {
    async fn ready(&mut self) {}
}

#[async_trait]
impl OutputStream for Stderr {
    fn write(&mut self, bytes: Bytes) -> StreamResult<()> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let new = &bytes[bytes.len().saturating_sub(KEPT)..];
        let surplus = (kept.len() + new.len()).saturating_sub(KEPT);
        kept.drain(..surplus);
        kept.extend(new);
        Ok(())
    }

    fn flush(&mut self) -> StreamResult<()> {
        Ok(())
    }

    fn check_write(&mut self) -> StreamResult<usize> {
        Ok(CHUNK)
    }
}

impl IsTerminal for Stderr {
    fn is_terminal(&self) -> bool {
        false
    }
}

impl StdoutStream for Stderr {
    fn p2_stream(&self) -> Box<dyn OutputStream> {
        Box::new(self.clone())
    }

    /// Asked for by WASI 0.3 only, which is not linked.
    fn async_stream(&self) -> Box<dyn AsyncWrite + Send + Sync> {
        Box::new(tokio::io::sink())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tail_is_bounded_and_on_one_line() {
        let mut stderr = Stderr::default();
        for _ in 0..10_000 {
            stderr.write(Bytes::from_static(b"noise\n")).unwrap();
        }
        stderr
            .write(Bytes::from_static(b"thread panicked:\n\tboom\n"))
            .unwrap();
        let tail = stderr.tail();
        assert!(tail.len() <= 2 * KEPT, "{}", tail.len());
        assert!(tail.ends_with("; thread panicked:; boom"), "{tail}");
    }
}
