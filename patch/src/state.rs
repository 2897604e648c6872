//! What a path holds, before or after a patch.

use std::ffi::OsString;

use rustix::fs::{FileType, Stat};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// What a path holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum State {
    Absent,
    File(FileState),
    Link {
        target: OsString,
    },
    Directory {
        /// Permission bits.
        mode: u32,
    },
}

/// A regular file; its bytes are kept elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FileState {
    /// SHA-256, hexadecimal.
    pub digest: String,
    /// Length in bytes.
    pub bytes: u64,
    /// What a file that replaces another one takes over from it; a new one gets what the process gives.
    pub attributes: Option<Attributes>,
}

/// What belongs to a file besides its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Attributes {
    /// Permission bits.
    pub mode: u32,
    pub user: u32,
    pub group: u32,
}

impl Attributes {
    pub fn of(stat: &Stat) -> Self {
        Self {
            mode: permissions(stat),
            user: stat.st_uid,
            group: stat.st_gid,
        }
    }
}

impl FileState {
    pub fn new(content: &[u8], attributes: Option<Attributes>) -> Self {
        Self {
            digest: digest(content),
            bytes: content.len() as u64,
            attributes,
        }
    }
}

impl State {
    /// The digest of a file.
    pub fn digest(&self) -> Option<&str> {
        match self {
            Self::File(file) => Some(&file.digest),
            Self::Absent | Self::Link { .. } | Self::Directory { .. } => None,
        }
    }

    pub fn is_directory(&self) -> bool {
        matches!(self, Self::Directory { .. })
    }
}

/// By what a changed file is noticed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fingerprint {
    device: u64,
    inode: u64,
    size: i64,
    modified: (i64, i64),
    /// Changes as well when the file is linked or its mode changes, and cannot be set by hand. Nothing of a file with several names, which
    /// changes when the patch removes another one of them.
    changed: Option<(i64, i64)>,
}

impl Fingerprint {
    pub fn of(stat: &Stat) -> Self {
        #[expect(
            clippy::unnecessary_cast,
            reason = "these fields are of other types on other systems"
        )]
        Self {
            device: stat.st_dev as u64,
            inode: stat.st_ino as u64,
            size: stat.st_size as i64,
            modified: (stat.st_mtime as i64, stat.st_mtime_nsec as i64),
            changed: (stat.st_nlink == 1)
                .then_some((stat.st_ctime as i64, stat.st_ctime_nsec as i64)),
        }
    }

    /// Whether this is still the same.
    pub fn matches(&self, stat: &Stat) -> bool {
        let now = Self::of(stat);
        let content = |print: &Self| (print.device, print.inode, print.size, print.modified);
        content(self) == content(&now) && (self.changed.is_none() || self.changed == now.changed)
    }
}

/// SHA-256, hexadecimal.
pub(crate) fn digest(content: &[u8]) -> String {
    hex::encode(Sha256::digest(content))
}

pub(crate) fn permissions(stat: &Stat) -> u32 {
    stat.st_mode & 0o7777
}

pub(crate) fn kind(stat: &Stat) -> FileType {
    FileType::from_raw_mode(stat.st_mode)
}
