//! A reader of bytes that knows line continuations, limits and where the text came from.

use std::cell::Cell;
use std::rc::Rc;

use crate::opaque::OpaqueReason;
use crate::source::Span;

/// Constructs nested more deeply than this are opaque; keeps recursion far from the end of a guest's stack.
pub(crate) const MAX_DEPTH: u32 = 100;

/// Why parsing stopped.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    pub(crate) reason: OpaqueReason,
    pub(crate) detail: String,
    pub(crate) span: Span,
}

/// Result of a parsing step.
pub(crate) type Parsed<T> = Result<T, Fault>;

/// How offsets of a text become spans of the outermost text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The text lies there byte for byte, from this offset.
    Offset(u32),
    /// The text was computed: everything has the span of the word that carried it.
    Fixed(Span),
}

impl Origin {
    /// The origin of a text that starts at `start` of this one and has the span `whole` otherwise.
    pub(crate) fn at(self, start: usize, whole: Span) -> Self {
        match self {
            Self::Offset(base) => Self::Offset(base + start as u32),
            Self::Fixed(_) => Self::Fixed(whole),
        }
    }

    /// Maps a range of the inner text to the outermost one.
    pub(crate) fn map(self, start: usize, end: usize) -> Span {
        match self {
            Self::Offset(base) => Span::new(base as usize + start, base as usize + end),
            Self::Fixed(span) => span,
        }
    }
}

/// Position in a text.
pub(crate) struct Cursor<'t> {
    pub(crate) text: &'t str,
    pub(crate) at: usize,
    pub(crate) end: usize,
    pub(crate) origin: Origin,
    pub(crate) depth: u32,
    /// Parser steps taken by all cursors of one analysis; tests check that they grow linearly.
    pub(crate) steps: Rc<Cell<u64>>,
}

impl<'t> Cursor<'t> {
    /// Returns the byte at the position without looking at continuations.
    pub(crate) fn raw(&self) -> Option<u8> {
        self.steps.set(self.steps.get() + 1);
        if self.at < self.end {
            self.text.as_bytes().get(self.at).copied()
        } else {
            None
        }
    }

    /// Returns the next byte after skipping `\` newline pairs.
    pub(crate) fn peek(&mut self) -> Option<u8> {
        while self.raw() == Some(b'\\') && self.byte_at(self.at + 1) == Some(b'\n') {
            self.at += 2;
        }
        self.raw()
    }

    /// Returns the byte after the next one, past continuations, without moving beyond the next one.
    pub(crate) fn peek_second(&mut self) -> Option<u8> {
        self.peek()?;
        let saved = self.at;
        self.at += 1;
        let second = self.peek();
        self.at = saved;
        second
    }

    /// Returns a byte by offset, if it is within the limit.
    pub(crate) fn byte_at(&self, offset: usize) -> Option<u8> {
        if offset < self.end {
            self.text.as_bytes().get(offset).copied()
        } else {
            None
        }
    }

    /// Takes the next byte if it is `expected`.
    pub(crate) fn eat(&mut self, expected: u8) -> bool {
        let found = self.peek() == Some(expected);
        if found {
            self.at += 1;
        }
        found
    }

    /// Takes the operator if it stands here; continuations may lie inside it.
    pub(crate) fn eat_operator(&mut self, operator: &str) -> bool {
        let saved = self.at;
        for byte in operator.bytes() {
            if !self.eat(byte) {
                self.at = saved;
                return false;
            }
        }
        true
    }

    /// Takes one character at the position, which must be within the limit.
    pub(crate) fn take_char(&mut self) -> Option<char> {
        self.raw()?;
        let character = self.text[self.at..].chars().next()?;
        self.at += character.len_utf8();
        Some(character)
    }

    /// Maps a range of this text to a span.
    pub(crate) fn span(&self, start: usize, end: usize) -> Span {
        self.origin.map(start, end)
    }

    /// A syntax fault at the position.
    pub(crate) fn syntax(&mut self, expected: &str) -> Fault {
        let met = match self.peek() {
            None => "the end of the text".to_owned(),
            Some(_) => format!(
                "`{}`",
                self.text[self.at..]
                    .chars()
                    .next()
                    .unwrap_or(' ')
                    .escape_debug()
            ),
        };
        self.syntax_text(format!("{met} stands where {expected} is expected"))
    }

    /// A syntax fault at the position with a text of its own.
    pub(crate) fn syntax_text(&self, detail: String) -> Fault {
        let width = self
            .text
            .get(self.at..)
            .and_then(|rest| rest.chars().next())
            .map_or(0, char::len_utf8);
        Fault {
            reason: OpaqueReason::Syntax,
            detail,
            span: self.span(self.at, (self.at + width).min(self.text.len())),
        }
    }

    /// Enters one level of nesting.
    pub(crate) fn descend(&mut self) -> Parsed<()> {
        if self.depth >= MAX_DEPTH {
            return Err(Fault {
                reason: OpaqueReason::TooDeep,
                detail: format!("more than {MAX_DEPTH} levels of nesting"),
                span: self.span(self.at, self.at),
            });
        }
        self.depth += 1;
        Ok(())
    }

    /// Leaves one level of nesting.
    pub(crate) fn ascend(&mut self) {
        self.depth -= 1;
    }
}
