//! Words: quotes, carets, percent signs and exclamation marks.

use super::parser::Parser;
use super::tree::{Piece, RawWord};
use crate::cursor::Parsed;

/// Longest name of a variable with its modifiers, in bytes.
const MAX_NAME: usize = 256;

/// Where a word ends besides at operators and newlines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ends {
    /// At blanks, as the C runtime splits a command line.
    Blanks,
    /// At blanks, `,`, `;` and `=`, as built-in commands split theirs.
    Delimiters,
    /// As `Delimiters`, and at `/` and `(`: the name of a command.
    Name,
    /// At blanks and `==`: one side of a comparison.
    Comparison,
}

pub(super) fn is_blank(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\u{b}' | '\u{c}' | '\u{a0}')
}

pub(super) fn is_delimiter(character: char) -> bool {
    is_blank(character) || matches!(character, ',' | ';' | '=')
}

/// The two views of quotes: the command processor's, and the one of a program that reads its arguments.
#[derive(Default)]
struct Quotes {
    shell: bool,
    program: bool,
    backslashes: usize,
}

impl Parser<'_> {
    /// Moves behind blanks and carets before newlines.
    pub(super) fn skip_blanks(&mut self) {
        loop {
            match self.cursor.char() {
                Some(character) if is_blank(character) => self.cursor.skip(),
                Some('^') if self.continues() => self.skip_continuation(),
                Some(_) | None => return,
            }
        }
    }

    /// Moves behind delimiters.
    pub(super) fn skip_delimiters(&mut self) {
        loop {
            self.skip_blanks();
            if !self.cursor.char().is_some_and(is_delimiter) {
                return;
            }
            self.cursor.skip();
        }
    }

    fn continues(&self) -> bool {
        matches!(self.cursor.second(), Some('\n' | '\r'))
    }

    fn skip_continuation(&mut self) {
        self.cursor.skip();
        self.cursor.take('\r');
        self.cursor.take('\n');
    }

    /// Whether a command ends before this character.
    pub(super) fn ends_command(&self, character: char) -> bool {
        matches!(character, '&' | '|' | '\n' | '\r') || character == ')' && self.groups > 0
    }

    /// Reads one word; it is empty where none begins.
    pub(super) fn word(&mut self, ends: Ends) -> Parsed<RawWord> {
        let start = self.cursor.at;
        let mut word = RawWord {
            at: start,
            ..RawWord::default()
        };
        let mut quotes = Quotes::default();
        while let Some(character) = self.cursor.char() {
            if character == '\n' || character == '\r' {
                break;
            }
            if !quotes.shell && (self.ends_command(character) || matches!(character, '<' | '>')) {
                break;
            }
            if self.ends_word(character, ends, &quotes, self.cursor.at == start) {
                break;
            }
            if is_blank(character) && quotes.shell != quotes.program && ends == Ends::Blanks {
                // The program and the command processor disagree on where the word ends.
                word.pieces.push(Piece::Variable(String::new()));
            }
            self.piece(character, ends, &mut quotes, &mut word);
        }
        word.span = self.cursor.span(start, self.cursor.at);
        Ok(word)
    }

    fn ends_word(&self, character: char, ends: Ends, quotes: &Quotes, first: bool) -> bool {
        match ends {
            Ends::Blanks => is_blank(character) && !quotes.program && !quotes.shell,
            Ends::Delimiters => is_delimiter(character) && !quotes.shell,
            Ends::Name => {
                !quotes.shell
                    && (is_delimiter(character) || !first && matches!(character, '/' | '('))
            }
            Ends::Comparison => !quotes.shell && (is_blank(character) || self.cursor.starts("==")),
        }
    }

    fn piece(&mut self, character: char, ends: Ends, quotes: &mut Quotes, word: &mut RawWord) {
        let backslashes = std::mem::take(&mut quotes.backslashes);
        match character {
            '^' if !quotes.shell => self.caret(word),
            '"' => {
                self.cursor.skip();
                word.quoted = true;
                quotes.shell = !quotes.shell;
                if ends == Ends::Blanks && backslashes % 2 == 1 {
                    word.pop('\\');
                    word.push('"');
                } else {
                    quotes.program = !quotes.program;
                    if word.pieces.is_empty() {
                        word.pieces.push(Piece::Text(String::new()));
                    }
                }
            }
            '%' => self.percent(word),
            '!' => {
                self.cursor.skip();
                if self.cursor.at <= self.last_mark {
                    word.pieces.push(Piece::Variable(String::new()));
                }
                word.push('!');
            }
            '\\' => {
                self.cursor.skip();
                quotes.backslashes = backslashes + 1;
                word.push('\\');
            }
            other => {
                self.cursor.skip();
                word.push(other);
            }
        }
    }

    /// A caret: the next character is plain, a newline is nothing. Percent signs are expanded before carets are looked at.
    fn caret(&mut self, word: &mut RawWord) {
        if self.continues() {
            return self.skip_continuation();
        }
        self.cursor.skip();
        match self.cursor.char() {
            None | Some('%') => {}
            Some(character) => {
                self.cursor.skip();
                word.push(character);
            }
        }
    }

    /// A percent sign: `%NAME%`, `%NAME:a=b%`, `%1`, `%i`, or itself.
    fn percent(&mut self, word: &mut RawWord) {
        let rest = &self.cursor.text[self.cursor.at + 1..];
        if let Some(length) = variable_length(rest) {
            let name = &rest[..length];
            let name = name.split(':').next().unwrap_or(name);
            word.pieces.push(Piece::Variable(name.to_ascii_uppercase()));
            self.cursor.at += length + 2;
            self.cursor
                .steps
                .set(self.cursor.steps.get() + length as u64);
            return;
        }
        let doubled = rest.starts_with('%');
        let signs = usize::from(doubled);
        let name = &rest[signs..];
        let argument = parameter_length(name);
        let last = argument.and_then(|length| name[..length].chars().next_back());
        if let (Some(length), Some(last)) = (argument, last.filter(|last| self.is_parameter(*last)))
        {
            word.pieces.push(Piece::Variable(format!("%{last}")));
            self.cursor.at += 1 + signs + length;
            return;
        }
        self.cursor.skip();
        if doubled {
            self.cursor.skip();
        }
        if self.odd_names && self.cursor.at <= self.last_percent {
            // It may be a variable with an odd name; what stands in it is read as it is all the same.
            word.pieces.push(Piece::Variable(String::new()));
        }
        word.push('%');
    }

    /// Whether `%` before this character is an argument of a batch file or the variable of a loop.
    fn is_parameter(&self, last: char) -> bool {
        last.is_ascii_digit() || last == '*' || self.variables.contains(&last)
    }
}

