//! Characters, blanks and comments.
//!
//! PowerShell takes typographic dashes and quotes for plain ones, and most blanks of Unicode for blanks
//! (`CharTraits.cs`, `about_Special_Characters`, `about_Comments`).

use crate::cursor::{Cursor, Parsed};

pub(super) fn is_newline(character: char) -> bool {
    matches!(character, '\n' | '\r')
}

pub(super) fn is_blank(character: char) -> bool {
    !is_newline(character) && character.is_whitespace()
}

pub(super) fn is_dash(character: char) -> bool {
    matches!(character, '-' | '\u{2013}'..='\u{2015}')
}

pub(super) fn is_single_quote(character: char) -> bool {
    matches!(character, '\'' | '\u{2018}'..='\u{201b}')
}

pub(super) fn is_double_quote(character: char) -> bool {
    matches!(character, '"' | '\u{201c}'..='\u{201e}')
}

pub(super) fn is_quote(character: char) -> bool {
    is_single_quote(character) || is_double_quote(character)
}

/// Whether a bare word ends before this character.
pub(super) fn ends_word(character: char) -> bool {
    character.is_whitespace()
        || matches!(
            character,
            '\0' | '&' | '(' | ')' | ',' | ';' | '{' | '|' | '}' | '<' | '>'
        )
}

/// Whether a variable's name may hold this character.
pub(super) fn is_name(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

impl Cursor<'_> {
    /// Moves behind blanks, comments and backticks before a newline.
    pub(super) fn skip_blanks(&mut self) -> Parsed<()> {
        loop {
            match self.char() {
                Some(character) if is_blank(character) => self.skip(),
                Some('`') if self.second().is_some_and(is_newline) => {
                    self.skip();
                    self.skip_newline();
                }
                Some('#') => self.skip_while(|character| !is_newline(character)),
                Some('<') if self.second() == Some('#') => self.skip_comment()?,
                Some(_) | None => return Ok(()),
            }
        }
    }

    /// Moves behind blanks, comments and newlines.
    pub(super) fn skip_lines(&mut self) -> Parsed<()> {
        loop {
            self.skip_blanks()?;
            if !self.char().is_some_and(is_newline) {
                return Ok(());
            }
            self.skip_newline();
        }
    }

    fn skip_newline(&mut self) {
        if !(self.take('\r') && self.take('\n')) {
            self.take('\n');
        }
    }

    fn skip_comment(&mut self) -> Parsed<()> {
        match self.text[self.at..].find("#>") {
            Some(length) => {
                self.steps.set(self.steps.get() + length as u64);
                self.at += length + 2;
                Ok(())
            }
            None => Err(self.fault("a comment that begins with `<#` has no end".to_owned())),
        }
    }
}
