//! Private keys in their armour (RFC 7468, OpenSSH, OpenPGP).

use std::ops::Range;

use super::scan::{Class, LONGEST, Look, Text};

/// Longest label in bytes, `ENCRYPTED PRIVATE KEY` and the like.
const LONGEST_LABEL: usize = 48;

const DASHES: &[u8] = b"-----";

/// Base64 characters in a row that no other text has. Lines of keys have 64 to 76.
const LONG_RUN: usize = 40;

/// Fewest characters of a key that has no such run.
const SHORTEST_KEY: usize = 4;

/// Most blank lines and headers of a key, and most lines that are nothing of a key.
const MOST_HEADERS: usize = 10;
const MOST_OTHERS: usize = 1;

/// A line within the armour.
enum Line {
    /// Has so long a run of base64 that it is the key, whatever stands before it (line numbers, quotes, file names).
    Key,
    /// One word of base64: the last line of a key, or a word.
    Word {
        length: usize,
    },
    /// Blank, or `Name: value`.
    Header,
    Other,
}

/// The lines of a key so far.
#[derive(Default)]
struct Body {
    key_end: Option<usize>,
    words: usize,
    headers: usize,
    others: usize,
}

/// A private key from its first dash to its last; without its end, to its last line. Text that only speaks of the armour is none.
pub(super) fn block(text: &mut Text<'_>, start: usize, end: usize) -> Look {
    let bytes = &text.bytes[..text.bytes.len().min(start + LONGEST)];
    let Some(label) = label_length(&bytes[end..]) else {
        return Look::open(start, may_be_label(&bytes[end..]));
    };
    let mut body = Body::default();
    let mut may_go_on = true;
    let mut at = end + label;
    while at < bytes.len() {
        let (length, separator) = line_length(&bytes[at..]);
        let line = &bytes[at..at + length];
        let dashes = find(line, DASHES).unwrap_or(length);
        // The last line may be a part of one: it proves nothing.
        may_go_on = body.may_go_on();
        let goes_on = body.take(&line[..dashes], at + dashes);
        if dashes < length {
            let closing = at + dashes..at + length;
            return body.closed(start, closing, bytes);
        }
        if !goes_on && separator > 0 {
            return Look::secret(body.key(start));
        }
        at += length + separator;
    }
    Look {
        secret: body.key(start),
        ..Look::open(start, text.at_end(bytes.len()) && may_go_on)
    }
}

impl Body {
    /// Counts a line that ends at `end`; whether the key may go on after it.
    fn take(&mut self, line: &[u8], end: usize) -> bool {
        match classify(line) {
            Line::Key => self.key_end = Some(end),
            Line::Word { length } => {
                self.words += usize::from(length >= SHORTEST_KEY);
                if self.key_end.is_some() && self.others == 0 {
                    self.key_end = Some(end);
                }
            }
            Line::Header => self.headers += 1,
            Line::Other => self.others += 1,
        }
        self.headers <= MOST_HEADERS && self.others <= MOST_OTHERS
    }

    fn may_go_on(&self) -> bool {
        self.others == 0 || self.key_end.is_some()
    }

    fn key(&self, start: usize) -> Option<Range<usize>> {
        Some(start..self.key_end?)
    }

    /// What it all is once a line has dashes.
    fn closed(&self, start: usize, closing: Range<usize>, bytes: &[u8]) -> Look {
        let line = &bytes[closing.clone()];
        let Some(label) = line.strip_prefix(b"-----END ") else {
            let unfinished = closing.end == bytes.len() && b"-----END ".starts_with(line);
            return Look {
                secret: self.key(start),
                ..Look::open(start, unfinished)
            };
        };
        let whole = find(label, DASHES);
        let last = whole.map_or(closing.end, |at| {
            closing.end - label.len() + at + DASHES.len()
        });
        let is_key = self.key_end.is_some() || self.words > 0;
        Look {
            secret: is_key.then_some(start..last),
            ..Look::open(start, whole.is_none() && closing.end == bytes.len())
        }
    }
}

fn classify(line: &[u8]) -> Line {
    let is_base64 = |byte: &u8| Class::Base64.has(*byte);
    let mut runs = line
        .split(|byte| !is_base64(byte))
        .filter(|run| !run.is_empty());
    match (runs.next(), runs.next()) {
        (None, _) => Line::Header,
        _ if line
            .split(|byte| !is_base64(byte))
            .any(|run| run.len() >= LONG_RUN) =>
        {
            Line::Key
        }
        (Some(run), None) => Line::Word { length: run.len() },
        _ if find(line, b": ").is_some() => Line::Header,
        _ => Line::Other,
    }
}

/// How long the label and its dashes are, if they are those of a private key.
fn label_length(bytes: &[u8]) -> Option<usize> {
    let (label, rest) = bytes.split_at(words_length(bytes));
    (is_key(label) && rest.starts_with(DASHES)).then_some(label.len() + DASHES.len())
}

/// Whether a label may end, and be that of a private key, after more bytes.
fn may_be_label(bytes: &[u8]) -> bool {
    let (label, rest) = bytes.split_at(words_length(bytes));
    let goes_on = rest.is_empty() && label.len() < LONGEST_LABEL;
    goes_on || is_key(label) && DASHES.starts_with(rest)
}

fn is_key(label: &[u8]) -> bool {
    label.ends_with(b"PRIVATE KEY") || label.ends_with(b"PRIVATE KEY BLOCK")
}

fn words_length(bytes: &[u8]) -> usize {
    let is_label =
        |byte: &&u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || **byte == b' ';
    bytes
        .iter()
        .take(LONGEST_LABEL)
        .take_while(is_label)
        .count()
}

/// How long the line and its separator are: a line feed, or one spelled `\n` in a string.
fn line_length(bytes: &[u8]) -> (usize, usize) {
    for (at, &byte) in bytes.iter().enumerate() {
        match byte {
            b'\n' => return (at, 1),
            b'\\' if bytes.get(at + 1) == Some(&b'n') => return (at, 2),
            _ => {}
        }
    }
    (bytes.len(), 0)
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes
        .windows(wanted.len())
        .position(|window| window == wanted)
}
