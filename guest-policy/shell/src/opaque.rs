//! What was not understood.

use crate::source::Span;

/// A part of the text that was not understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opaque {
    /// The kind of obstacle.
    pub reason: OpaqueReason,
    /// A sentence fragment for people: what was met and, where it helps, what was expected.
    pub detail: String,
    /// Where in the text.
    pub span: Span,
}

/// Why a part of the text is not understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpaqueReason {
    /// The shell would refuse the text, or its grammar is not the one read here.
    Syntax,
    /// The text, or all inner scripts together, exceed the size limit.
    TooLong,
    /// Constructs or scripts are nested too deeply.
    TooDeep,
    /// There are more commands than [`crate::MAX_SEGMENTS`].
    TooManySegments,
    /// Brace expansion would make too many fields.
    TooManyFields,
    /// The text holds a NUL byte, which no shell reads to its end.
    NulByte,
    /// A script is run whose text is not known (`eval "$x"`, `sh -c "$x"`, `curl … | sh`).
    DynamicScript,
    /// A program that runs another was called in a way its table does not describe.
    UnknownCarrier,
    /// Aliases are expanded, so that the words are not the commands.
    Alias,
    /// Shells that go by this name read the construct differently.
    DialectDependent,
    /// A call into .NET, which may do anything.
    Code,
    /// The dialect is not supported.
    UnsupportedDialect,
}
