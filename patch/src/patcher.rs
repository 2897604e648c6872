//! Applies patches to a workspace.

use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::Patch;
use crate::error::{PatchError, Problem};
use crate::ground::Ground;
use crate::overlay::{Entry, Held};
use crate::plan::Plan;
use crate::record::{Record, RecordEntry};
use crate::recover::recover_in;
use crate::root::Root;
use crate::steps::Steps;
use crate::store::Store;
use crate::summary::{FileRecord, Summary};
use crate::transaction::{Work, perform};

#[cfg(test)]
mod tests;

/// Where patches are applied, and what is kept of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The directory that relative paths of a patch begin in. It must exist.
    pub workspace: PathBuf,
    /// Whether paths outside the workspace are refused: with `..`, absolute, or through links.
    pub workspace_only: bool,
    /// What `~` stands for in a path; such paths are refused if it is `None`.
    pub home: Option<PathBuf>,
    /// Directory for what is needed to undo patches, made with mode 0700 where it is missing. No patch may touch it; best outside of every
    /// workspace. Patchers with the same one wait for each other.
    pub state: PathBuf,
    /// Most bytes that the previous contents of patched files take; the oldest patches make room.
    pub undo_quota_bytes: u64,
}

impl Settings {
    /// Default of [`Settings::undo_quota_bytes`].
    pub const DEFAULT_UNDO_QUOTA_BYTES: u64 = 100_000_000;
}

/// Name of an applied patch, by which it can be undone. Later patches have names that are greater.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct UndoId(pub String);

/// What a patch did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Applied {
    /// What the tool answers: `Success. Updated the following files:` and a line with `A`, `M` or `D` for each, or `No changes made to …`.
    pub text: String,
    /// The details of the tool.
    pub summary: Summary,
    /// Each path that changed, with digests before and after.
    pub files: Vec<FileRecord>,
    /// By what it can be undone; `None` if nothing changed, or if it alone is above the quota.
    pub undo: Option<UndoId>,
}

/// Applies patches to one workspace.
///
/// It blocks as files do, and while another patcher with the same state directory is at work.
#[derive(Debug)]
pub struct Patcher {
    pub(crate) ground: Ground,
    pub(crate) state: PathBuf,
    pub(crate) quota: u64,
    pub(crate) steps: Steps,
}

impl Patcher {
    /// Opens the workspace. Nothing is written.
    ///
    /// # Errors
    /// The workspace is not there or no directory.
    pub fn open(settings: &Settings) -> Result<Self, PatchError> {
        let fault = || Problem::fault("open the workspace", &settings.workspace);
        let workspace = std::path::absolute(&settings.workspace).map_err(fault())?;
        let root = match settings.workspace_only {
            true => workspace.as_path(),
            false => Path::new("/"),
        };
        let root = Root::open(root).map_err(fault())?;
        let state = real(&settings.state);
        let state = state.map_err(Problem::fault("find the state directory", &settings.state))?;
        Ok(Self {
            ground: Ground {
                root,
                real_workspace: workspace.canonicalize().map_err(fault())?,
                workspace,
                home: settings.home.clone(),
                state: state.clone(),
            },
            state,
            quota: settings.undo_quota_bytes,
            steps: Steps::default(),
        })
    }

    /// Applies a patch: all of it, or nothing.
    ///
    /// Everything is read and every hunk placed before anything is written. What was there before is on the disk before the first file changes,
    /// so that a process that is killed leaves the tree as before or as after once [`recover`](crate::recover) has run; this runs it first.
    ///
    /// # Errors
    /// The patch does not fit or the system refuses something; the tree is as before, except where [`Problem::Unrestored`] says so.
    pub fn apply(&self, patch: &Patch) -> Result<Applied, PatchError> {
        let store = self.lock()?;
        let plan = Plan::new(&self.ground, patch)?;
        let id = match plan.changes.is_empty() {
            true => None,
            false => Some(perform(&store, &self.steps, &self.work(&plan))?),
        };
        // The patch is applied whatever comes of this, and the next one tries again.
        let _tried_again = store.prune(self.quota);
        Ok(Applied {
            text: plan.text(),
            files: plan.records(),
            undo: id.filter(|id| store.has(id)).map(UndoId),
            summary: plan.summary,
        })
    }

    /// Takes the state directory for this process, and finishes or takes back what was interrupted.
    pub(crate) fn lock(&self) -> Result<Store<'_>, PatchError> {
        let store = Store::lock(&self.state, &self.steps);
        let store = store.map_err(Problem::fault("open the state directory", &self.state))?;
        recover_in(&store, &self.steps, &self.state)?;
        Ok(store)
    }

    fn work<'p>(&'p self, plan: &'p Plan) -> Work<'p> {
        let entry = |(path, entry): &(PathBuf, Entry)| RecordEntry {
            path: path.clone().into_os_string(),
            before: entry.before.state(),
            after: entry.now.state(),
        };
        let made = plan
            .directories
            .iter()
            .map(|path| path.clone().into_os_string());
        Work {
            root: &self.ground.root,
            record: Record {
                root: self.ground.root.path.clone().into_os_string(),
                entries: plan.changes.iter().map(entry).collect(),
                made: made.collect(),
                removed: Vec::new(),
                undoes: None,
            },
            before: plan
                .changes
                .iter()
                .map(|(_, entry)| bytes(&entry.before))
                .collect(),
            after: plan
                .changes
                .iter()
                .map(|(_, entry)| bytes(&entry.now))
                .collect(),
            fingerprints: plan
                .changes
                .iter()
                .map(|(_, entry)| entry.fingerprint)
                .collect(),
        }
    }
}

fn bytes(held: &Held) -> Option<&[u8]> {
    match held {
        Held::File { content, .. } => Some(content),
        Held::Absent | Held::Link { .. } | Held::Directory { .. } => None,
    }
}

/// The real path of something of which the last names may not be there yet.
fn real(path: &Path) -> io::Result<PathBuf> {
    let path = std::path::absolute(path)?;
    for ancestor in path.ancestors() {
        match ancestor.canonicalize() {
            Ok(real) => {
                let rest = path.strip_prefix(ancestor).unwrap_or(Path::new(""));
                return Ok(real.join(rest));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(path)
}
