//! Redirects and here-documents.

use crate::source::Span;
use crate::word::Word;

/// One redirect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redirect {
    /// From the descriptor to the end of the target.
    pub span: Span,
    /// The descriptor written before the operator, if any.
    pub descriptor: Option<Descriptor>,
    /// The operator.
    pub operator: RedirectOperator,
    /// The word after the operator: a path, a descriptor, a here-string or a here-document's delimiter.
    pub target: Word,
    /// The here-document or here-string.
    pub here: Option<HereDocument>,
}

/// The descriptor a redirect names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Descriptor {
    /// `2>`.
    Number(u32),
    /// `{name}>`: the shell picks a number and stores it in the variable.
    Variable(String),
}

/// Redirect operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RedirectOperator {
    /// `<`
    Read,
    /// `>`
    Write,
    /// `>|`
    Clobber,
    /// `>>`
    Append,
    /// `<>`
    ReadWrite,
    /// `<&`
    DuplicateInput,
    /// `>&`
    DuplicateOutput,
    /// `&>`
    WriteBoth,
    /// `&>>`
    AppendBoth,
    /// `<<`
    HereDocument,
    /// `<<-`
    HereDocumentStripped,
    /// `<<<`
    HereString,
}

impl RedirectOperator {
    /// Whether output goes to the target.
    pub(crate) fn writes(self) -> bool {
        match self {
            Self::Write
            | Self::Clobber
            | Self::Append
            | Self::ReadWrite
            | Self::DuplicateOutput
            | Self::WriteBoth
            | Self::AppendBoth => true,
            Self::Read
            | Self::DuplicateInput
            | Self::HereDocument
            | Self::HereDocumentStripped
            | Self::HereString => false,
        }
    }
}

/// Text that a redirect feeds to its command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HereDocument {
    /// Whether the delimiter was quoted, so that nothing in the body is expanded.
    pub quoted: bool,
    /// The body in the text, or the word of a here-string.
    pub span: Span,
    /// The text fed, if it is known for certain.
    pub body: Option<String>,
}
