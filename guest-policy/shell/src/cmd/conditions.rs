//! `if` (`help if`).

use super::lexer::Ends;
use super::parser::{Lines, Parser};
use super::tree::{Body, List, RawWord};
use crate::cursor::Parsed;
use crate::segment::Join;

impl Parser<'_> {
    /// Reads what follows `if`.
    pub(super) fn condition(&mut self) -> Parsed<Body> {
        let mut words = Vec::new();
        let mut exists = None;
        loop {
            self.skip_blanks();
            let word = self.compared()?;
            match word.literal().map(str::to_ascii_lowercase).as_deref() {
                Some("/i" | "not") => {}
                Some("exist") => {
                    self.skip_blanks();
                    exists = Some(self.compared()?);
                    break;
                }
                Some("defined" | "errorlevel" | "cmdextversion") => {
                    self.skip_blanks();
                    words.push(self.compared()?);
                    break;
                }
                Some(_) | None => {
                    words.push(word);
                    self.skip_blanks();
                    if self.cursor.starts("==") {
                        self.cursor.skip_while(|character| character == '=');
                    } else {
                        self.compared()?;
                    }
                    self.skip_blanks();
                    words.push(self.compared()?);
                    break;
                }
            }
        }
        let mut branches = vec![self.branch()?];
        if self.otherwise() {
            branches.push(self.branch()?);
        }
        Ok(Body::If {
            words,
            exists,
            branches,
        })
    }

    fn compared(&mut self) -> Parsed<RawWord> {
        let start = self.cursor.at;
        let word = self.word(Ends::Comparison)?;
        if self.cursor.at == start {
            return Err(self.cursor.syntax("a part of a condition"));
        }
        Ok(word)
    }

    /// Reads a branch: a group, or the rest of the line.
    pub(super) fn branch(&mut self) -> Parsed<List> {
        self.skip_delimiters();
        let mut list = Vec::new();
        let group = self.cursor.char() == Some('(');
        let start = self.cursor.at;
        if group {
            let pipeline = self.pipeline()?;
            list.extend(pipeline.map(|pipeline| (Join::First, pipeline)));
        } else {
            self.list(&mut list, Lines::One)?;
        }
        if self.cursor.at == start {
            return Err(self.cursor.syntax("a command"));
        }
        Ok(list)
    }

    /// Takes `else`, which stands behind a group only.
    fn otherwise(&mut self) -> bool {
        let here = self.cursor.at;
        self.skip_blanks();
        let word = self.cursor.text.get(self.cursor.at..self.cursor.at + 4);
        let after = self.cursor.char_at(4);
        let found = word.is_some_and(|word| word.eq_ignore_ascii_case("else"))
            && after.is_none_or(|after| !after.is_alphanumeric());
        self.cursor.at = if found { self.cursor.at + 4 } else { here };
        found
    }
}
