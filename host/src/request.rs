//! The facts of a request, as policies, approvers and formatters ask for them.

use std::collections::BTreeMap;

use crate::wire::{Caller, CommandLine, Dialect, Executable, Kind, PathKind, Place};

/// What the embedder knows of a request; the getters of the WIT resource `request`.
///
/// Every getter is called on the thread that runs the component: it must not
/// block, and it answers the same as long as the value lives.
pub trait RequestFacts: Send + Sync {
    /// What is asked for.
    fn kind(&self) -> Kind;
    /// The exact text that would run.
    fn text(&self) -> &str;
    /// The language the text was read as.
    fn dialect(&self) -> Dialect;
    /// The one analysis of the text that everybody sees.
    fn command_line(&self) -> &CommandLine;
    /// Who asks.
    fn caller(&self) -> Caller;
    /// The directory the command would run in.
    fn cwd(&self) -> Place;
    /// Whether the caller named the directory.
    fn cwd_given(&self) -> bool;
    /// The workspace's absolute path, if there is one.
    fn workspace(&self) -> Option<String>;
    /// The home directory.
    fn home(&self) -> Option<String>;
    /// Names of all variables the command would see, sorted.
    fn env_names(&self) -> Vec<String>;
    /// Variables that the caller set for this call.
    fn env_overrides(&self) -> Vec<(String, String)>;
    /// Where it would run: `host`, or the name of a sandbox or node.
    fn target(&self) -> String;
    /// Whether it asks for a terminal.
    fn terminal(&self) -> bool;
    /// Whether it starts in the background.
    fn background(&self) -> bool;
    /// Whether it asks to leave its confinement.
    fn elevated(&self) -> bool;
    /// The limit asked for, in milliseconds.
    fn timeout_ms(&self) -> Option<u64>;
    /// The program of a segment, by the segment's index.
    fn executable(&self, segment: u32) -> Option<Executable>;
    /// Where a path as written leads, seen from the call's directory. The host
    /// asks for at most 4,096 paths a call.
    fn place(&self, path: &str) -> Place;
    /// The value of a fact that later versions add.
    fn annotation(&self, name: &str) -> Option<String>;
}

/// A request made of plain data, for embedders without a file system of their own and for tests.
///
/// Places that were not given are taken by their names alone, as for files that do not exist.
#[derive(Clone, Debug)]
pub struct StaticRequest {
    /// What is asked for.
    pub kind: Kind,
    /// The text.
    pub text: String,
    /// The language it was read as.
    pub dialect: Dialect,
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
    /// Names of all variables the command would see, sorted.
    pub env_names: Vec<String>,
    /// Variables the caller sets.
    pub env_overrides: Vec<(String, String)>,
    /// Where it would run.
    pub target: String,
    /// Whether it asks for a terminal.
    pub terminal: bool,
    /// Whether it starts in the background.
    pub background: bool,
    /// Whether it asks to leave its confinement.
    pub elevated: bool,
    /// The limit asked for, in milliseconds.
    pub timeout_ms: Option<u64>,
    /// Programs by segment.
    pub executables: BTreeMap<u32, Executable>,
    /// Places by path as written.
    pub places: BTreeMap<String, Place>,
    /// Further facts.
    pub annotations: BTreeMap<String, String>,
}

impl StaticRequest {
    /// A bash command of agent `main` on channel `cli`, in `/` and with no workspace.
    #[must_use]
    pub fn new(text: &str, command_line: CommandLine) -> Self {
        Self {
            kind: Kind::Run,
            text: text.to_owned(),
            dialect: Dialect::Bash,
            command_line,
            caller: Caller {
                agent: "main".into(),
                session: "main".into(),
                channel: "cli".into(),
                sender: None,
                annotations: Vec::new(),
            },
            cwd: "/".into(),
            cwd_given: false,
            workspace: None,
            home: None,
            env_names: Vec::new(),
            env_overrides: Vec::new(),
            target: "host".into(),
            terminal: false,
            background: false,
            elevated: false,
            timeout_ms: None,
            executables: BTreeMap::new(),
            places: BTreeMap::new(),
            annotations: BTreeMap::new(),
        }
    }

    fn by_name(&self, path: &str) -> Place {
        let path = if path.starts_with('/') {
            normalize(path)
        } else {
            normalize(&format!("{}/{path}", self.cwd))
        };
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
fn normalize(path: &str) -> String {
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
    path.strip_prefix(root.trim_end_matches('/'))
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

impl RequestFacts for StaticRequest {
    fn kind(&self) -> Kind {
        self.kind
    }
    fn text(&self) -> &str {
        &self.text
    }
    fn dialect(&self) -> Dialect {
        self.dialect
    }
    fn command_line(&self) -> &CommandLine {
        &self.command_line
    }
    fn caller(&self) -> Caller {
        self.caller.clone()
    }
    fn cwd(&self) -> Place {
        self.place(&self.cwd)
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
        self.env_names.clone()
    }
    fn env_overrides(&self) -> Vec<(String, String)> {
        self.env_overrides.clone()
    }
    fn target(&self) -> String {
        self.target.clone()
    }
    fn terminal(&self) -> bool {
        self.terminal
    }
    fn background(&self) -> bool {
        self.background
    }
    fn elevated(&self) -> bool {
        self.elevated
    }
    fn timeout_ms(&self) -> Option<u64> {
        self.timeout_ms
    }
    fn executable(&self, segment: u32) -> Option<Executable> {
        self.executables.get(&segment).cloned()
    }
    fn place(&self, path: &str) -> Place {
        let given = self.places.get(path).cloned();
        given.unwrap_or_else(|| self.by_name(path))
    }
    fn annotation(&self, name: &str) -> Option<String> {
        self.annotations.get(name).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_taken_by_name() {
        let nothing = CommandLine {
            segments: Vec::new(),
            opaque: Vec::new(),
            annotations: Vec::new(),
        };
        let request = StaticRequest {
            cwd: "/work/src".into(),
            workspace: Some("/work".into()),
            ..StaticRequest::new("true", nothing)
        };
        let place = request.place("../a/./b");
        assert_eq!(place.path, "/work/a/b");
        assert_eq!((place.in_workspace, place.in_cwd), (true, false));
        assert!(!request.place("/workshop").in_workspace);
        assert_eq!(request.place("../../../..").path, "/");
    }
}
