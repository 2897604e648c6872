//! UTF-8 that arrives in pieces.

#[cfg(test)]
mod tests;

/// Decodes UTF-8 across chunk borders and counts what it finds.
///
/// An invalid sequence becomes one U+FFFD, exactly as [`String::from_utf8_lossy`] of the whole stream would have it. At most three bytes wait for the
/// rest of their character.
#[derive(Debug, Default)]
pub struct Decoder {
    pending: Vec<u8>,
    scalars: u64,
    invalid: u64,
}

impl Decoder {
    /// Decodes a chunk and hands the text to `sink`, in pieces.
    pub fn push(&mut self, chunk: &[u8], sink: impl FnMut(&str)) {
        if self.pending.is_empty() {
            return self.decode(chunk, sink);
        }
        let mut joined = std::mem::take(&mut self.pending);
        joined.extend_from_slice(chunk);
        self.decode(&joined, sink);
    }

    /// Ends the stream: a character that never became whole is an invalid sequence.
    pub fn finish(&mut self, sink: impl FnMut(&str)) {
        if !self.pending.is_empty() {
            self.pending.clear();
            self.replace(sink);
        }
    }

    /// Returns how many Unicode scalar values came out so far, replacements included.
    pub fn scalars(&self) -> u64 {
        self.scalars
    }

    /// Returns how many invalid sequences were replaced so far.
    pub fn invalid(&self) -> u64 {
        self.invalid
    }

    fn decode(&mut self, bytes: &[u8], mut sink: impl FnMut(&str)) {
        let mut rest = bytes.len();
        for chunk in bytes.utf8_chunks() {
            rest -= chunk.valid().len() + chunk.invalid().len();
            if !chunk.valid().is_empty() {
                self.scalars += chunk.valid().chars().count() as u64;
                sink(chunk.valid());
            }
            match chunk.invalid() {
                [] => {}
                incomplete if rest == 0 && may_go_on(incomplete) => {
                    self.pending = incomplete.to_vec();
                }
                _ => self.replace(&mut sink),
            }
        }
    }

    fn replace(&mut self, mut sink: impl FnMut(&str)) {
        self.scalars += 1;
        self.invalid += 1;
        sink("\u{FFFD}");
    }
}

/// Whether more bytes could make a character of these.
fn may_go_on(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}
