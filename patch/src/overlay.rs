//! Files as a patch would leave them, over those on the disk. Reads, and writes nothing.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use cap_std::fs::Dir;
use rustix::fs::FileType;

use crate::disk::{self, MAX_FILE_BYTES, Unread};
use crate::error::Problem;
use crate::ground::{Ground, Place, split};
use crate::state::{Attributes, FileState, Fingerprint, State, kind};

/// Most bytes that are read and changed for one patch: all are in memory at once.
const MAX_TOTAL_BYTES: u64 = 256 << 20;

/// What a path holds, with the bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Held {
    Absent,
    File {
        content: Rc<Vec<u8>>,
        attributes: Option<Attributes>,
    },
    Link {
        target: OsString,
    },
    Directory {
        mode: u32,
    },
}

impl Held {
    pub fn state(&self) -> State {
        match self {
            Self::Absent => State::Absent,
            Self::File {
                content,
                attributes,
            } => State::File(FileState::new(content, *attributes)),
            Self::Link { target } => State::Link {
                target: target.clone(),
            },
            Self::Directory { mode } => State::Directory { mode: *mode },
        }
    }
}

/// A path that a patch is about.
#[derive(Debug)]
pub(crate) struct Entry {
    /// As it was first named.
    pub display: String,
    pub before: Held,
    pub now: Held,
    /// Of what is on the disk.
    pub fingerprint: Option<Fingerprint>,
    /// Whether the file on the disk has other names as well.
    pub is_shared: bool,
    /// Whether this process may write to the file on the disk.
    pub is_writable: bool,
    /// Directories above it that are not there.
    pub missing: Vec<PathBuf>,
}

/// The disk and what a patch has changed of it so far.
#[derive(Debug)]
pub(crate) struct Overlay<'g> {
    ground: &'g Ground,
    entries: BTreeMap<PathBuf, Entry>,
    /// Keys in the order in which they were first named.
    order: Vec<PathBuf>,
    bytes: u64,
}

impl<'g> Overlay<'g> {
    pub fn new(ground: &'g Ground) -> Self {
        Self {
            ground,
            entries: BTreeMap::new(),
            order: Vec::new(),
            bytes: 0,
        }
    }

    /// Counts bytes that are read or made.
    pub fn charge(&mut self, bytes: usize) -> Result<(), Problem> {
        self.bytes += bytes as u64;
        if self.bytes > MAX_TOTAL_BYTES {
            let limit = MAX_TOTAL_BYTES;
            return Err(Problem::TooMuch { limit });
        }
        Ok(())
    }

    /// What a place holds now, read from the disk the first time.
    pub fn entry(&mut self, place: &Place) -> Result<&mut Entry, Problem> {
        self.check_way(place)?;
        if !self.entries.contains_key(&place.key) {
            let entry = self.load(place)?;
            if let Held::File { content, .. } = &entry.before {
                self.charge(content.len())?;
            }
            self.order.push(place.key.clone());
            self.entries.insert(place.key.clone(), entry);
        }
        let entry = self.entries.get_mut(&place.key);
        Ok(entry.expect("it was there, or was just put there"))
    }

    /// The entries in the order in which they were first named.
    pub fn into_entries(mut self) -> Vec<(PathBuf, Entry)> {
        let order = std::mem::take(&mut self.order);
        let entry = |key: PathBuf| self.entries.remove_entry(&key);
        order.into_iter().filter_map(entry).collect()
    }

    /// Whether something is at a place now. What it is, is not read.
    pub fn is_there(&self, place: &Place) -> Result<bool, Problem> {
        if let Some(entry) = self.entries.get(&place.key) {
            return Ok(entry.now != Held::Absent);
        }
        let Some((directory, name)) = self.open(place)? else {
            return Ok(false);
        };
        let found = disk::look(&directory, &name);
        let found = found.map_err(Problem::fault("look at", &place.absolute))?;
        Ok(found.is_some())
    }

