//! Statements and pipelines (`about_Language_Keywords`, `about_Pipelines`, `about_Pipeline_Chain_Operators`).

use std::cell::Cell;
use std::rc::Rc;

use super::scanner::{ends_word, is_dash, is_newline, is_quote};
use super::tree::{Assign, Block, Body, Chain, Element, Piece, Statement, Term};
use crate::cursor::{Cursor, Fault, Origin, Parsed};
use crate::segment::Join;

/// Longest keyword, in bytes.
const LONGEST_KEYWORD: usize = 16;

/// Reads one text.
pub(super) struct Parser<'t> {
    pub(super) cursor: Cursor<'t>,
    pub(super) nested_strings: u32,
}

impl<'t> Parser<'t> {
    pub(super) fn new(text: &'t str, origin: Origin, depth: u32, steps: Rc<Cell<u64>>) -> Self {
        Self {
            cursor: Cursor {
                text,
                at: 0,
                end: text.len(),
                origin,
                depth,
                steps,
            },
            nested_strings: 0,
        }
    }

    /// Reads the whole text; what stands before a fault is kept.
    pub(super) fn script(&mut self) -> (Block, Option<Fault>) {
        let mut block = Vec::new();
        // A byte order mark is no part of the text.
        self.cursor.take('\u{feff}');
        let fault = self.statements(&mut block, None).err();
        (block, fault)
    }

    /// Reads statements up to a closing character, which stays, or the end.
    pub(super) fn statements(&mut self, block: &mut Block, close: Option<char>) -> Parsed<()> {
        loop {
            self.skip_separators()?;
            match self.cursor.char() {
                None if close.is_none() => return Ok(()),
                None => {
                    return Err(self
                        .cursor
                        .fault("the text ends inside of brackets".to_owned()));
                }
                Some(character) if Some(character) == close => return Ok(()),
                Some(_) => {}
            }
            let closed = self.statement(block)?;
            self.cursor.skip_blanks()?;
            let ends = match self.cursor.char() {
                None => true,
                Some(character) => {
                    is_newline(character) || character == ';' || Some(character) == close
                }
            };
            if !ends && !closed {
                return Err(self.cursor.syntax("the end of the statement"));
            }
        }
    }

    fn skip_separators(&mut self) -> Parsed<()> {
        loop {
            self.cursor.skip_lines()?;
            if !self.cursor.take(';') {
                return Ok(());
            }
        }
    }

    /// Reads one statement; says whether it ends with a block, so that nothing must separate it from the next.
    fn statement(&mut self, block: &mut Block) -> Parsed<bool> {
        self.cursor.descend()?;
        let result = match self.keyword()? {
            Some(statement) => {
                block.push(statement);
                Ok(true)
            }
            None => self.simple().map(|statement| {
                block.push(statement);
                false
            }),
        };
        self.cursor.ascend();
        result
    }

    /// Reads a statement where one value is expected, as after `=`.
    pub(super) fn value_statement(&mut self) -> Parsed<Statement> {
        self.cursor.skip_lines()?;
        let mut block = Vec::new();
        self.statement(&mut block)?;
        match block.pop() {
            Some(statement) => Ok(statement),
            None => Err(self.cursor.syntax("a value")),
        }
    }

    /// The bare word at the position, as far as a keyword could go, in lower case.
    pub(super) fn bare_word(&self) -> String {
        let rest = &self.cursor.text[self.cursor.at..];
        let mut word = String::new();
        for character in rest.chars() {
            let ends =
                ends_word(character) || is_quote(character) || matches!(character, '$' | '`');
            if ends || word.len() > LONGEST_KEYWORD {
                break;
            }
            word.push(character.to_ascii_lowercase());
        }
        word
    }

    /// Reads an assignment or a chain of pipelines.
    fn simple(&mut self) -> Parsed<Statement> {
        let start = self.cursor.at;
        if !self.starts_expression() {
            return self.chain(None).map(Statement::Chain);
        }
        let term = self.expression()?;
        self.cursor.skip_blanks()?;
        let Some(append) = self.assignment() else {
            return self.chain(Some((start, term))).map(Statement::Chain);
        };
        let value = Box::new(self.value_statement()?);
        Ok(Statement::Assign(Assign {
            span: self.cursor.span(start, self.cursor.at),
            target: term,
            append,
            value,
        }))
    }

