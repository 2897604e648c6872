//! A place of a test's own: workspace, home, state.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use crate::{Caller, Running, Store, cache, program};

/// A directory of a test's own, laid out as the tables of cases assume; it is removed on drop.
///
/// `base` is `{BASE}` of the tables; home and state lie beside it, so that no command sees them from its workspace.
#[derive(Debug)]
pub struct Scratch {
    directory: TempDir,
}

impl Default for Scratch {
    fn default() -> Self {
        Self::new()
    }
}

impl Scratch {
    /// Lays out a new one.
    ///
    /// # Panics
    /// The directory for temporary files cannot be written.
    pub fn new() -> Self {
        let scratch = Self {
            directory: tempfile::tempdir().expect("a directory can be made"),
        };
        let directories = [
            scratch.workspace().join("sub"),
            scratch.workspace().join("..foo"),
            scratch.workspace().join("skills"),
            scratch.workspace().join("a b"),
            scratch.outside(),
            scratch.home(),
        ];
        for directory in &directories {
            fs::create_dir_all(directory).expect("a new directory can be written");
        }
        let files = [
            ("ws/a.txt", "in ws\n"),
            ("ws/sub/f.txt", "in sub\n"),
            ("ws/..foo/x", "x\n"),
            ("ws/skills/test.sh", "echo skill\n"),
            ("out/secret.txt", "top secret\n"),
        ];
        for (name, text) in files {
            fs::write(scratch.base().join(name), text).expect("a new directory can be written");
        }
        scratch.link();
        scratch
    }

    fn link(&self) {
        let base = self.base();
        let links = [
            ("out", "ws/leak"),
            ("out/secret.txt", "ws/leakfile"),
            ("out", "ws/evil.dir"),
            ("ws/sub", "ws/insidelink"),
            ("ws", "wslink"),
        ];
        for (target, name) in links {
            symlink(base.join(target), base.join(name)).expect("a new directory can be written");
        }
    }

    /// `{BASE}`.
    pub fn base(&self) -> PathBuf {
        self.root().join("base")
    }

    /// `{WS}`, the workspace.
    pub fn workspace(&self) -> PathBuf {
        self.base().join("ws")
    }

    /// `{OUT}`, outside the workspace.
    pub fn outside(&self) -> PathBuf {
        self.base().join("out")
    }

    /// The home directory of programs started here.
    pub fn home(&self) -> PathBuf {
        self.root().join("home")
    }

    /// The state directory of programs started here.
    pub fn state(&self) -> PathBuf {
        self.root().join("state")
    }

    /// The whole directory, with its links resolved.
    pub fn root(&self) -> PathBuf {
        fs::canonicalize(self.directory.path()).expect("it lasts as long as this value")
    }

    /// Replaces the tables' placeholders.
    pub fn fill(&self, text: &str) -> String {
        let show = |path: PathBuf| path.to_string_lossy().into_owned();
        text.replace("{WSL}", &show(self.base().join("wslink")))
            .replace("{WS}", &show(self.workspace()))
            .replace("{OUT}", &show(self.outside()))
            .replace("{BASE}", &show(self.base()))
    }

    /// Replaces the placeholders in every text of a value.
    ///
    /// # Panics
    /// The directory for temporary files has a name that JSON escapes.
    pub fn fill_value(&self, value: &Value) -> Value {
        serde_json::from_str(&self.fill(&value.to_string())).expect("paths need no escapes")
    }

    /// Puts the placeholders back.
    ///
    /// # Panics
    /// The directory for temporary files has a name that JSON escapes.
    pub fn unfill_value(&self, value: &Value) -> Value {
        let mut text = value.to_string();
        for (path, name) in [
            (self.base().join("wslink"), "{WSL}"),
            (self.workspace(), "{WS}"),
            (self.outside(), "{OUT}"),
            (self.base(), "{BASE}"),
        ] {
            text = text.replace(&*path.to_string_lossy(), name);
        }
        serde_json::from_str(&text).expect("paths need no escapes")
    }

    /// Writes a file beside workspace and home, and returns its path.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.root().join(name);
        fs::write(&path, content).expect("the test's own directory can be written");
        path
    }

    /// The program with arguments, to run in the workspace: nothing of this machine's settings, an own home and state, no input.
    pub fn command<A: AsRef<std::ffi::OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = A>,
    ) -> Command {
        let mut command = Command::new(program());
        command
            .args(arguments)
            .current_dir(self.workspace())
            .env_clear()
            .env("HOME", self.home())
            .env("PATH", "/usr/local/bin:/usr/bin:/bin")
            .env("LANG", "C.UTF-8")
            .env("EXECGATE_STATE_DIR", self.state())
            .env("EXECGATE_CACHE_DIR", cache())
            .stdin(Stdio::null());
        command
    }

    /// Runs the program to its end.
    pub fn run<A: AsRef<std::ffi::OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = A>,
    ) -> crate::Finished {
        Running::start(self.command(arguments)).finish()
    }

    /// Runs the program to its end, with this on its standard input.
    pub fn run_with_input<A: AsRef<std::ffi::OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = A>,
        input: impl Into<Vec<u8>>,
    ) -> crate::Finished {
        Running::start_with_input(self.command(arguments), input.into()).finish()
    }

    /// Starts `execgate call` with more arguments.
    pub fn call(&self, arguments: &[&str]) -> Caller {
        Caller::start(self.command(["call"].iter().chain(arguments)))
    }

    /// Starts `execgate call` with more arguments and variables.
    pub fn call_with(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Caller {
        let mut command = self.command(["call"].iter().chain(arguments));
        command.envs(variables.iter().copied());
        Caller::start(command)
    }

    /// The record that programs started here have written.
    pub fn store(&self) -> Store {
        Store::open(&self.state())
    }

    /// Whether a file of this name is in the workspace.
    pub fn has(&self, name: impl AsRef<Path>) -> bool {
        self.workspace().join(name).exists()
    }
}
