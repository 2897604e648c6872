//! What a patch did, in the form of the tool's answer.

use serde::Serialize;

/// The files that a patch touched, as they are shown: relative to the workspace where they are inside. None comes twice in a list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// Files made.
    pub added: Vec<String>,
    /// Files changed; a moved one by its new path.
    pub modified: Vec<String>,
    /// Files, links and directories removed.
    pub deleted: Vec<String>,
}

impl Summary {
    /// Whether nothing is in any list.
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.modified.is_empty() && self.deleted.is_empty()
    }

    /// The answer of the tool, given the files that hunks would have changed into what they are.
    pub(crate) fn text(&self, unchanged: &[String]) -> String {
        if self.is_empty() && !unchanged.is_empty() {
            return format!("No changes made to {}.", unchanged.join(", "));
        }
        let lists = [
            ("A", &self.added),
            ("M", &self.modified),
            ("D", &self.deleted),
        ];
        let mut text = "Success. Updated the following files:".to_owned();
        for (letter, list) in lists {
            for path in list {
                text.push_str(&format!("\n{letter} {path}"));
            }
        }
        text
    }
}

/// How a file came out of a patch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    /// It was not there before.
    Added,
    /// It is another one now.
    Modified,
    /// It is no longer there.
    Deleted,
}

/// A file that a patch changed, for a record. A move is two of them: one deleted, one added.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FileRecord {
    /// As it is shown in the [`Summary`].
    pub path: String,
    /// How it came out.
    pub change: Change,
    /// SHA-256 of the bytes before, hexadecimal; `None` if it was no regular file.
    pub before: Option<String>,
    /// SHA-256 of the bytes after, hexadecimal; `None` if it is no regular file.
    pub after: Option<String>,
}
