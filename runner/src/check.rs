//! Verdicts without running anything: what `execgate policy check` is made of.

use std::path::{Path, PathBuf};
use std::time::Instant;

use execgate_host::{Dialect, Policies, Segment};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::components::{self, ComponentError};
use crate::config::Config;
use crate::floor::Floor;
use crate::judge::{Judgement, judge};
use crate::plan::{Shell, Surroundings};
use crate::record::decision_name;
use crate::request::{Caller, ExecRequest};
use crate::rules::{self, Oddity};
use crate::runner::Load;

/// A command to judge.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Row {
    /// Comes back in the report.
    pub id: Value,
    /// The text.
    pub command: String,
    /// Directory to assume; the workspace if absent.
    pub cwd: Option<String>,
    /// Workspace to assume; the directory if absent.
    pub workspace: Option<String>,
    /// Home directory to assume.
    pub home: Option<String>,
    /// `bash`, `sh`, `zsh`, `powershell` or `cmd`.
    pub shell: Option<String>,
    /// Who asks.
    pub caller: Option<Caller>,
    /// Patterns of which one must match, in profiles that have such a list.
    pub allowlist: Vec<String>,
}

/// A row that cannot be judged.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// The row has no command.
    #[error("a row needs a `command`")]
    NoCommand,
    /// The shell is not known.
    #[error("shell `{0}` is not known; use bash, sh, zsh, powershell or cmd")]
    Shell(String),
    /// The text cannot be a command.
    #[error(transparent)]
    Arguments(#[from] crate::request::BadArguments),
    /// The row's own settings are not accepted.
    #[error(transparent)]
    Component(#[from] ComponentError),
}

/// One simple command of a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReportSegment {
    /// Its words; an unknown one is `null`.
    pub argv: Vec<Option<String>>,
    /// The file it starts, if it is on this machine.
    pub executable: Option<String>,
    /// Byte offsets `[start, end)` into the text.
    pub span: [u32; 2],
}

/// What would happen to a command.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The row's.
    pub id: Value,
    /// `allow`, `ask` or `deny`.
    pub verdict: &'static str,
    /// The rule that decided.
    pub rule: String,
    /// Its family.
    pub category: String,
    /// Why.
    pub reason: String,
    /// What would pass.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
    /// The simple commands found.
    pub segments: Vec<ReportSegment>,
    /// What was not understood.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opaque: Option<String>,
    /// Digest of the policy.
    pub policy: String,
    /// Microseconds for analysis and verdict.
    pub micros: u64,
}

/// Judges commands with components that are loaded once.
pub struct Checker {
    config: Config,
    policies: Policies,
    allowlist: Vec<String>,
    floor: Floor,
}

impl Checker {
    /// For the profile and settings given; `policies` are files that replace the profile's chain.
    ///
    /// # Errors
    /// A component cannot be used.
    pub async fn new(config: &Config, policies: &[PathBuf]) -> Result<Self, ComponentError> {
        let mut config = config.clone();
        if !policies.is_empty() {
            config.set_list(
                "policy.components",
                policies
                    .iter()
                    .map(|path| path.to_string_lossy().into_owned()),
            );
        }
        let (policies, _) = components::load(&config, Path::new("/"), Load::Single).await?;
        let checker = Self {
            floor: Floor::new(&config.list("policy.deny")),
            policies,
            allowlist: Vec::new(),
            config,
        };
        let surroundings = checker.surroundings(&Row::default());
        if let Ok(surroundings) = surroundings {
            rules::check(&checker.config, &checker.policies, &surroundings).await?;
        }
        Ok(checker)
    }

    /// Judges one command.
    ///
    /// # Errors
    /// The row cannot be judged.
    pub async fn check(&mut self, row: Row) -> Result<Report, CheckError> {
        let id = row.id.clone();
        let (judgement, micros) = self.judge(row, false).await?;
        Ok(report(id, &judgement, micros))
    }

    /// What is odd about the operator's own rules.
    ///
    /// # Errors
    /// The rules cannot be used at all.
    pub async fn lint(config: &Config) -> Result<Vec<Oddity>, CheckError> {
        // The rules must be usable before anything is said of them.
        Self::new(config, &[]).await?;
        let mut bare = config.clone();
        bare.set_tables("policy.rules", Vec::new());
        let checker = Self::new(&bare, &[]).await?;
        let surroundings = checker.surroundings(&Row::default())?;
        Ok(rules::oddities(config, &checker.policies, &surroundings).await)
    }

