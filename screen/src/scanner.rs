//! Cuts a terminal's text into plain text and whole control sequences.

const ESCAPE: char = '\u{1B}';
const BELL: char = '\u{07}';
const CANCEL: char = '\u{18}';
const SUBSTITUTE: char = '\u{1A}';
const DELETE: char = '\u{7F}';

/// Longest CSI sequence that counts, in bytes; a longer one is read to its end and dropped.
const LONGEST_CSI: usize = 256;

/// What is kept of a control string, in bytes. The rest, such as the data of a picture, is read to its end and dropped.
const LONGEST_STRING: usize = 4 * 1024;

/// Most intermediate characters of an escape sequence (`ESC $ ( C` has two).
const MOST_INTERMEDIATES: usize = 3;

/// A part of what a program prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Piece<'a> {
    /// Characters and controls that stand for themselves; no `ESC`. Never empty.
    Text(&'a str),
    /// What follows `ESC`: intermediates and a final character.
    Escape(&'a str),
    /// What follows `ESC [`: parameters, intermediates and a final character.
    Csi(&'a str),
    /// What is between the beginning and the end of a control string, at most [`LONGEST_STRING`].
    String(Kind, &'a str, End),
}

/// What a control string is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// OSC: titles, colours, the clipboard.
    Command,
    /// DCS: queries, pictures.
    Device,
    /// SOS, PM, APC and the `ESC k` titles of tmux: nothing a screen shows.
    Ignored,
}

/// What ended a control string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    Bell,
    Terminator,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum State {
    #[default]
    Text,
    Escape,
    Csi,
    String(Kind),
    /// `ESC` within a string: its end if a backslash follows.
    StringEscape(Kind),
}

/// Cuts a stream of text, whatever chunks it comes in. Remembers at most 4 KiB.
///
/// It follows what terminals do: controls within a sequence take effect at once, CAN and SUB cancel it, and a control string that is never
/// ended hides what follows. C1 characters (U+0080 to U+009F) introduce nothing, as in most terminals of today.
#[derive(Debug, Default)]
pub(crate) struct Scanner {
    state: State,
    /// The sequence that has begun.
    kept: String,
}

impl Scanner {
    /// Hands each piece of `text` that is complete to `each`.
    pub fn push(&mut self, text: &str, mut each: impl FnMut(Piece<'_>)) {
        let mut rest = text;
        while !rest.is_empty() {
            rest = match self.state {
                State::Text => self.text(rest, &mut each),
                State::Escape => self.escape(rest, &mut each),
                State::Csi => self.csi(rest, &mut each),
                State::String(kind) => self.string(rest, kind, &mut each),
                State::StringEscape(kind) => self.string_escape(rest, kind, &mut each),
            };
        }
    }

    fn text<'a>(&mut self, text: &'a str, each: &mut impl FnMut(Piece<'_>)) -> &'a str {
        let end = text.find(ESCAPE).unwrap_or(text.len());
        let (plain, rest) = text.split_at(end);
        if !plain.is_empty() {
            each(Piece::Text(plain));
        }
        match rest.strip_prefix(ESCAPE) {
            Some(rest) => {
                self.begin(State::Escape);
                rest
            }
            None => rest,
        }
    }

    /// Takes one character after `ESC`.
    fn escape<'a>(&mut self, text: &'a str, each: &mut impl FnMut(Piece<'_>)) -> &'a str {
        let Some((next, rest)) = first(text) else {
            return text;
        };
        match next {
            '[' if self.kept.is_empty() => self.begin(State::Csi),
            ']' if self.kept.is_empty() => self.begin(State::String(Kind::Command)),
            'P' if self.kept.is_empty() => self.begin(State::String(Kind::Device)),
            'X' | '^' | '_' | 'k' if self.kept.is_empty() => {
                self.begin(State::String(Kind::Ignored));
            }
            ' '..='/' if self.kept.len() < MOST_INTERMEDIATES => self.kept.push(next),
            '0'..='~' => {
                self.kept.push(next);
                self.state = State::Text;
                each(Piece::Escape(&self.kept));
            }
            _ => return self.inside(text, each),
        }
        rest
    }

    fn csi<'a>(&mut self, text: &'a str, each: &mut impl FnMut(Piece<'_>)) -> &'a str {
        let end = text.find(|character| !matches!(character, ' '..='?'));
        let (taken, rest) = text.split_at(end.unwrap_or(text.len()));
        let room = (LONGEST_CSI + 1).saturating_sub(self.kept.len());
        self.kept.push_str(&taken[..taken.len().min(room)]);
        match first(rest) {
            Some((last @ '@'..='~', rest)) => {
                self.state = State::Text;
                if self.kept.len() <= LONGEST_CSI {
                    self.kept.push(last);
                    each(Piece::Csi(&self.kept));
                }
                rest
            }
            Some(_) => self.inside(rest, each),
            None => rest,
        }
    }

    /// Takes a character that belongs to no escape or CSI sequence, within one.
    fn inside<'a>(&mut self, text: &'a str, each: &mut impl FnMut(Piece<'_>)) -> &'a str {
        let Some((next, rest)) = first(text) else {
            return text;
        };
        match next {
            ESCAPE => self.begin(State::Escape),
            CANCEL | SUBSTITUTE => self.state = State::Text,
            DELETE => {}
            '\0'..='\u{1F}' => each(Piece::Text(&text[..next.len_utf8()])),
            _ => {
                // No sequence goes on like this: it is dropped, and the character is text.
                self.state = State::Text;
                return text;
            }
        }
        rest
    }

    fn string<'a>(
        &mut self,
        text: &'a str,
        kind: Kind,
        each: &mut impl FnMut(Piece<'_>),
    ) -> &'a str {
        let ends = |character| match character {
            ESCAPE | CANCEL | SUBSTITUTE => true,
            BELL => kind == Kind::Command,
            _ => false,
        };
        let end = text.find(ends);
        let (taken, rest) = text.split_at(end.unwrap_or(text.len()));
        self.keep(taken);
        let Some((last, rest)) = first(rest) else {
            return rest;
        };
        self.state = match last {
            ESCAPE => State::StringEscape(kind),
            _ => State::Text,
        };
        if last == BELL {
            each(Piece::String(kind, &self.kept, End::Bell));
        }
        rest
    }

    fn string_escape<'a>(
        &mut self,
        text: &'a str,
        kind: Kind,
        each: &mut impl FnMut(Piece<'_>),
    ) -> &'a str {
        if let Some(rest) = text.strip_prefix('\\') {
            self.state = State::Text;
            each(Piece::String(kind, &self.kept, End::Terminator));
            return rest;
        }
        // Another sequence: the string is dropped.
        self.begin(State::Escape);
        text
    }

    fn begin(&mut self, state: State) {
        self.state = state;
        self.kept.clear();
    }

    fn keep(&mut self, text: &str) {
        let room = LONGEST_STRING - self.kept.len();
        let end = text.floor_char_boundary(text.len().min(room));
        self.kept.push_str(&text[..end]);
    }
}

fn first(text: &str) -> Option<(char, &str)> {
    let mut rest = text.chars();
    rest.next().map(|character| (character, rest.as_str()))
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use proptest::prelude::*;

    use super::*;

    /// The pieces as text, neighbouring plain text joined.
    fn scanned<'a>(chunks: impl IntoIterator<Item = &'a str>) -> Vec<String> {
        let mut scanner = Scanner::default();
        let mut pieces: Vec<String> = Vec::new();
        for chunk in chunks {
            scanner.push(chunk, |piece| match piece {
                Piece::Text(text) => match pieces.last_mut() {
                    Some(last) if last.starts_with("text ") => last.push_str(text),
                    _ => pieces.push(format!("text {text}")),
                },
                Piece::Escape(body) => pieces.push(format!("escape {body}")),
                Piece::Csi(body) => pieces.push(format!("csi {body}")),
                Piece::String(kind, body, end) => {
                    pieces.push(format!("{kind:?} {body} {end:?}"));
                }
            });
        }
        pieces
    }

    #[test]
    fn sequences_are_cut_as_terminals_do() {
        let table: &[(&str, &[&str])] = &[
            ("a\x1b[1;31mb", &["text a", "csi 1;31m", "text b"]),
            (
                "\x1b[?1049h\x1bM\x1b(0",
                &["csi ?1049h", "escape M", "escape (0"],
            ),
            ("\x1b]0;title\x07x", &["Command 0;title Bell", "text x"]),
            ("\x1b]2;t\x1b\\x", &["Command 2;t Terminator", "text x"]),
            ("\x1bP+q544e\x07\x1b\\", &["Device +q544e\x07 Terminator"]),
            (
                "\x1b_G data\x1b\\\x1bkname\x1b\\x",
                &[
                    "Ignored G data Terminator",
                    "Ignored name Terminator",
                    "text x",
                ],
            ),
            ("\x1b[2\nJ", &["text \n", "csi 2J"]),
            ("\x1b[2\x18J", &["text J"]),
            ("\x1b[2\x1b[3J", &["csi 3J"]),
            ("\x1b[2éJ", &["text éJ"]),
            ("\x1b]0;a\x1b[1mb", &["csi 1m", "text b"]),
            ("\x1b]0;never ended\nlost", &[]),
            ("\u{9b}31mx", &["text \u{9b}31mx"]),
        ];
        for (text, pieces) in table {
            assert_eq!(scanned([*text]), *pieces, "{text:?}");
        }
    }

    #[test]
    fn a_long_sequence_is_read_to_its_end_and_dropped() {
        let text = format!("\x1b[{}mx", "1;".repeat(1_000));
        assert_eq!(scanned([text.as_str()]), ["text x"]);
    }

    #[test]
    fn a_long_string_is_kept_in_part() {
        let mut scanner = Scanner::default();
        for _ in 0..1_000 {
            scanner.push("\x1b]0;ééééééé", |_| ());
            scanner.push(&"é".repeat(10_000), |_| ());
        }
        assert!(scanner.kept.capacity() <= 2 * LONGEST_STRING);
    }

    proptest! {
        #[test]
        fn any_chunks_give_the_same_pieces(text in r"(\x1b|\[|\]|P|\\|;|\?|[0-9]|m|h|é|\x07|\x18|\n| |\(|k){0,60}", size in 1_usize..6) {
            let characters: Vec<String> = text.chars().map(String::from).collect();
            let chunks: Vec<String> = characters.chunks(size).map(<[String]>::concat).collect();
            let chunks = chunks.iter().map(String::as_str);
            prop_assert_eq!(scanned(chunks), scanned([text.as_str()]));
        }
    }
}
