//! How texts are trimmed and compared.

use std::borrow::Cow;

/// How alike two lines must be. The order is that in which they are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tolerance {
    /// Byte for byte.
    Exact,
    /// But for white space at the end.
    TrimmedEnd,
    /// But for white space at both ends.
    Trimmed,
    /// But for white space at both ends, and typographic dashes, quotes and spaces stand for the plain ones.
    Folded,
}

impl Tolerance {
    /// All of them, strictest first.
    pub const ALL: [Self; 4] = [Self::Exact, Self::TrimmedEnd, Self::Trimmed, Self::Folded];

    /// What is compared of a line. Of a line that is not UTF-8 only ASCII white space is trimmed.
    pub fn normal(self, line: &[u8]) -> Cow<'_, [u8]> {
        let Ok(text) = std::str::from_utf8(line) else {
            return Cow::Borrowed(match self {
                Self::Exact => line,
                Self::TrimmedEnd => line.trim_ascii_end(),
                Self::Trimmed | Self::Folded => line.trim_ascii(),
            });
        };
        match self {
            Self::Exact => Cow::Borrowed(line),
            Self::TrimmedEnd => Cow::Borrowed(text.trim_end_matches(is_blank).as_bytes()),
            Self::Trimmed => Cow::Borrowed(trim(text).as_bytes()),
            Self::Folded => fold(trim(text)),
        }
    }
}

/// Trims as the format says: the byte order mark counts as blank, the control character NEL does not.
pub(crate) fn trim(text: &str) -> &str {
    text.trim_matches(is_blank)
}

fn is_blank(character: char) -> bool {
    character == '\u{feff}' || (character != '\u{85}' && character.is_whitespace())
}

fn fold(text: &str) -> Cow<'_, [u8]> {
    if text.is_ascii() {
        return Cow::Borrowed(text.as_bytes());
    }
    Cow::Owned(text.chars().map(plain).collect::<String>().into_bytes())
}

fn plain(character: char) -> char {
    match character {
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        '\u{2018}'..='\u{201b}' => '\'',
        '\u{201c}'..='\u{201f}' => '"',
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => ' ',
        other => other,
    }
}

/// Characters of a foreign line that a message shows.
const SHOWN: usize = 400;

/// A line for a message, cut if it is very long.
pub(crate) fn shown(line: &str) -> String {
    match line.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Tolerance, shown, trim};

    #[test]
    fn each_tolerance_forgives_what_it_says() {
        let line = "\t“a”\u{a0}— ’b’ \u{feff}".as_bytes();
        let normal = Tolerance::ALL.map(|tolerance| tolerance.normal(line).into_owned());
        let expected = [
            "\t“a”\u{a0}— ’b’ \u{feff}",
            "\t“a”\u{a0}— ’b’",
            "“a”\u{a0}— ’b’",
            "\"a\" - 'b'",
        ];
        assert_eq!(normal, expected.map(|text| text.as_bytes().to_vec()));
    }

    #[test]
    fn bytes_that_are_no_text_are_trimmed_of_ascii_blanks() {
        let normal = Tolerance::ALL.map(|tolerance| tolerance.normal(b" \xe9 ").into_owned());
        assert_eq!(normal, [&b" \xe9 "[..], b" \xe9", b"\xe9", b"\xe9"]);
    }

    #[test]
    fn trimming_is_that_of_the_format() {
        assert_eq!(trim("\u{feff}\u{a0}\n a\u{85} \r\n"), "a\u{85}");
    }

    #[test]
    fn a_long_line_is_cut_between_characters() {
        assert_eq!(shown(&"é".repeat(401)), format!("{}…", "é".repeat(400)));
        assert_eq!(shown("é"), "é");
    }
}
