//! What one store holds: the facts lent for one call, its budgets, and the empty WASI context.

use std::sync::Arc;

use cap_std::fs::Dir;
use wasmtime::component::ResourceTable;
use wasmtime_wasi::{WasiCtx, WasiCtxView, WasiView};

use crate::fault::Raised;
use crate::imports::counters::Counters;
use crate::imports::log::LogBudget;
use crate::imports::patterns::Patterns;
use crate::limits::{Growth, Limits};
use crate::outcome::{CompletionFacts, OutputFacts};
use crate::request::RequestFacts;
use crate::stderr::Stderr;

/// Bytes that a call of a getter is billed at least: it takes as long as copying some hundred.
pub(crate) const CALL: usize = 256;

/// Marks handles of the one request that a call lends.
pub enum LentRequest {}
/// Marks handles of the one completion that a call lends.
pub enum LentCompletion {}
/// Marks handles of the one output that a call lends.
pub enum LentOutput {}

/// What a call lends to the component. A guest can only hold handles that it
/// was given, so a handle of a kind means the one thing of that kind.
#[derive(Clone, Default)]
pub(crate) struct Lent {
    pub(crate) request: Option<Arc<dyn RequestFacts>>,
    pub(crate) completion: Option<Arc<dyn CompletionFacts>>,
    pub(crate) output: Option<Arc<dyn OutputFacts>>,
}

impl Lent {
    pub(crate) fn request(request: &Arc<dyn RequestFacts>) -> Self {
        Self {
            request: Some(Arc::clone(request)),
            ..Self::default()
        }
    }
}

/// The services of the host that a component may call.
#[derive(Clone)]
pub(crate) struct Services {
    pub(crate) patterns: Arc<Patterns>,
    /// Only by grant.
    pub(crate) workspace: Option<Arc<Dir>>,
    /// Only by grant.
    pub(crate) counters: Option<Arc<Counters>>,
}

/// The data of one store, made for one call and dropped after it.
pub(crate) struct State {
    pub(crate) component: Arc<str>,
    pub(crate) limits: Limits,
    pub(crate) growth: Growth,
    pub(crate) lent: Lent,
    pub(crate) services: Services,
    pub(crate) log: LogBudget,
    pub(crate) stderr: Stderr,
    /// Paths looked up so far.
    pub(crate) places: u32,
    host_work: u64,
    wasi: WasiCtx,
    table: ResourceTable,
}

impl State {
    pub(crate) fn new(component: &Arc<str>, limits: &Limits, services: Services) -> Self {
        let stderr = Stderr::default();
        let wasi = WasiCtx::builder()
            .stderr(stderr.clone())
            // A fixed seed: the same request gets the same answer. Nothing that
            // a component hashes has to withstand anybody but its caller's fuel.
            .insecure_random_seed(0)
            .build();
        Self {
            component: Arc::clone(component),
            limits: limits.clone(),
            growth: Growth::new(limits),
            lent: Lent::default(),
            services,
            log: LogBudget::default(),
            stderr,
            places: 0,
            host_work: 0,
            wasi,
            table: ResourceTable::new(),
        }
    }

    /// Bills bytes that a host function reads or copies: fuel does not see them.
    pub(crate) fn bill(&mut self, bytes: usize) -> wasmtime::Result<()> {
        self.host_work = self.host_work.saturating_add(bytes as u64);
        if self.host_work > self.limits.host_work {
            return Err(Raised::HostWork(self.limits.host_work).into());
        }
        Ok(())
    }

    pub(crate) fn table(&mut self) -> &mut ResourceTable {
        &mut self.table
    }
}

impl WasiView for State {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView {
            ctx: &mut self.wasi,
            table: &mut self.table,
        }
    }
}
