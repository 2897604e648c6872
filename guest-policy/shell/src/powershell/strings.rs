//! Variables, quoted strings and here-strings (`about_Quoting_Rules`, `about_Variables`).

use super::parser::Parser;
use super::scanner::{is_blank, is_double_quote, is_name, is_newline, is_single_quote};
use super::tree::{Piece, Term};
use crate::cursor::Parsed;

/// Strings within subexpressions of strings; beyond it, how old and new versions read them is not worth telling apart.
const MAX_NESTED_STRINGS: u32 = 3;

impl Parser<'_> {
    /// Reads `'…'` or `"…"` into a term.
    pub(super) fn string(&mut self, term: &mut Term) -> Parsed<()> {
        term.quoted = true;
        if self.cursor.char().is_some_and(is_single_quote) {
            self.literal_string(term)
        } else {
            self.expandable_string(term)
        }
    }

    fn literal_string(&mut self, term: &mut Term) -> Parsed<()> {
        let open = self.cursor.at;
        self.cursor.skip();
        let mut text = String::new();
        loop {
            match self.cursor.take_char() {
                None => return Err(self.unterminated(open)),
                Some(quote) if is_single_quote(quote) => {
                    if !self.cursor.char().is_some_and(is_single_quote) {
                        break;
                    }
                    // The second of a pair is what stays.
                    text.extend(self.cursor.take_char());
                }
                Some(character) => text.push(character),
            }
        }
        term.push_text(&text);
        Ok(())
    }

    fn expandable_string(&mut self, term: &mut Term) -> Parsed<()> {
        let open = self.cursor.at;
        self.cursor.skip();
        term.push_text("");
        loop {
            match self.cursor.char() {
                None => return Err(self.unterminated(open)),
                Some(quote) if is_double_quote(quote) => {
                    self.cursor.skip();
                    match self.cursor.char() {
                        Some(second) if is_double_quote(second) => {
                            term.push_text(second.encode_utf8(&mut [0; 4]));
                            self.cursor.skip();
                        }
                        Some(_) | None => return Ok(()),
                    }
                }
                Some(_) => self.expandable(term)?,
            }
        }
    }

    /// Reads one character, escape or expansion of text that is expanded.
    pub(super) fn expandable(&mut self, term: &mut Term) -> Parsed<()> {
        match self.cursor.char() {
            Some('`') => self.escape(term),
            Some('$') if self.cursor.second() == Some('(') => {
                let start = self.cursor.at;
                self.nested_strings += 1;
                if self.nested_strings > MAX_NESTED_STRINGS {
                    return Err(self
                        .cursor
                        .fault("strings are nested too deeply in strings".to_owned()));
                }
                let piece = self.subexpression()?;
                self.nested_strings -= 1;
                if !reads_the_same(&self.cursor.text[start + 1..self.cursor.at]) {
                    return Err(self.cursor.fault(
                        "versions of PowerShell read the quotes in this `$(…)` differently"
                            .to_owned(),
                    ));
                }
                term.pieces.push(piece);
                Ok(())
            }
            Some('$') => {
                match self.variable()? {
                    Some(name) => term.pieces.push(Piece::Variable(name)),
                    None => {
                        self.cursor.skip();
                        term.push_text("$");
                    }
                }
                Ok(())
            }
            Some(character) => {
                self.cursor.skip();
                term.push_text(character.encode_utf8(&mut [0; 4]));
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Reads a backtick and what it escapes.
    fn escape(&mut self, term: &mut Term) -> Parsed<()> {
        self.cursor.skip();
        let character = match self.cursor.take_char() {
            None => return Ok(()),
            Some('u') if self.cursor.char() == Some('{') => {
                let rest = &self.cursor.text[self.cursor.at + 1..];
                let digits = rest.find('}').filter(|length| *length <= 6);
                let character = digits
                    .and_then(|length| u32::from_str_radix(&rest[..length], 16).ok())
                    .and_then(char::from_u32);
                self.cursor.at += digits.map_or(0, |length| length + 2);
                // Nor this one.
                term.pieces.push(Piece::Variable(String::new()));
                term.push_text(&character.map(String::from).unwrap_or_default());
                return Ok(());
            }
            Some('0') => '\0',
            Some('a') => '\u{7}',
            Some('b') => '\u{8}',
            // Older versions have no such escape.
            Some('e') => {
                term.pieces.push(Piece::Variable(String::new()));
                'e'
            }
            Some('f') => '\u{c}',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('v') => '\u{b}',
            Some(other) => other,
        };
        term.push_text(character.encode_utf8(&mut [0; 4]));
        Ok(())
    }

    /// Reads `@'` or `@"`, lines, and the quote and `@` at the start of a line.
    pub(super) fn here_string(&mut self, term: &mut Term) -> Parsed<()> {
        let open = self.cursor.at;
        term.quoted = true;
        self.cursor.skip();
        let literal = self.cursor.char().is_some_and(is_single_quote);
        self.cursor.skip();
        self.cursor.skip_while(is_blank);
        if !(self.cursor.take('\r') | self.cursor.take('\n')) {
            return Err(self
                .cursor
                .fault("text stands on the first line of a here-string".to_owned()));
        }
        if self.cursor.text[..self.cursor.at].ends_with('\r') {
            self.cursor.take('\n');
        }
        term.push_text("");
        let ends = |parser: &Self| {
            let quote = parser.cursor.char();
            let same = if literal {
                quote.is_some_and(is_single_quote)
            } else {
                quote.is_some_and(is_double_quote)
            };
            same && parser.cursor.second() == Some('@')
        };
        let mut line_start = true;
        loop {
            if line_start && ends(self) {
                self.cursor.skip();
                self.cursor.skip();
                drop_last_newline(term);
                return Ok(());
            }
            let Some(character) = self.cursor.char() else {
                return Err(self.unterminated(open));
            };
            line_start = is_newline(character);
            if literal || is_newline(character) {
                self.cursor.skip();
                term.push_text(character.encode_utf8(&mut [0; 4]));
            } else {
                let before = self.cursor.at;
                self.expandable(term)?;
                line_start = self.cursor.text[before..self.cursor.at].ends_with('\n');
            }
        }
    }

    /// Reads `$name`, `$scope:name`, `${any}`; `None` for a lone `$`.
    pub(super) fn variable(&mut self) -> Parsed<Option<String>> {
        let open = self.cursor.at;
        match self.cursor.second() {
            Some('{') => {
                self.cursor.at += 2;
                let mut name = String::new();
                loop {
                    match self.cursor.take_char() {
                        None => return Err(self.unterminated(open)),
                        Some('}') => break,
                        Some('`') => name.extend(self.cursor.take_char()),
                        Some(character) => name.push(character),
                    }
                }
                Ok(Some(plain_name(&name)))
            }
            Some(special @ ('$' | '^')) => {
                self.cursor.at += 2;
                Ok(Some(special.to_string()))
            }
            Some(first) if is_name(first) || first == '?' || first == ':' => {
                self.cursor.skip();
                let start = self.cursor.at;
                self.cursor
                    .skip_while(|character| is_name(character) || character == '?');
                let scoped =
                    self.cursor.char() == Some(':') && self.cursor.second().is_some_and(is_name);
                if scoped {
                    self.cursor.skip();
                    self.cursor
                        .skip_while(|character| is_name(character) || character == '?');
                }
                if self.cursor.at == start {
                    self.cursor.at = open;
                    return Ok(None);
                }
                Ok(Some(plain_name(&self.cursor.text[start..self.cursor.at])))
            }
            Some(_) | None => Ok(None),
        }
    }

    fn unterminated(&self, open: usize) -> crate::cursor::Fault {
        crate::cursor::Fault {
            reason: crate::OpaqueReason::Syntax,
            detail: "a quote or brace is not closed".to_owned(),
            span: self.cursor.span(open, self.cursor.text.len()),
        }
    }
}

/// A variable's name in lower case, without the scopes that change nothing about which one is meant.
fn plain_name(name: &str) -> String {
    let lower = name.to_lowercase();
    let scopes = [
        "global:",
        "script:",
        "local:",
        "private:",
        "using:",
        "variable:",
    ];
    let plain = scopes.iter().find_map(|scope| lower.strip_prefix(scope));
    plain.map_or_else(|| lower.clone(), str::to_owned)
}

/// The newline before the end of a here-string is not a part of it.
fn drop_last_newline(term: &mut Term) {
    if let Some(Piece::Text(text)) = term.pieces.last_mut() {
        if text.ends_with('\n') {
            text.pop();
        }
        if text.ends_with('\r') {
            text.pop();
        }
    }
}

/// Whether counting parentheses, as PowerShell does inside of strings, ends `(…)` where parsing it does,
/// and no doubled or escaped quote in it could be taken for one.
fn reads_the_same(text: &str) -> bool {
    let mut open = 0_u32;
    let mut before = ' ';
    for (at, character) in text.char_indices() {
        if is_double_quote(character) && (is_double_quote(before) || before == '`') {
            return false;
        }
        match character {
            '(' => open += 1,
            ')' => {
                open = open.saturating_sub(1);
                if open == 0 {
                    return at + 1 == text.len();
                }
            }
            _ => {}
        }
        before = character;
    }
    false
}
