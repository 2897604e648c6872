//! What can go wrong with a patch.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::ParseError;
use crate::edit::{Found, Misfit, Sought};

/// Why a patch, an undo or a recovery was not done. Nothing was changed then, except where [`Problem::Unrestored`] says so.
///
/// Its text is what the tool answers, letter for letter what models know from OpenClaw where that has such an error. [`PatchError::explain`]
/// says more: the file, the hunk, the line of the patch, what was expected, and what to do.
#[derive(Debug, Error)]
#[error("{problem}")]
pub struct PatchError {
    problem: Box<Problem>,
    site: Option<Box<Site>>,
}

/// Which part of a patch an error is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Site {
    /// Path as the patch has it.
    pub path: String,
    /// Number of the section, counted from 1.
    pub section: usize,
    /// Number of the hunk within the section, counted from 1, if it is about one.
    pub hunk: Option<usize>,
    /// Line of the patch; `*** Begin Patch` is line 1.
    pub line: usize,
}

/// What is wrong.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Problem {
    /// The text is no patch.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// A path is outside the workspace.
    #[error("Path escapes sandbox root ({root}): {path}")]
    PathEscapes {
        /// The workspace.
        root: String,
        /// The path as the patch has it.
        path: String,
    },
    /// A link on the way leads out of the workspace.
    #[error("Symlink escapes sandbox root ({root}): {link}")]
    LinkEscapes {
        /// The workspace.
        root: String,
        /// The link.
        link: String,
    },
    /// A path cannot be used.
    #[error("Cannot use path {path}: {reason}")]
    Path {
        /// The path.
        path: String,
        /// Why, and what would do.
        reason: String,
    },
    /// Something has the path of a file that should be new.
    #[error("Cannot create {path}: the file already exists. {remedy}")]
    Exists {
        /// The path.
        path: String,
        /// What would do.
        remedy: String,
    },
    /// A file cannot be created beside what the patch did before.
    #[error("Cannot create {path}: {reason}")]
    Creation {
        /// The path.
        path: String,
        /// Why, and what would do.
        reason: String,
    },
    /// The file to change is not there or cannot be read.
    #[error("Failed to read file to update {path}: {reason}")]
    Unreadable {
        /// The absolute path.
        path: String,
        /// Why.
        reason: String,
    },
    /// What should be removed is not there or cannot be removed.
    #[error("Cannot delete {path}: {reason}")]
    Deletion {
        /// The path.
        path: String,
        /// Why.
        reason: String,
    },
    /// A directory that should be removed has entries.
    #[error("directory is not empty")]
    DirectoryNotEmpty,
    /// The line after `@@` is not in the file.
    #[error("Failed to find context '{context}' in {path}")]
    ContextMissing {
        /// The line.
        context: String,
        /// The absolute path.
        path: String,
        /// What is nearest, in words.
        nearest: String,
    },
    /// The line after `@@` is in the file more than once.
    #[error(
        "Found {} occurrences of context '{context}' in {path}. The context must be unique; use a more specific @@ context line.",
        places.len()
    )]
    ContextAmbiguous {
        /// The line.
        context: String,
        /// The absolute path.
        path: String,
        /// Lines of the file, counted from 1.
        places: Vec<usize>,
    },
    /// The old lines of a hunk are not in the file.
    #[error("Failed to find expected lines in {path}:\n{lines}")]
    LinesMissing {
        /// The lines.
        lines: String,
        /// The absolute path.
        path: String,
        /// What is nearest, in words.
        nearest: String,
    },
    /// The old lines of a hunk are in the file more than once.
    #[error(
        "Found {} occurrences of these lines in {path}. The lines must be unique; include more surrounding lines in the hunk:\n{lines}",
        places.len()
    )]
    LinesAmbiguous {
        /// The lines.
        lines: String,
        /// The absolute path.
        path: String,
        /// Lines of the file on which they begin, counted from 1.
        places: Vec<usize>,
    },
    /// All files together are too much for one patch.
    #[error(
        "the files of this patch are more than {limit} bytes together; split it into several patches"
    )]
    TooMuch {
        /// The limit in bytes.
        limit: u64,
    },
    /// A file is no longer what it was when it was read.
    #[error(
        "{path} was changed by something else while the patch was applied; nothing was written: read the file again"
    )]
    ChangedMeanwhile {
        /// The path.
        path: String,
    },
    /// The system refused something.
    #[error("cannot {action} `{path}`: {error}")]
    Fault {
        /// What was to be done.
        action: &'static str,
        /// With what.
        path: String,
        /// What the system said.
        #[source]
        error: io::Error,
    },
    /// Files could not be put back after a failure. [`recover`](crate::recover) tries again.
    #[error(
        "{cause}; and what was done before that could not be taken back yet, which is tried again before the next patch: {error}"
    )]
    Unrestored {
        /// Why the patch failed.
        cause: String,
        /// Why it could not be taken back.
        #[source]
        error: io::Error,
    },
    /// There is no record of this patch, or no longer.
    #[error("there is nothing to undo by the name of {id}; only the latest patches are kept")]
    UnknownUndo {
        /// The name.
        id: String,
    },
    /// Files are not as the patch left them.
    #[error("patch {id} cannot be undone, something else has changed since: {}", paths.join(", "))]
    ChangedSince {
        /// The patch.
        id: String,
        /// The files, absolute paths.
        paths: Vec<String>,
    },
    /// The patch was made in another workspace.
    #[error("patch {id} belongs to the workspace {root}")]
    OtherWorkspace {
        /// The patch.
        id: String,
        /// That workspace.
        root: String,
    },
}

