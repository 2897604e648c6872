//! The last bytes of a stream, addressed by their offset from its start.

use std::collections::VecDeque;

#[cfg(test)]
mod tests;

/// Keeps the last bytes of a stream, at most its cap. Memory grows with what is kept and never shrinks.
#[derive(Debug)]
pub struct Ring {
    bytes: VecDeque<u8>,
    cap: usize,
    total: u64,
}

/// Bytes read from a [`Ring`] and where they stand in the stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slice {
    /// Offset of the first byte from the start of the stream. Greater than asked for when older bytes are gone.
    pub offset: u64,
    /// The bytes; empty at the end of what was pushed so far.
    pub bytes: Vec<u8>,
}

impl Ring {
    /// Default cap in bytes.
    pub const DEFAULT_CAP: usize = 1_048_576;

    /// Creates an empty ring that keeps at most `cap` bytes.
    pub fn new(cap: usize) -> Self {
        Self {
            bytes: VecDeque::new(),
            cap,
            total: 0,
        }
    }

    /// Appends bytes and drops the oldest beyond the cap.
    pub fn push(&mut self, bytes: &[u8]) {
        self.total += bytes.len() as u64;
        let kept = &bytes[bytes.len().saturating_sub(self.cap)..];
        let excess = (self.bytes.len() + kept.len()).saturating_sub(self.cap);
        self.bytes.drain(..excess);
        self.grow(self.bytes.len() + kept.len());
        self.bytes.extend(kept);
    }

    /// Doubles as a vector does, but not past the cap.
    fn grow(&mut self, needed: usize) {
        let capacity = self.bytes.capacity();
        if needed > capacity {
            let wanted = needed.max(capacity.saturating_mul(2)).min(self.cap);
            self.bytes.reserve_exact(wanted - self.bytes.len());
        }
    }

    /// Returns how many bytes were pushed since the start of the stream.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Returns the offset of the oldest byte that is still kept.
    pub fn start(&self) -> u64 {
        self.total - self.bytes.len() as u64
    }

    /// Returns how much memory is held, in bytes.
    pub fn capacity(&self) -> usize {
        self.bytes.capacity()
    }

    /// Copies at most `max` bytes from `offset` on, or from [`Ring::start`] when that is later.
    pub fn read(&self, offset: u64, max: usize) -> Slice {
        let offset = offset.clamp(self.start(), self.total);
        // The difference is at most the length of the ring.
        let skipped = usize::try_from(offset - self.start()).unwrap_or(usize::MAX);
        let end = skipped.saturating_add(max).min(self.bytes.len());
        Slice {
            offset,
            bytes: self.range(skipped, end),
        }
    }

    fn range(&self, start: usize, end: usize) -> Vec<u8> {
        let (first, second) = self.bytes.as_slices();
        let within = |slice: &[u8], base: usize| {
            let from = start.saturating_sub(base).min(slice.len());
            let to = end.saturating_sub(base).min(slice.len());
            slice[from..to].to_vec()
        };
        let mut bytes = within(first, 0);
        bytes.extend(within(second, first.len()));
        bytes
    }
}

impl Default for Ring {
    fn default() -> Self {
        Self::new(Self::DEFAULT_CAP)
    }
}
