//! Commands: a name, arguments and redirects (`about_Parsing`, `about_Command_Syntax`, `about_Redirection`).

use super::parser::Parser;
use super::scanner::{ends_word, is_dash, is_newline, is_quote};
use super::tree::{Body, Element, Piece, RawRedirect, Term};
use crate::cursor::Parsed;
use crate::redirect::{Descriptor, RedirectOperator};

impl Parser<'_> {
    /// Reads one command.
    pub(super) fn command(&mut self) -> Parsed<Element> {
        let start = self.cursor.at;
        let mut redirects = Vec::new();
        let name = self.command_name()?;
        let mut arguments = Vec::new();
        loop {
            self.cursor.skip_blanks()?;
            if let Some(redirect) = self.redirect()? {
                redirects.push(redirect);
                continue;
            }
            match self.cursor.char() {
                None => break,
                Some(character) if is_newline(character) => break,
                Some(';' | '|' | '&' | ')' | '}') => break,
                Some(_) => {}
            }
            if self.verbatim(&mut arguments) {
                break;
            }
            self.argument(&mut arguments)?;
        }
        Ok(Element {
            span: self.cursor.span(start, self.cursor.at),
            body: Body::Command { name, arguments },
            redirects,
        })
    }

    /// Reads the name: a bare word, or after `&` or `.` any value.
    fn command_name(&mut self) -> Parsed<Term> {
        let called = match self.cursor.char() {
            Some('&') => true,
            Some('.') => self.cursor.second().is_none_or(|second| {
                second.is_whitespace()
                    || is_quote(second)
                    || matches!(second, '$' | '(' | '{' | '@' | '`')
            }),
            Some(_) | None => false,
        };
        if called {
            self.cursor.skip();
            self.cursor.skip_blanks()?;
        }
        if called {
            return self.element();
        }
        let start = self.cursor.at;
        let mut term = Term::default();
        if !self.cursor.char().is_some_and(starts_value) {
            self.bare(&mut term)?;
        }
        if self.cursor.at == start {
            return Err(self.cursor.syntax("a command"));
        }
        term.span = self.cursor.span(start, self.cursor.at);
        Ok(term)
    }

    /// Reads a word that is not wholly quoted, with what expands in it.
    fn bare(&mut self, term: &mut Term) -> Parsed<()> {
        while let Some(character) = self.cursor.char() {
            if is_quote(character) {
                self.string(term)?;
            } else if ends_word(character) {
                return self.no_comment();
            } else if character == '`' && self.cursor.second().is_none_or(is_newline) {
                break;
            } else {
                self.expandable(term)?;
            }
        }
        Ok(())
    }

    /// Whether `<#` inside of a word begins a comment is not worth being wrong about.
    fn no_comment(&self) -> Parsed<()> {
        if self.cursor.starts("<#") {
            return Err(self
                .cursor
                .fault("a comment begins inside of a word".to_owned()));
        }
        Ok(())
    }

    /// Takes `--%` and the rest of the line, which is handed over as it is.
    fn verbatim(&mut self, arguments: &mut Vec<Term>) -> bool {
        let start = self.cursor.at;
        if !self.cursor.starts("--%")
            || self
                .cursor
                .char_at(3)
                .is_some_and(|after| !after.is_whitespace())
        {
            return false;
        }
        let mut quoted = false;
        while let Some(character) = self.cursor.char() {
            quoted ^= character == '"';
            let ends = character == '|' || self.cursor.starts("&&");
            if is_newline(character) || ends && !quoted {
                break;
            }
            self.cursor.skip();
        }
        let span = self.cursor.span(start, self.cursor.at);
        let detail = "what stands after `--%` is read by the program alone".to_owned();
        arguments.push(Term {
            span,
            pieces: vec![Piece::Code(span, detail)],
            computed: true,
            ..Term::default()
        });
        true
    }

    /// Reads one argument; elements of an array become one each, with the span of the whole.
    fn argument(&mut self, arguments: &mut Vec<Term>) -> Parsed<()> {
        let start = self.cursor.at;
        let first = arguments.len();
        loop {
            arguments.push(self.element()?);
            let here = self.cursor.at;
            self.cursor.skip_blanks()?;
            if !self.cursor.take(',') {
                self.cursor.at = here;
                break;
            }
            self.cursor.skip_lines()?;
        }
        let span = self.cursor.span(start, self.cursor.at);
        for term in &mut arguments[first..] {
            term.span = span;
        }
        Ok(())
    }

    /// Reads one argument, or one element of an array.
    pub(super) fn element(&mut self) -> Parsed<Term> {
        let start = self.cursor.at;
        let mut term = Term::default();
        match self.cursor.char() {
            Some(dash) if is_dash(dash) => self.parameter(&mut term)?,
            Some(',') => return Err(self.cursor.syntax("an argument")),
            Some('@')
                if self
                    .cursor
                    .second()
                    .is_some_and(|second| second.is_alphanumeric() || second == '_') =>
            {
                // Splatting: a variable whose elements are arguments, names and values alike.
                self.cursor.skip();
                let name = self.cursor.at;
                self.cursor.skip_while(|character| {
                    character.is_alphanumeric() || matches!(character, '_' | ':')
                });
                let name = format!("@{}", self.cursor.text[name..self.cursor.at].to_lowercase());
                term.pieces.push(Piece::Variable(name));
                term.computed = true;
            }
            Some(first) if starts_value(first) && first != '[' => {
                term = self.operand_here()?;
                let variable = matches!(first, '$');
                if variable && self.cursor.char().is_some_and(|after| !ends_word(after)) {
                    self.bare(&mut term)?;
                }
            }
            Some(first) if ends_word(first) => return Err(self.cursor.syntax("an argument")),
            Some(_) => self.bare(&mut term)?,
            None => return Err(self.cursor.syntax("an argument")),
        }
        if self.cursor.at == start {
            return Err(self.cursor.syntax("an argument"));
        }
        term.span = self.cursor.span(start, self.cursor.at);
        Ok(term)
    }

    /// Reads `-Name`, `-Name:` and a value that is attached to it.
    fn parameter(&mut self, term: &mut Term) -> Parsed<()> {
        self.cursor.skip();
        term.push_text("-");
        if self.cursor.char().is_some_and(is_dash) {
            self.cursor.skip();
            term.push_text("-");
        }
        while let Some(character) = self.cursor.char() {
            if character == ':' && matches!(self.cursor.second(), Some('(' | '{' | '@')) {
                self.cursor.skip();
                term.push_text(":");
                let value = self.operand_here()?;
                let exact = !value.computed;
                term.absorb(value);
                term.computed = !exact;
                return Ok(());
            }
            if ends_word(character) {
                return self.no_comment();
            }
            if is_quote(character) {
                self.string(term)?;
            } else if character == '`' && self.cursor.second().is_none_or(is_newline) {
                break;
            } else {
                self.expandable(term)?;
            }
        }
        Ok(())
    }

    /// Reads a redirect, if one stands here.
    pub(super) fn redirect(&mut self) -> Parsed<Option<RawRedirect>> {
        let start = self.cursor.at;
        let digits = match self.cursor.char() {
            Some('1'..='6' | '*') if self.cursor.second() == Some('>') => 1,
            Some('>') => 0,
            Some('<') => {
                return Err(self
                    .cursor
                    .fault("`<` is kept for later versions".to_owned()));
            }
            Some(_) | None => return Ok(None),
        };
        let written = self.cursor.text[start..]
            .chars()
            .next()
            .filter(|_| digits > 0);
        self.cursor.at += digits + 1;
        let append = self.cursor.take('>');
        let all = written == Some('*');
        let descriptor = written
            .and_then(|digit| digit.to_digit(10))
            .map(Descriptor::Number);
        if !append && self.cursor.take('&') {
            let target = self.cursor.at;
            if !matches!(self.cursor.char(), Some('1' | '2')) {
                return Err(self.cursor.syntax("the number of a stream"));
            }
            self.cursor.skip();
            let mut term = Term {
                span: self.cursor.span(target, self.cursor.at),
                ..Term::default()
            };
            term.push_text(&self.cursor.text[target..self.cursor.at]);
            return Ok(Some(RawRedirect {
                span: self.cursor.span(start, self.cursor.at),
                descriptor,
                operator: RedirectOperator::DuplicateOutput,
                target: term,
            }));
        }
        self.cursor.skip_blanks()?;
        let target = self.element()?;
        let operator = match (all, append) {
            (true, false) => RedirectOperator::WriteBoth,
            (true, true) => RedirectOperator::AppendBoth,
            (false, false) => RedirectOperator::Write,
            (false, true) => RedirectOperator::Append,
        };
        Ok(Some(RawRedirect {
            span: self.cursor.span(start, self.cursor.at),
            descriptor,
            operator,
            target,
        }))
    }
}

/// Whether an argument that begins so is a value, not a bare word.
fn starts_value(first: char) -> bool {
    is_quote(first) || matches!(first, '$' | '(' | '@' | '{' | '[')
}