/// The length of a variable's name with its modifiers, up to the closing percent sign.
fn variable_length(rest: &str) -> Option<usize> {
    let mut plain = true;
    for (at, character) in rest.char_indices().take(MAX_NAME) {
        match character {
            '%' => return (at > 0).then_some(at),
            ':' if at > 0 => plain = false,
            '\n' | '\r' | '&' | '|' | '<' | '>' | '"' => return None,
            _ if plain && !(character.is_alphanumeric() || "_()#$.-@[]{}".contains(character)) => {
                return None;
            }
            _ => {}
        }
    }
    None
}

/// The length of `1`, `*`, `i`, `~dp0` and the like after a percent sign.
fn parameter_length(rest: &str) -> Option<usize> {
    let modifiers = match rest.strip_prefix('~') {
        Some(after) => {
            let letters = after
                .bytes()
                .take(16)
                .take_while(u8::is_ascii_alphabetic)
                .count();
            let digit = after
                .as_bytes()
                .get(letters)
                .is_some_and(u8::is_ascii_digit);
            // The last letter is the variable, unless a digit follows.
            return match (letters, digit) {
                (0, false) => None,
                (_, true) => Some(letters + 2),
                (_, false) => Some(letters + 1),
            };
        }
        None => 0,
    };
    let first = rest.chars().next()?;
    (first.is_ascii_alphanumeric() || matches!(first, '*' | '#' | '?')).then_some(modifiers + 1)
}
