//! Reads recordings.

use std::io::{BufRead, Read, Write};
use std::time::Duration;

use super::error::CastError;
use super::event::Event;
use super::header::Header;
use super::pace::Pace;

/// Longest line that is read, in bytes. Recorders write some kilobytes, ours at most 400.
const LONGEST_LINE: u64 = 1024 * 1024;

/// Reads a recording event by event, and says when each is due.
#[derive(Debug)]
pub struct Player<R> {
    lines: Lines<R>,
    header: Header,
    pace: Pace,
    recorded_at: Duration,
    play_at: Duration,
}

/// An event and its times, from the beginning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Played {
    /// When it was recorded.
    pub recorded_at: Duration,
    /// When it is due, at the speed and with the pauses that were asked for.
    pub play_at: Duration,
    /// What happened.
    pub event: Event,
}

impl<R: BufRead> Player<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// The pace is none, or what is read is no asciicast of version 2.
    pub fn new(reader: R, pace: Pace) -> Result<Self, CastError> {
        let pace = pace.check()?;
        let mut lines = Lines { reader, number: 0 };
        let line = lines.next()?.unwrap_or_default();
        let header = Header::parse(&line)?;
        let idle_limit = pace.idle_limit.or(header.idle_limit);
        Ok(Self {
            lines,
            header,
            pace: Pace { idle_limit, ..pace },
            recorded_at: Duration::ZERO,
            play_at: Duration::ZERO,
        })
    }

    /// Returns what the recording says of itself.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Reads the next event, none at the end. Empty lines and events of unknown kinds are passed over; a time before the last counts as the
    /// last.
    ///
    /// # Errors
    /// The next line is no event; reading can go on after it.
    pub fn next_event(&mut self) -> Result<Option<Played>, CastError> {
        while let Some(text) = self.lines.next()? {
            if text.trim().is_empty() {
                continue;
            }
            let line = self.lines.number;
            let (at, event) =
                Event::parse(&text).map_err(|problem| CastError::Line { line, problem })?;
            if let Some(event) = event {
                return Ok(Some(self.due(at, event)));
            }
        }
        Ok(None)
    }

    /// Writes the output to a terminal, and has `wait` wait before each event that is due later than the one before. To begin at a place,
    /// let it return at once for the time before; to see that place, push the output to a [`Screen`](crate::Screen).
    ///
    /// # Errors
    /// A line is no event, or the output cannot be written.
    pub fn play(
        &mut self,
        mut output: impl Write,
        mut wait: impl FnMut(Duration),
    ) -> Result<(), CastError> {
        let mut now = self.play_at;
        while let Some(played) = self.next_event()? {
            let Event::Output(text) = played.event else {
                continue;
            };
            if played.play_at > now {
                wait(played.play_at - now);
                now = played.play_at;
            }
            output.write_all(text.as_bytes())?;
            output.flush()?;
        }
        Ok(())
    }

    fn due(&mut self, at: Duration, event: Event) -> Played {
        let pause = self.pace.pause(at.saturating_sub(self.recorded_at));
        self.recorded_at = self.recorded_at.max(at);
        self.play_at = self.play_at.saturating_add(pause);
        Played {
            recorded_at: self.recorded_at,
            play_at: self.play_at,
            event,
        }
    }
}

/// Lines of a bounded length.
#[derive(Debug)]
struct Lines<R> {
    reader: R,
    /// Of the last line that was read, from 1.
    number: u64,
}

impl<R: BufRead> Lines<R> {
    /// Reads a line, none at the end.
    fn next(&mut self) -> Result<Option<String>, CastError> {
        self.number += 1;
        let mut line = Vec::new();
        let mut bounded = self.reader.by_ref().take(LONGEST_LINE + 1);
        if bounded.read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        if line.len() as u64 > LONGEST_LINE {
            self.reader.skip_until(b'\n')?;
            return Err(CastError::LongLine {
                line: self.number,
                limit_bytes: LONGEST_LINE,
            });
        }
        let line = String::from_utf8(line).map_err(|_| CastError::Line {
            line: self.number,
            problem: "it is no UTF-8".to_owned(),
        })?;
        Ok(Some(line))
    }
}
