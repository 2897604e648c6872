//! A patch as it was read: sections, one a file, with hunks.

/// Longest patch text, in bytes. What a model writes in one call is far below; a patch of very short lines takes up to a hundred times as
/// much memory while it is placed.
pub const MAX_PATCH_BYTES: usize = 2 << 20;

/// Most sections and hunks of a patch together.
pub const MAX_HUNKS: usize = 10_000;

/// A patch: what is done to files, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Patch {
    /// The sections, at least one, in the order in which they take effect.
    pub sections: Vec<Section>,
}

/// What is done to one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// Line of the header; `*** Begin Patch` is line 1.
    pub line: usize,
    /// Path as it was written.
    pub path: String,
    /// What is done.
    pub action: Action,
}

/// What a section does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Makes a file that does not exist yet.
    Add {
        /// The whole file: every line ends with a line feed.
        content: String,
    },
    /// Removes a file, a link, or an empty directory.
    Delete,
    /// Changes a file in place, or while moving it.
    Update {
        /// Path as it was written after `*** Move to:`.
        move_to: Option<String>,
        /// The changes, at least one, in the order of the file.
        hunks: Vec<Hunk>,
    },
}

/// One change within a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk {
    /// Line of its first line in the patch, the `@@` line if it has one.
    pub line: usize,
    /// The text after `@@`: a line of the file after which the search begins. Never empty.
    pub context: Option<String>,
    /// Its lines, at least one.
    pub lines: Vec<HunkLine>,
    /// Whether its old lines are the last ones of the file.
    pub end_of_file: bool,
}

/// A line of a hunk, without its first character and its line ending.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HunkLine {
    /// A line that is there and stays.
    Context(String),
    /// A line that goes.
    Remove(String),
    /// A line that comes.
    Insert(String),
}

impl HunkLine {
    /// The text as the file is expected to have it; `None` of a line that comes.
    pub fn old(&self) -> Option<&str> {
        match self {
            Self::Context(text) | Self::Remove(text) => Some(text),
            Self::Insert(_) => None,
        }
    }
}

impl Hunk {
    /// Lines the file is expected to have.
    pub fn old(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().filter_map(HunkLine::old)
    }
}
