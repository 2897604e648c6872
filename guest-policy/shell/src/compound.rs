//! Compound commands, functions and coprocesses.

use crate::cursor::Parsed;
use crate::parser::{Parser, is_metacharacter};
use crate::pieces::Reading;
use crate::tree::{Body, Command, List, Piece, RawWord};

impl Parser<'_> {
    /// Reads a compound command if one starts here.
    pub(crate) fn compound(&mut self) -> Parsed<Option<Body>> {
        if self.cursor.peek() == Some(b'(') {
            return self.nested(Self::parenthesis).map(Some);
        }
        let Some((word, after)) = self.reserved() else {
            return Ok(None);
        };
        let read = match word {
            "{" => Self::group,
            "[[" => Self::conditional_command,
            "case" => Self::case,
            "coproc" => Self::coprocess,
            "for" | "select" => Self::for_loop,
            "function" => Self::function,
            "if" => Self::if_command,
            "until" | "while" => Self::while_loop,
            "in" | "time" => return Ok(None),
            _ => return Err(self.cursor.syntax("a command")),
        };
        self.cursor.at = after;
        self.nested(read).map(Some)
    }

    /// Runs a reader one level deeper.
    pub(crate) fn nested<T>(&mut self, read: fn(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.cursor.descend()?;
        let result = read(self);
        self.cursor.ascend();
        result
    }

    fn parenthesis(&mut self) -> Parsed<Body> {
        if self.cursor.peek_second() == Some(b'(')
            && let Some(expression) = self.arithmetic_command()?
        {
            return Ok(Body::Arithmetic(expression));
        }
        self.expect(b'(')?;
        let list = self.filled_list()?;
        self.expect(b')')?;
        Ok(Body::Subshell(list))
    }

    /// Reads `(( … ))` if the parentheses match that way; otherwise they are nested subshells.
    fn arithmetic_command(&mut self) -> Parsed<Option<RawWord>> {
        let start = self.cursor.at;
        self.cursor.eat(b'(');
        self.cursor.peek();
        let inner = self.cursor.at;
        let close = self.matching_parenthesis(inner)?;
        self.cursor.at = close + 1;
        if !self.cursor.eat(b')') {
            self.cursor.at = start;
            return Ok(None);
        }
        let after = self.cursor.at;
        let expression = self.expression(inner + 1, close)?;
        self.cursor.at = after;
        Ok(Some(expression))
    }

    fn group(&mut self) -> Parsed<Body> {
        let list = self.filled_list()?;
        self.expect_reserved("}")?;
        Ok(Body::Group(list))
    }

    fn if_command(&mut self) -> Parsed<Body> {
        let mut clauses = Vec::new();
        loop {
            let condition = self.filled_list()?;
            self.expect_reserved("then")?;
            clauses.push((condition, self.filled_list()?));
            if !self.eat_reserved("elif") {
                break;
            }
        }
        let otherwise = if self.eat_reserved("else") {
            Some(self.filled_list()?)
        } else {
            None
        };
        self.expect_reserved("fi")?;
        Ok(Body::If { clauses, otherwise })
    }

    fn while_loop(&mut self) -> Parsed<Body> {
        let condition = self.filled_list()?;
        self.expect_reserved("do")?;
        let body = self.filled_list()?;
        self.expect_reserved("done")?;
        Ok(Body::While { condition, body })
    }

    fn for_loop(&mut self) -> Parsed<Body> {
        self.blanks();
        if self.cursor.peek() == Some(b'(') {
            return self.arithmetic_for();
        }
        let name = self.required_word("a name")?.literal().unwrap_or_default();
        self.blanks();
        let mut words = Vec::new();
        if self.cursor.peek() == Some(b';') {
            self.cursor.at += 1;
            self.newlines();
        } else {
            self.newlines();
            if self.eat_reserved("in") {
                words = self.words_until_separator()?;
            }
        }
        let body = self.loop_body()?;
        Ok(Body::For { name, words, body })
    }

    fn arithmetic_for(&mut self) -> Parsed<Body> {
        if self.cursor.peek_second() != Some(b'(') {
            return Err(self.cursor.syntax("a name or `((`"));
        }
        let start = self.cursor.at;
        let header = self
            .arithmetic_command()?
            .ok_or_else(|| self.cursor.syntax("`((…))`"))?;
        if self.cursor.text[start..self.cursor.at]
            .bytes()
            .filter(|byte| *byte == b';')
            .count()
            < 2
        {
            return Err(self
                .cursor
                .syntax_text("`for ((…))` lacks one of its three parts".to_owned()));
        }
        self.blanks();
        if self.cursor.peek() == Some(b';') {
            self.cursor.at += 1;
        }
        self.newlines();
        let body = self.loop_body()?;
        Ok(Body::ArithmeticFor { header, body })
    }

    fn loop_body(&mut self) -> Parsed<List> {
        let close = if self.eat_reserved("{") {
            "}"
        } else {
            self.expect_reserved("do")?;
            "done"
        };
        let body = self.filled_list()?;
        self.expect_reserved(close)?;
        Ok(body)
    }

    fn words_until_separator(&mut self) -> Parsed<Vec<RawWord>> {
        let mut words = Vec::new();
        loop {
            self.blanks();
            let process = matches!(self.cursor.peek(), Some(b'<' | b'>'))
                && self.cursor.peek_second() == Some(b'(');
            match self.cursor.peek() {
                Some(b';') => self.cursor.at += 1,
                Some(b'\n') => {}
                Some(byte) if process || !is_metacharacter(byte) => {
                    words.push(self.word(Reading::word())?);
                    continue;
                }
                Some(_) | None => return Err(self.cursor.syntax("a word, `;` or a newline")),
            }
            self.newlines();
            return Ok(words);
        }
    }

    /// Reads a word that must be there.
    pub(crate) fn required_word(&mut self, what: &str) -> Parsed<RawWord> {
        self.blanks();
        let process = matches!(self.cursor.peek(), Some(b'<' | b'>'))
            && self.cursor.peek_second() == Some(b'(');
        if !process && self.cursor.peek().is_none_or(is_metacharacter) {
            return Err(self.cursor.syntax(what));
        }
        self.word(Reading::word())
    }

    fn case(&mut self) -> Parsed<Body> {
        let subject = self.required_word("a word")?;
        self.newlines();
        self.expect_reserved("in")?;
        let mut arms = Vec::new();
        loop {
            self.newlines();
            if self.eat_reserved("esac") {
                return Ok(Body::Case { subject, arms });
            }
            arms.push(self.case_arm()?);
            if !(self.cursor.eat_operator(";;&")
                || self.cursor.eat_operator(";;")
                || self.cursor.eat_operator(";&"))
            {
                self.newlines();
                self.expect_reserved("esac")?;
                return Ok(Body::Case { subject, arms });
            }
        }
    }

    fn case_arm(&mut self) -> Parsed<(Vec<RawWord>, List)> {
        self.cursor.eat(b'(');
        let mut patterns = vec![self.required_word("a pattern")?];
        loop {
            self.blanks();
            if self.cursor.eat(b')') {
                break;
            }
            self.expect(b'|')?;
            patterns.push(self.required_word("a pattern")?);
        }
        let mut list = List::default();
        self.list(&mut list)?;
        Ok((patterns, list))
    }

    fn function(&mut self) -> Parsed<Body> {
        let word = self.required_word("a function name")?;
        self.blanks();
        if self.cursor.peek() == Some(b'(') {
            let saved = self.cursor.at;
            self.cursor.at += 1;
            self.blanks();
            if !self.cursor.eat(b')') {
                self.cursor.at = saved;
            }
        }
        self.function_body(word)
    }

    /// Reads the rest of `name() body`, from the parenthesis on.
    pub(crate) fn function_after(&mut self, start: usize, word: RawWord) -> Parsed<Command> {
        self.expect(b'(')?;
        self.blanks();
        self.expect(b')')?;
        self.cursor.descend()?;
        let body = self.function_body(word);
        self.cursor.ascend();
        Ok(Command {
            body: body?,
            span: self.cursor.span(start, self.cursor.at),
            redirects: Vec::new(),
        })
    }

    fn function_body(&mut self, word: RawWord) -> Parsed<Body> {
        self.newlines();
        let start = self.cursor.at;
        let body = self.compound()?.ok_or_else(|| {
            self.cursor
                .syntax("a compound command as the function's body")
        })?;
        let redirects = self.redirects()?;
        let command = Command {
            span: self.cursor.span(start, self.cursor.at),
            body,
            redirects,
        };
        let name = word.literal();
        // A name in quotes is refused only when the definition runs.
        let plain = |piece: &Piece| matches!(piece, Piece::Text { quoted: false, .. });
        let word = Some(word).filter(|word| !word.pieces.iter().all(plain));
        Ok(Body::Function {
            name: name.unwrap_or_default(),
            word,
            body: Box::new(command),
        })
    }

    fn coprocess(&mut self) -> Parsed<Body> {
        self.blanks();
        let start = self.cursor.at;
        let mut name = "COPROC".to_owned();
        if !self.compound_ahead()
            && self
                .cursor
                .peek()
                .is_some_and(|byte| !is_metacharacter(byte))
        {
            let word = self.word(Reading::word())?;
            self.blanks();
            if self.compound_ahead() {
                name = word.literal().unwrap_or_default();
            } else {
                self.cursor.at = start;
            }
        }
        Ok(Body::Coprocess {
            name,
            body: Box::new(self.command()?),
        })
    }

    fn compound_ahead(&mut self) -> bool {
        self.cursor.peek() == Some(b'(')
            || self.reserved().is_some_and(|(word, _)| {
                matches!(
                    word,
                    "{" | "[[" | "case" | "for" | "if" | "select" | "until" | "while"
                )
            })
    }
}
