//! Which components are live: built-in ones or files, loaded at the start and swapped later.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use execgate_host::{
    Allocation, Engine, EngineConfig, EngineError, Grants, Identity, Limits, LoadError,
    LoadOptions, Loaded, Policies, PublishError, Role, Slot, Source,
};

use crate::audit::SwapRecord;
use crate::causes::in_full;
use crate::config::Config;
use crate::guests;
use crate::rules::RuleError;
use crate::runner::{Load, Runner};

/// Calls that components are prepared for at the same time.
const INSTANCES: u32 = 32;

/// A component that cannot be loaded or made live.
#[derive(Debug, thiserror::Error)]
pub enum ComponentError {
    /// The engine.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The file is not a component that can be used.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// It does not pass its settings or its self-check; what was live before stays.
    #[error(transparent)]
    Publish(#[from] PublishError),
    /// The operator's own rules.
    #[error(transparent)]
    Rules(#[from] RuleError),
    /// A grant that does not exist.
    #[error("setting `grants` names `{0}`; the grants are `workspace` and `counters`")]
    Grant(String),
    /// A slot that does not exist.
    #[error("there is no slot `{0}`; the slots are analyzer, policy, approver and formatter")]
    Slot(String),
}

/// What can be swapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlotName {
    /// Reads command texts.
    Analyzer,
    /// The first policy of the chain.
    Policy,
    /// Decides what is asked.
    Approver,
    /// Writes answers.
    Formatter,
}

impl SlotName {
    /// Its name, as in settings and operator lines.
    pub fn name(self) -> &'static str {
        match self {
            Self::Analyzer => "analyzer",
            Self::Policy => "policy",
            Self::Approver => "approver",
            Self::Formatter => "formatter",
        }
    }
}

impl FromStr for SlotName {
    type Err = ComponentError;

    fn from_str(text: &str) -> Result<Self, ComponentError> {
        let all = [
            Self::Analyzer,
            Self::Policy,
            Self::Approver,
            Self::Formatter,
        ];
        all.into_iter()
            .find(|slot| slot.name() == text)
            .ok_or_else(|| ComponentError::Slot(text.to_owned()))
    }
}

/// Loads components under one set of limits and grants.
pub struct Loader {
    engine: Engine,
    options: LoadOptions,
    settings: String,
}

/// What a swap or rollback changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Swapped {
    /// Digest of what was live before; empty if nothing was.
    pub old_digest: String,
    /// Digest of what is live now.
    pub new_digest: String,
}

/// Loads all components that the settings name, the profile's own where they name none.
pub(crate) async fn load(
    config: &Config,
    workspace: &Path,
    load: Load,
) -> Result<(Policies, Loader), ComponentError> {
    let loader = Loader::new(config, workspace, load)?;
    let bundle = loader.load(guests::bundle(config.profile())).await?;
    let analyzer = match loader.named(config, "analyzer.component").await? {
        Some(named) => named,
        None => loader.load(guests::analyzer()).await?,
    };
    let approver = loader.named(config, "approver.component").await?;
    let formatter = loader.named(config, "formatter.component").await?;
    let or_bundle = |named: Option<Arc<Loaded>>| named.unwrap_or_else(|| Arc::clone(&bundle));
    let policies = Policies {
        analyzer: loader.slot(Role::Analyzer, "analyzer", analyzer).await?,
        chain: loader
            .chain(&config.list("policy.components"), &bundle)
            .await?,
        approver: loader
            .slot(Role::Approver, "approver", or_bundle(approver))
            .await?,
        formatter: loader
            .slot(Role::Formatter, "formatter", or_bundle(formatter))
            .await?,
    };
    Ok((policies, loader))
}

impl Loader {
    fn new(config: &Config, workspace: &Path, load: Load) -> Result<Self, ComponentError> {
        let engine = Engine::new(EngineConfig {
            allocation: match load {
                Load::Single => Allocation::OnDemand,
                Load::Many => Allocation::Pooling {
                    instances: INSTANCES,
                },
            },
            cache: Some(config.cache_dir()),
            limits: limits(config),
            // A swap must not slow down the calls that run meanwhile; a first command has none.
            parallel_compilation: load == Load::Single,
        })?;
        let options = LoadOptions {
            grants: grants(config, workspace)?,
            limits: None,
        };
        let settings = config.profile().component_settings(config).to_string();
        Ok(Self {
            engine,
            options,
            settings,
        })
    }

    async fn load(&self, source: Source) -> Result<Arc<Loaded>, ComponentError> {
        Ok(self.engine.load(source, self.options.clone()).await?)
    }

    async fn file(&self, path: &Path) -> Result<Arc<Loaded>, ComponentError> {
        self.load(Source::file(path)?).await
    }

    /// The component that a setting names, if it names one.
    async fn named(
        &self,
        config: &Config,
        key: &str,
    ) -> Result<Option<Arc<Loaded>>, ComponentError> {
        match config.path(key) {
            Some(path) => self.file(&path).await.map(Some),
            None => Ok(None),
        }
    }

    /// The settings a role is configured with: the analyzer has none of its own.
    fn settings_for(&self, role: Role) -> &str {
        match role {
            Role::Analyzer => "{}",
            Role::Policy | Role::Approver | Role::Formatter => &self.settings,
        }
    }

    async fn slot(
        &self,
        role: Role,
        name: &str,
        loaded: Arc<Loaded>,
    ) -> Result<Arc<Slot>, ComponentError> {
        let slot = Slot::new(role, name);
        slot.publish(loaded, self.settings_for(role)).await?;
        Ok(slot)
    }

