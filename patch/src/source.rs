//! The content of a file as lines that keep their own endings.

/// Byte order mark of UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// A line and what ends it: `\n`, `\r\n`, `\r`, or nothing at the end of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SourceLine<'s> {
    pub text: &'s [u8],
    pub ending: &'s [u8],
}

/// The lines of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Source<'s> {
    /// The byte order mark, or nothing.
    pub mark: &'s [u8],
    pub lines: Vec<SourceLine<'s>>,
}

impl<'s> Source<'s> {
    pub fn new(content: &'s [u8]) -> Self {
        let (mark, mut rest) = match content.strip_prefix(MARK) {
            Some(rest) => (&content[..MARK.len()], rest),
            None => (&content[..0], content),
        };
        let mut lines = Vec::new();
        while !rest.is_empty() {
            let (line, after) = split_line(rest);
            lines.push(line);
            rest = after;
        }
        Self { mark, lines }
    }

    /// The ending of the first line that has one, for lines without a neighbour to follow.
    pub fn ending(&self) -> &'s [u8] {
        let mut endings = self.lines.iter().map(|line| line.ending);
        endings.find(|ending| !ending.is_empty()).unwrap_or(b"\n")
    }

    /// Whether the last line lacks its ending.
    pub fn is_unended(&self) -> bool {
        self.lines.last().is_some_and(|line| line.ending.is_empty())
    }
}

/// Most lines of a file that is changed: each takes much more memory than its bytes.
pub(crate) const MAX_LINES: usize = 1_000_000;

/// Whether a content has more than [`MAX_LINES`] lines.
pub(crate) fn has_too_many_lines(content: &[u8]) -> bool {
    let mut rest = content;
    let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
    for _ in 0..MAX_LINES {
        let Some(end) = rest.iter().position(is_end) else {
            return false;
        };
        rest = &rest[end..];
        rest = rest.strip_prefix(b"\r\n").unwrap_or_else(|| &rest[1..]);
    }
    !rest.is_empty()
}

fn split_line(content: &[u8]) -> (SourceLine<'_>, &[u8]) {
    let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
    let end = content.iter().position(is_end).unwrap_or(content.len());
    let length = match &content[end..] {
        [] => 0,
        [b'\r', b'\n', ..] => 2,
        _ => 1,
    };
    let (line, rest) = content.split_at(end + length);
    let (text, ending) = line.split_at(end);
    (SourceLine { text, ending }, rest)
}

/// Whether two contents are the same but for line endings and the final one.
pub(crate) fn is_same_text(one: &[u8], other: &[u8]) -> bool {
    if one == other {
        return true;
    }
    let (one, other) = (Source::new(one), Source::new(other));
    let texts = one.lines.iter().map(|line| line.text);
    one.mark == other.mark && texts.eq(other.lines.iter().map(|line| line.text))
}

#[cfg(test)]
mod tests {
    use super::{MAX_LINES, Source, has_too_many_lines, is_same_text};

    #[test]
    fn lines_keep_their_endings() {
        let source = Source::new(b"\xef\xbb\xbfa\r\n\nb\rc");
        let lines: Vec<(&[u8], &[u8])> = source
            .lines
            .iter()
            .map(|line| (line.text, line.ending))
            .collect();
        let expected: [(&[u8], &[u8]); 4] =
            [(b"a", b"\r\n"), (b"", b"\n"), (b"b", b"\r"), (b"c", b"")];
        assert_eq!(lines, expected);
        assert!(source.is_unended());
        assert_eq!(source.ending(), b"\r\n");
    }

    #[test]
    fn lines_are_counted_whatever_ends_them() {
        for ending in ["\n", "\r\n", "\r"] {
            let most = ending.repeat(MAX_LINES);
            assert!(!has_too_many_lines(most.as_bytes()), "{ending:?}");
            assert!(
                has_too_many_lines(format!("{most}x").as_bytes()),
                "{ending:?}"
            );
        }
    }

    #[test]
    fn endings_make_no_other_text() {
        assert!(is_same_text(b"a\r\nb", b"a\nb\n"));
        assert!(!is_same_text(b"a\n", b"a\n\n"));
        assert!(!is_same_text(b"\xef\xbb\xbfa", b"a"));
    }
}
