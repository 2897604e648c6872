//! What is written down of a patch before it changes anything.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::state::State;

/// A patch, or what takes one back, as paths that go from one state to another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Record {
    /// Real path of the directory that nothing leaves.
    pub root: OsString,
    /// The paths, in the order of the patch.
    pub entries: Vec<RecordEntry>,
    /// Directories that are made first, below the root, outermost first.
    pub made: Vec<OsString>,
    /// Directories that are removed last if they are empty, below the root, outermost first.
    pub removed: Vec<OsString>,
    /// The patch that this takes back.
    pub undoes: Option<String>,
}

/// One path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RecordEntry {
    /// Real path below the root.
    pub path: OsString,
    pub before: State,
    pub after: State,
}

impl Record {
    pub fn root(&self) -> &Path {
        Path::new(&self.root)
    }

    /// What takes this back.
    pub fn reversed(&self) -> Self {
        let entry = |entry: &RecordEntry| RecordEntry {
            path: entry.path.clone(),
            before: entry.after.clone(),
            after: entry.before.clone(),
        };
        Self {
            root: self.root.clone(),
            entries: self.entries.iter().map(entry).collect(),
            made: self.removed.clone(),
            removed: self.made.clone(),
            undoes: self.undoes.clone(),
        }
    }

    /// An absolute path for a message.
    pub fn shown(&self, index: usize) -> PathBuf {
        self.root().join(&self.entries[index].path)
    }
}
