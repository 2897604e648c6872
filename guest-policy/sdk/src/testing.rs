//! Doubles for native tests of guests: plain data behind the host's traits.

use std::collections::BTreeMap;

use crate::outcome::{Completion, Output};
use crate::request::Request;
use crate::types::{
    Artifact, Caller, CommandLine, Dialect, Ending, Executable, Kind, PathKind, Place, Survivor,
};

/// A request made of plain data. Places that were not given are taken by their
/// names alone, as for files that do not exist.
#[derive(Clone, Debug)]
pub struct FakeRequest {
    /// The text.
    pub text: String,
    /// Its analysis.
    pub command_line: CommandLine,
    /// Who asks.
    pub caller: Caller,
    /// Absolute working directory.
    pub cwd: String,
    /// Whether the caller named it.
    pub cwd_given: bool,
    /// Absolute workspace.
    pub workspace: Option<String>,
    /// Home directory.
    pub home: Option<String>,
    /// Variables the caller sets.
    pub env_overrides: Vec<(String, String)>,
    /// Programs by segment.
    pub executables: BTreeMap<u32, Executable>,
    /// Places by path as written.
    pub places: BTreeMap<String, Place>,
    /// Further facts by name.
    pub annotations: BTreeMap<String, String>,
}

impl FakeRequest {
    /// A request of agent `main` on channel `cli`, in `/work` as directory and workspace.
    pub fn new(text: &str, command_line: CommandLine) -> Self {
        Self {
            text: text.to_owned(),
            command_line,
            caller: Caller {
                agent: "main".into(),
                session: "main".into(),
                channel: "cli".into(),
                sender: None,
                annotations: Vec::new(),
            },
            cwd: "/work".into(),
            cwd_given: false,
            workspace: Some("/work".into()),
            home: Some("/home/user".into()),
            env_overrides: Vec::new(),
            executables: BTreeMap::new(),
            places: BTreeMap::new(),
            annotations: BTreeMap::new(),
        }
    }

    fn lexical(&self, path: &str) -> Place {
        let absolute = if path.starts_with('/') {
            path.to_owned()
        } else {
            format!("{}/{path}", self.cwd)
        };
        let path = normalize(&absolute);
        Place {
            in_workspace: self
                .workspace
                .as_deref()
                .is_some_and(|root| inside(&path, root)),
            in_cwd: inside(&path, &self.cwd),
            real_path: None,
            kind: PathKind::Missing,
            annotations: Vec::new(),
            path,
        }
    }
}

/// Removes `.` and `..` from an absolute path by their names alone.
pub fn normalize(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            name => parts.push(name),
        }
    }
    format!("/{}", parts.join("/"))
}

fn inside(path: &str, root: &str) -> bool {
    let root = root.trim_end_matches('/');
    path.strip_prefix(root)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

impl Request for FakeRequest {
    fn kind(&self) -> Kind {
        Kind::Run
    }
    fn text(&self) -> String {
        self.text.clone()
    }
    fn dialect(&self) -> Dialect {
        Dialect::Bash
    }
    fn command_line(&self) -> CommandLine {
        self.command_line.clone()
    }
    fn caller(&self) -> Caller {
        self.caller.clone()
    }
    fn cwd(&self) -> Place {
        self.lexical(&self.cwd)
    }
    fn cwd_given(&self) -> bool {
        self.cwd_given
    }
    fn workspace(&self) -> Option<String> {
        self.workspace.clone()
    }
    fn home(&self) -> Option<String> {
        self.home.clone()
    }
    fn env_names(&self) -> Vec<String> {
        self.env_overrides
            .iter()
            .map(|(name, _)| name.clone())
            .collect()
    }
    fn env_overrides(&self) -> Vec<(String, String)> {
        self.env_overrides.clone()
    }
    fn target(&self) -> String {
        "host".into()
    }
    fn terminal(&self) -> bool {
        false
    }
    fn background(&self) -> bool {
        false
    }
    fn elevated(&self) -> bool {
        false
    }
    fn timeout_ms(&self) -> Option<u64> {
        None
    }
    fn executable(&self, segment: u32) -> Option<Executable> {
        self.executables.get(&segment).cloned()
    }
    fn place(&self, path: &str) -> Place {
        self.places
            .get(path)
            .cloned()
            .unwrap_or_else(|| self.lexical(path))
    }
    fn annotation(&self, name: &str) -> Option<String> {
        self.annotations.get(name).cloned()
    }
}

/// A command that ended, and what it printed.
#[derive(Clone, Debug)]
pub struct FakeOutcome {
    /// How it ended.
    pub ending: Ending,
    /// Its exit code.
    pub exit_code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<u32>,
    /// What went wrong outside the command.
    pub error: Option<String>,
    /// Milliseconds it took.
    pub duration_ms: u64,
    /// Limit in milliseconds.
    pub timeout_ms: Option<u64>,
    /// The file that holds its output.
    pub artifact: Option<Artifact>,
    /// What it printed.
    pub printed: String,
}

impl FakeOutcome {
    /// A command that printed `printed` and exited with `code` after 42 ms.
    pub fn exited(code: i32, printed: &str) -> Self {
        Self {
            ending: Ending::Exited,
            exit_code: Some(code),
            signal: None,
            error: None,
            duration_ms: 42,
            timeout_ms: None,
            artifact: None,
            printed: printed.to_owned(),
        }
    }
}

impl Completion for FakeOutcome {
    fn ending(&self) -> Ending {
        self.ending
    }
    fn exit_code(&self) -> Option<i32> {
        self.exit_code
    }
    fn signal(&self) -> Option<u32> {
        self.signal
    }
    fn error(&self) -> Option<String> {
        self.error.clone()
    }
    fn duration_ms(&self) -> u64 {
        self.duration_ms
    }
    fn timeout_ms(&self) -> Option<u64> {
        self.timeout_ms
    }
    fn cwd(&self) -> String {
        "/work".into()
    }
    fn user_time_us(&self) -> u64 {
        0
    }
    fn system_time_us(&self) -> u64 {
        0
    }
    fn max_resident(&self) -> u64 {
        0
    }
    fn artifact(&self) -> Option<Artifact> {
        self.artifact.clone()
    }
    fn survivors(&self) -> Vec<Survivor> {
        Vec::new()
    }
    fn annotation(&self, _name: &str) -> Option<String> {
        None
    }
}

impl Output for FakeOutcome {
    fn total_bytes(&self) -> u64 {
        self.printed.len() as u64
    }
    fn total_chars(&self) -> u64 {
        self.printed.chars().count() as u64
    }
    fn invalid_sequences(&self) -> u64 {
        0
    }
    fn retained(&self) -> (u64, u64) {
        (0, self.total_bytes())
    }
    fn read(&self, offset: u64, max: u32) -> Vec<u8> {
        self.printed
            .bytes()
            .skip(offset as usize)
            .take(max as usize)
            .collect()
    }
    fn head(&self, max: u32) -> String {
        self.printed.chars().take(max as usize).collect()
    }
    fn tail(&self, max: u32) -> String {
        let skipped = self.printed.chars().count().saturating_sub(max as usize);
        self.printed.chars().skip(skipped).collect()
    }
}
