//! Single names in an open directory. Nothing here follows a link or waits for a device.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::unix::ffi::OsStringExt;

use cap_std::fs::Dir;
use rustix::fs::{
    Access, AtFlags, FileType, Gid, Mode, OFlags, RawMode, RenameFlags, Stat, Uid, accessat,
    fchmod, fchown, fstat, linkat, mkdirat, openat, readlinkat, renameat, renameat_with, statat,
    symlinkat, unlinkat,
};
use rustix::io::Errno;

use crate::state::{Attributes, FileState, Fingerprint, State, digest, kind};

/// Largest file that is read, in bytes: all files of a patch are in memory at once.
pub(crate) const MAX_FILE_BYTES: u64 = 64 << 20;

/// Returns what a name is; `None` if nothing has it.
pub(crate) fn look(directory: &Dir, name: &OsStr) -> io::Result<Option<Stat>> {
    match statat(directory, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => Ok(Some(stat)),
        Err(Errno::NOENT) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Why a file was not read.
#[derive(Debug)]
pub(crate) enum Unread {
    /// It became something else than a regular file since it was looked at.
    Irregular,
    TooLong {
        bytes: u64,
    },
    Fault(io::Error),
}

impl From<Errno> for Unread {
    fn from(error: Errno) -> Self {
        match error {
            // What `O_NOFOLLOW` says of a link, and opening of a socket or of a device without a driver.
            Errno::LOOP | Errno::NXIO => Self::Irregular,
            other => Self::Fault(other.into()),
        }
    }
}

/// Reads a regular file of at most [`MAX_FILE_BYTES`].
pub(crate) fn read(directory: &Dir, name: &OsStr) -> Result<(Vec<u8>, Stat), Unread> {
    let flags =
        OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = File::from(openat(directory, name, flags, Mode::empty())?);
    let stat = fstat(&file)?;
    if kind(&stat) != FileType::RegularFile {
        return Err(Unread::Irregular);
    }
    let mut content = Vec::new();
    let read = file.take(MAX_FILE_BYTES + 1).read_to_end(&mut content);
    read.map_err(Unread::Fault)?;
    if content.len() as u64 > MAX_FILE_BYTES {
        let bytes = u64::try_from(stat.st_size).unwrap_or(u64::MAX);
        return Err(Unread::TooLong { bytes });
    }
    Ok((content, stat))
}

/// Where a link leads.
pub(crate) fn target(directory: &Dir, name: &OsStr) -> io::Result<OsString> {
    let target = readlinkat(directory, name, Vec::new())?;
    Ok(OsString::from_vec(target.into_bytes()))
}

/// Whether this process may write to a file as it is.
pub(crate) fn is_writable(directory: &Dir, name: &OsStr) -> bool {
    accessat(directory, name, Access::WRITE_OK, AtFlags::empty()).is_ok()
}

/// Whether the name still holds what it held when it was read.
pub(crate) fn is_unchanged(
    directory: &Dir,
    name: &OsStr,
    fingerprint: Option<Fingerprint>,
) -> io::Result<bool> {
    let found = look(directory, name)?;
    Ok(match (found, fingerprint) {
        (Some(stat), Some(fingerprint)) => fingerprint.matches(&stat),
        (found, fingerprint) => found.is_none() && fingerprint.is_none(),
    })
}

/// Whether a name holds this.
pub(crate) fn holds(directory: &Dir, name: &OsStr, state: &State) -> io::Result<bool> {
    let Some(stat) = look(directory, name)? else {
        return Ok(*state == State::Absent);
    };
    Ok(match (state, kind(&stat)) {
        (State::File(file), FileType::RegularFile) => {
            u64::try_from(stat.st_size) == Ok(file.bytes) && has_digest(directory, name, file)?
        }
        (State::Link { target: expected }, FileType::Symlink) => {
            target(directory, name)? == *expected
        }
        (State::Directory { .. }, FileType::Directory) => true,
        _ => false,
    })
}

fn has_digest(directory: &Dir, name: &OsStr, file: &FileState) -> io::Result<bool> {
    match read(directory, name) {
        Ok((content, _)) => Ok(digest(&content) == file.digest),
        Err(Unread::Irregular | Unread::TooLong { .. }) => Ok(false),
        Err(Unread::Fault(error)) => Err(error),
    }
}

/// Writes a new file, with what belongs to it, and waits until it is on the disk.
pub(crate) fn create(
    directory: &Dir,
    name: &OsStr,
    content: &[u8],
    attributes: Option<Attributes>,
) -> io::Result<()> {
    let flags = OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::WRONLY | OFlags::CLOEXEC;
    // Where the mode is taken over from another file, nobody may look before it is.
    let mode = match attributes {
        Some(_) => Mode::RUSR | Mode::WUSR,
        None => Mode::from_raw_mode(0o666),
    };
    let mut file = File::from(openat(directory, name, flags, mode)?);
    file.write_all(content)?;
    if let Some(attributes) = attributes {
        assume(&file, attributes)?;
    }
    file.sync_all()
}

fn assume(file: &File, attributes: Attributes) -> io::Result<()> {
    let stat = fstat(file)?;
    if (stat.st_uid, stat.st_gid) != (attributes.user, attributes.group) {
        let user = Some(Uid::from_raw(attributes.user));
        fchown(file, user, Some(Gid::from_raw(attributes.group)))?;
    }
    Ok(fchmod(file, mode(attributes.mode))?)
}

fn mode(bits: u32) -> Mode {
    Mode::from_raw_mode(bits as RawMode)
}

/// Makes a link.
pub(crate) fn link(directory: &Dir, name: &OsStr, target: &OsStr) -> io::Result<()> {
    Ok(symlinkat(target, directory, name)?)
}

/// Gives a file the place of another one, or of nothing.
pub(crate) fn replace(directory: &Dir, from: &OsStr, to: &OsStr) -> io::Result<()> {
    Ok(renameat(directory, from, directory, to)?)
}

/// Gives a file a name that nothing has; atomic, unlike looking first.
pub(crate) fn rename_new(directory: &Dir, from: &OsStr, to: &OsStr) -> io::Result<()> {
    match renameat_with(directory, from, directory, to, RenameFlags::NOREPLACE) {
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {
            // This file system has no such call, but linking never replaces.
            linkat(directory, from, directory, to, AtFlags::empty())?;
            Ok(unlinkat(directory, from, AtFlags::empty())?)
        }
        other => Ok(other?),
    }
}

/// Makes a directory, with the usual permissions if none are given; one that is there is fine.
pub(crate) fn make_directory(directory: &Dir, name: &OsStr, bits: Option<u32>) -> io::Result<()> {
    match mkdirat(directory, name, mode(bits.unwrap_or(0o777))) {
        Ok(()) | Err(Errno::EXIST) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Removes a file or a link; nothing is fine.
pub(crate) fn remove(directory: &Dir, name: &OsStr) -> io::Result<()> {
    match unlinkat(directory, name, AtFlags::empty()) {
        Ok(()) | Err(Errno::NOENT) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Whether an error says that a directory is no longer there, or no longer one that may be entered: it leads out of the root.
pub(crate) fn is_gone(error: &io::Error) -> bool {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => true,
        // The error of a way that leads out has no number.
        io::ErrorKind::PermissionDenied => error.raw_os_error().is_none(),
        _ => error.raw_os_error() == Some(Errno::LOOP.raw_os_error()),
    }
}

/// Removes an empty directory.
pub(crate) fn remove_directory(directory: &Dir, name: &OsStr) -> io::Result<()> {
    Ok(unlinkat(directory, name, AtFlags::REMOVEDIR)?)
}

/// Waits until the names of a directory are on the disk. A file system that cannot do that, or a directory that may not be listed, is taken
/// as it is.
pub(crate) fn sync(directory: &Dir) -> io::Result<()> {
    // The handle by which names are looked up is not one that can be synced.
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let opened = openat(directory, ".", flags, Mode::empty());
    match opened.and_then(rustix::fs::fsync) {
        Ok(()) | Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP | Errno::ROFS | Errno::ACCESS) => {
            Ok(())
        }
        Err(error) => Err(error.into()),
    }
}
