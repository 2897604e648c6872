//! Words and quoting: characters to pieces.

use crate::cursor::Parsed;
use crate::parser::{Parser, is_metacharacter, is_name_byte, is_name_start};
use crate::tree::{Piece, RawWord};

/// Where a run of pieces ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// Before an unquoted metacharacter.
    Metacharacter,
    /// Before this byte.
    Byte(u8),
    /// Before `]`, or `}` where a subscript was left open.
    Subscript,
    /// At the limit of the text.
    End,
}

/// What a single quote does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Single {
    /// Quotes everything to the next one.
    Quotes,
    /// Stands for itself.
    Literal,
    /// Is removed, but what lies between is still expanded (subscripts and offsets).
    Through,
}

/// What a double quote does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Double {
    /// Quotes up to the next one.
    Quotes,
    /// Stands for itself (here-documents).
    Literal,
    /// Is removed (arithmetic).
    Skipped,
}

/// Which parentheses belong to a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Groups {
    None,
    /// `@(…)`, `!(…)`, `?(…)`, `*(…)`, `+(…)`.
    Extended,
    /// `( … )` and `|` of a regular expression.
    Regex,
}

/// How a run of characters is to be read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading {
    pub(crate) stop: Stop,
    /// Whether the run is inside double quotes or the like.
    pub(crate) quoted: bool,
    pub(crate) single: Single,
    pub(crate) double: Double,
    pub(crate) groups: Groups,
    /// Whether `name=(…)` is read as in assignments.
    pub(crate) assigns: bool,
    /// Whether `name[…]` is. Not in arguments of `export` and the like: there bash sees an ordinary word, which ends at blanks and `;`.
    pub(crate) subscripts: bool,
    /// Whether it is an array element, whose leading `[…]` is a subscript.
    pub(crate) element: bool,
}

impl Reading {
    /// An ordinary word.
    pub(crate) fn word() -> Self {
        Self {
            stop: Stop::Metacharacter,
            quoted: false,
            single: Single::Quotes,
            double: Double::Quotes,
            groups: Groups::None,
            assigns: false,
            subscripts: false,
            element: false,
        }
    }

    /// The inside of double quotes.
    pub(crate) fn double_quotes() -> Self {
        Self {
            stop: Stop::Byte(b'"'),
            quoted: true,
            single: Single::Literal,
            ..Self::word()
        }
    }

    /// The body of a here-document.
    pub(crate) fn here_document() -> Self {
        Self {
            stop: Stop::End,
            double: Double::Literal,
            ..Self::double_quotes()
        }
    }

    /// An arithmetic expression.
    pub(crate) fn arithmetic() -> Self {
        Self {
            stop: Stop::End,
            double: Double::Skipped,
            ..Self::double_quotes()
        }
    }
}

/// Pieces as they are collected.
#[derive(Default)]
pub(crate) struct Pieces {
    pub(crate) list: Vec<Piece>,
    /// Open parentheses of a pattern.
    groups: u32,
}

impl Pieces {
    pub(crate) fn push(&mut self, character: char, quoted: bool) {
        if let Some(Piece::Text { text, quoted: last }) = self.list.last_mut()
            && *last == quoted
        {
            text.push(character);
        } else {
            self.list.push(Piece::Text {
                text: character.to_string(),
                quoted,
            });
        }
    }

    /// Adds an unquoted character of a pattern.
    fn push_glob(&mut self, character: char) {
        self.push(character, false);
    }

    pub(crate) fn push_text(&mut self, added: &str, quoted: bool) {
        if let Some(Piece::Text { text, quoted: last }) = self.list.last_mut()
            && *last == quoted
        {
            text.push_str(added);
        } else {
            self.list.push(Piece::Text {
                text: added.to_owned(),
                quoted,
            });
        }
    }
}

