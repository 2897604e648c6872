//! Bytes as text, whatever chunks they come in.

use std::str::from_utf8;

/// Decodes UTF-8 that may be cut anywhere. Remembers at most 3 bytes.
///
/// What is no UTF-8 becomes one U+FFFD for each longest beginning of a character, as in [`String::from_utf8_lossy`].
#[derive(Debug, Default)]
pub(crate) struct Decoder {
    /// The beginning of a character that a chunk ended in.
    tail: Vec<u8>,
}

impl Decoder {
    /// Hands the text of a chunk to `each`, in pieces of whole characters.
    pub fn push(&mut self, chunk: &[u8], mut each: impl FnMut(&str)) {
        let mut rest = self.complete(chunk, &mut each);
        while !rest.is_empty() {
            let Err(error) = from_utf8(rest).map(&mut each) else {
                return;
            };
            let (valid, bad) = rest.split_at(error.valid_up_to());
            if let Ok(text) = from_utf8(valid) {
                each(text);
            }
            let Some(length) = error.error_len() else {
                self.tail.extend_from_slice(bad);
                return;
            };
            each("\u{FFFD}");
            rest = &bad[length..];
        }
    }

    /// Hands out what the stream ended in, if that was within a character.
    pub fn finish(&mut self, each: impl FnOnce(&str)) {
        if !self.tail.is_empty() {
            self.tail.clear();
            each("\u{FFFD}");
        }
    }

    /// Completes the character that the last chunk ended in; returns the rest of this one.
    fn complete<'a>(&mut self, chunk: &'a [u8], each: &mut impl FnMut(&str)) -> &'a [u8] {
        let mut rest = chunk;
        while let (false, Some((&byte, after))) = (self.tail.is_empty(), rest.split_first()) {
            self.tail.push(byte);
            match from_utf8(&self.tail) {
                Ok(character) => each(character),
                Err(error) if error.error_len().is_none() => {
                    rest = after;
                    continue;
                }
                Err(_) => {
                    // The byte begins something else.
                    each("\u{FFFD}");
                    self.tail.clear();
                    return rest;
                }
            }
            self.tail.clear();
            rest = after;
        }
        rest
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn decoded<'a>(chunks: impl IntoIterator<Item = &'a [u8]>) -> String {
        let (mut decoder, mut text) = (Decoder::default(), String::new());
        for chunk in chunks {
            decoder.push(chunk, |piece| text.push_str(piece));
        }
        decoder.finish(|piece| text.push_str(piece));
        text
    }

    #[test]
    fn a_character_may_be_cut_anywhere() {
        let bytes = "é漢🙂".as_bytes();
        assert_eq!(decoded(bytes.chunks(1)), "é漢🙂");
    }

    proptest! {
        #[test]
        fn any_chunks_give_what_the_whole_gives(bytes: Vec<u8>, size in 1_usize..9) {
            prop_assert_eq!(decoded(bytes.chunks(size)), String::from_utf8_lossy(&bytes));
        }

        #[test]
        fn cut_characters_give_what_the_whole_gives(text in "[é漢🙂a]{0,9}", bad in proptest::collection::vec(0x80_u8..=0xFF, 0..4), size in 1_usize..5) {
            let bytes = [text.as_bytes(), &bad, text.as_bytes()].concat();
            prop_assert_eq!(decoded(bytes.chunks(size)), String::from_utf8_lossy(&bytes));
        }
    }
}
