//! What components may ask of a request.

use std::sync::Arc;

use execgate_host::{
    Caller, CommandLine, Dialect, Executable, Kind, PathKind, Place, RequestFacts,
};
use serde_json::Value;

use crate::patch;
use crate::plan::{ExecPlan, Subject, Surroundings};
use crate::request::Attendance;

/// A plan, as components see it.
#[derive(Debug)]
pub struct PlanFacts {
    plan: Arc<ExecPlan>,
}

impl PlanFacts {
    /// The facts of a plan.
    pub fn new(plan: ExecPlan) -> Self {
        Self {
            plan: Arc::new(plan),
        }
    }

    /// The plan itself.
    pub fn plan(&self) -> &Arc<ExecPlan> {
        &self.plan
    }
}

impl RequestFacts for PlanFacts {
    fn kind(&self) -> Kind {
        match self.plan.subject {
            Subject::Command => Kind::Run,
            Subject::Input(_) => Kind::Input,
            Subject::Patch(_) => Kind::Patch,
        }
    }
    fn text(&self) -> &str {
        &self.plan.request.command
    }
    fn dialect(&self) -> Dialect {
        self.plan.dialect()
    }
    fn command_line(&self) -> &CommandLine {
        &self.plan.command_line
    }
    fn caller(&self) -> Caller {
        caller(&self.plan.request.caller)
    }
    fn cwd(&self) -> Place {
        self.plan.cwd_place()
    }
    fn cwd_given(&self) -> bool {
        self.plan.request.cwd.is_some()
    }
    fn workspace(&self) -> Option<String> {
        Some(self.plan.workspace.to_string_lossy().into_owned())
    }
    fn home(&self) -> Option<String> {
        self.plan
            .home
            .as_ref()
            .map(|home| home.to_string_lossy().into_owned())
    }
    fn env_names(&self) -> Vec<String> {
        self.plan
            .environment
            .iter()
            .map(|(name, _)| name.to_string_lossy().into_owned())
            .collect()
    }
    fn env_overrides(&self) -> Vec<(String, String)> {
        self.plan.request.env.clone()
    }
    fn target(&self) -> String {
        "host".to_owned()
    }
    fn terminal(&self) -> bool {
        self.plan.request.terminal
    }
    fn background(&self) -> bool {
        self.plan.request.attendance == Attendance::Background
    }
    fn elevated(&self) -> bool {
        false
    }
    fn timeout_ms(&self) -> Option<u64> {
        self.plan
            .timeout
            .map(|timeout| u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX))
    }
    fn executable(&self, segment: u32) -> Option<Executable> {
        let index = usize::try_from(segment).ok()?;
        let program = self.plan.programs.get(index)?.as_ref()?;
        Some(Executable {
            name: program.name.clone(),
            found: program.found,
            real_path: program
                .real_path
                .as_ref()
                .map(|path| path.to_string_lossy().into_owned()),
            digest: self.plan.digest(index),
            annotations: Vec::new(),
        })
    }
    fn place(&self, path: &str) -> Place {
        self.plan.places.look_up(path)
    }
    fn annotation(&self, name: &str) -> Option<String> {
        let request = &self.plan.request;
        match (name, &self.plan.subject) {
            ("foreground-program", Subject::Input(program)) => Some(program.clone()),
            ("patch-files", Subject::Patch(intents)) => Some(patch::described(intents)),
            ("workdir", _) => request.cwd.clone(),
            ("explain", _) => request.explain.then(|| "all".to_owned()),
            _ => None,
        }
    }
}

/// A request to look after sessions: who asks, and for what.
#[derive(Debug)]
pub struct SupervisionFacts {
    caller: crate::request::Caller,
    action: &'static str,
    workspace: String,
    line: CommandLine,
}

impl SupervisionFacts {
    /// The facts of an action on sessions.
    pub fn new(
        caller: crate::request::Caller,
        action: &'static str,
        surroundings: &Surroundings,
    ) -> Self {
        Self {
            caller,
            action,
            workspace: surroundings.workspace.to_string_lossy().into_owned(),
            line: CommandLine {
                segments: Vec::new(),
                opaque: Vec::new(),
                annotations: Vec::new(),
            },
        }
    }

    fn unknown(path: &str) -> Place {
        Place {
            path: path.to_owned(),
            real_path: None,
            kind: PathKind::Unknown,
            in_workspace: false,
            in_cwd: false,
            annotations: Vec::new(),
        }
    }
}

impl RequestFacts for SupervisionFacts {
    fn kind(&self) -> Kind {
        Kind::Session
    }
    fn text(&self) -> &str {
        self.action
    }
    fn dialect(&self) -> Dialect {
        Dialect::Bash
    }
    fn command_line(&self) -> &CommandLine {
        &self.line
    }
    fn caller(&self) -> Caller {
        caller(&self.caller)
    }
    fn cwd(&self) -> Place {
        Self::unknown(&self.workspace)
    }
    fn cwd_given(&self) -> bool {
        false
    }
    fn workspace(&self) -> Option<String> {
        Some(self.workspace.clone())
    }
    fn home(&self) -> Option<String> {
        None
    }
    fn env_names(&self) -> Vec<String> {
        Vec::new()
    }
    fn env_overrides(&self) -> Vec<(String, String)> {
        Vec::new()
    }
    fn target(&self) -> String {
        "host".to_owned()
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
    fn executable(&self, _segment: u32) -> Option<Executable> {
        None
    }
    fn place(&self, path: &str) -> Place {
        Self::unknown(path)
    }
    fn annotation(&self, _name: &str) -> Option<String> {
        None
    }
}

/// A caller, as components see it.
fn caller(caller: &crate::request::Caller) -> Caller {
    let text = |value: &Value| {
        value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned)
    };
    Caller {
        agent: caller.agent.clone(),
        session: caller.session.clone(),
        channel: caller.channel.clone(),
        sender: caller.sender.clone(),
        annotations: caller
            .more
            .iter()
            .map(|(name, value)| (name.clone(), text(value)))
            .collect(),
    }
}
