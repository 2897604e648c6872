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

    /// Whole stretches are checked at once: `utf8_chunks` looks at every byte, which is ten times slower on plain text.
    fn decode(&mut self, mut bytes: &[u8], mut sink: impl FnMut(&str)) {
        loop {
            let error = match str::from_utf8(bytes) {
                Ok(text) => return self.take(text, &mut sink),
                Err(error) => error,
            };
            let (valid, rest) = bytes.split_at(error.valid_up_to());
            self.take(str::from_utf8(valid).unwrap_or_default(), &mut sink);
            let Some(invalid) = error.error_len() else {
                self.pending = rest.to_vec();
                return;
            };
            self.replace(&mut sink);
            bytes = &rest[invalid..];
        }
    }

    fn take(&mut self, text: &str, sink: &mut impl FnMut(&str)) {
        if !text.is_empty() {
            self.scalars += text.chars().count() as u64;
            sink(text);
        }
    }

    fn replace(&mut self, mut sink: impl FnMut(&str)) {
        self.scalars += 1;
        self.invalid += 1;
        sink("\u{FFFD}");
    }
}
