//! What is live in one place: publication, rollback, and the health of what is published.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use arc_swap::ArcSwapOption;
use serde::Serialize;

use crate::call::{self, Configured};
use crate::fault::{self, Fault, FaultKind};
use crate::imports::counters::Counters;
use crate::load::{Loaded, Role};
use crate::selfcheck;

/// Consecutive faults after which a component has to show that it works at all.
const SUSPICIOUS: u32 = 5;

/// A publication that did not happen; what was live before still is.
#[derive(Debug, thiserror::Error)]
pub enum PublishError {
    /// The component cannot be what the slot is for.
    #[error("component `{component}` exports no {role}, it cannot serve in slot `{slot}`")]
    Role {
        /// The slot.
        slot: String,
        /// The component.
        component: String,
        /// What the slot is for.
        role: Role,
    },
    /// The settings cannot be used.
    #[error(
        "component `{component}` refuses its settings: {}",
        fault::list(problems)
    )]
    Settings {
        /// The component.
        component: String,
        /// What is wrong where.
        problems: Vec<crate::Problem>,
    },
    /// The component failed its self-check.
    #[error("the self-check failed: {0}")]
    SelfCheck(Fault),
    /// There is nothing to go back to.
    #[error("slot `{slot}` has no earlier component to roll back to")]
    NothingBefore {
        /// The slot.
        slot: String,
    },
}

/// Which component, in which publication.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Identity {
    /// Name of the component.
    pub component: String,
    /// SHA-256 of its bytes, in hex.
    pub digest: String,
    /// Number of its publication in its slot, from 1.
    pub generation: u64,
}

/// One publication of a component.
pub struct Live {
    pub(crate) configured: Configured,
    identity: Identity,
    role: Role,
    /// Faults since the last answer.
    consecutive: AtomicU32,
    quarantined: AtomicBool,
}

impl Live {
    /// Which component it is.
    #[must_use]
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// The component.
    #[must_use]
    pub fn loaded(&self) -> &Arc<Loaded> {
        self.configured.loaded()
    }

    /// Its settings, a JSON object.
    #[must_use]
    pub fn settings(&self) -> &str {
        self.configured.settings()
    }

    /// Whether it is called no more until something is published or rolled back.
    #[must_use]
    pub fn is_quarantined(&self) -> bool {
        self.quarantined.load(Ordering::Acquire)
    }

    /// Takes note of a fault; the fifth in a row brings the self-check.
    async fn failed(&self) {
        if self.consecutive.fetch_add(1, Ordering::AcqRel) + 1 != SUSPICIOUS {
            return;
        }
        match selfcheck::run(&self.configured, self.role).await {
            // The calls were bad, not the component: a hostile text is no way to switch it off.
            Ok(()) => self.consecutive.store(0, Ordering::Release),
            Err(fault) => {
                tracing::error!("{fault}: quarantined after {SUSPICIOUS} faults in a row");
                self.quarantined.store(true, Ordering::Release);
            }
        }
    }
}

/// A place that one component fills: an analyzer, one policy of a chain, an approver, a formatter.
pub struct Slot {
    role: Role,
    name: String,
    live: ArcSwapOption<Live>,
    history: Mutex<History>,
    faults: AtomicU64,
    counters: Arc<Counters>,
}

#[derive(Default)]
struct History {
    /// The last generation number given.
    generation: u64,
    before: Option<Arc<Live>>,
}

