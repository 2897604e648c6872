//! Which program a segment starts, and whether it is still the same one later.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata};
use std::io::Read as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use execgate_host::{CommandLine, Found, Segment};
use sha2::{Digest as _, Sha256};

use crate::environment;

/// Largest program that is hashed, in bytes; a larger one counts as changed by its times alone.
const MAX_HASHED: u64 = 256 * 1024 * 1024;

/// Words that a POSIX shell or bash runs itself.
const BUILTINS: &[&str] = &[
    ".",
    ":",
    "[",
    "alias",
    "bg",
    "bind",
    "break",
    "builtin",
    "caller",
    "cd",
    "command",
    "compgen",
    "complete",
    "compopt",
    "continue",
    "declare",
    "dirs",
    "disown",
    "echo",
    "enable",
    "eval",
    "exec",
    "exit",
    "export",
    "false",
    "fc",
    "fg",
    "getopts",
    "hash",
    "help",
    "history",
    "jobs",
    "kill",
    "let",
    "local",
    "logout",
    "mapfile",
    "popd",
    "printf",
    "pushd",
    "pwd",
    "read",
    "readarray",
    "readonly",
    "return",
    "set",
    "shift",
    "shopt",
    "source",
    "suspend",
    "test",
    "times",
    "trap",
    "true",
    "type",
    "typeset",
    "ulimit",
    "umask",
    "unalias",
    "unset",
    "wait",
];

/// What tells one state of a file from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fingerprint {
    device: u64,
    inode: u64,
    size: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl Fingerprint {
    fn of(metadata: &Metadata) -> Self {
        Self {
            device: metadata.dev(),
            inode: metadata.ino(),
            size: metadata.size(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        }
    }
}

/// The program of one segment.
#[derive(Clone, Debug)]
pub struct Program {
    /// As the text writes it, quoting removed.
    pub name: String,
    /// How it was found.
    pub found: Found,
    /// The file, links followed.
    pub real_path: Option<PathBuf>,
    fingerprint: Option<Fingerprint>,
}

/// Finds the program of each segment whose command word is known.
pub fn find_all(
    command_line: &CommandLine,
    cwd: &Path,
    environment: &[(OsString, OsString)],
) -> Vec<Option<Program>> {
    let functions: BTreeSet<&str> = command_line
        .segments
        .iter()
        .filter_map(|segment| segment.function.as_deref())
        .collect();
    let find = |segment: &Segment| {
        let name = segment.words.first()?.value.as_deref()?;
        if functions.contains(name) {
            return Some(Program {
                name: name.to_owned(),
                found: Found::Function,
                real_path: None,
                fingerprint: None,
            });
        }
        Some(Program::find(name, cwd, environment))
    };
    command_line.segments.iter().map(find).collect()
}

/// Finds an executable file by name in the directories of `path`, or by the path
/// it is given as. Relative ones, the empty one too, are seen from `cwd`, as a shell sees them.
pub fn search(name: &str, path: &OsStr, cwd: &Path) -> Option<PathBuf> {
    if name.contains('/') {
        return Some(cwd.join(name)).filter(|file| is_executable(file));
    }
    std::env::split_paths(path)
        .map(|directory| cwd.join(directory).join(name))
        .find(|file| is_executable(file))
}

fn is_executable(file: &Path) -> bool {
    std::fs::metadata(file)
        .is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

impl Program {
    fn find(name: &str, cwd: &Path, environment: &[(OsString, OsString)]) -> Self {
        let (found, file) = locate(name, cwd, environment);
        let real_path = file.and_then(|file| file.canonicalize().ok());
        let fingerprint = real_path
            .as_deref()
            .and_then(|file| file.metadata().ok())
            .map(|metadata| Fingerprint::of(&metadata));
        Self {
            name: name.to_owned(),
            found,
            real_path,
            fingerprint,
        }
    }

    /// Whether somebody who is not trusted to change it can: group or others,
    /// another user than root, or whoever writes in the workspace.
    pub fn is_mutable(&self, workspace: &Path) -> bool {
        let Some(file) = &self.real_path else {
            return false;
        };
        let in_workspace = workspace
            .canonicalize()
            .is_ok_and(|workspace| file.starts_with(workspace));
        in_workspace
            || file
                .metadata()
                .is_ok_and(|metadata| metadata.mode() & 0o022 != 0 || metadata.uid() != 0)
    }

    /// SHA-256 of the file in hex; none where it cannot be read or is too large.
    pub fn digest(&self) -> Option<String> {
        let file = File::open(self.real_path.as_deref()?).ok()?;
        if file.metadata().ok()?.len() > MAX_HASHED {
            return None;
        }
        let mut hasher = Sha256::new();
        let mut reader = file.take(MAX_HASHED);
        let mut buffer = vec![0; 64 * 1024];
        loop {
            match reader.read(&mut buffer).ok()? {
                0 => return Some(hex::encode(hasher.finalize())),
                count => hasher.update(&buffer[..count]),
            }
        }
    }

    /// Looks whether the same name still leads to the same file.
    ///
    /// # Errors
    /// What changed.
    pub fn recheck(&self, cwd: &Path, environment: &[(OsString, OsString)]) -> Result<(), String> {
        if self.found == Found::Function {
            return Ok(());
        }
        let now = Self::find(&self.name, cwd, environment);
        if now.found != self.found || now.real_path != self.real_path {
            return Err(format!("program `{}` now leads elsewhere", self.name));
        }
        if now.fingerprint != self.fingerprint {
            return Err(format!("program `{}` was changed", self.name));
        }
        Ok(())
    }
}

fn locate(
    name: &str,
    cwd: &Path,
    environment: &[(OsString, OsString)],
) -> (Found, Option<PathBuf>) {
    if name.starts_with('/') {
        return (Found::Absolute, Some(PathBuf::from(name)));
    }
    if name.contains('/') {
        return (Found::Relative, Some(cwd.join(name)));
    }
    if BUILTINS.contains(&name) {
        return (Found::Builtin, None);
    }
    let path = environment::get(environment, "PATH").unwrap_or_default();
    match search(name, path, cwd) {
        Some(file) => (Found::Path, Some(file)),
        None => (Found::NotFound, None),
    }
}
