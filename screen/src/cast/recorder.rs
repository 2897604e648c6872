//! Writes recordings.

use std::io::Write;
use std::time::Duration;

use super::error::CastError;
use super::event::Event;
use super::header::Header;
use crate::decoder::Decoder;
use crate::size::Size;

/// Whether what is typed is written down.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Input {
    /// It is not: passwords are typed, too.
    #[default]
    Omitted,
    /// It is.
    Recorded,
}

/// What is written, and how much.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Recording {
    /// Most bytes of the file. What does not fit is left out, and a marker says so.
    pub quota_bytes: u64,
    /// Whether what is typed is written down.
    pub input: Input,
}

impl Default for Recording {
    /// 64 MiB, no input.
    fn default() -> Self {
        Self {
            quota_bytes: 64 * 1024 * 1024,
            input: Input::default(),
        }
    }
}

/// Most bytes of text in one event, so that a line stays below what a [`Player`](super::Player) reads: in JSON one may become six.
const LONGEST_TEXT: usize = 64 * 1024;

/// Writes a recording, one whole line at a time. Dropping it loses no more than a character that was cut.
#[derive(Debug)]
pub struct Recorder<W> {
    writer: W,
    recording: Recording,
    written_bytes: u64,
    /// Time of the last event; none goes back.
    last: Duration,
    output: Decoder,
    input: Decoder,
    /// Whether the quota is used up.
    is_full: bool,
}

impl<W: Write> Recorder<W> {
    /// Begins a recording.
    ///
    /// # Errors
    /// The header does not fit into the quota, or cannot be written.
    pub fn new(writer: W, header: &Header, recording: Recording) -> Result<Self, CastError> {
        let mut recorder = Self {
            writer,
            recording,
            written_bytes: 0,
            last: Duration::ZERO,
            output: Decoder::default(),
            input: Decoder::default(),
            is_full: false,
        };
        let line = header.line();
        let needed_bytes = recorder.with_marker(&line);
        if needed_bytes > recording.quota_bytes {
            return Err(CastError::Quota {
                quota_bytes: recording.quota_bytes,
                needed_bytes,
            });
        }
        recorder.write(&line)?;
        Ok(recorder)
    }

    /// Writes down what the program printed. Times are from the beginning; one before the last counts as the last.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn output(&mut self, at: Duration, bytes: &[u8]) -> Result<(), CastError> {
        let mut text = String::new();
        self.output.push(bytes, |piece| text.push_str(piece));
        self.texts(at, &text, Event::Output)
    }

    /// Writes down what was typed, if that was asked for.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn input(&mut self, at: Duration, bytes: &[u8]) -> Result<(), CastError> {
        if self.recording.input == Input::Omitted {
            return Ok(());
        }
        let mut text = String::new();
        self.input.push(bytes, |piece| text.push_str(piece));
        self.texts(at, &text, Event::Input)
    }

    /// Writes down that the terminal changed its size.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn resize(&mut self, at: Duration, size: Size) -> Result<(), CastError> {
        self.event(at, &Event::Resize(size))
    }

    /// Marks a place, under a label that is cut after 64 KiB.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn mark(&mut self, at: Duration, label: &str) -> Result<(), CastError> {
        let end = label.floor_char_boundary(LONGEST_TEXT);
        self.event(at, &Event::Marker(label[..end].to_owned()))
    }

    /// Returns whether the quota is used up: nothing more is written.
    pub fn is_full(&self) -> bool {
        self.is_full
    }

    /// Ends the recording, and returns what it was written to.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn finish(mut self) -> Result<W, CastError> {
        let mut rest = String::new();
        self.output.finish(|piece| rest.push_str(piece));
        self.texts(self.last, &rest, Event::Output)?;
        rest.clear();
        self.input.finish(|piece| rest.push_str(piece));
        self.texts(self.last, &rest, Event::Input)?;
        self.writer.flush()?;
        Ok(self.writer)
    }

    /// Writes text in events of a bounded length, none if it is empty.
    fn texts(
        &mut self,
        at: Duration,
        text: &str,
        event: fn(String) -> Event,
    ) -> Result<(), CastError> {
        let mut rest = text;
        while !rest.is_empty() {
            let (part, after) = rest.split_at(rest.floor_char_boundary(LONGEST_TEXT));
            self.event(at, &event(part.to_owned()))?;
            rest = after;
        }
        Ok(())
    }

    fn event(&mut self, at: Duration, event: &Event) -> Result<(), CastError> {
        if self.is_full {
            return Ok(());
        }
        self.last = self.last.max(at);
        let line = event.line(self.last);
        if self.with_marker(&line) <= self.recording.quota_bytes {
            return self.write(&line);
        }
        self.is_full = true;
        let marker = marker(self.last);
        self.write(&marker)
    }

    /// The length of the file if a line is written and then the marker.
    fn with_marker(&self, line: &str) -> u64 {
        // The marker may come at any time.
        let marker = marker(Duration::MAX);
        self.written_bytes + line.len() as u64 + marker.len() as u64
    }

    fn write(&mut self, line: &str) -> Result<(), CastError> {
        self.writer.write_all(line.as_bytes())?;
        self.written_bytes += line.len() as u64;
        Ok(())
    }
}

/// The line that says that the quota is used up.
fn marker(at: Duration) -> String {
    Event::Marker("recording stopped: its quota is used up".to_owned()).line(at)
}
