//! The file that holds a stream which is too long to be shown.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, mkdirat, open, openat, statat, unlinkat};
use rustix::io::Errno;

use super::mask::{MaskedStream, Secrets};

#[cfg(test)]
mod tests;

/// Where in a workspace the files go.
const DIRECTORIES: [&str; 2] = [".artifacts", "exec"];

/// The file that a stream is spilled to, if it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpillTarget {
    /// The workspace, an existing directory.
    pub workspace: PathBuf,
    /// Name of the file in `.artifacts/exec`; it must not exist yet.
    pub name: String,
    /// Most bytes the file takes; the rest is dropped and [`Artifact::stopped`] says so.
    pub limit: u64,
    /// Most bytes that all files of the workspace take together; the oldest make room for a new one.
    pub quota: u64,
}

impl SpillTarget {
    /// Default limit in bytes.
    pub const DEFAULT_LIMIT: u64 = 5_000_000;

    /// Default quota in bytes.
    pub const DEFAULT_QUOTA: u64 = 500_000_000;

    fn path(&self) -> PathBuf {
        let [first, second] = DIRECTORIES;
        self.workspace.join(first).join(second).join(&self.name)
    }
}

/// What is known of a spilled file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Artifact {
    /// Path of the file, below the workspace as it was given.
    pub path: PathBuf,
    /// Bytes written: the first ones of the stream, raw.
    pub bytes: u64,
    /// Whether the limit was reached and later bytes are missing.
    pub stopped: bool,
    /// Why the file is not there or not complete, if something went wrong. Never the command's failure.
    pub problem: Option<String>,
}

/// Writes a stream to its file from the first [`Spill::write`] on.
///
/// The directories are made with mode 0700, the file with 0600; no symbolic link below the workspace is followed; `.artifacts` holds a `.gitignore`
/// that hides it. A full disk or an unwritable workspace is recorded in the [`Artifact`] and ends the spill. Writing blocks as files do.
#[derive(Debug)]
pub struct Spill {
    target: SpillTarget,
    file: Option<File>,
    artifact: Option<Artifact>,
    stream: MaskedStream,
}

impl Spill {
    /// Creates a spill that has not begun, and that masks these secrets. Nothing is touched.
    pub fn new(target: SpillTarget, secrets: Arc<Secrets>) -> Self {
        Self {
            target,
            file: None,
            artifact: None,
            stream: MaskedStream::new(secrets),
        }
    }

    /// Whether the file was begun, or tried to be.
    pub fn has_begun(&self) -> bool {
        self.artifact.is_some()
    }

    /// Appends bytes, up to the limit, creating the file first. What may be the beginning of a secret waits for the next ones.
    pub fn write(&mut self, bytes: &[u8]) {
        if self.is_full() {
            self.append(bytes);
            return;
        }
        let page = self.stream.push(bytes);
        self.append(&page);
    }

    /// Writes what still waits: nothing will follow it.
    pub fn finish(&mut self) {
        let rest = self.stream.finish();
        if !rest.is_empty() {
            self.append(&rest);
        }
    }

    fn is_full(&self) -> bool {
        let artifact = self.artifact.as_ref();
        artifact.is_some_and(|artifact| artifact.stopped || artifact.problem.is_some())
    }

    fn append(&mut self, bytes: &[u8]) {
        let (target, file) = (&self.target, &mut self.file);
        let artifact = self.artifact.get_or_insert_with(|| {
            let created = create(target);
            let problem = created
                .as_ref()
                .err()
                .map(|error| problem("created", error));
            *file = created.ok();
            Artifact {
                path: target.path(),
                bytes: 0,
                stopped: false,
                problem,
            }
        });
        let Some(open) = &mut self.file else { return };
        let room = usize::try_from(target.limit - artifact.bytes).unwrap_or(usize::MAX);
        let fitting = &bytes[..bytes.len().min(room)];
        artifact.stopped |= fitting.len() < bytes.len();
        if let Err(error) = write_all(open, fitting, &mut artifact.bytes) {
            artifact.problem = Some(problem("written", &error));
            self.file = None;
        }
    }

    /// Returns what is known of the file; `None` when it was never begun.
    pub fn artifact(&self) -> Option<&Artifact> {
        self.artifact.as_ref()
    }
}

fn problem(what: &str, error: &io::Error) -> String {
    format!("the output file could not be {what}: {error}")
}

/// Writes all, counting what went out before a failure.
fn write_all(file: &mut File, mut bytes: &[u8], count: &mut u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match file.write(bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => {
                *count += written as u64;
                bytes = &bytes[written..];
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Creates the file, walking down by descriptors so that no link swapped in meanwhile leads elsewhere.
fn create(target: &SpillTarget) -> io::Result<File> {
    if Path::new(&target.name).file_name() != Some(OsStr::new(&target.name)) {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "its name is no plain file name",
        ));
    }
    let flags = OFlags::DIRECTORY | OFlags::RDONLY | OFlags::CLOEXEC;
    let workspace = open(&target.workspace, flags, Mode::empty())?;
    let [first, second] = DIRECTORIES;
    let artifacts = enter(&workspace, first)?;
    ignore(&artifacts)?;
    let directory = enter(&artifacts, second)?;
    make_room(&directory, target.quota.saturating_sub(target.limit))?;
    Ok(create_new(directory, &target.name)?)
}

/// Removes the oldest files until the rest takes at most `quota` bytes.
fn make_room(directory: &OwnedFd, quota: u64) -> io::Result<()> {
    let mut files = Vec::new();
    for entry in Dir::read_from(directory)? {
        let entry = entry?;
        let name = entry.file_name().to_owned();
        let Ok(stat) = statat(directory, &name, AtFlags::SYMLINK_NOFOLLOW) else {
            // Gone meanwhile, which is as good.
            continue;
        };
        if FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile {
            let bytes = u64::try_from(stat.st_size).unwrap_or(0);
            files.push(((stat.st_mtime, stat.st_mtime_nsec), bytes, name));
        }
    }
    files.sort();
    let mut total: u64 = files.iter().map(|(_, bytes, _)| bytes).sum();
    for (_, bytes, name) in files {
        if total <= quota {
            break;
        }
        // Another runner may have removed it, or it belongs to somebody else: the next one is tried.
        if unlinkat(directory, &name, AtFlags::empty()).is_ok() {
            total -= bytes;
        }
    }
    Ok(())
}

fn enter(parent: impl AsFd, name: &str) -> Result<OwnedFd, Errno> {
    match mkdirat(&parent, name, Mode::RWXU) {
        Ok(()) | Err(Errno::EXIST) => {}
        Err(error) => return Err(error),
    }
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::RDONLY | OFlags::CLOEXEC;
    openat(&parent, name, flags, Mode::empty())
}

/// Keeps version control away from the directory, unless its owner has said something else.
fn ignore(directory: &OwnedFd) -> io::Result<()> {
    match create_new(directory, ".gitignore") {
        Ok(mut file) => file.write_all(b"*\n"),
        Err(Errno::EXIST) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

fn create_new(directory: impl AsFd, name: &str) -> Result<File, Errno> {
    let flags = OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::WRONLY | OFlags::CLOEXEC;
    openat(directory, name, flags, Mode::RUSR | Mode::WUSR).map(File::from)
}
