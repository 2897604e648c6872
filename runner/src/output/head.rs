//! The first bytes of a stream.

/// Keeps the first bytes of a stream, at most its limit. Memory grows with what is kept.
#[derive(Debug)]
pub struct Head {
    bytes: Vec<u8>,
    limit: usize,
}

impl Head {
    /// Creates an empty head that keeps at most `limit` bytes.
    pub fn new(limit: usize) -> Self {
        Self {
            bytes: Vec::new(),
            limit,
        }
    }

    /// Appends what still fits.
    pub fn push(&mut self, bytes: &[u8]) {
        let room = self.limit - self.bytes.len();
        self.bytes
            .extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    /// Returns how much memory is held, in bytes.
    pub fn capacity(&self) -> usize {
        self.bytes.capacity()
    }

    /// Returns the bytes kept so far.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    #[test]
    fn the_first_bytes_are_kept_and_no_more() {
        let mut head = Head::new(5);
        for chunk in [b"ab".as_slice(), b"", b"cdefg", b"h"] {
            head.push(chunk);
        }
        assert_eq!(head.bytes(), b"abcde");
    }
}
