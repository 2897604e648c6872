//! Commands, groups and what joins them.

use std::cell::Cell;
use std::rc::Rc;

use execgate_knowledge::cmd;

use super::lexer::{Ends, is_delimiter};
use super::tree::{Body, List, Node, Piece, RawRedirect, RawWord};
use crate::cursor::{Cursor, Fault, Origin, Parsed};
use crate::redirect::{Descriptor, RedirectOperator};
use crate::segment::Join;

/// Built-in commands whose arguments are texts, in which `,`, `;` and `=` mean themselves.
const TEXTUAL: [&str; 8] = [
    "assoc", "call", "echo", "ftype", "prompt", "set", "start", "title",
];

/// Reads one text.
pub(super) struct Parser<'t> {
    pub(super) cursor: Cursor<'t>,
    /// How many groups are open, in which `)` ends a command.
    pub(super) groups: u32,
    /// Where the last percent sign stands.
    pub(super) last_percent: usize,
    /// Where the last exclamation mark stands.
    pub(super) last_mark: usize,
    /// Letters of the loops around the position.
    pub(super) variables: Vec<char>,
    /// Whether a variable with an odd name may exist.
    pub(super) odd_names: bool,
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
            groups: 0,
            last_percent: text.rfind('%').unwrap_or(0),
            last_mark: text.rfind('!').unwrap_or(0),
            variables: Vec::new(),
            odd_names: depth > 0 || text.to_ascii_lowercase().contains("set"),
        }
    }

    /// Reads the whole text; what stands before a fault is kept.
    pub(super) fn script(&mut self) -> (List, Option<Fault>) {
        let mut list = Vec::new();
        let fault = self.list(&mut list, Lines::All).err();
        (list, fault)
    }

    /// Reads pipelines up to the end of the text, the group, or the line.
    pub(super) fn list(&mut self, list: &mut List, lines: Lines) -> Parsed<()> {
        let mut join = Join::First;
        loop {
            if lines == Lines::All {
                self.skip_lines(join);
            }
            self.skip_delimiters();
            match self.cursor.char() {
                None => return Ok(()),
                Some(')') if self.groups > 0 => return Ok(()),
                Some('\n' | '\r') if lines == Lines::One => return Ok(()),
                Some(_) => {}
            }
            if let Some(pipeline) = self.pipeline()? {
                list.push((join, pipeline));
            }
            self.skip_blanks();
            join = match self.cursor.char() {
                Some('&') if self.cursor.second() == Some('&') => Join::And,
                Some('|') if self.cursor.second() == Some('|') => Join::Or,
                Some('&') => {
                    self.cursor.skip();
                    Join::Sequence
                }
                Some('\n' | '\r') if lines == Lines::All => Join::Sequence,
                Some('\n' | '\r') | None => return Ok(()),
                Some(')') if self.groups > 0 => return Ok(()),
                Some(_) => return Err(self.cursor.syntax("the end of the command")),
            };
            if matches!(join, Join::And | Join::Or) {
                self.cursor.at += 2;
            }
        }
    }

    /// Moves behind empty lines and labels, which also serve as comments. In a group, and behind `&`, labels are odd.
    fn skip_lines(&mut self, join: Join) {
        let mut starts = self.groups == 0 && join == Join::First;
        loop {
            self.skip_delimiters();
            match self.cursor.char() {
                Some('\n' | '\r') => {
                    self.cursor.skip();
                    starts = self.groups == 0;
                }
                Some(':') if starts => self.skip_line(),
                Some(_) | None => return,
            }
        }
    }

    pub(super) fn skip_line(&mut self) {
        self.cursor
            .skip_while(|character| !matches!(character, '\n' | '\r'));
    }

    /// Reads commands with `|` between them; `None` for a comment.
    pub(super) fn pipeline(&mut self) -> Parsed<Option<Vec<Node>>> {
        let mut nodes: Vec<Node> = self.command()?.into_iter().collect();
        loop {
            self.skip_blanks();
            if self.cursor.char() != Some('|') || self.cursor.second() == Some('|') {
                break;
            }
            self.cursor.skip();
            nodes.extend(self.command()?);
        }
        Ok(Some(nodes).filter(|nodes| !nodes.is_empty()))
    }

    /// Reads one command with its redirects; `None` for a comment.
    fn command(&mut self) -> Parsed<Option<Node>> {
        self.cursor.descend()?;
        self.skip_delimiters();
        while self.cursor.take('@') {
            self.skip_delimiters();
        }
        let start = self.cursor.at;
        let mut redirects = Vec::new();
        self.redirects(&mut redirects)?;
        let body = if self.cursor.take('(') {
            Some(self.group()?)
        } else {
            self.named()?
        };
        let node = match body {
            Some(Body::Simple {
                mut words,
                built_in,
            }) => {
                self.arguments(&mut words, built_in, &mut redirects)?;
                Some(Body::Simple { words, built_in })
            }
            Some(body) => {
                self.skip_blanks();
                self.redirects(&mut redirects)?;
                Some(body)
            }
            None => None,
        };
        self.cursor.ascend();
        let end = self.cursor.at;
        let span = self.cursor.span(start, end);
        Ok(node.map(|body| Node {
            span,
            end,
            body,
            redirects,
        }))
    }

    fn group(&mut self) -> Parsed<Body> {
        self.groups += 1;
        let mut list = Vec::new();
        self.list(&mut list, Lines::All)?;
        if !self.cursor.take(')') {
            return Err(self.cursor.syntax("`)`"));
        }
        self.groups -= 1;
        Ok(Body::Group(list))
    }

    /// Reads the name of a command, and the rest of one with a grammar of its own.
    fn named(&mut self) -> Parsed<Option<Body>> {
        let start = self.cursor.at;
        let mut name = self.word(Ends::Name)?;
        if self.cursor.at == start {
            return Err(self.cursor.syntax("a command"));
        }
        let mut built_in = name
            .literal()
            .and_then(cmd::built_in)
            .filter(|_| !name.quoted);
        if built_in.is_none()
            && let Some((length, known)) = glued(&self.cursor.text[start..self.cursor.at])
        {
            // `cd..` and `echo.` are names with something after them.
            self.cursor.at = start + length;
            name = RawWord {
                span: self.cursor.span(start, start + length),
                at: start,
                pieces: vec![Piece::Text(
                    self.cursor.text[start..start + length].to_owned(),
                )],
                quoted: false,
            };
            built_in = Some(known);
        }
        if built_in.is_none() && self.cursor.char() == Some('(') {
            // Only after a built-in command does a bracket end the name.
            let rest = self.word(Ends::Delimiters)?;
            name.pieces.extend(rest.pieces);
            name.pieces = merged(name.pieces);
        }
        match built_in {
            Some("rem") => {
                self.skip_blanks();
                if !self
                    .cursor
                    .char()
                    .is_some_and(|next| self.ends_command(next))
                {
                    self.skip_line();
                }
                Ok(None)
            }
            Some("if") => self.condition().map(Some),
            Some("for") => self.repetition().map(Some),
            _ => Ok(Some(Body::Simple {
                words: vec![name],
                built_in,
            })),
        }
    }

    fn arguments(
        &mut self,
        words: &mut Vec<RawWord>,
        built_in: Option<&'static str>,
        redirects: &mut Vec<RawRedirect>,
    ) -> Parsed<()> {
        let ends = match built_in {
            Some(name) if !TEXTUAL.contains(&name) => Ends::Delimiters,
            Some(_) | None => Ends::Blanks,
        };
        loop {
            match ends {
                Ends::Delimiters => self.skip_delimiters(),
                Ends::Blanks | Ends::Name | Ends::Comparison => self.skip_blanks(),
            }
            self.redirects(redirects)?;
            let Some(next) = self.cursor.char() else {
                return Ok(());
            };
            if self.ends_command(next) {
                return Ok(());
            }
            if ends == Ends::Delimiters && is_delimiter(next) {
                continue;
            }
            words.push(self.word(ends)?);
        }
    }

    /// Reads all redirects that stand here, and the blanks after each.
    pub(super) fn redirects(&mut self, redirects: &mut Vec<RawRedirect>) -> Parsed<()> {
        while let Some(redirect) = self.redirect()? {
            redirects.push(redirect);
            self.skip_blanks();
        }
        Ok(())
    }

    fn redirect(&mut self) -> Parsed<Option<RawRedirect>> {
        let start = self.cursor.at;
        let digit = self.cursor.char().and_then(|first| first.to_digit(10));
        let signed = match digit {
            Some(_) => self.cursor.second(),
            None => self.cursor.char(),
        };
        let Some(sign @ ('<' | '>')) = signed else {
            return Ok(None);
        };
        self.cursor.at += usize::from(digit.is_some()) + 1;
        let append = sign == '>' && self.cursor.take('>');
        let duplicate = !append && self.cursor.take('&');
        self.skip_delimiters();
        let target = self.word(Ends::Delimiters)?;
        if target.pieces.is_empty() {
            return Err(self.cursor.syntax("the target of a redirect"));
        }
        let operator = match (sign, append, duplicate) {
            ('<', _, false) => RedirectOperator::Read,
            ('<', _, true) => RedirectOperator::DuplicateInput,
            (_, true, _) => RedirectOperator::Append,
            (_, false, true) => RedirectOperator::DuplicateOutput,
            (_, false, false) => RedirectOperator::Write,
        };
        Ok(Some(RawRedirect {
            span: self.cursor.span(start, self.cursor.at),
            descriptor: digit.map(Descriptor::Number),
            operator,
            target,
        }))
    }
}

/// How far a list goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lines {
    All,
    One,
}

/// A built-in command with something attached, such as `cd..`: the length of its name, and the name.
fn glued(written: &str) -> Option<(usize, &'static str)> {
    let length = written.find(['.', '\\', ':', '+', '[', ']', '"'])?;
    let rest = written[length..].to_ascii_lowercase();
    let program = [".exe", ".com", ".bat", ".cmd"].contains(&rest.as_str());
    let known = cmd::built_in(&written[..length])?;
    (!program).then_some((length, known))
}

/// Joins texts that follow one another.
fn merged(pieces: Vec<Piece>) -> Vec<Piece> {
    let mut word = RawWord::default();
    for piece in pieces {
        match piece {
            Piece::Text(text) => text.chars().for_each(|character| word.push(character)),
            Piece::Variable(_) => word.pieces.push(piece),
        }
    }
    word.pieces
}
