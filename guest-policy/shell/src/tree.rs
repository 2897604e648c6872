//! The syntax tree between parsing and reading; spans are already those of the outermost text.

use std::cell::OnceCell;
use std::rc::Rc;

use crate::cursor::Origin;
use crate::redirect::{Descriptor, RedirectOperator};
use crate::segment::Join;
use crate::source::Span;

/// A list of pipelines in order.
#[derive(Debug, Default)]
pub(crate) struct List {
    pub(crate) items: Vec<Item>,
}

/// One pipeline of a list.
#[derive(Debug)]
pub(crate) struct Item {
    pub(crate) join: Join,
    pub(crate) stages: Vec<StageNode>,
    pub(crate) background: bool,
}

/// One command of a pipeline.
#[derive(Debug)]
pub(crate) struct StageNode {
    pub(crate) command: Command,
    /// Whether `|&` stands before it.
    pub(crate) both: bool,
}

/// A command with the redirects after it.
#[derive(Debug)]
pub(crate) struct Command {
    pub(crate) span: Span,
    pub(crate) body: Body,
    pub(crate) redirects: Vec<RawRedirect>,
}

/// What kind of command it is.
#[derive(Debug)]
pub(crate) enum Body {
    Simple {
        assignments: Vec<RawAssignment>,
        words: Vec<RawWord>,
    },
    Group(List),
    Subshell(List),
    If {
        clauses: Vec<(List, List)>,
        otherwise: Option<List>,
    },
    While {
        condition: List,
        body: List,
    },
    For {
        name: String,
        words: Vec<RawWord>,
        body: List,
    },
    ArithmeticFor {
        header: RawWord,
        body: List,
    },
    Case {
        subject: RawWord,
        arms: Vec<(Vec<RawWord>, List)>,
    },
    Arithmetic(RawWord),
    Conditional(Vec<RawWord>),
    Function {
        name: String,
        word: Option<RawWord>,
        body: Box<Command>,
    },
    Coprocess {
        name: String,
        body: Box<Command>,
    },
    /// `!` or `time` with nothing after it.
    Nothing,
}

/// A word before expansion.
#[derive(Clone, Debug, Default)]
pub(crate) struct RawWord {
    pub(crate) span: Span,
    pub(crate) pieces: Vec<Piece>,
}

/// A piece of a word; `quoted` is for double quotes, and for text for any quoting.
#[derive(Clone, Debug)]
pub(crate) enum Piece {
    Text {
        text: String,
        quoted: bool,
    },
    Parameter {
        parameter: Rc<Parameter>,
        quoted: bool,
    },
    Command {
        script: Rc<Inner>,
        quoted: bool,
    },
    Arithmetic {
        expression: Rc<RawWord>,
    },
    Process {
        script: Rc<Inner>,
    },
    /// `name=( … )`: the elements.
    Array(Rc<Vec<RawWord>>),
}

/// The inside of a substitution.
#[derive(Debug)]
pub(crate) enum Inner {
    /// Parsed with the text around it.
    Parsed(List),
    /// Backticks: the text after their own unescaping, read when it is expanded.
    Deferred { text: String, origin: Origin },
}

/// `$name`, `${…}`.
#[derive(Debug)]
pub(crate) struct Parameter {
    /// Name, digits or special character; empty when malformed.
    pub(crate) name: String,
    pub(crate) form: Form,
    /// Everything after the operator, up to the brace.
    pub(crate) rest: RawWord,
    pub(crate) span: Span,
}

/// What an expansion does with its parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Plain,
    /// `-` and `:-`.
    Default {
        colon: bool,
    },
    /// `=` and `:=`.
    Assign {
        colon: bool,
    },
    /// `+` and `:+`.
    Alternative {
        colon: bool,
    },
    /// `?` and `:?`.
    Require {
        colon: bool,
    },
    /// `@P`: the value is expanded once more, as a prompt.
    Prompt,
    /// `!name`.
    Indirect,
    /// Anything else: the value is not worked out.
    Other,
    /// Its end depends on what the shell takes quotes in it for: an operator that there is not with quotes behind it, or single quotes
    /// around more than plain text within double quotes.
    Bad,
}

/// An assignment before expansion.
#[derive(Debug)]
pub(crate) struct RawAssignment {
    pub(crate) span: Span,
    pub(crate) name: String,
    pub(crate) subscript: Option<RawWord>,
    pub(crate) append: bool,
    pub(crate) value: RawWord,
}

/// A redirect before expansion.
#[derive(Debug)]
pub(crate) struct RawRedirect {
    pub(crate) span: Span,
    pub(crate) descriptor: Option<Descriptor>,
    pub(crate) operator: RedirectOperator,
    pub(crate) target: RawWord,
    pub(crate) here: Option<Rc<OnceCell<HereBody>>>,
}

/// A here-document's body, filled in when the line ends.
#[derive(Clone, Debug, Default)]
pub(crate) struct HereBody {
    pub(crate) delimiter: String,
    pub(crate) quoted: bool,
    pub(crate) span: Span,
    pub(crate) text: String,
    /// Whether `text` is the source at `span`, byte for byte.
    pub(crate) verbatim: bool,
}
