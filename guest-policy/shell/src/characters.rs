//! Reading by characters, for languages in which other signs than those of ASCII mean something.

use crate::cursor::{Cursor, Fault};
use crate::opaque::OpaqueReason;

impl Cursor<'_> {
    /// Returns the character at the position; reads on no continuation.
    pub(crate) fn char(&self) -> Option<char> {
        let byte = self.raw()?;
        if byte.is_ascii() {
            Some(char::from(byte))
        } else {
            self.text[self.at..].chars().next()
        }
    }

    /// Returns the character `offset` bytes on, which must be a boundary.
    pub(crate) fn char_at(&self, offset: usize) -> Option<char> {
        self.text.get(self.at + offset..)?.chars().next()
    }

    /// Returns the character after the one at the position.
    pub(crate) fn second(&self) -> Option<char> {
        let mut rest = self.text[self.at..].chars();
        rest.next()?;
        rest.next()
    }

    /// Takes the character at the position if it is `expected`.
    pub(crate) fn take(&mut self, expected: char) -> bool {
        let found = self.char() == Some(expected);
        if found {
            self.at += expected.len_utf8();
        }
        found
    }

    /// Moves behind the character at the position.
    pub(crate) fn skip(&mut self) {
        self.at += self.char().map_or(0, char::len_utf8);
    }

    /// Moves behind all characters of a kind.
    pub(crate) fn skip_while(&mut self, kind: impl Fn(char) -> bool) {
        while self.char().is_some_and(&kind) {
            self.skip();
        }
    }

    /// Whether the text goes on with this.
    pub(crate) fn starts(&self, text: &str) -> bool {
        self.text[self.at..].starts_with(text)
    }

    /// A fault from the position on.
    pub(crate) fn fault(&self, detail: String) -> Fault {
        Fault {
            reason: OpaqueReason::Syntax,
            detail,
            span: self.span(self.at, self.text.len()),
        }
    }
}
