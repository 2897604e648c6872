//! Reading up to two pipes, chunk by chunk, without losing one when a read is given up.

use std::cell::RefCell;
use std::io;

use tokio::net::unix::pipe::Receiver;

use super::Stream;
use crate::keeper::OutputStreams;

/// Bytes read at once: what a pipe holds.
const CHUNK: usize = 64 << 10;

thread_local! {
    /// One buffer for all sessions of a thread: a read takes no memory of its own.
    static BUFFER: RefCell<Vec<u8>> = RefCell::new(vec![0; CHUNK]);
}

/// The streams that are not at their end.
pub(super) struct Streams {
    output: Option<Receiver>,
    error: Option<Receiver>,
}

impl Streams {
    pub(super) fn new(streams: OutputStreams) -> Self {
        match streams {
            OutputStreams::None => Self {
                output: None,
                error: None,
            },
            OutputStreams::Shared(output) => Self {
                output: Some(output),
                error: None,
            },
            OutputStreams::Separate { stdout, stderr } => Self {
                output: Some(stdout),
                error: Some(stderr),
            },
        }
    }

    /// Gives back what is not at its end.
    pub(super) fn into_rest(self) -> OutputStreams {
        match (self.output, self.error) {
            (None, None) => OutputStreams::None,
            (Some(one), None) | (None, Some(one)) => OutputStreams::Shared(one),
            (Some(stdout), Some(stderr)) => OutputStreams::Separate { stdout, stderr },
        }
    }

    /// Waits until a stream can be read and hands over one chunk, or notes its end; false once all are at their end.
    ///
    /// May be dropped and called again: a chunk that was read was handed over.
    pub(super) async fn next(&mut self, sink: impl FnMut(Stream, &[u8])) -> bool {
        let stream = match (&self.output, &self.error) {
            (None, None) => return false,
            (Some(_), None) => Stream::Output,
            (None, Some(_)) => Stream::Error,
            (Some(output), Some(error)) => tokio::select! {
                _ = output.readable() => Stream::Output,
                _ = error.readable() => Stream::Error,
            },
        };
        self.read(stream, sink).await;
        self.output.is_some() || self.error.is_some()
    }

    async fn read(&mut self, stream: Stream, mut sink: impl FnMut(Stream, &[u8])) {
        let slot = match stream {
            Stream::Output => &mut self.output,
            Stream::Error => &mut self.error,
        };
        let Some(receiver) = slot else { return };
        let at_end = receiver.readable().await.is_err()
            || BUFFER.with_borrow_mut(|buffer| match receiver.try_read(buffer) {
                Ok(0) => true,
                Ok(count) => {
                    sink(stream, &buffer[..count]);
                    false
                }
                Err(error) => !matches!(
                    error.kind(),
                    io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted
                ),
            });
        if at_end {
            *slot = None;
        }
    }
}