    async fn chain(
        &self,
        paths: &[String],
        bundle: &Arc<Loaded>,
    ) -> Result<Vec<Arc<Slot>>, ComponentError> {
        if paths.is_empty() {
            return Ok(vec![
                self.slot(Role::Policy, "policy", Arc::clone(bundle))
                    .await?,
            ]);
        }
        let mut chain = Vec::new();
        for path in paths {
            let loaded = self.file(Path::new(path)).await?;
            chain.push(self.slot(Role::Policy, "policy", loaded).await?);
        }
        Ok(chain)
    }
}

fn limits(config: &Config) -> Limits {
    let memory =
        usize::try_from(config.integer_or_default("limits.memory-bytes")).unwrap_or(usize::MAX);
    Limits {
        fuel: config.integer_or_default("limits.fuel"),
        memory,
        wall_clock: Duration::from_millis(config.integer_or_default("limits.wall-clock-ms")),
        ..Limits::default()
    }
}

fn grants(config: &Config, workspace: &Path) -> Result<Grants, ComponentError> {
    let mut grants = Grants::default();
    for name in config.list("grants") {
        match name.as_str() {
            "workspace" => grants.workspace = Some(workspace.to_owned()),
            "counters" => grants.counters = true,
            _ => return Err(ComponentError::Grant(name)),
        }
    }
    Ok(grants)
}

impl Runner {
    /// What is live in each slot, the policies of the chain in their order.
    pub fn components(&self) -> Vec<(&'static str, Option<Identity>)> {
        let live = |slot: &Slot| slot.current().map(|live| live.identity().clone());
        let policies = &self.policies;
        let chain = policies.chain.iter().map(|slot| ("policy", live(slot)));
        let first = [("analyzer", live(&policies.analyzer))];
        let last = [
            ("approver", live(&policies.approver)),
            ("formatter", live(&policies.formatter)),
        ];
        first.into_iter().chain(chain).chain(last).collect()
    }

    fn slot(&self, name: SlotName) -> &Slot {
        match name {
            SlotName::Analyzer => &self.policies.analyzer,
            SlotName::Policy => &self.policies.chain[0],
            SlotName::Approver => &self.policies.approver,
            SlotName::Formatter => &self.policies.formatter,
        }
    }

    /// Makes another component live. Calls in flight end on the one they began
    /// with; where the new one does not pass, the old one stays.
    ///
    /// # Errors
    /// Why the new one cannot be used.
    pub async fn swap(&self, name: SlotName, path: &Path) -> Result<Swapped, ComponentError> {
        let slot = self.slot(name);
        let old_digest = digest_of(slot);
        let published = self.publish(slot, path).await;
        self.record_swap(name, "swap", old_digest, slot, published)
            .await
    }

    async fn publish(&self, slot: &Slot, path: &Path) -> Result<(), ComponentError> {
        let loaded = self.components.file(path).await?;
        slot.publish(loaded, self.components.settings_for(slot.role()))
            .await?;
        Ok(())
    }

    /// Makes the component live again that was before the last swap.
    ///
    /// # Errors
    /// There is none.
    pub async fn rollback(&self, name: SlotName) -> Result<Swapped, ComponentError> {
        let slot = self.slot(name);
        let old_digest = digest_of(slot);
        let rolled_back = slot
            .rollback()
            .await
            .map(drop)
            .map_err(ComponentError::from);
        self.record_swap(name, "rollback", old_digest, slot, rolled_back)
            .await
    }

    async fn record_swap(
        &self,
        name: SlotName,
        operation: &str,
        old_digest: String,
        slot: &Slot,
        result: Result<(), ComponentError>,
    ) -> Result<Swapped, ComponentError> {
        let swapped = Swapped {
            old_digest,
            new_digest: digest_of(slot),
        };
        let record = SwapRecord {
            slot: name.name().to_owned(),
            operation: operation.to_owned(),
            old_digest: swapped.old_digest.clone(),
            new_digest: swapped.new_digest.clone(),
            error: result.as_ref().err().map(|error| in_full(error)),
        };
        if let Err(error) = self.audit.swap(record).await {
            tracing::error!(%error, "a change of a component could not be recorded");
        }
        result.map(|()| swapped)
    }
}

fn digest_of(slot: &Slot) -> String {
    slot.current()
        .map(|live| live.identity().digest.clone())
        .unwrap_or_default()
}

/// What a component file is.
#[derive(Clone, Debug)]
pub struct Inspected {
    /// The file's name.
    pub name: String,
    /// SHA-256 in hex.
    pub digest: String,
    /// Size of the file.
    pub bytes: u64,
    /// What it can be used as.
    pub roles: Vec<String>,
    /// What it asks of the host: its capabilities.
    pub imports: Vec<String>,
}

/// Loads a component with everything granted that can be, and says what it is.
///
/// # Errors
/// It is not a component that could be used.
pub fn inspect(path: &Path) -> Result<Inspected, ComponentError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|source| LoadError::Unreadable {
            path: PathBuf::from(path),
            source,
        })?;
    runtime.block_on(async {
        let engine = Engine::new(EngineConfig {
            allocation: Allocation::OnDemand,
            ..EngineConfig::default()
        })?;
        let grants = Grants {
            workspace: Some(std::env::temp_dir()),
            counters: true,
        };
        let loaded = engine
            .load(
                Source::file(path)?,
                LoadOptions {
                    grants,
                    limits: None,
                },
            )
            .await?;
        Ok(Inspected {
            name: loaded.name().to_owned(),
            digest: loaded.digest().to_owned(),
            bytes: path.metadata().map(|metadata| metadata.len()).unwrap_or(0),
            roles: loaded.roles().iter().map(ToString::to_string).collect(),
            imports: loaded.imports().to_vec(),
        })
    })
}