impl Parser<'_> {
    /// Reads a word, which may be empty if nothing of one stands here.
    pub(crate) fn word(&mut self, reading: Reading) -> Parsed<RawWord> {
        self.cursor.peek();
        let start = self.cursor.at;
        let pieces = self.pieces(reading)?;
        Ok(RawWord {
            span: self.cursor.span(start, self.cursor.at),
            pieces,
        })
    }

    /// Reads an expression that lies between two offsets; the position moves to its end.
    pub(crate) fn expression(&mut self, start: usize, end: usize) -> Parsed<RawWord> {
        self.limited(start, end, |parser| parser.word(Reading::arithmetic()))
    }

    /// Reads a part of the text as if nothing followed it.
    pub(crate) fn limited<T>(
        &mut self,
        start: usize,
        end: usize,
        read: impl FnOnce(&mut Self) -> Parsed<T>,
    ) -> Parsed<T> {
        let outer = self.cursor.end;
        self.cursor.end = end.min(outer);
        self.cursor.at = start;
        let result = read(self);
        self.cursor.end = outer;
        result
    }

    /// Reads pieces up to the reading's stop, which is not taken.
    pub(crate) fn pieces(&mut self, reading: Reading) -> Parsed<Vec<Piece>> {
        let start = self.cursor.at;
        let mut pieces = Pieces::default();
        while let Some(byte) = self.cursor.peek() {
            let stops = pieces.groups == 0
                && match reading.stop {
                    Stop::Metacharacter => is_metacharacter(byte),
                    Stop::Byte(stop) => byte == stop,
                    Stop::Subscript => byte == b']' || byte == b'}',
                    Stop::End => false,
                };
            if stops
                && (reading.stop != Stop::Metacharacter
                    || !self.goes_on(reading, start, &mut pieces)?)
            {
                break;
            }
            if !stops {
                self.step(reading, start, &mut pieces)?;
            }
        }
        self.check_closed(reading, pieces.groups)?;
        Ok(pieces.list)
    }

    fn check_closed(&mut self, reading: Reading, groups: u32) -> Parsed<()> {
        let at_end = self.cursor.peek().is_none();
        match reading.stop {
            Stop::Byte(byte) if at_end => {
                Err(self.cursor.syntax(&format!("`{}`", char::from(byte))))
            }
            Stop::Subscript if at_end => Err(self.cursor.syntax("`]`")),
            Stop::Metacharacter if groups > 0 => Err(self.cursor.syntax("`)`")),
            Stop::Byte(_) | Stop::Subscript | Stop::Metacharacter | Stop::End => Ok(()),
        }
    }

    /// Takes a metacharacter that does not end the word, if it is one.
    fn goes_on(&mut self, reading: Reading, start: usize, pieces: &mut Pieces) -> Parsed<bool> {
        match self.cursor.peek() {
            Some(b'<' | b'>') if self.cursor.peek_second() == Some(b'(') => {
                let piece = self.process_substitution()?;
                pieces.list.push(piece);
            }
            Some(b'(') if reading.assigns && self.is_assignment_so_far(start) => {
                let piece = self.array()?;
                pieces.list.push(piece);
            }
            Some(b'(') if self.opens_group(reading, pieces) => {
                self.cursor.at += 1;
                pieces.groups += 1;
                pieces.push_glob('(');
            }
            Some(b'|')
                if reading.groups == Groups::Regex && self.cursor.peek_second() != Some(b'|') =>
            {
                self.cursor.at += 1;
                pieces.push_glob('|');
            }
            Some(_) | None => return Ok(false),
        }
        Ok(true)
    }

    /// Takes one character or construct inside the word.
    fn step(&mut self, reading: Reading, start: usize, pieces: &mut Pieces) -> Parsed<()> {
        match self.cursor.raw() {
            Some(byte @ (b'(' | b')')) if pieces.groups > 0 => {
                self.cursor.at += 1;
                pieces.groups = if byte == b'(' {
                    pieces.groups + 1
                } else {
                    pieces.groups - 1
                };
                pieces.push_glob(char::from(byte));
                Ok(())
            }
            Some(b'[')
                if reading.subscripts && self.is_name_so_far(pieces)
                    || reading.element && self.cursor.at == start =>
            {
                let open = self.cursor.at;
                let inner = self.bracketed()?;
                self.keep_bracketed(open, inner, pieces);
                Ok(())
            }
            Some(byte) => self.piece(reading, byte, pieces),
            None => Ok(()),
        }
    }

    /// Keeps a subscript as text, with what is expanded in it.
    fn keep_bracketed(&mut self, open: usize, inner: RawWord, pieces: &mut Pieces) {
        if inner.literal().is_some() {
            let text = self.cursor.text[open..self.cursor.at].to_owned();
            pieces.push_text(&text, false);
        } else {
            pieces.push('[', true);
            pieces.list.extend(inner.pieces);
            pieces.push(']', true);
        }
    }

    fn piece(&mut self, reading: Reading, byte: u8, pieces: &mut Pieces) -> Parsed<()> {
        match byte {
            b'\\' => self.backslash(reading, pieces),
            b'\'' if reading.single == Single::Quotes => self.single_quotes(pieces),
            b'\'' if reading.single == Single::Through => self.through_quotes(pieces),
            b'"' if reading.double == Double::Quotes => self.double_quotes(pieces),
            b'"' if reading.double == Double::Skipped => {
                self.cursor.at += 1;
                Ok(())
            }
            b'`' => {
                let piece = self.backticks(reading.quoted)?;
                pieces.list.push(piece);
                Ok(())
            }
            b'$' => self.dollar(reading.quoted, pieces),
            b'<' | b'>' if !reading.quoted && self.cursor.peek_second() == Some(b'(') => {
                let piece = self.process_substitution()?;
                pieces.list.push(piece);
                Ok(())
            }
            _ => {
                if let Some(character) = self.cursor.take_char() {
                    pieces.push(character, reading.quoted);
                }
                Ok(())
            }
        }
    }

    fn backslash(&mut self, reading: Reading, pieces: &mut Pieces) -> Parsed<()> {
        self.cursor.at += 1;
        if !reading.quoted {
            // A backslash at the very end stands for itself.
            let character = self.cursor.take_char().unwrap_or('\\');
            pieces.push(character, true);
            return Ok(());
        }
        let escaped = match self.cursor.raw() {
            Some(b'$' | b'`' | b'\\') => true,
            Some(b'"') => reading.double != Double::Literal,
            Some(byte) => reading.stop == Stop::Byte(byte),
            None => false,
        };
        let character = if escaped {
            self.cursor.take_char()
        } else {
            None
        };
        pieces.push(character.unwrap_or('\\'), true);
        Ok(())
    }

    fn single_quotes(&mut self, pieces: &mut Pieces) -> Parsed<()> {
        let start = self.cursor.at + 1;
        let end = self.find_quote(start)?;
        pieces.push_text(&self.cursor.text[start..end], true);
        self.cursor.at = end + 1;
        Ok(())
    }

    /// Reads single quotes that do not keep their inside from being expanded.
    fn through_quotes(&mut self, pieces: &mut Pieces) -> Parsed<()> {
        let start = self.cursor.at + 1;
        let end = self.find_quote(start)?;
        let inner = self.expression(start, end)?;
        pieces.list.extend(inner.pieces);
        self.cursor.at = end + 1;
        Ok(())
    }

    fn find_quote(&mut self, start: usize) -> Parsed<usize> {
        self.cursor.at = start;
        while let Some(byte) = self.cursor.raw() {
            if byte == b'\'' {
                return Ok(self.cursor.at);
            }
            self.cursor.at += 1;
        }
        Err(self.cursor.syntax("`'`"))
    }

    pub(crate) fn double_quotes(&mut self, pieces: &mut Pieces) -> Parsed<()> {
        self.cursor.at += 1;
        self.cursor.descend()?;
        let inner = self.pieces(Reading::double_quotes());
        self.cursor.ascend();
        let inner = inner?;
        self.cursor.at += 1;
        if inner.is_empty() {
            pieces.push_text("", true);
        }
        pieces.list.extend(inner);
        Ok(())
    }

    fn is_name_so_far(&self, pieces: &Pieces) -> bool {
        match pieces.list.as_slice() {
            [
                Piece::Text {
                    text,
                    quoted: false,
                },
            ] => text.bytes().next().is_some_and(is_name_start) && text.bytes().all(is_name_byte),
            _ => false,
        }
    }

    fn is_assignment_so_far(&self, start: usize) -> bool {
        let raw = &self.cursor.text[start..self.cursor.at];
        raw.ends_with('=') && raw.bytes().next().is_some_and(is_name_start)
    }

    fn opens_group(&self, reading: Reading, pieces: &Pieces) -> bool {
        match reading.groups {
            Groups::Regex => true,
            Groups::Extended => ends_with_operator(pieces),
            Groups::None => self.extended_patterns && ends_with_operator(pieces),
        }
    }
}

/// Whether the unquoted text so far ends with a character that opens an extended pattern.
fn ends_with_operator(pieces: &Pieces) -> bool {
    matches!(pieces.list.last(), Some(Piece::Text { text, quoted: false }) if text.ends_with(['@', '!', '?', '*', '+']))
}
