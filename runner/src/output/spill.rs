//! The file that holds a stream which is too long to be shown.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags, mkdirat, open, openat};
use rustix::io::Errno;

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
}

impl SpillTarget {
    /// Default limit in bytes.
    pub const DEFAULT_LIMIT: u64 = 5_000_000;

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
}

impl Spill {
    /// Creates a spill that has not begun. Nothing is touched.
    pub fn new(target: SpillTarget) -> Self {
        Self {
            target,
            file: None,
            artifact: None,
        }
    }

    /// Whether the file was begun, or tried to be.
    pub fn has_begun(&self) -> bool {
        self.artifact.is_some()
    }

    /// Appends bytes, up to the limit, creating the file first.
    pub fn write(&mut self, bytes: &[u8]) {
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
        if let Err(error) = append(open, fitting, &mut artifact.bytes) {
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
fn append(file: &mut File, mut bytes: &[u8], count: &mut u64) -> io::Result<()> {
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
    Ok(create_new(enter(&artifacts, second)?, &target.name)?)
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
