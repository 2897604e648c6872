//! From bytes to a component that may be published.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use serde::Serialize;
use sha2::{Digest, Sha256};
use tokio::sync::OwnedSemaphorePermit;
use wasmtime::Store;
use wasmtime::component::{Component, InstancePre};

use crate::bindings::exports::execgate::policy::{analyzer, approver, formatter, policy};
use crate::engine::{Engine, Shared};
use crate::fault::Fault;
use crate::imports::counters::Counters;
use crate::limits::Limits;
use crate::manifest;
use crate::source::Source;
use crate::state::{Services, State};
use crate::turn;

/// First bytes of every component and of every core module.
const COMPONENT: &[u8] = b"\0asm\x0d\0\x01\0";
const CORE_MODULE: &[u8] = b"\0asm\x01\0\0\0";
/// Fuel between two looks at the clock: a fraction of a millisecond.
const YIELD: u64 = 200_000;

/// What a component can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Reads command texts.
    Analyzer,
    /// Judges requests.
    Policy,
    /// Decides what is asked of people.
    Approver,
    /// Writes answers.
    Formatter,
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Analyzer => "analyzer",
            Self::Policy => "policy",
            Self::Approver => "approver",
            Self::Formatter => "formatter",
        })
    }
}

/// What a component may import beyond what everyone may.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grants {
    /// Read-only looks into this directory.
    pub workspace: Option<PathBuf>,
    /// Named counters, kept with the slot.
    pub counters: bool,
}

/// How a component is loaded.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// What it may import.
    pub grants: Grants,
    /// Its limits; the engine's when there are none.
    pub limits: Option<Limits>,
}

/// A component that cannot be used. The component before it stays in force.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The file cannot be read.
    #[error("cannot read component `{}`", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The bytes are no component, or not a whole one.
    #[error("`{name}` is not a usable component: {reason}")]
    NotComponent {
        /// The component.
        name: String,
        /// What it is instead, and the remedy.
        reason: String,
    },
    /// It was made for a version that this host does not serve.
    #[error(
        "component `{name}` wants version {wanted} of `{package}` (`{item}`), this host offers {offered}: \
         rebuild it with an SDK of that version"
    )]
    Version {
        /// The component.
        name: String,
        /// The first import or export that differs.
        item: String,
        /// The package.
        package: String,
        /// The version it wants.
        wanted: String,
        /// The version that there is.
        offered: &'static str,
    },
    /// It exports nothing that a slot could use.
    #[error("component `{name}` exports no analyzer, policy, approver or formatter, but {exports}")]
    NoRole {
        /// The component.
        name: String,
        /// What it exports.
        exports: String,
    },
    /// It imports what it may not have.
    #[error("component `{name}` imports `{import}`: {remedy}")]
    Import {
        /// The component.
        name: String,
        /// The import.
        import: String,
        /// What would grant it, if anything does.
        remedy: String,
    },
    /// An item has another type than in this host's version of the package.
    #[error(
        "component `{name}` does not fit version {offered} of the package: {detail}; \
         rebuild it with an SDK of that version"
    )]
    Skew {
        /// The component.
        name: String,
        /// The version that there is.
        offered: &'static str,
        /// The first item that differs, and how.
        detail: String,
    },
    /// It needs more memory to start than it may have.
    #[error(
        "component `{name}` needs {need} bytes of memory to start, its limit is {limit}: raise `memory`"
    )]
    Memory {
        /// The component.
        name: String,
        /// Bytes that it needs.
        need: usize,
        /// Bytes that it may have.
        limit: usize,
    },
    /// It failed while it started.
    #[error("it does not start: {0}")]
    Start(Fault),
    /// The directory that was granted cannot be opened.
    #[error("cannot open the workspace `{}` for component `{name}`", path.display())]
    Workspace {
        /// The component.
        name: String,
        /// The directory.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// A compiled, linked and tried component: ready to be published in a slot.
pub struct Loaded {
    pub(crate) shared: Arc<Shared>,
    pub(crate) pre: InstancePre<State>,
    pub(crate) exports: Exports,
    pub(crate) name: Arc<str>,
    pub(crate) limits: Limits,
    workspace: Option<Arc<Dir>>,
    counters: bool,
    digest: String,
    roles: Vec<Role>,
    imports: Vec<String>,
}

/// The exports of each role that a component has.
#[derive(Default)]
pub(crate) struct Exports {
    pub(crate) analyzer: Option<analyzer::GuestIndices>,
    pub(crate) policy: Option<policy::GuestIndices>,
    pub(crate) approver: Option<approver::GuestIndices>,
    pub(crate) formatter: Option<formatter::GuestIndices>,
}

impl Loaded {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// SHA-256 of its bytes, in hex.
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// What it can be, in the order of [`Role`].
    #[must_use]
    pub fn roles(&self) -> &[Role] {
        &self.roles
    }

    /// The names of all its imports, sorted: what it can do at most.
    #[must_use]
    pub fn imports(&self) -> &[String] {
        &self.imports
    }

    /// A store for one call, with nothing lent yet.
    pub(crate) fn store(&self, counters: &Arc<Counters>) -> wasmtime::Result<Store<State>> {
        let services = Services {
            patterns: Arc::clone(&self.shared.patterns),
            workspace: self.workspace.clone(),
            counters: self.counters.then(|| Arc::clone(counters)),
        };
        let state = State::new(&self.name, &self.limits, services);
        let mut store = Store::try_new(&self.shared.engine, state)?;
        store.limiter(|state| &mut state.growth);
        store.set_fuel(self.limits.fuel)?;
        store.fuel_async_yield_interval(Some(YIELD))?;
        store.set_hostcall_fuel(self.limits.result);
        Ok(store)
    }

    /// Room for an instance that waits for its call, if there is any, and if it would be the same instance then.
    pub(crate) fn spare_turn(&self) -> Option<OwnedSemaphorePermit> {
        let is_timeless = self.workspace.is_none() && !self.counters;
        is_timeless.then(|| self.shared.spare_turn()).flatten()
    }
}

impl fmt::Debug for Loaded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Loaded")
            .field("name", &self.name)
            .field("digest", &self.digest)
            .field("roles", &self.roles)
            .field("imports", &self.imports)
            .finish_non_exhaustive()
    }
}

