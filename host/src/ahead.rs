//! Fresh instances that are made before they are needed: the next call of a component finds one that is
//! started and configured, and nobody waits while it is.
//!
//! Each serves one call, as any other does, and is dropped after it. Components that may look at a workspace or
//! at counters have none: what `configure` saw there could be old when the call comes.

use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::sync::OwnedSemaphorePermit;
use wasmtime::Store;

use crate::bindings::exports::execgate::policy::{analyzer, approver, formatter, policy};
use crate::fault::{Fault, FaultKind, Raised};
use crate::imports::counters::Counters;
use crate::load::{Loaded, Role};
use crate::state::State;
use crate::turn;

/// An instance that was started and configured, and not called yet.
pub(crate) struct Ready<G> {
    pub(crate) store: Store<State>,
    pub(crate) guest: G,
    _turn: OwnedSemaphorePermit,
}

/// What an instance is made of.
#[derive(Clone)]
pub(crate) struct Recipe {
    pub(crate) loaded: Arc<Loaded>,
    /// A JSON object, as text.
    pub(crate) settings: Arc<str>,
    pub(crate) counters: Arc<Counters>,
}

impl Recipe {
    /// Makes an instance, in the place of the pool that a turn stands for.
    pub(crate) async fn make<G: Guest>(
        &self,
        turn: OwnedSemaphorePermit,
    ) -> Result<Ready<G>, Fault> {
        let loaded = &self.loaded;
        let indices = G::indices(loaded).ok_or_else(|| no_role(loaded, G::ROLE))?;
        let store = loaded.store(&self.counters);
        let mut store = store.map_err(|error| no_store(loaded, &error))?;
        let started = G::start(indices, loaded, &mut store, &self.settings);
        match turn::run(loaded.limits.wall_clock, started).await {
            Ok(guest) => Ok(Ready {
                store,
                guest,
                _turn: turn,
            }),
            Err(error) => Err(Fault::from_call(&error, store.data())),
        }
    }
}

fn no_role(loaded: &Loaded, role: Role) -> Fault {
    let message = format!("it exports no {role}");
    Fault::new(FaultKind::Missing, loaded.name(), message)
}

fn no_store(loaded: &Loaded, error: &wasmtime::Error) -> Fault {
    Fault::new(FaultKind::Memory, loaded.name(), format!("{error:#}"))
}

/// The exports of a role, in one instance.
pub(crate) trait Guest: Sized + Send + 'static {
    /// What it is the exports of.
    const ROLE: Role;

    /// Where its functions stand among a component's exports.
    type Indices: Sync;

    /// The indices, if the component has the role.
    fn indices(loaded: &Loaded) -> Option<&Self::Indices>;

    /// Starts the component and gives it its settings.
    fn start(
        indices: &Self::Indices,
        loaded: &Loaded,
        store: &mut Store<State>,
        settings: &str,
    ) -> impl Future<Output = wasmtime::Result<Self>> + Send;

    /// Where the next one waits.
    fn shelf(shelves: &Shelves) -> &Shelf<Self>;
}

/// A place for one instance a role.
#[derive(Default)]
pub(crate) struct Shelves {
    analyzer: Shelf<analyzer::Guest>,
    policy: Shelf<policy::Guest>,
    approver: Shelf<approver::Guest>,
    formatter: Shelf<formatter::Guest>,
}

impl Shelves {
    /// Drops what waits, and takes nothing more.
    pub(crate) fn close(&self) {
        self.analyzer.set(Place::Closed);
        self.policy.set(Place::Closed);
        self.approver.set(Place::Closed);
        self.formatter.set(Place::Closed);
    }

    /// Drops an instance that was called, and makes the next one, both beside the calls.
    ///
    /// Without another thread that would only delay them, and without a pool instances are too dear to lie about.
    pub(crate) fn replace<G: Guest>(self: &Arc<Self>, used: Ready<G>, recipe: &Recipe) {
        let Some(runtime) = other_threads() else {
            return;
        };
        let turn = recipe.loaded.spare_turn();
        let next = turn.filter(|_| G::shelf(self).claim());
        let (shelves, recipe) = (Arc::clone(self), recipe.clone());
        runtime.spawn(async move {
            drop(used);
            if let Some(turn) = next {
                // Whatever fails here, fails again in the next call, which says so.
                let made = recipe.make::<G>(turn).await;
                let place = made.map_or(Place::Empty, |ready| Place::Full(Box::new(ready)));
                G::shelf(&shelves).fill(place);
            }
        });
    }
}

fn other_threads() -> Option<Handle> {
    let handle = Handle::try_current().ok()?;
    (handle.runtime_flavor() == RuntimeFlavor::MultiThread).then_some(handle)
}

/// Holds at most one instance.
pub(crate) struct Shelf<G>(Mutex<Place<G>>);

enum Place<G> {
    Empty,
    /// One is being made.
    Promised,
    Full(Box<Ready<G>>),
    /// The publication is no longer live.
    Closed,
}

impl<G> Default for Shelf<G> {
    fn default() -> Self {
        Self(Mutex::new(Place::Empty))
    }
}

impl<G> Shelf<G> {
    /// Takes the instance that waits, if one does.
    pub(crate) fn take(&self) -> Option<Ready<G>> {
        let mut place = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match std::mem::replace(&mut *place, Place::Empty) {
            Place::Full(ready) => Some(*ready),
            other => {
                *place = other;
                None
            }
        }
    }

    /// Whether the caller is the one to make the next instance.
    fn claim(&self) -> bool {
        let mut place = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_empty = matches!(*place, Place::Empty);
        if is_empty {
            *place = Place::Promised;
        }
        is_empty
    }

    /// Keeps what was promised, unless the shelf was closed meanwhile.
    fn fill(&self, made: Place<G>) {
        let mut place = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let unwanted = match *place {
            Place::Promised => std::mem::replace(&mut *place, made),
            _ => made,
        };
        drop(place);
        // Dropping an instance takes its time; nobody waits for the lock meanwhile.
        drop(unwanted);
    }

    fn set(&self, new: Place<G>) {
        let mut place = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let old = std::mem::replace(&mut *place, new);
        drop(place);
        drop(old);
    }
}

macro_rules! guest {
    ($role:ident, $name:ident) => {
        impl Guest for $role::Guest {
            const ROLE: Role = Role::$name;
            type Indices = $role::GuestIndices;

            fn indices(loaded: &Loaded) -> Option<&Self::Indices> {
                loaded.exports.$role.as_ref()
            }

            async fn start(
                indices: &Self::Indices,
                loaded: &Loaded,
                store: &mut Store<State>,
                settings: &str,
            ) -> wasmtime::Result<Self> {
                let instance = loaded.pre.instantiate_async(&mut *store).await?;
                let guest = indices.load(&mut *store, &instance)?;
                let configured = guest.call_configure(&mut *store, settings).await?;
                configured.map_err(Raised::Configure)?;
                Ok(guest)
            }

            fn shelf(shelves: &Shelves) -> &Shelf<Self> {
                &shelves.$role
            }
        }
    };
}

guest!(analyzer, Analyzer);
guest!(policy, Policy);
guest!(approver, Approver);
guest!(formatter, Formatter);
