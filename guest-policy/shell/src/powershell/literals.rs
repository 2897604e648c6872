//! Numbers, names of types and attributes (`about_Numeric_Literals`, `about_Type_Accelerators`).

use super::parser::Parser;
use super::scanner::{ends_word, is_dash, is_name, is_newline};
use super::tree::{Piece, Term};
use crate::cursor::Parsed;

impl Parser<'_> {
    /// Reads `[name]`, or an attribute with its arguments, to the closing bracket.
    ///
    /// The name is in lower case, without `system.`, blanks and brackets of arrays.
    pub(super) fn type_name(&mut self, pieces: &mut Vec<Piece>) -> Parsed<String> {
        self.cursor.skip();
        let mut name = String::new();
        let mut open = 0_u32;
        loop {
            match self.cursor.char() {
                Some(']') if open == 0 => {
                    self.cursor.skip();
                    break;
                }
                Some('(') => {
                    name.push('(');
                    let mut arguments = Term::default();
                    self.attribute(&mut arguments)?;
                    pieces.append(&mut arguments.pieces);
                }
                Some(character)
                    if is_name(character)
                        || character.is_whitespace()
                        || "[].,+`:*&/".contains(character) =>
                {
                    open = match character {
                        '[' => open + 1,
                        ']' => open.saturating_sub(1),
                        _ => open,
                    };
                    if !character.is_whitespace() {
                        name.extend(character.to_lowercase());
                    }
                    self.cursor.skip();
                }
                Some(_) | None => return Err(self.cursor.syntax("the name of a type")),
            }
        }
        let plain = name.strip_prefix("system.").unwrap_or(&name);
        Ok(plain.trim_end_matches("[]").to_owned())
    }

    /// Reads the arguments of an attribute: values, or `name = value`.
    fn attribute(&mut self, term: &mut Term) -> Parsed<()> {
        self.cursor.descend()?;
        self.cursor.skip();
        loop {
            self.cursor.skip_lines()?;
            if self.cursor.take(')') {
                break;
            }
            if self.cursor.take(',') {
                continue;
            }
            if self
                .cursor
                .char()
                .is_some_and(|first| is_name(first) && !first.is_ascii_digit())
            {
                self.cursor.skip_while(is_name);
                self.cursor.skip_lines()?;
                if !self.cursor.take('=') {
                    continue;
                }
                self.cursor.skip_lines()?;
            }
            let value = self.one_value()?;
            term.absorb(value);
        }
        self.cursor.ascend();
        Ok(())
    }

    /// The length of the number at the position, if it is one and no bare word.
    pub(super) fn number(&self) -> Option<usize> {
        let rest = &self.cursor.text.as_bytes()[self.cursor.at..];
        let digits = |from: usize, kind: fn(&u8) -> bool| {
            rest[from..].iter().take_while(|byte| kind(byte)).count()
        };
        let mut length = 0;
        if rest.len() > 2 && rest[0] == b'0' && matches!(rest[1], b'x' | b'X') {
            length = 2 + digits(2, u8::is_ascii_hexdigit);
        } else {
            length += digits(0, u8::is_ascii_digit);
            let fraction = rest.get(length) == Some(&b'.')
                && rest.get(length + 1).is_some_and(u8::is_ascii_digit);
            if fraction {
                length += 1 + digits(length + 1, u8::is_ascii_digit);
            }
            let exponent = matches!(rest.get(length), Some(b'e' | b'E'));
            if exponent {
                let sign = usize::from(matches!(rest.get(length + 1), Some(b'+' | b'-')));
                let power = digits(length + 1 + sign, u8::is_ascii_digit);
                if power > 0 {
                    length += 1 + sign + power;
                }
            }
        }
        self.cursor
            .steps
            .set(self.cursor.steps.get() + length as u64);
        let letters = digits(length, u8::is_ascii_alphabetic);
        let suffix = self.cursor.text[self.cursor.at + length..][..letters].to_ascii_lowercase();
        let known = matches!(
            suffix.as_str(),
            "" | "l"
                | "d"
                | "u"
                | "ul"
                | "y"
                | "uy"
                | "s"
                | "us"
                | "n"
                | "kb"
                | "mb"
                | "gb"
                | "tb"
                | "pb"
        );
        let length = length + letters;
        let next = self.cursor.char_at(length);
        let ends = next.is_none_or(|next| {
            ends_word(next)
                || is_dash(next)
                || is_newline(next)
                || matches!(next, '+' | '*' | '/' | '%' | ']' | '=' | '!' | '#')
                || next == '.'
                    && self
                        .cursor
                        .char_at(length + 1)
                        .is_some_and(begins_after_dot)
        });
        (known && ends && length > 0).then_some(length)
    }
}

/// `1..5` and `1.ToString()`: a range, or a member of a number; `1.exe` stays a name.
fn begins_after_dot(character: char) -> bool {
    character == '.'
}
