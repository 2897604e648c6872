//! The parser's state, and what all its parts share: blanks, newlines, reserved words.

use std::cell::{Cell, OnceCell};
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use crate::cursor::{Cursor, Fault, Origin, Parsed};
use crate::tree::{HereBody, List, Piece};

/// Words that are special where a command may start. `in` is special elsewhere only.
const RESERVED: [&str; 21] = [
    "!", "[[", "{", "}", "case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for",
    "function", "if", "in", "select", "then", "time", "until", "while",
];

/// Reserved words that end a list.
const CLOSERS: [&str; 8] = ["}", "do", "done", "elif", "else", "esac", "fi", "then"];

/// Recursive descent over one text.
pub(crate) struct Parser<'t> {
    pub(crate) cursor: Cursor<'t>,
    /// Here-documents whose bodies start at the next newline.
    pub(crate) pending: VecDeque<PendingHere>,
    /// Results by position and quoting, because deciding what `((` is reads some text twice.
    pub(crate) expansions: BTreeMap<(usize, bool), (Piece, usize)>,
    /// Positions of matching parentheses, for the same reason.
    pub(crate) pairs: BTreeMap<usize, usize>,
    /// How many `$(` enclose the position; there a delimiter line may go on with `)`.
    pub(crate) substitutions: u32,
    /// Whether extended patterns were switched on by an earlier `shopt`.
    pub(crate) extended_patterns: bool,
}

/// A here-document that was announced on the current line.
pub(crate) struct PendingHere {
    pub(crate) delimiter: String,
    pub(crate) quoted: bool,
    pub(crate) strip_tabs: bool,
    pub(crate) body: Rc<OnceCell<HereBody>>,
}

impl<'t> Parser<'t> {
    /// Prepares to read `text`, which lies at `origin`, `depth` levels deep.
    pub(crate) fn new(text: &'t str, origin: Origin, depth: u32, steps: Rc<Cell<u64>>) -> Self {
        let cursor = Cursor {
            text,
            at: 0,
            end: text.len(),
            origin,
            depth,
            steps,
        };
        Self {
            cursor,
            pending: VecDeque::new(),
            expansions: BTreeMap::new(),
            pairs: BTreeMap::new(),
            substitutions: 0,
            extended_patterns: false,
        }
    }

    /// Reads the whole text; with a fault comes everything that was complete before it.
    pub(crate) fn script(mut self) -> (List, Option<Fault>) {
        let mut list = List::default();
        let fault = self.whole(&mut list).err();
        while let Some(here) = self.pending.pop_front() {
            self.finish_here(here, HereBody::default());
        }
        (list, fault)
    }

    fn whole(&mut self, list: &mut List) -> Parsed<()> {
        self.list(list)?;
        if self.cursor.peek().is_some() {
            Err(self.cursor.syntax("the end of a command"))
        } else {
            Ok(())
        }
    }

    /// Skips spaces, tabs and a comment.
    pub(crate) fn blanks(&mut self) {
        while matches!(self.cursor.peek(), Some(b' ' | b'\t')) {
            self.cursor.at += 1;
        }
        if self.cursor.raw() == Some(b'#') {
            while self.cursor.raw().is_some_and(|byte| byte != b'\n') {
                self.cursor.at += 1;
            }
        }
    }

    /// Skips blanks and newlines; says whether there was a newline. Bodies of announced here-documents are taken.
    pub(crate) fn newlines(&mut self) -> bool {
        let mut found = false;
        loop {
            self.blanks();
            if self.cursor.raw() != Some(b'\n') {
                return found;
            }
            self.cursor.at += 1;
            self.here_bodies();
            found = true;
        }
    }

    /// Returns the reserved word at the position and the offset after it.
    pub(crate) fn reserved(&mut self) -> Option<(&'static str, usize)> {
        let saved = self.cursor.at;
        // As long as the longest reserved word, and one more.
        let mut found = [0; 9];
        let mut length = 0;
        while let Some(byte) = self.cursor.peek() {
            if is_metacharacter(byte) {
                break;
            }
            if length == found.len() || !byte.is_ascii() {
                self.cursor.at = saved;
                return None;
            }
            found[length] = byte;
            length += 1;
            self.cursor.at += 1;
        }
        let after = self.cursor.at;
        self.cursor.at = saved;
        RESERVED
            .into_iter()
            .find(|word| word.as_bytes() == &found[..length])
            .map(|word| (word, after))
    }

    /// Takes the reserved word if it stands here.
    pub(crate) fn eat_reserved(&mut self, word: &str) -> bool {
        match self.reserved() {
            Some((found, after)) if found == word => {
                self.cursor.at = after;
                true
            }
            Some(_) | None => false,
        }
    }

    /// Takes the reserved word or fails.
    pub(crate) fn expect_reserved(&mut self, word: &str) -> Parsed<()> {
        if self.eat_reserved(word) {
            Ok(())
        } else {
            Err(self.cursor.syntax(&format!("`{word}`")))
        }
    }

    /// Takes the byte or fails.
    pub(crate) fn expect(&mut self, byte: u8) -> Parsed<()> {
        if self.cursor.eat(byte) {
            Ok(())
        } else {
            Err(self.cursor.syntax(&format!("`{}`", char::from(byte))))
        }
    }

    /// Whether nothing more of a list can stand here.
    pub(crate) fn at_list_end(&mut self) -> bool {
        match self.cursor.peek() {
            None | Some(b')') => true,
            Some(b';') => matches!(self.cursor.peek_second(), Some(b';' | b'&')),
            Some(_) => self
                .reserved()
                .is_some_and(|(word, _)| CLOSERS.contains(&word)),
        }
    }
}

/// Whether an unquoted byte ends a word.
pub(crate) fn is_metacharacter(byte: u8) -> bool {
    matches!(
        byte,
        b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')'
    )
}

/// Whether a byte may start a variable's name.
pub(crate) fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

/// Whether a byte may stand in a variable's name.
pub(crate) fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Whether a text is a variable's name.
pub(crate) fn is_name(text: &str) -> bool {
    text.bytes().next().is_some_and(is_name_start) && text.bytes().all(is_name_byte)
}