impl Slot {
    /// An empty slot. What is asked of it fails until something is published.
    #[must_use]
    pub fn new(role: Role, name: &str) -> Arc<Self> {
        Arc::new(Self {
            role,
            name: name.to_owned(),
            live: ArcSwapOption::empty(),
            history: Mutex::default(),
            faults: AtomicU64::new(0),
            counters: Arc::default(),
        })
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it is for.
    #[must_use]
    pub fn role(&self) -> Role {
        self.role
    }

    /// Faults of all components that were ever in it.
    #[must_use]
    pub fn faults(&self) -> u64 {
        self.faults.load(Ordering::Relaxed)
    }

    /// What is live now.
    #[must_use]
    pub fn current(&self) -> Option<Arc<Live>> {
        self.live.load_full()
    }

    /// Configures and checks a component under its normal limits, and makes it
    /// live at once for all calls that begin afterwards.
    ///
    /// `settings` is a JSON object. Calls in flight end on the component they began with.
    ///
    /// # Errors
    /// [`PublishError`]; the slot is then as it was.
    pub async fn publish(
        &self,
        loaded: Arc<Loaded>,
        settings: &str,
    ) -> Result<Identity, PublishError> {
        if !call::has(&loaded, self.role) {
            return Err(PublishError::Role {
                slot: self.name.clone(),
                component: loaded.name().to_owned(),
                role: self.role,
            });
        }
        let configured = Configured::new(loaded, settings, &self.counters);
        self.check(&configured).await?;
        Ok(self.switch(configured))
    }

    /// Goes back to the component that was live before; what is live now can
    /// be had back in the same way. Ends a quarantine.
    ///
    /// # Errors
    /// [`PublishError::NothingBefore`], and what [`Slot::publish`] says.
    pub async fn rollback(&self) -> Result<Identity, PublishError> {
        let before = self.before().ok_or_else(|| PublishError::NothingBefore {
            slot: self.name.clone(),
        })?;
        let configured = before.configured.apart(&self.counters);
        self.check(&configured).await?;
        Ok(self.switch(configured))
    }

    /// What was live before. The lock is not held while it is checked.
    fn before(&self) -> Option<Arc<Live>> {
        let history = self.history.lock().unwrap_or_else(PoisonError::into_inner);
        history.before.clone()
    }

    async fn check(&self, configured: &Configured) -> Result<(), PublishError> {
        let checked = selfcheck::run(configured, self.role).await;
        checked.map_err(|fault| {
            if fault.kind != FaultKind::Configure {
                return PublishError::SelfCheck(fault);
            }
            PublishError::Settings {
                component: fault.component,
                problems: fault.problems,
            }
        })
    }

    /// Makes a checked component live, under the next number.
    fn switch(&self, configured: Configured) -> Identity {
        let mut history = self.history.lock().unwrap_or_else(PoisonError::into_inner);
        history.generation += 1;
        let identity = Identity {
            component: configured.loaded().name().to_owned(),
            digest: configured.loaded().digest().to_owned(),
            generation: history.generation,
        };
        let live = Live {
            configured,
            identity: identity.clone(),
            role: self.role,
            consecutive: AtomicU32::new(0),
            quarantined: AtomicBool::new(false),
        };
        history.before = self.live.swap(Some(Arc::new(live)));
        if let Some(before) = &history.before {
            before.configured.retire();
        }
        identity
    }

    /// Holds on to what is live now.
    pub(crate) fn pin(self: &Arc<Self>) -> Seat {
        Seat {
            slot: Arc::clone(self),
            live: self.current(),
        }
    }
}

/// What one call found live in a slot.
pub(crate) struct Seat {
    slot: Arc<Slot>,
    live: Option<Arc<Live>>,
}

impl Seat {
    /// Which component it is, if any.
    pub(crate) fn identity(&self) -> Option<Identity> {
        self.live.as_ref().map(|live| live.identity.clone())
    }

    /// What can be called.
    pub(crate) fn configured(&self) -> Result<&Configured, Fault> {
        let slot = &self.slot;
        let Some(live) = &self.live else {
            let message = format!("nothing is published in the slot of the {}", slot.role);
            return Err(Fault::new(FaultKind::Missing, &slot.name, message));
        };
        if live.is_quarantined() {
            let message =
                "it failed its self-check after many faults: publish another one or roll back";
            let component = &live.identity.component;
            return Err(Fault::new(FaultKind::Quarantined, component, message));
        }
        Ok(&live.configured)
    }

    /// Takes note of how a call went.
    pub(crate) async fn settle<T>(&self, result: Result<T, Fault>) -> Result<T, Fault> {
        let Some(live) = &self.live else {
            return result;
        };
        match &result {
            Ok(_) => live.consecutive.store(0, Ordering::Release),
            Err(_) => {
                self.slot.faults.fetch_add(1, Ordering::Relaxed);
                live.failed().await;
            }
        }
        result
    }
}
