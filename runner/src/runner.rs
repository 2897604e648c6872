//! The runner: everything one embedding program needs to run commands.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use execgate_host::Policies;
use tokio::sync::Mutex;

use crate::approvals::{Ask, Nobody};
use crate::audit::{Audit, AuditError};
use crate::completion::Limits;
use crate::components::{self, ComponentError, Loader};
use crate::config::Config;
use crate::floor::Floor;
use crate::keeper::{Keeper, KeeperError};
use crate::plan::{Shell, Surroundings};
use crate::profile::Profile;

/// A runner that cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// A component or the engine.
    #[error(transparent)]
    Component(#[from] ComponentError),
    /// The store.
    #[error(transparent)]
    Audit(#[from] AuditError),
    /// No shell.
    #[error(transparent)]
    Shell(#[from] crate::plan::NoShell),
    /// The workspace is not a directory.
    #[error("the workspace `{path}` cannot be used: {source}; name a directory with `--workspace`")]
    Workspace {
        /// The directory.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The settings say that the profile's tool does not exist.
    #[error(
        "the tool is switched off by the setting `picoclaw.enabled`; switch it on to run commands"
    )]
    Disabled,
}

/// What a runner needs of its settings on every call.
#[derive(Clone, Debug)]
pub(crate) struct CallSettings {
    pub max_command_bytes: u64,
    pub inline_chars: u64,
    pub ring_bytes: usize,
    pub spill: bool,
    pub limits: Limits,
}

/// Runs commands for agents, each judged by components that can be swapped meanwhile.
///
/// Dropping it ends everything it started.
pub struct Runner {
    profile: Profile,
    pub(crate) settings: CallSettings,
    pub(crate) surroundings: Surroundings,
    pub(crate) policies: Policies,
    pub(crate) components: Loader,
    pub(crate) floor: Floor,
    pub(crate) ask: Box<dyn Ask>,
    pub(crate) audit: Audit,
    keeper: Mutex<Option<Keeper>>,
}

/// How many calls a runner is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Load {
    /// One or a few: start fast.
    Single,
    /// Many at a time: prepare for them.
    Many,
}

impl Runner {
    /// Makes a runner: loads the profile's components, opens the store, finds the shell.
    ///
    /// # Errors
    /// The first of these that does not work; nothing runs without all of them.
    pub async fn new(
        config: &Config,
        ask: Option<Box<dyn Ask>>,
        load: Load,
    ) -> Result<Self, BuildError> {
        let profile = config.profile();
        if profile == Profile::Picoclaw && !config.boolean("picoclaw.enabled") {
            return Err(BuildError::Disabled);
        }
        let surroundings = surroundings(config)?;
        let audit = Audit::open(&config.state_dir())?;
        let (policies, components) =
            components::load(config, &surroundings.workspace, load).await?;
        Ok(Self {
            profile,
            settings: call_settings(config),
            surroundings,
            policies,
            components,
            floor: Floor::new(&config.list("policy.deny")),
            ask: ask.unwrap_or_else(|| Box::new(Nobody)),
            audit,
            keeper: Mutex::new(None),
        })
    }

    /// The profile it stands in for.
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// The directory that commands may change.
    pub fn workspace(&self) -> &Path {
        &self.surroundings.workspace
    }

    /// The shell that runs commands.
    pub fn shell(&self) -> &Path {
        &self.surroundings.shell.program
    }

    /// The keeper, started on first use; a new one takes the place of one that died.
    pub(crate) async fn keeper(&self) -> Result<Keeper, KeeperError> {
        let mut keeper = self.keeper.lock().await;
        match &*keeper {
            Some(alive) if !alive.is_lost() => Ok(alive.clone()),
            _ => Ok(keeper.insert(Keeper::start().await?).clone()),
        }
    }

    /// Ends everything this runner started, in order.
    pub async fn shutdown(&self) {
        let keeper = self.keeper.lock().await.take();
        if let Some(keeper) = keeper {
            // A keeper that is lost already has nothing left to end.
            let _ = keeper.shutdown(self.settings.limits.grace).await;
        }
    }
}

/// Settings that a component's place in the world depends on.
fn surroundings(config: &Config) -> Result<Surroundings, BuildError> {
    let path = config
        .path("workspace")
        .unwrap_or_else(|| PathBuf::from("."));
    let workspace =
        absolute_directory(&path).map_err(|source| BuildError::Workspace { path, source })?;
    let search: OsString =
        std::env::var_os("PATH").unwrap_or_else(|| "/usr/local/bin:/usr/bin:/bin".into());
    let shell = config.text("exec.shell").filter(|name| !name.is_empty());
    Ok(Surroundings {
        workspace,
        home: std::env::var_os("HOME")
            .map(PathBuf::from)
            .filter(|home| home.is_absolute()),
        shell: Shell::find(shell, &search)?,
        keep_environment: config.list("exec.keep-environment"),
        timeout: config.timeout(),
    })
}

/// Keeps the links of a path as they are: where they lead is looked at for each call.
fn absolute_directory(path: &Path) -> std::io::Result<PathBuf> {
    let absolute = std::path::absolute(path)?;
    if !absolute.metadata()?.is_dir() {
        return Err(std::io::ErrorKind::NotADirectory.into());
    }
    Ok(absolute)
}

fn call_settings(config: &Config) -> CallSettings {
    CallSettings {
        max_command_bytes: config.integer_or_default("exec.max-command-bytes"),
        inline_chars: config.profile().inline_cap(config),
        ring_bytes: usize::try_from(config.integer_or_default("exec.ring-bytes"))
            .unwrap_or(usize::MAX),
        spill: config.boolean("exec.spill"),
        limits: Limits {
            timeout: None,
            grace: at_least(config.milliseconds("exec.grace-ms")),
            drain_quiet: at_least(config.milliseconds("exec.drain-quiet-ms")),
            drain_limit: at_least(config.milliseconds("exec.drain-limit-ms")),
        },
    }
}

/// A drain of no time at all would cut what was printed right before the end.
fn at_least(duration: Duration) -> Duration {
    duration.max(Duration::from_millis(1))
}