impl PatchError {
    /// What is wrong.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// Which part of the patch it is about, if it is about one.
    pub fn site(&self) -> Option<&Site> {
        self.site.as_deref()
    }

    /// Says which file, hunk and line it is about, what was expected there and what would do: one line, for people and records. Shown to a
    /// model as well it saves it a guess; it names no path that the error itself does not.
    pub fn explain(&self) -> String {
        let place = self.site.as_ref().map(|site| match site.hunk {
            Some(hunk) => format!(
                "`{}`, hunk {hunk}, line {} of the patch: ",
                site.path, site.line
            ),
            None => format!("`{}`, line {} of the patch: ", site.path, site.line),
        });
        format!("{}{}", place.unwrap_or_default(), self.problem.expected())
    }

    /// The same error, known to be about a part of the patch.
    pub(crate) fn at(self, site: Site) -> Self {
        Self {
            site: Some(Box::new(site)),
            ..self
        }
    }
}

impl Problem {
    /// What was expected, or would do.
    fn expected(&self) -> String {
        match self {
            Self::Parse(error) => {
                let line = error
                    .line()
                    .map(|line| format!("line {line} of the patch: "));
                format!("{}expected {}", line.unwrap_or_default(), error.expected())
            }
            Self::PathEscapes { root, .. } => {
                format!(
                    "expected a path within {root} (only the workspace may be patched: `workspace_only`)"
                )
            }
            Self::LinkEscapes { root, .. } => {
                format!(
                    "expected a path that links do not lead out of {root} (only the workspace may be patched: `workspace_only`)"
                )
            }
            Self::Exists { remedy, .. } => format!("expected a path that nothing has. {remedy}"),
            Self::DirectoryNotEmpty => {
                "expected an empty directory: delete each file in it first".to_owned()
            }
            Self::ContextMissing {
                nearest, context, ..
            } => {
                format!("expected one line `{context}` after the hunks before; {nearest}")
            }
            Self::LinesMissing { nearest, .. } => {
                format!("expected its old lines after the hunks before; {nearest}")
            }
            Self::ContextAmbiguous { places, .. } | Self::LinesAmbiguous { places, .. } => {
                format!(
                    "expected one match; ambiguous ({} matches: lines {})",
                    places.len(),
                    listed(places)
                )
            }
            Self::Path { .. }
            | Self::Creation { .. }
            | Self::Unreadable { .. }
            | Self::Deletion { .. }
            | Self::TooMuch { .. }
            | Self::ChangedMeanwhile { .. }
            | Self::Fault { .. }
            | Self::Unrestored { .. }
            | Self::UnknownUndo { .. }
            | Self::ChangedSince { .. }
            | Self::OtherWorkspace { .. } => self.to_string(),
        }
    }

    /// A hunk that does not fit into a file.
    pub(crate) fn misfit(misfit: Misfit, path: String) -> Self {
        match (misfit.sought, misfit.found) {
            (Sought::Context(context), Found::Places(places)) => Self::ContextAmbiguous {
                context,
                path,
                places,
            },
            (Sought::Context(context), Found::Nothing(nearest)) => Self::ContextMissing {
                context,
                path,
                nearest,
            },
            (Sought::Lines(lines), Found::Places(places)) => Self::LinesAmbiguous {
                lines,
                path,
                places,
            },
            (Sought::Lines(lines), Found::Nothing(nearest)) => Self::LinesMissing {
                lines,
                path,
                nearest,
            },
        }
    }

    /// What the system refused.
    pub(crate) fn fault(
        action: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(io::Error) -> Self {
        let path = path.into().display().to_string();
        move |error| Self::Fault {
            action,
            path,
            error,
        }
    }
}

impl From<Problem> for PatchError {
    fn from(problem: Problem) -> Self {
        Self {
            problem: Box::new(problem),
            site: None,
        }
    }
}

impl From<ParseError> for PatchError {
    fn from(error: ParseError) -> Self {
        Problem::Parse(error).into()
    }
}

/// Places that a message lists.
const LISTED: usize = 20;

fn listed(places: &[usize]) -> String {
    let shown = places.iter().take(LISTED).map(usize::to_string);
    let text = shown.collect::<Vec<_>>().join(", ");
    match places.len() > LISTED {
        true => format!("{text}, …"),
        false => text,
    }
}
