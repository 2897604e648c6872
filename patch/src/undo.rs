//! Takes an applied patch back.

use std::path::Path;

use cap_std::fs::Dir;
use serde::Serialize;

use crate::disk;
use crate::error::{PatchError, Problem};
use crate::ground::split;
use crate::record::{Record, RecordEntry};
use crate::root::Root;
use crate::state::{Attributes, FileState, Fingerprint, State};
use crate::store::{Stage, Store};
use crate::summary::{Change, FileRecord};
use crate::transaction::{Work, holds, perform};
use crate::{Patcher, UndoId};

/// What an undo did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Undone {
    /// Each path that changed, as in [`Applied::files`](crate::Applied::files).
    pub files: Vec<FileRecord>,
}

impl Patcher {
    /// Takes a patch back: contents, modes, links, and directories that the patch made and that are empty then. All of it, or nothing.
    ///
    /// It can be done as long as the files are as the patch left them; a later patch of the same files is to be undone first. A file that had
    /// several names comes back with one.
    ///
    /// # Errors
    /// The patch is not known or no longer kept, files have changed since, or the system refuses something; nothing was changed.
    pub fn undo(&self, id: &UndoId) -> Result<Undone, PatchError> {
        let UndoId(id) = id;
        let store = self.lock()?;
        let record = self.applied(&store, id)?;
        let before = self.observe(&record, id)?;
        let mut reversed = Record {
            undoes: Some(id.clone()),
            ..record.reversed()
        };
        let mut contents = Vec::new();
        for (index, entry) in reversed.entries.iter_mut().enumerate() {
            // With the mode that it has now, should this be taken back in turn.
            entry.before = before[index].state.clone();
            contents.push(match &entry.after {
                State::File(_) => Some(content(&store, id, index)?),
                State::Absent | State::Link { .. } | State::Directory { .. } => None,
            });
        }
        let files = reversed
            .entries
            .iter()
            .map(|entry| self.file_record(entry))
            .collect();
        let work = Work {
            root: &self.ground.root,
            record: reversed,
            before: before.iter().map(|now| now.content.as_deref()).collect(),
            after: contents.iter().map(Option::as_deref).collect(),
            fingerprints: before.iter().map(|now| now.fingerprint).collect(),
        };
        perform(&store, &self.steps, &work)?;
        Ok(Undone { files })
    }

    /// The record of a patch that was applied here.
    fn applied(&self, store: &Store<'_>, id: &str) -> Result<Record, Problem> {
        if !store.has(id) {
            return Err(Problem::UnknownUndo { id: id.to_owned() });
        }
        let record = store.record(id, Stage::Applied);
        let record = record.map_err(Problem::fault("read what is kept in", &self.state))?;
        if record.root() != self.ground.root.path {
            return Err(Problem::OtherWorkspace {
                id: id.to_owned(),
                root: record.root().display().to_string(),
            });
        }
        Ok(record)
    }

    /// What the files of a patch are now, if they are as it left them.
    fn observe(&self, record: &Record, id: &str) -> Result<Vec<Now>, Problem> {
        let root = &self.ground.root;
        let mut all = Vec::new();
        let mut changed = Vec::new();
        for (index, entry) in record.entries.iter().enumerate() {
            let fault = Problem::fault("read", record.shown(index));
            let is_as_left = holds(root, entry, &entry.after).map_err(fault)?;
            match is_as_left.then(|| Now::read(root, entry)).flatten() {
                Some(now) => all.push(now),
                None => changed.push(record.shown(index).display().to_string()),
            }
        }
        if changed.is_empty() {
            return Ok(all);
        }
        Err(Problem::ChangedSince {
            id: id.to_owned(),
            paths: changed,
        })
    }

    fn file_record(&self, entry: &RecordEntry) -> FileRecord {
        let path = self.ground.root.path.join(&entry.path);
        FileRecord {
            path: self.ground.shown(&path),
            change: match (&entry.before, &entry.after) {
                (State::Absent, _) => Change::Added,
                (_, State::Absent) => Change::Deleted,
                _ => Change::Modified,
            },
            before: entry.before.digest().map(str::to_owned),
            after: entry.after.digest().map(str::to_owned),
        }
    }
}

fn content(store: &Store<'_>, id: &str, index: usize) -> Result<Vec<u8>, Problem> {
    let content = store.content(id, Stage::Applied, index);
    content.map_err(Problem::fault("read what is kept of patch", id))
}

/// What a path holds before an undo.
struct Now {
    state: State,
    content: Option<Vec<u8>>,
    fingerprint: Option<Fingerprint>,
}

impl Now {
    /// Reads what was just seen to be as a patch left it; `None` if it is not so any more.
    fn read(root: &Root, entry: &RecordEntry) -> Option<Self> {
        let other = |fingerprint| Self {
            state: entry.after.clone(),
            content: None,
            fingerprint,
        };
        if entry.after == State::Absent {
            return Some(other(None));
        }
        let (parent, name) = split(Path::new(&entry.path));
        let directory: Dir = root.directory(&parent).ok()?;
        let State::File(_) = &entry.after else {
            let stat = disk::look(&directory, &name).ok()??;
            return Some(other(Some(Fingerprint::of(&stat))));
        };
        let (content, stat) = disk::read(&directory, &name).ok()?;
        let file = FileState::new(&content, Some(Attributes::of(&stat)));
        let is_as_left = Some(file.digest.as_str()) == entry.after.digest();
        is_as_left.then_some(Self {
            state: State::File(file),
            content: Some(content),
            fingerprint: Some(Fingerprint::of(&stat)),
        })
    }
}
