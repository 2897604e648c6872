//! The flat result: one entry for each simple command.

use crate::opaque::Opaque;
use crate::redirect::Redirect;
use crate::source::{Dialect, Span};
use crate::word::{Assignment, Word};

/// All that was understood of a text.
///
/// Whatever was not understood stands in `opaque`: unless that is empty, the segments are not the whole story.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommandLine {
    /// Commands in the order the shell meets them; a parent stands before what was found in it.
    pub segments: Vec<Segment>,
    /// Obstacles, in the order they were met.
    pub opaque: Vec<Opaque>,
}

/// One simple command, or the words and redirects of a compound one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The command with its assignments and redirects.
    pub span: Span,
    /// The argv as far as it is known, after quoting, braces, tilde, known variables and field splitting.
    ///
    /// Empty for pure assignments and for what a compound command holds besides its commands
    /// (redirects, the words of `for` and `case`, tests and arithmetic).
    pub words: Vec<Word>,
    /// Assignments before the command, or the whole of it; of a `for` loop one for each value.
    pub assignments: Vec<Assignment>,
    /// Redirects of this command itself.
    pub redirects: Vec<Redirect>,
    /// Index of the segment this one was found in: the wrapper, the carrier of the script, or the holder of the substitution.
    pub parent: Option<u32>,
    /// How it was found in its parent.
    pub relation: Relation,
    /// Where in the control flow it stands.
    pub context: Context,
    /// Its place in a pipeline; `None` outside of pipelines.
    pub pipeline: Option<Stage>,
    /// Range `[start, end)` of segment indices whose standard output feeds this one's standard input.
    pub fed_by: Option<(u32, u32)>,
    /// The operator before it.
    pub joined: Join,
    /// Nesting depth of groups, substitutions and scripts; 0 at the top.
    pub depth: u32,
    /// The language of the script it stands in.
    pub dialect: Dialect,
    /// The cmdlet or built-in command of a Windows shell that the first word means, in lower case,
    /// where that is known: `remove-item` for `ri`, `rd` for `rmdir`; in any shell `function` for one that the text itself certainly
    /// has defined by then.
    pub canonical: Option<&'static str>,
}

/// How a segment was found in its parent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Relation {
    /// In the text itself; it has no parent.
    #[default]
    Top,
    /// The inner command of a wrapper (`sudo`, `env`, `xargs`, `find -exec`).
    Wrapped,
    /// In a script that the parent runs (`sh -c`, `eval`, `trap`, a shell that reads a here-document).
    Script,
    /// In `$(…)` or backticks inside a word of the parent.
    Substitution,
    /// In `<(…)` or `>(…)`.
    ProcessSubstitution,
}

/// Where in the control flow a segment stands; flags are inherited by everything inside.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Context {
    /// Inside `( … )`, a pipeline stage, a substitution or another process of the shell.
    pub subshell: bool,
    /// May run more than once.
    pub in_loop: bool,
    /// May not run at all.
    pub conditional: bool,
    /// Not waited for (`&`).
    pub background: bool,
    /// Part of a `coproc`.
    pub coprocess: bool,
    /// The innermost function whose body it stands in; it runs when that is called.
    pub function: Option<String>,
}

/// A place in a pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    /// Number of the pipeline, unique within one analysis.
    pub pipeline: u32,
    /// 0 for the first stage.
    pub index: u32,
}

/// The operator that joins a segment to what came before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Join {
    /// First of its list.
    #[default]
    First,
    /// After `;` or a newline.
    Sequence,
    /// After `&&`.
    And,
    /// After `||`.
    Or,
    /// After `&`.
    Background,
    /// After `|`.
    Pipe,
    /// After `|&`.
    PipeBoth,
}