    /// Takes an assignment operator; says whether it builds on the old value.
    fn assignment(&mut self) -> Option<bool> {
        let operator = ["=", "+=", "-=", "*=", "/=", "%=", "??="]
            .into_iter()
            .find(|operator| self.cursor.starts(operator))?;
        self.cursor.at += operator.len();
        Some(operator != "=")
    }

    /// Reads pipelines joined by `&&` and `||`, of which the first may begin with a value that was read already.
    fn chain(&mut self, first: Option<(usize, Term)>) -> Parsed<Chain> {
        let mut pipelines = vec![(Join::First, self.pipeline(first)?)];
        let mut background = false;
        loop {
            self.cursor.skip_blanks()?;
            let join = if self.cursor.starts("&&") {
                Join::And
            } else if self.cursor.starts("||") {
                Join::Or
            } else if self.cursor.take('&') {
                background = true;
                break;
            } else {
                break;
            };
            self.cursor.at += 2;
            self.cursor.skip_lines()?;
            let first = match self.starts_expression() {
                true => Some((self.cursor.at, self.expression()?)),
                false => None,
            };
            pipelines.push((join, self.pipeline(first)?));
        }
        Ok(Chain {
            pipelines,
            background,
        })
    }

    fn pipeline(&mut self, first: Option<(usize, Term)>) -> Parsed<Vec<Element>> {
        let mut elements = Vec::new();
        match first {
            Some((start, term)) => elements.push(self.printed(start, term)?),
            None => elements.push(self.command()?),
        }
        while self.next_stage()? {
            self.cursor.skip_lines()?;
            elements.push(self.command()?);
        }
        Ok(elements)
    }

    /// Takes `|`, which may also begin a later line.
    fn next_stage(&mut self) -> Parsed<bool> {
        self.cursor.skip_blanks()?;
        let here = self.cursor.at;
        if self.cursor.char().is_some_and(is_newline) {
            self.cursor.skip_lines()?;
        }
        if self.cursor.starts("|") && !self.cursor.starts("||") {
            self.cursor.skip();
            return Ok(true);
        }
        self.cursor.at = here;
        Ok(false)
    }

    /// A stage that prints a value, with its redirects.
    fn printed(&mut self, start: usize, term: Term) -> Parsed<Element> {
        let mut redirects = Vec::new();
        loop {
            self.cursor.skip_blanks()?;
            match self.redirect()? {
                Some(redirect) => redirects.push(redirect),
                None => break,
            }
        }
        Ok(Element {
            span: self.cursor.span(start, self.cursor.at),
            body: Body::Expression(term),
            redirects,
        })
    }

    /// Whether what stands here is a value, not the name of a command.
    pub(super) fn starts_expression(&self) -> bool {
        let Some(first) = self.cursor.char() else {
            return false;
        };
        if is_quote(first) || is_dash(first) {
            return true;
        }
        match first {
            '$' | '(' | '@' | '[' | '{' | '+' | ',' | '!' => true,
            '.' => {
                self.cursor
                    .second()
                    .is_some_and(|second| second.is_ascii_digit())
                    && self.number().is_some()
            }
            '0'..='9' => self.number().is_some(),
            _ => false,
        }
    }

    /// Reads `$(…)` or `@(…)` from its sign on.
    pub(super) fn subexpression(&mut self) -> Parsed<Piece> {
        self.cursor.skip();
        self.bracketed('(', ')').map(Piece::Printed)
    }

    /// Reads statements between brackets.
    pub(super) fn bracketed(&mut self, open: char, close: char) -> Parsed<Block> {
        if !self.cursor.take(open) {
            return Err(self.cursor.syntax("a bracket"));
        }
        self.cursor.descend()?;
        let mut block = Vec::new();
        self.statements(&mut block, Some(close))?;
        self.cursor.skip();
        self.cursor.ascend();
        Ok(block)
    }
}
