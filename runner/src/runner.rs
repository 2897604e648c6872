//! The runner: everything one embedding program needs to run commands.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use execgate_host::Policies;
use tokio::sync::{Mutex, mpsc};

use crate::approvals::{Ask, Nobody};
use crate::audit::{Audit, AuditError};
use crate::completion::Limits;
use crate::components::{self, ComponentError, Loader};
use crate::config::Config;
use crate::floor::Floor;
use crate::keeper::{Keeper, KeeperError};
use crate::output::mask::Secrets;
use crate::patch::PatchSettings;
use crate::plan::{Shell, Surroundings};
use crate::profile::Profile;
use crate::session::{Event, Registry, RegistrySettings};
use crate::tool::Surface;
use crate::{environment, memory, patch, rules};

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
    pub artifact_quota: u64,
}

/// Runs commands for agents, each judged by components that can be swapped meanwhile.
///
/// Dropping it ends everything it started.
pub struct Runner {
    profile: Profile,
    surface: Surface,
    pub(crate) settings: CallSettings,
    pub(crate) surroundings: Surroundings,
    pub(crate) policies: Arc<Policies>,
    pub(crate) components: Loader,
    pub(crate) floor: Floor,
    pub(crate) ask: Box<dyn Ask>,
    pub(crate) audit: Arc<Audit>,
    pub(crate) secrets: Arc<Secrets>,
    /// Names of variables that commands do not see.
    pub(crate) withheld: String,
    pub(crate) sessions: Arc<Registry>,
    pub(crate) patches: PatchSettings,
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
        let audit = Arc::new(Audit::open(&config.state_dir())?);
        let patches = PatchSettings::new(
            config,
            surroundings.workspace.clone(),
            surroundings.home.clone(),
        );
        patch::mend(&patches).await;
        let (policies, components) =
            components::load(config, &surroundings.workspace, load).await?;
        let checked = rules::check(config, &policies, &surroundings).await;
        checked.map_err(ComponentError::from)?;
        let policies = Arc::new(policies);
        memory::watch();
        Ok(Self {
            profile,
            surface: surface(config),
            settings: call_settings(config),
            surroundings,
            secrets: Arc::new(environment::secrets(&[])),
            withheld: environment::withheld(&config.list("exec.keep-environment")),
            sessions: Registry::new(
                registry_settings(config),
                Arc::clone(&policies),
                Arc::clone(&audit),
            ),
            policies,
            components,
            floor: Floor::new(&config.list("policy.deny")),
            ask: ask.unwrap_or_else(|| Box::new(Nobody)),
            audit,
            patches,
            keeper: Mutex::new(None),
        })
    }

    /// The profile it stands in for.
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// The tool surface that its calls are read by.
    pub fn surface(&self) -> Surface {
        self.surface
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

    /// Everything that happens unasked from now on.
    pub fn events(&self) -> mpsc::UnboundedReceiver<Event> {
        self.sessions.events().subscribe()
    }

    /// Waits until no session runs any more.
    pub async fn idle(&self) {
        self.sessions.idle().await;
    }

    /// Ends everything this runner started, in order: the sessions, then what they left behind.
    pub async fn shutdown(&self) {
        self.sessions.stop_all().await;
        self.sessions.events().close();
        let keeper = self.keeper.lock().await.take();
        if let Some(keeper) = keeper {
            // A keeper that is lost already has nothing left to end.
            let _ = keeper.shutdown(self.settings.limits.grace).await;
        }
    }
}

impl Drop for Runner {
    fn drop(&mut self) {
        self.sessions.abandon();
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
    let shell = config.profile().shell(config);
    Ok(Surroundings {
        workspace,
        home: std::env::var_os("HOME")
            .map(PathBuf::from)
            .filter(|home| home.is_absolute()),
        shell: Shell::find(shell.as_deref(), &search)?,
        environment: config.profile().environment(),
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
        artifact_quota: config.integer_or_default("exec.artifact-quota-bytes"),
        limits: Limits {
            timeout: None,
            grace: at_least(config.milliseconds("exec.grace-ms")),
            drain_quiet: at_least(config.milliseconds("exec.drain-quiet-ms")),
            drain_limit: at_least(config.milliseconds("exec.drain-limit-ms")),
        },
    }
}

/// Shortest and longest time that a call stays with its command by default, in milliseconds.
const YIELD_MS: (u64, u64) = (10, 120_000);

fn surface(config: &Config) -> Surface {
    let (shortest, longest) = YIELD_MS;
    let yield_ms = config.integer_or_default("sessions.yield-ms");
    Surface {
        profile: config.profile(),
        continues: config.boolean("sessions.enabled"),
        patches: config.boolean("patch.enabled"),
        yield_after: Duration::from_millis(yield_ms.clamp(shortest, longest)),
        longest_wait: config.timeout(),
        read_bytes: config.integer_or_default("exec.max-output-chars"),
    }
}

fn registry_settings(config: &Config) -> RegistrySettings {
    let count = |name: &str| usize::try_from(config.integer_or_default(name)).unwrap_or(usize::MAX);
    RegistrySettings {
        profile: config.profile(),
        max_live: count("sessions.max-live"),
        keep_ended: count("sessions.keep-ended"),
        keep_for: Duration::from_secs(config.integer_or_default("sessions.keep-seconds")),
        keep_bytes: config.integer_or_default("sessions.keep-bytes"),
        kept_chars: count("sessions.kept-chars"),
        pending_chars: count("sessions.pending-chars"),
        input_wait: Duration::from_millis(config.integer_or_default("sessions.input-wait-ms")),
        notify: config.boolean("sessions.notify-on-exit"),
        notify_empty: config.boolean("sessions.notify-on-empty-success"),
    }
}

/// A drain of no time at all would cut what was printed right before the end.
fn at_least(duration: Duration) -> Duration {
    duration.max(Duration::from_millis(1))
}
