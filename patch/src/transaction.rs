//! Takes paths from one state to another: all of them, or none.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};

use crate::disk;
use crate::error::Problem;
use crate::ground::split;
use crate::record::{Record, RecordEntry};
use crate::root::Root;
use crate::state::{Fingerprint, State};
use crate::steps::Steps;
use crate::store::{Stage, Store};

/// What a transaction needs besides its record.
pub(crate) struct Work<'w> {
    pub root: &'w Root,
    pub record: Record,
    /// The bytes before and after of each entry, where it is a file.
    pub before: Vec<Option<&'w [u8]>>,
    pub after: Vec<Option<&'w [u8]>>,
    /// What each entry was when it was read.
    pub fingerprints: Vec<Option<Fingerprint>>,
}

/// Does it and keeps a record of it; on a failure everything is taken back. Returns its name.
pub(crate) fn perform(
    store: &Store<'_>,
    steps: &Steps,
    work: &Work<'_>,
) -> Result<String, Problem> {
    let fault = || {
        Problem::fault(
            "keep what is needed to undo the patch of",
            work.record.root(),
        )
    };
    let id = store.next_id().map_err(fault())?;
    if let Err(error) = store.begin(&id, &work.record, &work.before) {
        // Nothing else was touched; if this fails as well, the next recovery does it.
        let _some_other_time = store.discard(&id, Stage::New);
        return Err(fault()(error));
    }
    let hands = Hands {
        root: work.root,
        steps,
        id: &id,
    };
    let done = hands.forward(work).and_then(|()| {
        finish(store, &id, &work.record)
            .map_err(Problem::fault("finish the patch of", work.record.root()))
    });
    let Err(problem) = done else { return Ok(id) };
    match roll_back(store, steps, &id, &work.record, Some(work.root)) {
        Ok(_) => Err(problem),
        Err(error) => Err(Problem::Unrestored {
            cause: problem.to_string(),
            error,
        }),
    }
}

/// Notes that a patch was applied, or that one was taken back: of that nothing is kept.
fn finish(store: &Store<'_>, id: &str, record: &Record) -> io::Result<()> {
    match &record.undoes {
        None => store.advance(id, Stage::Open, Stage::Applied),
        Some(undone) => {
            store.discard(id, Stage::Open)?;
            // Should it stay, it is one that cannot be undone, and makes room some other time.
            let _some_other_time = store.discard(undone, Stage::Applied);
            Ok(())
        }
    }
}

/// Finishes a patch that was interrupted after its last change. `false` if it was interrupted before.
pub(crate) fn finish_if_complete(
    store: &Store<'_>,
    steps: &Steps,
    id: &str,
    record: &Record,
    root: &Root,
) -> io::Result<bool> {
    for entry in &record.entries {
        if !holds(root, entry, &entry.after)? {
            return Ok(false);
        }
    }
    let hands = Hands { root, steps, id };
    hands.remove_directories(&record.removed)?;
    hands.sync(record)?;
    finish(store, id, record)?;
    Ok(true)
}

/// Takes back what was done of a patch and drops its record. Returns the entries that somebody else has changed meanwhile: they stay as they
/// are, and the record stays with them. `root` is `None` if the directory is gone.
pub(crate) fn roll_back(
    store: &Store<'_>,
    steps: &Steps,
    id: &str,
    record: &Record,
    root: Option<&Root>,
) -> io::Result<Vec<PathBuf>> {
    let left = match root {
        Some(root) => Hands { root, steps, id }.backward(store, record)?,
        None => (0..record.entries.len()).collect(),
    };
    if left.is_empty() {
        store.discard(id, Stage::Open)?;
    } else {
        store.advance(id, Stage::Open, Stage::Left)?;
    }
    Ok(left.into_iter().map(|index| record.shown(index)).collect())
}

/// Whether a path is in a state.
pub(crate) fn holds(root: &Root, entry: &RecordEntry, state: &State) -> io::Result<bool> {
    let (parent, name) = split(Path::new(&entry.path));
    match root.directory(&parent) {
        Ok(directory) => disk::holds(&directory, &name, state),
        Err(error) if disk::is_gone(&error) => Ok(*state == State::Absent),
        Err(error) => Err(error),
    }
}

/// What changes the tree, step by step.
struct Hands<'h> {
    root: &'h Root,
    steps: &'h Steps,
    /// Name of the patch, part of the names of its temporary files.
    id: &'h str,
}

