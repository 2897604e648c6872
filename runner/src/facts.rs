//! What components may ask of a plan and of a command that ended.

use std::sync::Arc;

use execgate_host::{
    Artifact, Caller, CommandLine, CompletionFacts, Dialect, Ending, Executable, Kind, OutputFacts,
    Place, RequestFacts, Survivor,
};
use serde_json::Value;

use crate::completion::{Completion, Outcome};
use crate::output::Capture;
use crate::plan::ExecPlan;

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
        Kind::Run
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
        let caller = &self.plan.request.caller;
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
        false
    }
    fn background(&self) -> bool {
        false
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
    fn annotation(&self, _name: &str) -> Option<String> {
        None
    }
}

/// A command's end, as a formatter sees it.
#[derive(Debug)]
pub struct EndFacts {
    plan: Arc<ExecPlan>,
    end: End,
    artifact: Option<Artifact>,
}

/// How a permitted plan ended.
#[derive(Debug)]
pub enum End {
    /// It ran.
    Ran(Completion),
    /// It did not start, for this reason.
    NotStarted(String),
}

impl EndFacts {
    /// The facts of one end.
    pub fn new(plan: Arc<ExecPlan>, end: End, artifact: Option<Artifact>) -> Self {
        Self {
            plan,
            end,
            artifact,
        }
    }

    fn ran(&self) -> Option<&Completion> {
        match &self.end {
            End::Ran(completion) => Some(completion),
            End::NotStarted(_) => None,
        }
    }

    /// How it ended.
    pub fn end(&self) -> &End {
        &self.end
    }
}

impl CompletionFacts for EndFacts {
    fn ending(&self) -> Ending {
        match self.ran().map(|completion| completion.outcome) {
            Some(Outcome::Exited(_)) => Ending::Exited,
            Some(Outcome::Signaled { .. }) => Ending::Signaled,
            Some(Outcome::TimedOut) => Ending::TimedOut,
            Some(Outcome::Cancelled) => Ending::Cancelled,
            Some(Outcome::Lost) => Ending::Lost,
            None => Ending::NotStarted,
        }
    }
    fn exit_code(&self) -> Option<i32> {
        match self.ran()?.outcome {
            Outcome::Exited(code) => Some(code),
            Outcome::Signaled { .. } | Outcome::TimedOut | Outcome::Cancelled | Outcome::Lost => {
                None
            }
        }
    }
    fn signal(&self) -> Option<u32> {
        match self.ran()?.outcome {
            Outcome::Signaled { signal, .. } => u32::try_from(signal).ok(),
            Outcome::Exited(_) | Outcome::TimedOut | Outcome::Cancelled | Outcome::Lost => None,
        }
    }
    fn error(&self) -> Option<String> {
        match &self.end {
            End::NotStarted(error) => Some(error.clone()),
            End::Ran(_) => None,
        }
    }
    fn duration_ms(&self) -> u64 {
        self.ran().map_or(0, |completion| {
            u64::try_from(completion.duration.as_millis()).unwrap_or(u64::MAX)
        })
    }
    fn timeout_ms(&self) -> Option<u64> {
        self.plan
            .timeout
            .map(|timeout| u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX))
    }
    fn cwd(&self) -> String {
        self.plan.cwd.to_string_lossy().into_owned()
    }
    fn user_time_us(&self) -> u64 {
        self.ran().map_or(0, |completion| completion.usage.user_us)
    }
    fn system_time_us(&self) -> u64 {
        self.ran()
            .map_or(0, |completion| completion.usage.system_us)
    }
    fn max_resident(&self) -> u64 {
        self.ran().map_or(0, |completion| {
            completion.usage.maximum_resident_kib.saturating_mul(1024)
        })
    }
    fn artifact(&self) -> Option<Artifact> {
        self.artifact.clone()
    }
    fn survivors(&self) -> Vec<Survivor> {
        let survivor = |one: &crate::keeper::Survivor| Survivor {
            pid: one.pid,
            command: one.command.clone(),
        };
        self.ran()
            .map(|completion| completion.survivors.iter().map(survivor).collect())
            .unwrap_or_default()
    }
    fn annotation(&self, _name: &str) -> Option<String> {
        None
    }
}

/// What a command printed, as a formatter sees it.
#[derive(Debug)]
pub struct PrintedFacts {
    output: Capture,
}

impl PrintedFacts {
    /// The facts of a finished capture.
    pub fn new(output: Capture) -> Self {
        Self { output }
    }
}

impl OutputFacts for PrintedFacts {
    fn total_bytes(&self) -> u64 {
        self.output.total_bytes()
    }
    fn total_chars(&self) -> u64 {
        self.output.total_scalars()
    }
    fn invalid_sequences(&self) -> u64 {
        self.output.invalid_sequences()
    }
    fn retained(&self) -> (u64, u64) {
        (self.output.start(), self.output.total_bytes())
    }
    fn read(&self, offset: u64, max: u32) -> Vec<u8> {
        self.output
            .read(offset, usize::try_from(max).unwrap_or(usize::MAX))
            .bytes
    }
    fn head(&self, max: u32) -> String {
        self.output
            .head_text(usize::try_from(max).unwrap_or(usize::MAX))
    }
    fn tail(&self, max: u32) -> String {
        self.output
            .tail_text(usize::try_from(max).unwrap_or(usize::MAX))
    }
}