impl Engine {
    /// Compiles a component, or takes it from the cache, checks its exports,
    /// imports and versions, and starts it once under its limits.
    ///
    /// Compiling takes one thread of the runtime's blocking pool. Call it within a tokio runtime.
    ///
    /// # Errors
    /// [`LoadError`], which names the component and what would help.
    pub async fn load(
        &self,
        source: Source,
        options: LoadOptions,
    ) -> Result<Arc<Loaded>, LoadError> {
        check_preamble(&source)?;
        let digest: [u8; 32] = Sha256::digest(&source.bytes).into();
        let name: Arc<str> = source.name.as_str().into();
        let component = self.compile(source, digest).await?;
        let imports = self.check_names(&component, &name, &options.grants)?;
        let pre = self.shared.linker.instantiate_pre(&component);
        let pre = pre.map_err(|error| skew(&name, &error))?;
        let workspace = open_workspace(&name, &options.grants)?;
        let (exports, roles) = probe(&pre);
        if roles.is_empty() {
            return Err(no_role(&name, &component));
        }
        let loaded = Loaded {
            shared: Arc::clone(&self.shared),
            limits: options.limits.unwrap_or_else(|| self.shared.limits.clone()),
            digest: hex::encode(digest),
            counters: options.grants.counters,
            pre,
            exports,
            workspace,
            name,
            roles,
            imports,
        };
        loaded.start_once().await?;
        Ok(Arc::new(loaded))
    }

    async fn compile(&self, source: Source, digest: [u8; 32]) -> Result<Component, LoadError> {
        let shared = Arc::clone(&self.shared);
        let name = source.name.clone();
        let compiled = tokio::task::spawn_blocking(move || match &shared.cache {
            Some(cache) => cache.component(&shared.engine, &digest, &source.bytes),
            None => Component::from_binary(&shared.engine, &source.bytes),
        });
        let failed = |reason: String| LoadError::NotComponent { name, reason };
        match compiled.await {
            Ok(Ok(component)) => Ok(component),
            Ok(Err(error)) => Err(failed(format!(
                "it is damaged, truncated, or uses what this host does not support: {error:#}"
            ))),
            Err(error) => Err(failed(format!("the compiler failed: {error}"))),
        }
    }

