//! The directory where patches are written down before they are applied, and kept to be undone.
//!
//! A patch has a directory of its own in `patches`, and the end of its name tells how far it came: `ID.new` is being written and nothing else
//! was touched, `ID.open` may be half applied, `ID` was applied, `ID.left` was taken back but for files that somebody else had changed,
//! `ID.gone` is being removed. Each becomes the next by one rename.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

use crate::record::Record;
use crate::steps::Steps;

#[cfg(test)]
mod tests;

const PATCHES: &str = "patches";
const RECORD: &str = "record.json";

/// How far a patch came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Stage {
    New,
    Open,
    Applied,
    Left,
    Gone,
}

impl Stage {
    fn suffix(self) -> &'static str {
        match self {
            Self::New => ".new",
            Self::Open => ".open",
            Self::Applied => "",
            Self::Left => ".left",
            Self::Gone => ".gone",
        }
    }

    /// The name and stage of a directory of the store; `None` of anything else.
    fn of(name: &str) -> Option<(&str, Self)> {
        let all = [Self::New, Self::Open, Self::Left, Self::Gone, Self::Applied];
        let (id, stage) = all
            .into_iter()
            .find_map(|stage| Some((name.strip_suffix(stage.suffix())?, stage)))?;
        is_id(id).then_some((id, stage))
    }
}

/// Whether a text has the form of a name that the store gives.
fn is_id(id: &str) -> bool {
    id.len() == 16 && id.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The store, held by one process at a time.
#[derive(Debug)]
pub(crate) struct Store<'s> {
    directory: PathBuf,
    steps: &'s Steps,
    /// Held until the store is dropped.
    _lock: File,
}

impl<'s> Store<'s> {
    /// Opens the store, and makes it where it is not there yet. Waits while another process holds it.
    pub fn lock(directory: &Path, steps: &'s Steps) -> io::Result<Self> {
        let patches = directory.join(PATCHES);
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(&patches)?;
        let lock = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .mode(0o600)
            .open(directory.join("lock"))?;
        loop {
            match flock(&lock, FlockOperation::LockExclusive) {
                Err(Errno::INTR) => {}
                other => break other?,
            }
        }
        Ok(Self {
            directory: patches,
            steps,
            _lock: lock,
        })
    }

    fn path(&self, id: &str, stage: Stage) -> PathBuf {
        self.directory.join(format!("{id}{}", stage.suffix()))
    }

    /// All patches, oldest first.
    pub fn all(&self) -> io::Result<Vec<(String, Stage)>> {
        let mut all = Vec::new();
        for entry in fs::read_dir(&self.directory)? {
            let name = entry?.file_name();
            let known = name.to_str().and_then(Stage::of);
            all.extend(known.map(|(id, stage)| (id.to_owned(), stage)));
        }
        all.sort();
        Ok(all)
    }

    /// A name that is later than all others.
    pub fn next_id(&self) -> io::Result<String> {
        let age = SystemTime::now().duration_since(UNIX_EPOCH);
        let now = age.map_or(0, |age| u64::try_from(age.as_nanos()).unwrap_or(u64::MAX));
        let last = self.all()?.pop();
        let after = last.and_then(|(id, _)| u64::from_str_radix(&id, 16).ok());
        // The clock may have been set back.
        Ok(format!(
            "{:016x}",
            now.max(after.unwrap_or(0).saturating_add(1))
        ))
    }

    /// Writes a patch down: its record, and the bytes before of each entry that has some. It is [`Stage::Open`] then, and on the disk.
    pub fn begin(&self, id: &str, record: &Record, before: &[Option<&[u8]>]) -> io::Result<()> {
        let path = self.path(id, Stage::New);
        self.steps.next()?;
        DirBuilder::new().mode(0o700).create(&path)?;
        for (index, content) in before.iter().enumerate() {
            if let Some(content) = content {
                self.write(&path.join(content_name(index)), content)?;
            }
        }
        let text = serde_json::to_vec(record)?;
        self.write(&path.join(RECORD), &text)?;
        sync(&path)?;
        self.advance(id, Stage::New, Stage::Open)?;
        sync(&self.directory)
    }

    fn write(&self, path: &Path, content: &[u8]) -> io::Result<()> {
        self.steps.next()?;
        let mut options = OpenOptions::new();
        let mut file = options
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(path)?;
        file.write_all(content)?;
        file.sync_all()
    }

    /// Notes that a patch came further.
    pub fn advance(&self, id: &str, from: Stage, to: Stage) -> io::Result<()> {
        self.steps.next()?;
        fs::rename(self.path(id, from), self.path(id, to))?;
        // Should it not reach the disk, the stage before is found again, and what is missing is done again.
        let _found_again = sync(&self.directory);
        Ok(())
    }

    /// Reads a record.
    pub fn record(&self, id: &str, stage: Stage) -> io::Result<Record> {
        let text = fs::read(self.path(id, stage).join(RECORD))?;
        Ok(serde_json::from_slice(&text)?)
    }

    /// Reads the bytes before of an entry.
    pub fn content(&self, id: &str, stage: Stage, index: usize) -> io::Result<Vec<u8>> {
        fs::read(self.path(id, stage).join(content_name(index)))
    }

    /// Whether a patch can be undone, going by its name alone.
    pub fn has(&self, id: &str) -> bool {
        is_id(id) && self.path(id, Stage::Applied).is_dir()
    }

    /// Removes a patch. It counts as removed once it has another name; what is left of it then is removed some other time.
    pub fn discard(&self, id: &str, stage: Stage) -> io::Result<()> {
        if stage != Stage::Gone {
            self.advance(id, stage, Stage::Gone)?;
        }
        if self.steps.next().is_ok() {
            let _some_other_time = fs::remove_dir_all(self.path(id, Stage::Gone));
        }
        Ok(())
    }

    /// Removes the oldest patches until the rest takes at most `quota` bytes.
    pub fn prune(&self, quota: u64) -> io::Result<()> {
        let mut kept = Vec::new();
        let mut total = 0;
        for (id, stage) in self.all()? {
            match stage {
                Stage::Applied | Stage::Left => {
                    let bytes = size(&self.path(&id, stage))?;
                    total += bytes;
                    kept.push((id, stage, bytes));
                }
                Stage::New | Stage::Open | Stage::Gone => {}
            }
        }
        for (id, stage, bytes) in kept {
            if total <= quota {
                break;
            }
            self.discard(&id, stage)?;
            total -= bytes;
        }
        Ok(())
    }
}

fn content_name(index: usize) -> String {
    format!("before-{index}")
}

/// Bytes in the files of a directory.
fn size(directory: &Path) -> io::Result<u64> {
    let mut total = 0;
    for entry in fs::read_dir(directory)? {
        total += entry?.metadata()?.len();
    }
    Ok(total)
}

/// Waits until the names of a directory are on the disk.
fn sync(directory: &Path) -> io::Result<()> {
    File::open(directory)?.sync_all()
}
