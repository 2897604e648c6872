//! Fields of an argv and assignments.

use crate::source::Span;

/// One field of the argv.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Word {
    /// The word it came from; several fields may share it.
    pub span: Span,
    /// The text, if it is known for certain. A word with an active glob is not known.
    pub value: Option<String>,
    /// Empty when `value` is known, else the pieces in order.
    pub parts: Vec<Part>,
    /// Whether any of it was quoted.
    pub quoted: bool,
}

/// A piece of a word whose value is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Known text.
    Literal(String),
    /// A parameter expansion; unquoted, it may be any number of fields.
    Variable {
        /// The name or special character; empty for malformed ones and values that outgrew a limit,
        /// `{}` for what `xargs`, `find` and the like put in (unquoted: any number of words at the end).
        name: String,
        /// Whether it stands in double quotes.
        quoted: bool,
    },
    /// `$(…)` or backticks.
    Substitution {
        /// Whether it stands in double quotes.
        quoted: bool,
    },
    /// `<(…)` or `>(…)`: the path of a descriptor.
    ProcessSubstitution,
    /// `$((…))` or `$[…]`: a number.
    Arithmetic,
    /// Active pattern characters: `*`, `?`, `[…]`, or an extended pattern.
    Glob(String),
    /// A tilde prefix whose directory is not known, such as `~user`.
    Tilde(String),
}

/// `name=value` before a command or alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// From the name to the end of the value.
    pub span: Span,
    /// The variable's name.
    pub name: String,
    /// The value; unknown for arrays.
    pub value: Word,
    /// Whether it is `+=`.
    pub append: bool,
    /// Whether one element is assigned, or a whole array.
    pub subscript: bool,
}