impl Hands<'_> {
    fn forward(&self, work: &Work<'_>) -> Result<(), Problem> {
        let record = &work.record;
        self.make_directories(&record.made)?;
        let (directories, others): (Vec<usize>, Vec<usize>) = in_order(record)
            .into_iter()
            .partition(|index| record.entries[*index].after.is_directory());
        // Others may be in them.
        for index in directories {
            self.change(work, index)?;
        }
        for index in &others {
            let RecordEntry { path, after, .. } = &record.entries[*index];
            let prepared = self.prepare(*index, path, after, work.after[*index]);
            prepared.map_err(Problem::fault("write beside", record.shown(*index)))?;
        }
        // Once for all before the first is written, and once more for each just before.
        for index in &others {
            self.check(work, *index)?;
        }
        for index in others {
            self.change(work, index)?;
        }
        let removed = self.remove_directories(&record.removed);
        removed.map_err(Problem::fault("remove directories in", record.root()))?;
        self.sync(record)
            .map_err(Problem::fault("write", record.root()))
    }

    fn change(&self, work: &Work<'_>, index: usize) -> Result<(), Problem> {
        self.check(work, index)?;
        let RecordEntry {
            path,
            before,
            after,
        } = &work.record.entries[index];
        let placed = self.place(index, path, before, after);
        placed.map_err(Problem::fault("write", work.record.shown(index)))
    }

    fn check(&self, work: &Work<'_>, index: usize) -> Result<(), Problem> {
        let path = work.record.shown(index);
        let entry = &work.record.entries[index];
        if entry.before.is_directory() {
            // It changes with what the patch removes from it, and one that is not empty stays anyway.
            return Ok(());
        }
        let (parent, name) = split(Path::new(&entry.path));
        let directory = self.root.directory(&parent);
        let is_unchanged = directory
            .and_then(|directory| disk::is_unchanged(&directory, &name, work.fingerprints[index]));
        match is_unchanged {
            Ok(true) => Ok(()),
            Ok(false) => Err(Problem::ChangedMeanwhile {
                path: path.display().to_string(),
            }),
            Err(error) => Err(Problem::fault("look at", path)(error)),
        }
    }

    fn make_directories(&self, paths: &[OsString]) -> Result<(), Problem> {
        for path in paths {
            let made = self.make_directory(Path::new(path));
            made.map_err(Problem::fault(
                "make the directory",
                self.root.path.join(path),
            ))?;
        }
        Ok(())
    }

    fn make_directory(&self, path: &Path) -> io::Result<()> {
        let (parent, name) = split(path);
        let parent = self.root.directory(&parent)?;
        self.steps.next()?;
        disk::make_directory(&parent, &name, None)
    }

    /// Removes directories that are empty now; others have got something else meanwhile, and stay.
    fn remove_directories(&self, paths: &[OsString]) -> io::Result<()> {
        for path in paths.iter().rev() {
            let (parent, name) = split(Path::new(path));
            let parent = match self.root.directory(&parent) {
                Err(error) if disk::is_gone(&error) => continue,
                other => other?,
            };
            self.steps.next()?;
            match disk::remove_directory(&parent, &name) {
                Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => {}
                Err(error) if disk::is_gone(&error) => {}
                other => other?,
            }
        }
        Ok(())
    }

    /// Name of the temporary file of an entry: hidden, and unlike what anybody else makes.
    fn temporary(&self, index: usize) -> OsString {
        format!(".execgate-patch-{}-{index}", self.id).into()
    }

    /// Writes what a path will hold beside it.
    fn prepare(
        &self,
        index: usize,
        path: &OsStr,
        state: &State,
        content: Option<&[u8]>,
    ) -> io::Result<()> {
        let (parent, _) = split(Path::new(path));
        let temporary = self.temporary(index);
        match state {
            State::Absent | State::Directory { .. } => Ok(()),
            State::File(file) => {
                let parent = self.root.directory(&parent)?;
                self.steps.next()?;
                disk::create(
                    &parent,
                    &temporary,
                    content.unwrap_or_default(),
                    file.attributes,
                )
            }
            State::Link { target } => {
                let parent = self.root.directory(&parent)?;
                self.steps.next()?;
                disk::link(&parent, &temporary, target)
            }
        }
    }

    /// Takes a path from one state to the other, by one call.
    fn place(&self, index: usize, path: &OsStr, from: &State, to: &State) -> io::Result<()> {
        let (parent, name) = split(Path::new(path));
        let parent = self.root.directory(&parent)?;
        self.steps.next()?;
        match (from, to) {
            (State::Absent, State::File(_) | State::Link { .. }) => {
                disk::rename_new(&parent, &self.temporary(index), &name)
            }
            (State::File(_) | State::Link { .. }, State::File(_) | State::Link { .. }) => {
                disk::replace(&parent, &self.temporary(index), &name)
            }
            (State::File(_) | State::Link { .. }, State::Absent) => disk::remove(&parent, &name),
            (State::Directory { .. }, State::Absent) => disk::remove_directory(&parent, &name),
            (State::Absent, State::Directory { mode }) => {
                disk::make_directory(&parent, &name, Some(*mode))
            }
            (State::Absent, State::Absent) => Ok(()),
            (
                State::Directory { .. },
                State::Directory { .. } | State::File(_) | State::Link { .. },
            )
            | (State::File(_) | State::Link { .. }, State::Directory { .. }) => {
                // No one call does that; no patch is planned so.
                Err(io::Error::other(
                    "a directory and a file cannot trade places",
                ))
            }
        }
    }

    /// Takes everything back that was done, as far as nobody else has changed it. Can be done again if it was interrupted.
    fn backward(&self, store: &Store<'_>, record: &Record) -> io::Result<Vec<usize>> {
        let reversed = record.reversed();
        let mut left = Vec::new();
        for path in &reversed.made {
            match self.make_directory(Path::new(path)) {
                // Its parent is gone as well: then what was in it is told as left.
                Err(error) if disk::is_gone(&error) => {}
                other => other?,
            }
        }
        // First of all: a directory with a temporary file in it cannot be removed.
        for (index, entry) in record.entries.iter().enumerate() {
            self.clear(index, &entry.path)?;
        }
        for index in in_order(&reversed) {
            if !self.restore(store, &reversed.entries[index], index)? {
                left.push(index);
            }
        }
        self.remove_directories(&reversed.removed)?;
        self.sync(record)?;
        Ok(left)
    }

    /// Brings a path back to what it was. `false` if it is neither that nor what the patch made of it.
    fn restore(&self, store: &Store<'_>, entry: &RecordEntry, index: usize) -> io::Result<bool> {
        let RecordEntry {
            path,
            before: from,
            after: to,
        } = entry;
        if holds(self.root, entry, to)? {
            return Ok(true);
        }
        if !holds(self.root, entry, from)? {
            return Ok(false);
        }
        let content = match to {
            State::File(_) => Some(store.content(self.id, Stage::Open, index)?),
            State::Absent | State::Link { .. } | State::Directory { .. } => None,
        };
        let prepared = self.prepare(index, path, to, content.as_deref());
        match prepared.and_then(|()| self.place(index, path, from, to)) {
            Ok(()) => Ok(true),
            Err(error) if disk::is_gone(&error) => Ok(false),
            // Somebody else has put something into a directory that is to go.
            Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Removes the temporary file of an entry.
    fn clear(&self, index: usize, path: &OsStr) -> io::Result<()> {
        let (parent, _) = split(Path::new(path));
        let temporary = self.temporary(index);
        let Ok(parent) = self.root.directory(&parent) else {
            return Ok(());
        };
        if disk::look(&parent, &temporary)?.is_some() {
            self.steps.next()?;
            disk::remove(&parent, &temporary)?;
        }
        Ok(())
    }

    /// Waits until all names are on the disk.
    fn sync(&self, record: &Record) -> io::Result<()> {
        let touched = record.entries.iter().map(|entry| &entry.path);
        let made = record.made.iter().chain(&record.removed);
        let parents = touched.chain(made).map(|path| split(Path::new(path)).0);
        for parent in parents.collect::<BTreeSet<PathBuf>>() {
            if let Ok(directory) = self.root.directory(&parent) {
                disk::sync(&directory)?;
            }
        }
        Ok(())
    }
}

/// Entries in the order in which they are placed: directories come before what is in them and go after it.
fn in_order(record: &Record) -> Vec<usize> {
    let mut order: Vec<usize> = (0..record.entries.len()).collect();
    order.sort_by(|one, other| {
        let (one, other) = (&record.entries[*one], &record.entries[*other]);
        let phase =
            |entry: &RecordEntry| (entry.before.is_directory(), !entry.after.is_directory());
        let outer_first = Path::new(&one.path).cmp(Path::new(&other.path));
        phase(one)
            .cmp(&phase(other))
            .then(match one.before.is_directory() {
                true => outer_first.reverse(),
                false => match one.after.is_directory() {
                    true => outer_first,
                    false => std::cmp::Ordering::Equal,
                },
            })
    });
    order
}
