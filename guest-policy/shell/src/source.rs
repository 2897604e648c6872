//! The text under analysis, what is known of its surroundings, and places in it.

/// A byte range `[start, end)` of the analysed text, on character boundaries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte; never less than `start`.
    pub end: u32,
}

impl Span {
    /// Returns the range from `start` to `end`; texts are capped far below 4 GiB.
    pub(crate) fn new(start: usize, end: usize) -> Self {
        Self {
            start: start as u32,
            end: end.max(start) as u32,
        }
    }

    /// Returns the smallest range that holds both.
    pub(crate) fn to(self, other: Self) -> Self {
        Self {
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }
}

/// The language a text is read as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// GNU bash 5, as `bash -c` reads it.
    #[default]
    Bash,
    /// A POSIX `sh`, which may be dash or bash: what they read differently is reported as opaque.
    Posix,
    /// Zsh, read as bash.
    Zsh,
    /// PowerShell: Windows PowerShell 5.1 or PowerShell 7.
    PowerShell,
    /// The Windows command processor, as `cmd /c` reads a line, or a line of a batch file.
    Cmd,
}

/// A text and what is known of the place it would run in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source<'a> {
    /// The command text, at most [`crate::MAX_TEXT_BYTES`] bytes.
    pub text: &'a str,
    /// The language it is written in.
    pub dialect: Dialect,
    /// Home directory that an unquoted `~` and `$HOME` stand for.
    pub home: Option<&'a str>,
    /// Working directory that `$PWD` and `~+` stand for until the text changes it.
    pub cwd: Option<&'a str>,
    /// Values of exported variables that may be relied on.
    pub variables: &'a [(String, String)],
}
