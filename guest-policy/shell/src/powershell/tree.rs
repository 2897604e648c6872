//! What the parser makes of a text. Offsets are spans of the outermost text already.

use crate::redirect::{Descriptor, RedirectOperator};
use crate::segment::Join;
use crate::source::Span;

/// A list of statements, in order.
pub(super) type Block = Vec<Statement>;

/// One statement.
#[derive(Debug)]
pub(super) enum Statement {
    /// Pipelines joined by `&&` and `||`.
    Chain(Chain),
    /// `targets = value`.
    Assign(Assign),
    /// Anything with blocks or expressions of its own.
    Compound(Vec<Section>),
}

/// Pipelines joined by `&&` and `||`.
#[derive(Debug)]
pub(super) struct Chain {
    pub(super) pipelines: Vec<(Join, Vec<Element>)>,
    pub(super) background: bool,
}

/// One stage of a pipeline.
#[derive(Debug)]
pub(super) struct Element {
    pub(super) span: Span,
    pub(super) body: Body,
    pub(super) redirects: Vec<RawRedirect>,
}

/// What a stage is.
#[derive(Debug)]
pub(super) enum Body {
    /// A command with its arguments; elements of one array share a span.
    Command { name: Term, arguments: Vec<Term> },
    /// A value that is printed.
    Expression(Term),
}

/// An assignment.
#[derive(Debug)]
pub(super) struct Assign {
    pub(super) span: Span,
    pub(super) target: Term,
    pub(super) append: bool,
    pub(super) value: Box<Statement>,
}

/// A part of a compound statement.
#[derive(Debug)]
pub(super) enum Section {
    /// Statements and when they run.
    Statements(When, Block),
    /// A value that is looked at.
    Value(Term),
    /// A variable that the statement sets.
    Sets(String),
    /// A file whose lines it reads.
    Reads(Term),
}

/// When a part of a compound statement runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum When {
    /// Once, in its turn.
    Always,
    /// Perhaps.
    Perhaps,
    /// Any number of times.
    Repeated,
    /// When the function is called.
    Function(String),
}

/// One word or expression.
#[derive(Debug, Default)]
pub(super) struct Term {
    pub(super) span: Span,
    pub(super) pieces: Vec<Piece>,
    /// Whether the value is more than its pieces side by side.
    pub(super) computed: bool,
    pub(super) quoted: bool,
    /// The member that the value is: `.name`, or `type::name`.
    pub(super) member: Option<String>,
}

/// A piece of a word.
#[derive(Debug)]
pub(super) enum Piece {
    /// Text as it is.
    Text(String),
    /// The value of a variable, its name in lower case, without `global:` and the like.
    Variable(String),
    /// What statements print: `$(…)`, `@(…)`, `(…)`, the values of `@{…}`.
    Printed(Block),
    /// `{ … }`
    Script(Block),
    /// A call into .NET that is not known to be harmless.
    Code(Span, String),
}

/// A redirect before its target is expanded.
#[derive(Debug)]
pub(super) struct RawRedirect {
    pub(super) span: Span,
    pub(super) descriptor: Option<Descriptor>,
    pub(super) operator: RedirectOperator,
    pub(super) target: Term,
}

impl Term {
    /// The text, where it is written out.
    pub(super) fn literal(&self) -> Option<String> {
        let texts = self.pieces.iter().map(|piece| match piece {
            Piece::Text(text) => Some(text.as_str()),
            Piece::Variable(_) | Piece::Printed(_) | Piece::Script(_) | Piece::Code(..) => None,
        });
        let text: Option<String> = texts.collect();
        text.filter(|_| !self.computed && !self.pieces.is_empty())
    }

    /// Adds text to the end.
    pub(super) fn push_text(&mut self, text: &str) {
        if let Some(Piece::Text(last)) = self.pieces.last_mut() {
            last.push_str(text);
        } else {
            self.pieces.push(Piece::Text(text.to_owned()));
        }
    }

    /// Takes another term in, whose value is no longer known apart.
    pub(super) fn absorb(&mut self, mut other: Self) {
        self.pieces.append(&mut other.pieces);
        self.span = self.span.to(other.span);
        self.computed = true;
    }
}
