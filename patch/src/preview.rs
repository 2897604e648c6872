//! What a patch would do, without doing it.

use std::time::Duration;

use serde::Serialize;
use similar::TextDiff;

use crate::error::PatchError;
use crate::overlay::{Entry, Held};
use crate::plan::Plan;
use crate::summary::{FileRecord, Summary};
use crate::{Patch, Patcher};

/// After this long a difference is shown as larger than it is, so that texts made to be hard to compare cannot hold a caller up.
const PATIENCE: Duration = Duration::from_secs(1);

/// What a patch would do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Preview {
    /// What the tool would answer.
    pub text: String,
    /// The details it would give.
    pub summary: Summary,
    /// A unified diff of all files. Bytes that are no text are shown as U+FFFD.
    pub diff: String,
    /// Each path that would change, with digests before and after.
    pub files: Vec<FileRecord>,
}

impl Patcher {
    /// Tells what a patch would do. Reads the files and touches nothing, the state directory included.
    ///
    /// # Errors
    /// As [`Patcher::apply`], as far as that can be told without writing.
    pub fn dry_run(&self, patch: &Patch) -> Result<Preview, PatchError> {
        let plan = Plan::new(&self.ground, patch)?;
        Ok(Preview {
            text: plan.text(),
            diff: plan.changes.iter().map(|(_, entry)| diff(entry)).collect(),
            files: plan.records(),
            summary: plan.summary,
        })
    }
}

fn diff(entry: &Entry) -> String {
    let (before, after) = (text(&entry.before), text(&entry.now));
    let header = |held: &Held, side: &str| match held {
        Held::Absent => "/dev/null".to_owned(),
        Held::File { .. } | Held::Link { .. } | Held::Directory { .. } => {
            format!("{side}/{}", entry.display.trim_start_matches('/'))
        }
    };
    let old = header(&entry.before, "a");
    let new = header(&entry.now, "b");
    if before == after {
        // An empty file or directory, or one that becomes something else.
        return format!("--- {old}\n+++ {new}\n");
    }
    let mut config = TextDiff::configure();
    let diff = config.timeout(PATIENCE).diff_lines(&before, &after);
    diff.unified_diff().header(&old, &new).to_string()
}

fn text(held: &Held) -> String {
    match held {
        Held::Absent | Held::Directory { .. } => String::new(),
        Held::File { content, .. } => String::from_utf8_lossy(content).into_owned(),
        Held::Link { target } => target.display().to_string(),
    }
}