    /// Refuses a way that the patch itself changed: what comes out would depend on the order of the steps.
    fn check_way(&self, place: &Place) -> Result<(), Problem> {
        let above = place.key.ancestors().skip(1).map(Path::to_owned);
        for key in above.chain(place.links.iter().cloned()) {
            if let Some(entry) = self.entries.get(&key)
                && (entry.now != entry.before || matches!(entry.now, Held::File { .. }))
            {
                return Err(Problem::Creation {
                    path: place.display.clone(),
                    reason: format!(
                        "the patch itself changes {} above it; make it two patches",
                        entry.display
                    ),
                });
            }
        }
        Ok(())
    }

    /// Whether something below a path comes with the patch.
    pub fn has_below(&self, key: &Path) -> bool {
        let from = (std::ops::Bound::Excluded(key), std::ops::Bound::Unbounded);
        let below = self.entries.range::<Path, _>(from);
        below
            .take_while(|(path, _)| path.starts_with(key))
            .any(|(_, entry)| entry.now != Held::Absent)
    }

    /// Whether a directory has no entries, or none that stay.
    pub fn is_empty(&self, place: &Place) -> Result<bool, Problem> {
        let fault = || Problem::fault("read", &place.absolute);
        let directory = self.ground.root.directory(&place.key).map_err(fault())?;
        for entry in directory.entries().map_err(fault())? {
            let name = entry.map_err(fault())?.file_name();
            let entry = self.entries.get(&place.key.join(name));
            if entry.is_none_or(|entry| entry.now != Held::Absent) {
                return Ok(false);
            }
        }
        Ok(!self.has_below(&place.key))
    }

    /// The directory of a place and its name there; `None` if the directory is not there.
    fn open(&self, place: &Place) -> Result<Option<(Dir, OsString)>, Problem> {
        if !place.missing.is_empty() {
            return Ok(None);
        }
        let (parent, name) = split(&place.key);
        let directory = self.ground.root.directory(&parent);
        let directory =
            directory.map_err(Problem::fault("open the directory of", &place.absolute))?;
        Ok(Some((directory, name)))
    }

    fn load(&self, place: &Place) -> Result<Entry, Problem> {
        let mut entry = Entry {
            display: place.display.clone(),
            before: Held::Absent,
            now: Held::Absent,
            fingerprint: None,
            is_shared: false,
            is_writable: true,
            missing: place.missing.clone(),
        };
        if let Some((directory, name)) = self.open(place)? {
            fill(&mut entry, &directory, &name, place)?;
            entry.now = entry.before.clone();
        }
        Ok(entry)
    }
}

/// Reads what the disk has under a name.
fn fill(entry: &mut Entry, directory: &Dir, name: &OsString, place: &Place) -> Result<(), Problem> {
    let fault = || Problem::fault("read", &place.absolute);
    let Some(mut stat) = disk::look(directory, name).map_err(fault())? else {
        return Ok(());
    };
    entry.before = match kind(&stat) {
        FileType::RegularFile => {
            let (content, read) =
                disk::read(directory, name).map_err(|error| unread(error, place))?;
            stat = read;
            entry.is_writable = disk::is_writable(directory, name);
            entry.is_shared = stat.st_nlink > 1;
            Held::File {
                content: Rc::new(content),
                attributes: Some(Attributes::of(&stat)),
            }
        }
        FileType::Symlink => Held::Link {
            target: disk::target(directory, name).map_err(fault())?,
        },
        FileType::Directory => Held::Directory {
            mode: crate::state::permissions(&stat),
        },
        _ => return Err(unread(Unread::Irregular, place)),
    };
    entry.fingerprint = Some(Fingerprint::of(&stat));
    Ok(())
}

fn unread(error: Unread, place: &Place) -> Problem {
    let reason = match error {
        Unread::Irregular => "unsafe path: it is no regular file".to_owned(),
        Unread::TooLong { bytes } => {
            format!(
                "it has {bytes} bytes, at most {MAX_FILE_BYTES} are read; change it with a command"
            )
        }
        Unread::Fault(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            "permission denied".to_owned()
        }
        Unread::Fault(error) => error.to_string(),
    };
    Problem::Unreadable {
        path: place.absolute.display().to_string(),
        reason,
    }
}
