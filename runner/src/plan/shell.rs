//! Which shell runs commands, and how it is called.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use execgate_host::Dialect;

/// A shell and the arguments that stand before the command text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shell {
    /// Absolute path.
    pub program: PathBuf,
    /// The name that it was asked for by, which its messages begin with; absent where its path does.
    pub name: Option<OsString>,
    /// Arguments that keep start-up files out, where the shell has such.
    pub arguments: Vec<OsString>,
    /// How its texts are read.
    pub dialect: Dialect,
}

/// No shell could be found.
#[derive(Debug, thiserror::Error)]
#[error(
    "no shell `{0}` was found in PATH; install it, or name another with the setting `exec.shell`"
)]
pub struct NoShell(String);

impl Shell {
    /// Finds a shell by name or path; without one, `bash` and then `sh`.
    ///
    /// # Errors
    /// None of them is there.
    pub fn find(name: Option<&str>, path: &OsStr) -> Result<Self, NoShell> {
        let names = name.map_or_else(|| vec!["bash", "sh"], |name| vec![name]);
        let found = names
            .iter()
            .find_map(|name| super::executable::search(name, path, Path::new("/")));
        let name = name.filter(|name| !name.contains('/')).map(OsString::from);
        found
            .map(|program| Self::of(program, name))
            .ok_or_else(|| NoShell(names.join("` or `")))
    }

    fn of(program: PathBuf, name: Option<OsString>) -> Self {
        let (arguments, dialect): (&[&str], _) = match base_name(&program).as_str() {
            "bash" => (&["--noprofile", "--norc"], Dialect::Bash),
            "zsh" => (&["-f"], Dialect::Zsh),
            _ => (&[], Dialect::Posix),
        };
        Self {
            program,
            name,
            arguments: arguments.iter().map(OsString::from).collect(),
            dialect,
        }
    }
}

/// The last name of a path. Links are not followed: a bash that is called `sh`
/// behaves as POSIX says.
fn base_name(program: &Path) -> String {
    program
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default()
}
