//! What the parser makes of a text. Spans are those of the outermost text.

use crate::cursor::Origin;
use crate::redirect::{Descriptor, RedirectOperator};
use crate::segment::Join;
use crate::source::Span;

/// Pipelines and what joins them.
pub(super) type List = Vec<(Join, Vec<Node>)>;

/// One command of a pipeline.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) span: Span,
    /// Where it ends in the text that was parsed.
    pub(super) end: usize,
    pub(super) body: Body,
    pub(super) redirects: Vec<RawRedirect>,
}

/// What a command is.
#[derive(Debug)]
pub(super) enum Body {
    /// A name and arguments; the name as a built-in command's, if it is one.
    Simple {
        words: Vec<RawWord>,
        built_in: Option<&'static str>,
    },
    /// `( … )`
    Group(List),
    /// `if`: the words that are compared, the file that is looked for, and the branches.
    If {
        words: Vec<RawWord>,
        exists: Option<RawWord>,
        branches: Vec<List>,
    },
    /// `for`: the variable, what it takes its values from, and the body.
    For {
        variable: String,
        values: Values,
        body: List,
    },
}

/// What the variable of a loop takes its values from.
#[derive(Debug)]
pub(super) enum Values {
    /// These words, which may be patterns.
    Words(Vec<RawWord>),
    /// Numbers, or texts that stand in the command.
    Plain,
    /// Lines of files.
    Files(Vec<RawWord>),
    /// Lines that a command prints.
    Printed { text: String, origin: Origin },
    /// Files below a directory, or directories.
    Tree(Option<RawWord>),
}

/// A word before its variables are looked up.
#[derive(Clone, Debug, Default)]
pub(super) struct RawWord {
    pub(super) span: Span,
    /// Where it stands in the text that was parsed.
    pub(super) at: usize,
    pub(super) pieces: Vec<Piece>,
    pub(super) quoted: bool,
}

/// A piece of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Text(String),
    /// A variable's value; the name is empty where it is not certain that it is one.
    Variable(String),
}

/// A redirect before its target is expanded.
#[derive(Debug)]
pub(super) struct RawRedirect {
    pub(super) span: Span,
    pub(super) descriptor: Option<Descriptor>,
    pub(super) operator: RedirectOperator,
    pub(super) target: RawWord,
}

impl RawWord {
    /// The text, where it holds no variable.
    pub(super) fn literal(&self) -> Option<&str> {
        match self.pieces.as_slice() {
            [] => Some(""),
            [Piece::Text(text)] => Some(text),
            _ => None,
        }
    }

    /// Adds one character to the end.
    pub(super) fn push(&mut self, character: char) {
        if let Some(Piece::Text(text)) = self.pieces.last_mut() {
            text.push(character);
        } else {
            self.pieces.push(Piece::Text(character.to_string()));
        }
    }

    /// Takes the last character away if it is this one.
    pub(super) fn pop(&mut self, character: char) {
        if let Some(Piece::Text(text)) = self.pieces.last_mut()
            && text.ends_with(character)
        {
            text.pop();
        }
    }
}
