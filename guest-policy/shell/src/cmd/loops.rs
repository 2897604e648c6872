//! `for` (`help for`).

use super::lexer::{Ends, is_delimiter};
use super::parser::Parser;
use super::tree::{Body, Piece, RawWord, Values};
use crate::cursor::{Origin, Parsed};

/// What kind of loop it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Words,
    Numbers,
    Lines,
    Tree,
}

impl Parser<'_> {
    /// Reads what follows `for`.
    pub(super) fn repetition(&mut self) -> Parsed<Body> {
        let mut kind = Kind::Words;
        let mut options = String::new();
        let mut root = None;
        loop {
            self.skip_delimiters();
            if self.cursor.char() == Some('%') {
                break;
            }
            let start = self.cursor.at;
            let word = self.word(Ends::Delimiters)?;
            if self.cursor.at == start {
                return Err(self.cursor.syntax("the variable of the loop"));
            }
            match word.literal().map(str::to_ascii_lowercase).as_deref() {
                Some("/l") => kind = Kind::Numbers,
                Some("/f") => kind = Kind::Lines,
                Some("/r") => kind = Kind::Tree,
                Some("/d") => {}
                Some(text) if kind == Kind::Lines => options.push_str(text),
                Some(_) | None if kind == Kind::Tree => root = Some(word),
                Some(_) | None => return Err(self.cursor.syntax("the variable of the loop")),
            }
        }
        self.cursor.skip();
        self.cursor.take('%');
        let Some(letter) = self.cursor.take_char() else {
            return Err(self.cursor.syntax("the variable of the loop"));
        };
        self.expect("in")?;
        self.skip_delimiters();
        let values = self.values(kind, &options, root)?;
        self.expect("do")?;
        let before = self.variables.len();
        self.add_variables(letter, &options);
        let body = self.branch()?;
        self.variables.truncate(before);
        Ok(Body::For {
            variable: format!("%{letter}"),
            values,
            body,
        })
    }

    /// Lines are taken apart into the variable and the letters after it.
    fn add_variables(&mut self, letter: char, options: &str) {
        self.variables.push(letter);
        if options.contains("tokens") {
            let after = (letter..='z').skip(1).take(30);
            self.variables.extend(after);
        }
    }

    fn expect(&mut self, keyword: &str) -> Parsed<()> {
        self.skip_delimiters();
        let length = keyword.len();
        let found = self
            .cursor
            .text
            .get(self.cursor.at..self.cursor.at + length);
        if !found.is_some_and(|word| word.eq_ignore_ascii_case(keyword)) {
            return Err(self.cursor.syntax(&format!("`{keyword}`")));
        }
        self.cursor.at += length;
        Ok(())
    }

    /// Reads `(…)`: the values, or where they come from.
    fn values(&mut self, kind: Kind, options: &str, root: Option<RawWord>) -> Parsed<Values> {
        if !self.cursor.take('(') {
            return Err(self.cursor.syntax("`(`"));
        }
        if kind == Kind::Lines {
            return self.lines(options);
        }
        self.groups += 1;
        let mut words = Vec::new();
        loop {
            self.cursor.skip_while(|character| {
                is_delimiter(character) || matches!(character, '\n' | '\r')
            });
            if self.cursor.take(')') {
                break;
            }
            let start = self.cursor.at;
            words.push(self.word(Ends::Delimiters)?);
            if self.cursor.at == start {
                return Err(self.cursor.syntax("`)`"));
            }
        }
        self.groups -= 1;
        Ok(match kind {
            Kind::Numbers => Values::Plain,
            Kind::Tree => Values::Tree(root),
            Kind::Words | Kind::Lines => Values::Words(words),
        })
    }

    /// Reads what `for /f` takes lines from: a command, a text, or files.
    fn lines(&mut self, options: &str) -> Parsed<Values> {
        let open = self.cursor.at;
        let mut text = String::new();
        let mut quoted = false;
        let mut verbatim = true;
        // The first and the last character that is no blank, to see whether quotes around a command are closed.
        let mut first = None;
        let mut last = None;
        loop {
            let Some(mut character) = self.cursor.take_char() else {
                return Err(self.cursor.syntax("`)`"));
            };
            let opened = matches!(first, Some('\'' | '`'));
            if character == ')' && !quoted && (!opened || text.len() > 1 && first == last) {
                break;
            }
            if character == '^' && !quoted {
                verbatim = false;
                match self.cursor.take_char() {
                    Some(escaped) => character = escaped,
                    None => continue,
                }
            } else {
                quoted ^= character == '"';
            }
            text.push(character);
            if !character.is_whitespace() {
                first = first.or(Some(character));
                last = Some(character);
            }
        }
        let end = self.cursor.at - 1;
        let backquotes = options.contains("usebackq");
        let trimmed = text.trim();
        let printed = strip(trimmed, if backquotes { '`' } else { '\'' });
        if let Some(command) = printed {
            let place = self.cursor.text[open..end]
                .find(command)
                .filter(|_| verbatim);
            let whole = self.cursor.span(open, end);
            let origin = match place {
                Some(place) => self.cursor.origin.at(open + place, whole),
                None => Origin::Fixed(whole),
            };
            return Ok(Values::Printed {
                text: command.to_owned(),
                origin,
            });
        }
        let literal = strip(trimmed, if backquotes { '\'' } else { '"' });
        if literal.is_some() {
            return Ok(Values::Plain);
        }
        let span = self.cursor.span(open, end);
        let unknown = trimmed.contains(['%', '!']);
        let files = trimmed.split(is_delimiter).filter(|name| !name.is_empty());
        let files = files.map(|name| RawWord {
            span,
            at: open,
            pieces: if unknown {
                vec![Piece::Variable(String::new())]
            } else {
                vec![Piece::Text(name.trim_matches('"').to_owned())]
            },
            quoted: false,
        });
        Ok(Values::Files(files.collect()))
    }
}

fn strip(text: &str, quote: char) -> Option<&str> {
    text.strip_prefix(quote)?.strip_suffix(quote)
}
