//! The one engine of a process: compiler, instance pool, linker and shared caches.

use std::path::PathBuf;
use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use wasmtime::component::Linker;
use wasmtime::{Config, Enabled, PoolingAllocationConfig};

use crate::cache::{Cache, CacheError};
use crate::imports;
use crate::imports::patterns::Patterns;
use crate::limits::Limits;
use crate::state::State;

/// Bytes of an instance's memory that are reset in place between calls instead
/// of being given back to the kernel.
const KEEP_RESIDENT: usize = 2 << 20;
/// Core instances, memories and tables that one component may have in the pool.
/// A Rust component has three instances, one memory and two tables.
const POOL_CORE_INSTANCES: u32 = 32;
const POOL_MEMORIES: u32 = 2;
const POOL_TABLES: u32 = 16;
/// Instances in the pool, beyond those of calls, that wait for a call to come.
const SPARE: u32 = 8;
/// Calls at the same time without a pool.
const UNPOOLED: u32 = 64;
/// Address space of a memory without a pool: such hosts are short of it.
const UNPOOLED_RESERVATION: u64 = 64 << 20;

/// Where instances come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allocation {
    /// Mapped for every call: slower, with no memory held between calls.
    OnDemand,
    /// Taken from a pool. It reserves 8 GiB of address space an instance, and
    /// where that is refused the engine falls back to [`Allocation::OnDemand`].
    ///
    /// In a runtime of several threads the instance of the next call of a component is made while no call waits
    /// for it; up to eight such instances are kept beside those of calls.
    Pooling {
        /// Calls that can run at the same time; more wait for their turn. At least 1.
        instances: u32,
    },
}

/// How an [`Engine`] is made.
#[derive(Clone, Debug)]
pub struct EngineConfig {
    /// Where instances come from.
    pub allocation: Allocation,
    /// Directory of compiled code, made with mode 0700 when it is missing.
    /// Loading compiled code is trusting it: keep it out of every workspace.
    pub cache: Option<PathBuf>,
    /// Limits of components that are loaded without their own.
    pub limits: Limits,
    /// Whether compiling uses all processors: sooner ready, but at the expense of calls that run meanwhile.
    pub parallel_compilation: bool,
}

impl Default for EngineConfig {
    fn default() -> Self {
        Self {
            allocation: Allocation::Pooling { instances: 16 },
            cache: None,
            limits: Limits::default(),
            parallel_compilation: false,
        }
    }
}

/// An engine that cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The runtime refused its configuration, or this machine.
    #[error("cannot set up the component runtime: {0}")]
    Runtime(String),
    /// The cache directory cannot be used.
    #[error(transparent)]
    Cache(#[from] CacheError),
}

/// Compiles, links and runs components. Make one for a process; clones share it.
#[derive(Clone)]
pub struct Engine {
    pub(crate) shared: Arc<Shared>,
}

/// What all components of an engine share.
pub(crate) struct Shared {
    pub(crate) engine: wasmtime::Engine,
    pub(crate) linker: Linker<State>,
    pub(crate) patterns: Arc<Patterns>,
    pub(crate) cache: Option<Cache>,
    pub(crate) limits: Limits,
    allocation: Allocation,
    turns: Arc<Semaphore>,
    spare_turns: Arc<Semaphore>,
}

impl Engine {
    /// Makes an engine.
    ///
    /// # Errors
    /// [`EngineError`] when the runtime does not support this machine or the
    /// cache directory cannot be used, for one because others may write it.
    pub fn new(config: EngineConfig) -> Result<Self, EngineError> {
        let (engine, allocation) = start(&config)?;
        let mut linker = Linker::new(&engine);
        imports::link(&mut linker).map_err(runtime)?;
        let cache = match config.cache {
            Some(directory) => Some(Cache::open(directory, &engine)?),
            None => None,
        };
        let (turns, spare) = match allocation {
            Allocation::OnDemand => (UNPOOLED, 0),
            Allocation::Pooling { instances } => (instances, SPARE),
        };
        Ok(Self {
            shared: Arc::new(Shared {
                engine,
                linker,
                patterns: Arc::default(),
                cache,
                limits: config.limits,
                allocation,
                turns: Arc::new(Semaphore::new(turns as usize)),
                spare_turns: Arc::new(Semaphore::new(spare as usize)),
            }),
        })
    }

    /// Where instances really come from: a pool may have been refused.
    #[must_use]
    pub fn allocation(&self) -> Allocation {
        self.shared.allocation
    }
}

impl Shared {
    /// Waits until an instance is free. The wait is nobody's fault and costs nobody's time.
    pub(crate) async fn turn(&self) -> OwnedSemaphorePermit {
        let turn = Arc::clone(&self.turns).acquire_owned().await;
        turn.expect("the semaphore is never closed")
    }

    /// Room for an instance that nobody waits for, if there is any.
    pub(crate) fn spare_turn(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.spare_turns).try_acquire_owned().ok()
    }
}

fn runtime(error: wasmtime::Error) -> EngineError {
    EngineError::Runtime(format!("{error:#}"))
}

/// Starts the runtime with a pool, or without where there is no room for one.
fn start(config: &EngineConfig) -> Result<(wasmtime::Engine, Allocation), EngineError> {
    if let Allocation::Pooling { instances } = config.allocation {
        let instances = instances.max(1);
        let mut pooled = base(config);
        pooled.allocation_strategy(pool(instances.saturating_add(SPARE)));
        match wasmtime::Engine::new(&pooled) {
            Ok(engine) => return Ok((engine, Allocation::Pooling { instances })),
            Err(error) => tracing::warn!("no instance pool, mapping on demand: {error:#}"),
        }
    }
    let mut unpooled = base(config);
    unpooled.memory_reservation(UNPOOLED_RESERVATION);
    let engine = wasmtime::Engine::new(&unpooled).map_err(runtime)?;
    Ok((engine, Allocation::OnDemand))
}

fn base(config: &EngineConfig) -> Config {
    let mut base = Config::new();
    base.consume_fuel(true)
        .wasm_component_model(true)
        .relaxed_simd_deterministic(true)
        .parallel_compilation(config.parallel_compilation);
    base
}

fn pool(instances: u32) -> PoolingAllocationConfig {
    let mut pool = PoolingAllocationConfig::new();
    pool.total_component_instances(instances)
        .total_core_instances(instances.saturating_mul(POOL_CORE_INSTANCES))
        .total_memories(instances.saturating_mul(POOL_MEMORIES))
        .total_tables(instances.saturating_mul(POOL_TABLES))
        .total_stacks(instances)
        .max_core_instances_per_component(POOL_CORE_INSTANCES)
        .max_memories_per_component(POOL_MEMORIES)
        .max_tables_per_component(POOL_TABLES)
        .table_elements(65_536)
        // The limit of each component holds below this.
        .max_memory_size(4 << 30)
        .linear_memory_keep_resident(KEEP_RESIDENT)
        .table_keep_resident(64 << 10)
        .pagemap_scan(Enabled::Auto);
    pool
}
