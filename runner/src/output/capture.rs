//! Everything that is kept and known of one stream.

use std::sync::Arc;

use super::decode::Decoder;
use super::head::Head;
use super::mask::{CONTEXT, Secrets};
use super::ring::{Ring, Slice};
use super::spill::{Artifact, Spill, SpillTarget};

#[cfg(test)]
mod tests;

/// The longest UTF-8 sequence in bytes. No scalar value comes of more, and no replacement either.
const LONGEST_SEQUENCE: usize = 4;

/// How much of a stream is kept.
#[derive(Debug, Clone)]
pub struct CaptureSettings {
    /// Cap of the ring in bytes.
    pub ring_bytes: usize,
    /// Unicode scalar values of decoded text beyond which the stream is spilled; the head is kept for that many.
    pub inline_scalars: usize,
    /// Where the stream is spilled to; `None` keeps it in memory only.
    pub spill: Option<SpillTarget>,
    /// What is masked in the file. Memory keeps every byte as it came.
    pub secrets: Arc<Secrets>,
}

/// Owns the ring, the head, the counts and the file of one stream.
#[derive(Debug)]
pub struct Capture {
    ring: Ring,
    head: Head,
    decoder: Decoder,
    inline_scalars: u64,
    spill: Option<Spill>,
}

impl Capture {
    /// Creates a capture of an empty stream. No file is touched before the inline cap is passed.
    pub fn new(settings: CaptureSettings) -> Self {
        // While the cap is not passed, at most four bytes a scalar have come, and three that wait for the rest of theirs: the head has them all.
        // What follows it tells whether a secret stands at its end.
        let head = settings
            .inline_scalars
            .saturating_add(1)
            .saturating_mul(LONGEST_SEQUENCE)
            .saturating_add(CONTEXT);
        Self {
            ring: Ring::new(settings.ring_bytes),
            head: Head::new(head),
            decoder: Decoder::default(),
            inline_scalars: settings.inline_scalars as u64,
            spill: settings
                .spill
                .map(|target| Spill::new(target, settings.secrets)),
        }
    }

    /// Takes the next bytes of the stream.
    pub fn push(&mut self, bytes: &[u8]) {
        self.decoder.push(bytes, |_| {});
        self.spill(bytes);
        self.head.push(bytes);
        self.ring.push(bytes);
    }

    /// Ends the stream: an incomplete character at its end is counted, and may be the one that passes the cap.
    pub fn finish(&mut self) {
        self.decoder.finish(|_| {});
        self.spill(&[]);
        if let Some(spill) = &mut self.spill {
            spill.finish();
        }
    }

    fn spill(&mut self, bytes: &[u8]) {
        let Some(spill) = &mut self.spill else { return };
        if spill.has_begun() {
            spill.write(bytes);
        } else if self.decoder.scalars() > self.inline_scalars {
            spill.write(self.head.bytes());
            spill.write(bytes);
        }
    }

    /// Returns the first text of the stream, at most `max_scalars` and at most what [`CaptureSettings::inline_scalars`] keeps.
    pub fn head_text(&self, max_scalars: usize) -> String {
        let limit = max_scalars
            .saturating_add(1)
            .saturating_mul(LONGEST_SEQUENCE);
        let head = self.head.bytes();
        let text = String::from_utf8_lossy(&head[..head.len().min(limit)]);
        text.chars().take(max_scalars).collect()
    }

    /// Returns the last text of the stream, at most `max_scalars` and at most what the ring keeps.
    pub fn tail_text(&self, max_scalars: usize) -> String {
        let window = max_scalars
            .saturating_add(1)
            .saturating_mul(LONGEST_SEQUENCE);
        let from = self.ring.total().saturating_sub(window as u64);
        let slice = self.ring.read(from, window);
        let bytes = &slice.bytes[foreign_bytes(&slice)..];
        let text = String::from_utf8_lossy(bytes);
        let excess = text.chars().count().saturating_sub(max_scalars);
        text.chars().skip(excess).collect()
    }

    /// Returns the first bytes of the stream, as they came: as many as the inline cap may take, and what tells of a secret at their end.
    pub fn head(&self) -> &[u8] {
        self.head.bytes()
    }

    /// Reads bytes from the ring with secrets covered by `*`, also such as begin before or end after what is read.
    pub fn masked(&self, offset: u64, max: usize, secrets: &Secrets) -> Vec<u8> {
        let Slice { offset, mut bytes } = self.ring.read(offset, max);
        let from = offset.saturating_sub(CONTEXT as u64);
        let length = usize::try_from(offset - from.max(self.start())).unwrap_or(0);
        let before = self.ring.read(from, length).bytes;
        let after = self.ring.read(offset + bytes.len() as u64, CONTEXT).bytes;
        secrets.masked_window(&before, &mut bytes, &after);
        bytes
    }

    /// Returns the offset from which on a reading of the ring begins with a whole character: the given one, or up to three bytes later.
    pub fn character_start(&self, offset: u64) -> u64 {
        let slice = self.ring.read(offset, LONGEST_SEQUENCE);
        slice.offset + foreign_bytes(&slice) as u64
    }

    /// Returns how much memory the stream holds, in bytes.
    pub fn capacity(&self) -> usize {
        self.ring.capacity() + self.head.capacity()
    }

    /// Reads raw bytes from the ring (see [`Ring::read`]).
    pub fn read(&self, offset: u64, max: usize) -> Slice {
        self.ring.read(offset, max)
    }

    /// Returns the offset of the oldest byte that [`Capture::read`] can give.
    pub fn start(&self) -> u64 {
        self.ring.start()
    }

    /// Returns the length of the stream so far, in bytes.
    pub fn total_bytes(&self) -> u64 {
        self.ring.total()
    }

    /// Returns the length of the decoded stream so far, in Unicode scalar values.
    pub fn total_scalars(&self) -> u64 {
        self.decoder.scalars()
    }

    /// Returns how many invalid sequences the stream held so far.
    pub fn invalid_sequences(&self) -> u64 {
        self.decoder.invalid()
    }

    /// Returns how much memory the ring holds, in bytes.
    pub fn ring_capacity(&self) -> usize {
        self.ring.capacity()
    }

    /// Returns what is known of the spilled file; `None` when nothing was spilled.
    pub fn artifact(&self) -> Option<&Artifact> {
        self.spill.as_ref()?.artifact()
    }
}

/// Returns how many bytes at the start of a slice end a character that began before it.
///
/// A byte that does not continue a sequence always begins one, and three continuing bytes are the most that a sequence has.
fn foreign_bytes(slice: &Slice) -> usize {
    if slice.offset == 0 {
        return 0;
    }
    let continues = |byte: &&u8| (0x80..0xC0).contains(*byte);
    slice
        .bytes
        .iter()
        .take(LONGEST_SEQUENCE - 1)
        .take_while(continues)
        .count()
}
