//! Secrets in output, covered before anyone reads it.
//!
//! Works on bytes and keeps lengths, so that offsets into a stream mean the same masked and unmasked. It does not decode: a secret in another encoding
//! (base64, URL-encoded, split by colour codes or line breaks of a terminal) is not found.

mod known;
mod pem;
mod scan;
mod shapes;
mod special;
mod starts;
mod stream;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::ops::Range;

use known::Known;
pub use stream::MaskedStream;

/// The longest secret looked at, in bytes. A known value that is longer is looked for in pieces of this length; of a longer token or key block, its first
/// bytes are covered. Whoever masks a piece of a stream needs this much of what stands before and after it.
pub const CONTEXT: usize = 8192;

/// What covers a byte of a secret.
const COVER: u8 = b'*';

/// Knows which bytes are secret: the values it was given, and common token shapes.
pub struct Secrets {
    known: Known,
}

impl Default for Secrets {
    /// Knows common token shapes alone.
    fn default() -> Self {
        Self::new([])
    }
}

impl Secrets {
    /// Compiles the values that are known to be secret; surrounding white space is no part of them.
    ///
    /// Values shorter than 8 bytes are ignored, as they would cover ordinary text. A value of several lines is also found with CR LF line ends, as a
    /// terminal prints it.
    ///
    /// # Panics
    /// The values have more than two billion bytes.
    pub fn new(values: impl IntoIterator<Item = Vec<u8>>) -> Self {
        Self {
            known: Known::new(values),
        }
    }

    /// Finds the secrets: sorted, none touching another. Takes time linear in `bytes`.
    pub fn find(&self, bytes: &[u8]) -> Vec<Range<usize>> {
        let mut found = self.known.find(bytes);
        shapes::look(bytes, |look| found.extend(look.secret));
        found.sort_unstable_by_key(|range| range.start);
        merge(found)
    }

    /// Covers each secret with `*`, byte by byte.
    ///
    /// ```
    /// let secrets = execgate::output::mask::Secrets::new([b"correct horse".to_vec()]);
    /// let mut output = b"it is correct horse.".to_vec();
    /// secrets.mask(&mut output);
    /// assert_eq!(output, b"it is *************.");
    /// ```
    pub fn mask(&self, bytes: &mut [u8]) {
        for secret in self.find(bytes) {
            bytes[secret].fill(COVER);
        }
    }

    /// Covers each secret with one `*` for each Unicode scalar value that it has a part of.
    pub fn mask_text<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let secrets = self.find(text.as_bytes());
        if secrets.is_empty() {
            return Cow::Borrowed(text);
        }
        let mut masked = String::with_capacity(text.len());
        let mut done = 0;
        for secret in secrets {
            let start = text.floor_char_boundary(secret.start).max(done);
            let end = text.ceil_char_boundary(secret.end);
            masked.push_str(&text[done..start]);
            let covered = text[start..end].chars().map(|_| char::from(COVER));
            masked.extend(covered);
            done = end;
        }
        masked.push_str(&text[done..]);
        Cow::Owned(masked)
    }

    /// Covers what secrets have in `page`, also those that begin in `before` or end in `after`.
    ///
    /// With [`CONTEXT`] bytes on either side (less only at the ends of the stream), the pages of a stream joined are the stream masked as a whole, whatever
    /// the size of the pages. More than that is not looked at.
    pub fn masked_window(&self, before: &[u8], page: &mut [u8], after: &[u8]) {
        let before = &before[before.len().saturating_sub(CONTEXT)..];
        let after = &after[..after.len().min(CONTEXT)];
        let window = [before, page, after].concat();
        let length = page.len();
        let within = |at: usize| at.saturating_sub(before.len()).min(length);
        for secret in self.find(&window) {
            page[within(secret.start)..within(secret.end)].fill(COVER);
        }
    }

    /// Returns how many bytes at the end of `bytes` may be the beginning of a secret that goes on; at most [`CONTEXT`].
    ///
    /// A reader of a running stream holds them back until more has come or the stream has ended. They begin with at least 4 bytes of a known value, or with
    /// the whole fixed beginning of a token (`ghp_`, `sk-`, `-----BEGIN `), or are the value of something that names it (`Authorization: Bearer x`). A token that
    /// is long enough already may go on too.
    pub fn unsettled(&self, bytes: &[u8]) -> usize {
        let tail = &bytes[bytes.len().saturating_sub(CONTEXT + scan::LOOK_BEHIND)..];
        let mut longest = self.known.unsettled(tail);
        shapes::look(tail, |look| {
            let length = look.open.map_or(0, |open| tail.len() - open);
            if length <= CONTEXT {
                longest = longest.max(length);
            }
        });
        longest
    }
}

/// Says nothing of the values.
impl std::fmt::Debug for Secrets {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Secrets").finish_non_exhaustive()
    }
}

/// Joins sorted ranges that touch.
fn merge(sorted: Vec<Range<usize>>) -> Vec<Range<usize>> {
    let mut merged: Vec<Range<usize>> = Vec::new();
    for range in sorted {
        match merged.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    merged
}