    /// Checks versions and grants; gives the names of all imports, sorted.
    fn check_names(
        &self,
        component: &Component,
        name: &str,
        grants: &Grants,
    ) -> Result<Vec<String>, LoadError> {
        let kind = component.component_type();
        let engine = &self.shared.engine;
        let roles = [
            Role::Analyzer,
            Role::Policy,
            Role::Approver,
            Role::Formatter,
        ];
        let roles = roles.map(|role| role.to_string());
        let roles = roles.each_ref().map(String::as_str);
        manifest::check_exports(name, kind.exports(engine).map(|(export, _)| export), &roles)?;
        let mut imports: Vec<String> = kind
            .imports(engine)
            .map(|(import, _)| import.to_owned())
            .collect();
        imports.sort();
        for import in &imports {
            manifest::check_import(name, import, grants)?;
        }
        Ok(imports)
    }
}

impl Loaded {
    /// Instantiates it and compares the types of what it exports.
    async fn start_once(&self) -> Result<(), LoadError> {
        let skewed = |error| skew(&self.name, &error);
        let mut store = self.store(&Arc::default()).map_err(skewed)?;
        let _turn = self.shared.turn().await;
        let start = self.pre.instantiate_async(&mut store);
        let instance = match turn::run(self.limits.wall_clock, start).await {
            Ok(instance) => instance,
            Err(error) => return Err(self.not_started(&error, store.data())),
        };
        if let Some(indices) = &self.exports.analyzer {
            indices.load(&mut store, &instance).map_err(skewed)?;
        }
        if let Some(indices) = &self.exports.policy {
            indices.load(&mut store, &instance).map_err(skewed)?;
        }
        if let Some(indices) = &self.exports.approver {
            indices.load(&mut store, &instance).map_err(skewed)?;
        }
        if let Some(indices) = &self.exports.formatter {
            indices.load(&mut store, &instance).map_err(skewed)?;
        }
        Ok(())
    }

    fn not_started(&self, error: &wasmtime::Error, state: &State) -> LoadError {
        match state.growth.refused_memory {
            Some(need) => LoadError::Memory {
                name: self.name().to_owned(),
                need,
                limit: self.limits.memory,
            },
            None => LoadError::Start(Fault::from_call(error, state)),
        }
    }
}

fn check_preamble(source: &Source) -> Result<(), LoadError> {
    let bytes = &source.bytes;
    if bytes.starts_with(COMPONENT) {
        return Ok(());
    }
    let reason = if bytes.is_empty() {
        "it is empty"
    } else if bytes.starts_with(CORE_MODULE) {
        "it is a core module: build it for the target `wasm32-wasip2`, or wrap it with `wasm-tools component new`"
    } else if COMPONENT.starts_with(bytes) {
        "it is truncated: copy it again"
    } else {
        "it is not WebAssembly at all"
    };
    Err(LoadError::NotComponent {
        name: source.name.clone(),
        reason: reason.to_owned(),
    })
}

/// Finds the roles that a component exports.
fn probe(pre: &InstancePre<State>) -> (Exports, Vec<Role>) {
    let exports = Exports {
        analyzer: analyzer::GuestIndices::new(pre).ok(),
        policy: policy::GuestIndices::new(pre).ok(),
        approver: approver::GuestIndices::new(pre).ok(),
        formatter: formatter::GuestIndices::new(pre).ok(),
    };
    let found = [
        (Role::Analyzer, exports.analyzer.is_some()),
        (Role::Policy, exports.policy.is_some()),
        (Role::Approver, exports.approver.is_some()),
        (Role::Formatter, exports.formatter.is_some()),
    ];
    let roles = found.into_iter().filter(|(_, found)| *found);
    (exports, roles.map(|(role, _)| role).collect())
}

fn no_role(name: &str, component: &Component) -> LoadError {
    let kind = component.component_type();
    let exports: Vec<String> = kind
        .exports(component.engine())
        .map(|(export, _)| format!("`{export}`"))
        .collect();
    LoadError::NoRole {
        name: name.to_owned(),
        exports: if exports.is_empty() {
            "nothing".into()
        } else {
            exports.join(", ")
        },
    }
}

fn open_workspace(name: &str, grants: &Grants) -> Result<Option<Arc<Dir>>, LoadError> {
    let Some(path) = &grants.workspace else {
        return Ok(None);
    };
    match Dir::open_ambient_dir(path, ambient_authority()) {
        Ok(directory) => Ok(Some(Arc::new(directory))),
        Err(source) => Err(LoadError::Workspace {
            name: name.to_owned(),
            path: path.clone(),
            source,
        }),
    }
}

fn skew(name: &str, error: &wasmtime::Error) -> LoadError {
    LoadError::Skew {
        name: name.to_owned(),
        offered: manifest::VERSION,
        detail: format!("{error:#}"),
    }
}