    /// Judges one command, and tells how many microseconds that took.
    pub(crate) async fn judge(
        &mut self,
        row: Row,
        explain: bool,
    ) -> Result<(Judgement, u64), CheckError> {
        if row.command.is_empty() {
            return Err(CheckError::NoCommand);
        }
        let surroundings = self.surroundings(&row)?;
        self.use_allowlist(&row.allowlist).await?;
        let request = ExecRequest {
            command: row.command,
            cwd: row.cwd,
            caller: row.caller.unwrap_or_else(Caller::local),
            explain,
            ..ExecRequest::default()
        };
        request.check(self.config.integer_or_default("exec.max-command-bytes"))?;
        let started = Instant::now();
        let judgement = judge(&self.policies.pin(), request, &surroundings, &self.floor).await;
        let micros = u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX);
        Ok((judgement, micros))
    }

    /// The row's place; neither it nor the programs named need to exist.
    fn surroundings(&self, row: &Row) -> Result<Surroundings, CheckError> {
        let here = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("/"));
        let configured = self
            .config
            .path("workspace")
            .map(|workspace| here.join(workspace));
        let named = row
            .workspace
            .as_ref()
            .or(row.cwd.as_ref())
            .map(|path| here.join(path));
        let home = row
            .home
            .clone()
            .map(PathBuf::from)
            .or_else(|| std::env::var_os("HOME").map(PathBuf::from));
        Ok(Surroundings {
            workspace: named.or(configured).unwrap_or(here),
            home,
            shell: assumed_shell(row.shell.as_deref().unwrap_or(self.default_shell()))?,
            keep_environment: self.config.list("exec.keep-environment"),
            environment: self.config.profile().environment(),
            timeout: self.config.timeout(),
        })
    }

    fn default_shell(&self) -> &str {
        let name = self.config.text("exec.shell").unwrap_or_default();
        match name.rsplit('/').next() {
            Some(known @ ("sh" | "zsh")) => known,
            _ => "bash",
        }
    }

    /// Configures the policies anew where a row brings another list.
    async fn use_allowlist(&mut self, allowlist: &[String]) -> Result<(), ComponentError> {
        if allowlist != self.allowlist {
            self.config
                .set_list("picoclaw.allowlist", allowlist.iter().cloned());
            let (policies, _) =
                components::load(&self.config, Path::new("/"), Load::Single).await?;
            self.policies = policies;
            self.allowlist = allowlist.to_vec();
        }
        Ok(())
    }
}

/// A shell that need not be on this machine.
fn assumed_shell(name: &str) -> Result<Shell, CheckError> {
    let dialect = match name {
        "bash" => Dialect::Bash,
        "sh" => Dialect::Posix,
        "zsh" => Dialect::Zsh,
        "powershell" | "pwsh" => Dialect::Powershell,
        "cmd" => Dialect::Cmd,
        other => return Err(CheckError::Shell(other.to_owned())),
    };
    Ok(Shell {
        program: PathBuf::from("/").join(name),
        name: None,
        arguments: Vec::new(),
        dialect,
    })
}

pub(crate) fn report(id: Value, judgement: &Judgement, micros: u64) -> Report {
    let Judgement {
        facts,
        verdict,
        judged,
        ..
    } = judgement;
    let plan = facts.plan();
    let segment = |(index, segment): (usize, &Segment)| ReportSegment {
        argv: segment
            .words
            .iter()
            .map(|word| word.value.clone())
            .collect(),
        executable: plan.programs[index]
            .as_ref()
            .and_then(|program| program.real_path.as_ref())
            .map(|path| path.to_string_lossy().into_owned()),
        span: [segment.span.start, segment.span.end],
    };
    Report {
        id,
        verdict: decision_name(verdict.decision),
        rule: verdict.rule.clone(),
        category: verdict.category.clone(),
        reason: verdict.reason.clone(),
        remedy: verdict.remedy.clone(),
        segments: plan
            .command_line
            .segments
            .iter()
            .enumerate()
            .map(segment)
            .collect(),
        opaque: plan
            .command_line
            .opaque
            .first()
            .map(|opaque| opaque.reason.clone()),
        policy: judged
            .judges
            .iter()
            .map(|judge| judge.digest.as_str())
            .collect::<Vec<_>>()
            .join(","),
        micros,
    }
}
