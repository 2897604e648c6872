//! Runs of characters and what stands before them.

use std::ops::Range;

use super::CONTEXT;

/// How far before a secret of any length something is looked at, in bytes: its name, an escape. The user of a URL is longer, but no password is long.
pub(super) const LOOK_BEHIND: usize = 64;

/// The longest secret that a shape finds, in bytes: with what is looked at before it, it is within the context.
pub(super) const LONGEST: usize = CONTEXT - LOOK_BEHIND;

/// Parameters of a colour sequence, in bytes, that may stand between its `[` and its end.
const LONGEST_PARAMETERS: usize = 32;

/// The characters of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// `A-Z 0-9`
    Upper,
    /// `A-Z a-z 0-9`
    Alnum,
    /// `A-Z a-z 0-9 _`
    Word,
    /// `A-Z a-z 0-9 _ -`
    Url,
    /// As [`Class::Url`]: the second part of a token of three.
    UrlSecond,
    /// As [`Class::Url`]: the third part.
    UrlThird,
    /// `A-Z a-z 0-9 _ - .`; a final dot ends the sentence, not the token.
    Dotted,
    /// `A-Z a-z 0-9 + / =`
    Base64,
    /// `A-Z a-z 0-9 _ - /`
    Path,
    /// RFC 7235: `A-Z a-z 0-9 - . _ ~ + / =`
    Credentials,
    /// What may stand in a URL before its host, `:` and `@` included.
    Password,
}

impl Class {
    const COUNT: usize = Self::Password as usize + 1;

    pub(super) fn has(self, byte: u8) -> bool {
        let also: &[u8] = match self {
            Self::Upper => return byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            Self::Password => return byte > b' ' && !b"\x7f/\\\"'`<>".contains(&byte),
            Self::Alnum => b"",
            Self::Word => b"_",
            Self::Url | Self::UrlSecond | Self::UrlThird => b"_-",
            Self::Dotted => b"_-.",
            Self::Base64 => b"+/=",
            Self::Path => b"_-/",
            Self::Credentials => b"-._~+/=",
        };
        byte.is_ascii_alphanumeric() || also.contains(&byte)
    }
}

/// Bytes in which runs are looked for from left to right.
pub(super) struct Text<'a> {
    pub(super) bytes: &'a [u8],
    /// The run of each class that was looked at last: text like `sk-sk-sk-` has many tokens that end at the same place, and it is looked for once.
    runs: [Range<usize>; Class::COUNT],
}

impl<'a> Text<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            runs: std::array::from_fn(|_| 0..0),
        }
    }

    /// Where the run of a class that `from` stands in ends.
    pub(super) fn run(&mut self, class: Class, from: usize) -> usize {
        let last = &mut self.runs[class as usize];
        if !last.contains(&from) {
            let length = self.bytes[from..]
                .iter()
                .take_while(|byte| class.has(**byte));
            *last = from..from + length.count();
        }
        last.end
    }

    pub(super) fn at_end(&self, at: usize) -> bool {
        at == self.bytes.len()
    }

    pub(super) fn follows(&self, at: usize, expected: &[u8]) -> bool {
        self.bytes[at..].starts_with(expected)
    }
}

/// What a look at one place showed.
#[derive(Debug, Default)]
pub(super) struct Look {
    /// A secret.
    pub(super) secret: Option<Range<usize>>,
    /// Where a secret begins if the right bytes come after the last.
    pub(super) open: Option<usize>,
}

impl Look {
    pub(super) fn secret(secret: Option<Range<usize>>) -> Self {
        Self { secret, open: None }
    }

    pub(super) fn open(start: usize, open: bool) -> Self {
        Self {
            secret: None,
            open: open.then_some(start),
        }
    }
}

/// Whether a token may begin here: at the start, after what is no part of a word, or after something that only looks like one, such as a colour sequence.
pub(super) fn begins_word(bytes: &[u8], at: usize) -> bool {
    let before = &bytes[at.saturating_sub(LOOK_BEHIND)..at];
    match before {
        [] => true,
        [.., last] if !last.is_ascii_alphanumeric() && *last != b'_' => true,
        // Escapes of JSON, of shells, and of URLs.
        [.., b'\\', b'b' | b'f' | b'n' | b'r' | b't' | b'v' | b'0'] => true,
        [.., b'\\', b'u', a, b, c, d] if [a, b, c, d].into_iter().all(u8::is_ascii_hexdigit) => {
            true
        }
        [.., b'%', a, b] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit() => true,
        [.., b'\x1b', b'(' | b')', _] => true,
        [parameters @ .., last] => last.is_ascii_alphabetic() && ends_in_parameters(parameters),
    }
}

/// Whether this ends in `[` and the parameters of a colour sequence.
fn ends_in_parameters(bytes: &[u8]) -> bool {
    let count = |byte: &&u8| byte.is_ascii_digit() || b";:?".contains(byte);
    let length = bytes.iter().rev().take_while(count).count();
    length <= LONGEST_PARAMETERS && bytes[..bytes.len() - length].last() == Some(&b'[')
}

/// Where a value begins that a name is given by `=`, `:`, `=>` or a tag, past quotes and blanks.
pub(super) fn value_of(bytes: &[u8], name_end: usize) -> Option<usize> {
    let sign = past(bytes, name_end, b" \t\"'\\");
    if !matches!(bytes.get(sign), Some(b'=' | b':' | b'>')) {
        return None;
    }
    Some(past(bytes, sign, b"=:> \t\"'\\"))
}

/// Where a few bytes of this kind end.
pub(super) fn past(bytes: &[u8], from: usize, kind: &[u8]) -> usize {
    let few = bytes[from..].iter().take(8);
    from + few.take_while(|byte| kind.contains(byte)).count()
}
