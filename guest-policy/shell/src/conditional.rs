//! `[[ … ]]`.

use crate::cursor::Parsed;
use crate::parser::{Parser, is_metacharacter};
use crate::pieces::{Groups, Reading};
use crate::tree::{Body, RawWord};

impl Parser<'_> {
    /// Reads a conditional command after `[[`; all its words are kept, in order.
    pub(crate) fn conditional_command(&mut self) -> Parsed<Body> {
        let mut words = Vec::new();
        self.newlines();
        if !self.at_closing() {
            self.either(&mut words)?;
        }
        self.newlines();
        if !self.at_closing() {
            return Err(self.cursor.syntax("an operator or `]]`"));
        }
        self.cursor.eat_operator("]]");
        Ok(Body::Conditional(words))
    }

    fn at_closing(&mut self) -> bool {
        self.plain_word().0 == "]]"
    }

    /// Returns the unquoted word at the position and the offset after it, without taking it.
    fn plain_word(&mut self) -> (String, usize) {
        let saved = self.cursor.at;
        let mut word = String::new();
        while let Some(byte) = self.cursor.peek() {
            // Operators are short; anything longer is an operand.
            if is_metacharacter(byte) || word.len() > 3 {
                break;
            }
            word.push(char::from(byte));
            self.cursor.at += 1;
        }
        let after = self.cursor.at;
        self.cursor.at = saved;
        (word, after)
    }

    fn either(&mut self, words: &mut Vec<RawWord>) -> Parsed<()> {
        loop {
            self.both(words)?;
            self.newlines();
            if !self.cursor.eat_operator("||") {
                return Ok(());
            }
        }
    }

    fn both(&mut self, words: &mut Vec<RawWord>) -> Parsed<()> {
        loop {
            self.term(words)?;
            self.newlines();
            if !self.cursor.eat_operator("&&") {
                return Ok(());
            }
        }
    }

    fn term(&mut self, words: &mut Vec<RawWord>) -> Parsed<()> {
        loop {
            self.newlines();
            match self.plain_word() {
                (word, after) if word == "!" => self.cursor.at = after,
                _ => break,
            }
        }
        if self.cursor.peek() == Some(b'(') {
            self.cursor.descend()?;
            self.cursor.at += 1;
            let inner = self.either(words);
            self.cursor.ascend();
            inner?;
            return self.expect(b')');
        }
        self.test(words)
    }

    fn test(&mut self, words: &mut Vec<RawWord>) -> Parsed<()> {
        let (first, _) = self.plain_word();
        words.push(self.operand(Reading::word())?);
        self.blanks();
        let (operator, after) = self.plain_word();
        let pattern = matches!(operator.as_str(), "=" | "==" | "!=");
        if pattern
            || operator == "=~"
            || matches!(
                operator.as_str(),
                "-eq" | "-ne" | "-lt" | "-le" | "-gt" | "-ge" | "-nt" | "-ot" | "-ef"
            )
        {
            self.cursor.at = after;
            let groups = if pattern {
                Groups::Extended
            } else {
                Groups::Regex
            };
            let groups = if operator.starts_with('-') {
                Groups::None
            } else {
                groups
            };
            words.push(self.operand(Reading {
                groups,
                ..Reading::word()
            })?);
        } else if matches!(self.cursor.peek(), Some(b'<' | b'>'))
            && self.cursor.peek_second() != Some(b'(')
        {
            self.cursor.at += 1;
            words.push(self.operand(Reading::word())?);
        } else if first.len() == 2
            && first.starts_with('-')
            && !self.at_closing()
            && !matches!(self.cursor.peek(), Some(b'&' | b'|' | b')'))
        {
            words.push(self.operand(Reading::word())?);
        }
        Ok(())
    }

    fn operand(&mut self, reading: Reading) -> Parsed<RawWord> {
        self.newlines();
        let starts = match self.cursor.peek() {
            None => false,
            Some(b'(' | b'|') => reading.groups == Groups::Regex,
            Some(b'<' | b'>') => self.cursor.peek_second() == Some(b'('),
            Some(byte) => !is_metacharacter(byte),
        };
        if starts {
            self.word(reading)
        } else {
            Err(self.cursor.syntax("an operand"))
        }
    }
}
