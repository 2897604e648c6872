//! The typed calls. Each has an instance of its own, fresh and configured, calls one export and drops it,
//! so that nothing of one command or agent is left for the next.

use std::sync::Arc;

use wasmtime::component::Resource;

use crate::ahead::{Guest, Ready, Recipe, Shelves};
use crate::answers;
use crate::bindings::exports::execgate::policy::{analyzer, approver, formatter, policy};
use crate::fault::{Fault, FaultKind, Raised};
use crate::imports::counters::Counters;
use crate::load::{Loaded, Role};
use crate::state::{Lent, State};
use crate::turn;
use crate::wire::{CommandLine, CommandText, Consideration, Grant, Rendered, Verdict};

/// A component with its settings: what can be called.
#[derive(Clone)]
pub(crate) struct Configured {
    recipe: Recipe,
    /// Instances for the next calls.
    shelves: Arc<Shelves>,
}

/// Every kind of resource is lent once a call, so that one number does for all.
const LENT: u32 = 0;

/// Makes one call of one role: `$guest` is the instance's export, `$store` its store.
macro_rules! call {
    ($self:ident, $role:ident, $lent:expr, |$guest:ident, $store:ident| $call:expr) => {{
        let mut ready: Ready<$role::Guest> = $self.ready().await?;
        ready.store.data_mut().lent = $lent;
        let ($guest, $store) = (&ready.guest, &mut ready.store);
        let called = turn::run($self.loaded().limits.wall_clock, $call).await;
        let state = ready.store.data();
        report_dropped_lines(state);
        let answer = called.map_err(|error| Fault::from_call(&error, state));
        $self.shelves.replace(ready, &$self.recipe);
        answer
    }};
}

impl Configured {
    pub(crate) fn new(loaded: Arc<Loaded>, settings: &str, counters: &Arc<Counters>) -> Self {
        Self {
            recipe: Recipe {
                loaded,
                settings: settings.into(),
                counters: Arc::clone(counters),
            },
            shelves: Arc::default(),
        }
    }

    /// The same, with other counters and instances.
    pub(crate) fn apart(&self, counters: &Arc<Counters>) -> Self {
        let Recipe {
            loaded, settings, ..
        } = &self.recipe;
        Self::new(Arc::clone(loaded), settings, counters)
    }

    pub(crate) fn loaded(&self) -> &Arc<Loaded> {
        &self.recipe.loaded
    }

    /// A JSON object, as text.
    pub(crate) fn settings(&self) -> &str {
        &self.recipe.settings
    }

    /// Takes no more room than its calls in flight do.
    pub(crate) fn retire(&self) {
        self.shelves.close();
    }

    /// An instance that nobody has called: one that waits, or a new one.
    async fn ready<G: Guest>(&self) -> Result<Ready<G>, Fault> {
        if turn::inside() {
            return Err(self.reentrant());
        }
        if let Some(ready) = G::shelf(&self.shelves).take() {
            return Ok(ready);
        }
        let turn = self.loaded().shared.turn().await;
        self.recipe.make(turn).await
    }

    pub(crate) async fn analyze(&self, text: &CommandText) -> Result<CommandLine, Fault> {
        let answer = call!(self, analyzer, Lent::default(), |guest, store| guest
            .call_analyze(store, text));
        let answer = answer?;
        answers::check_command_line(&text.text, &answer)
            .map_err(|reason| self.malformed(reason))?;
        Ok(answer)
    }

    pub(crate) async fn evaluate(&self, lent: Lent) -> Result<Verdict, Fault> {
        let text = length(&lent);
        let answer = call!(self, policy, lent, |guest, store| guest
            .call_evaluate(store, Resource::new_borrow(LENT)));
        Ok(answers::tidy_verdict(answer?, text))
    }

    pub(crate) async fn consider(
        &self,
        lent: Lent,
        verdict: &Verdict,
        grants: &[Grant],
    ) -> Result<Consideration, Fault> {
        let answer = call!(self, approver, lent, |guest, store| guest.call_consider(
            store,
            Resource::new_borrow(LENT),
            verdict,
            grants
        ));
        let answer = answer?;
        answers::check_consideration(&answer, grants).map_err(|reason| self.malformed(reason))?;
        Ok(answer)
    }

    pub(crate) async fn render(&self, lent: Lent) -> Result<Rendered, Fault> {
        let answer = call!(self, formatter, lent, |guest, store| guest.call_render(
            store,
            Resource::new_borrow(LENT),
            Resource::new_borrow(LENT),
            Resource::new_borrow(LENT)
        ));
        self.checked(answer?)
    }

    pub(crate) async fn render_refusal(
        &self,
        lent: Lent,
        verdict: &Verdict,
    ) -> Result<Rendered, Fault> {
        let answer = call!(self, formatter, lent, |guest, store| guest
            .call_render_refusal(store, Resource::new_borrow(LENT), verdict));
        self.checked(answer?)
    }

    pub(crate) async fn render_session(&self, report: &str) -> Result<Rendered, Fault> {
        let answer = call!(self, formatter, Lent::default(), |guest, store| guest
            .call_render_session(store, report));
        self.checked(answer?)
    }

    fn checked(&self, answer: Rendered) -> Result<Rendered, Fault> {
        answers::check_rendered(&answer).map_err(|reason| self.malformed(reason))?;
        Ok(answer)
    }

    fn malformed(&self, reason: String) -> Fault {
        Fault::new(FaultKind::Malformed, self.loaded().name(), reason)
    }

    fn reentrant(&self) -> Fault {
        let message = Raised::Reentrant.to_string();
        Fault::new(FaultKind::Reentrant, self.loaded().name(), message)
    }
}

fn length(lent: &Lent) -> usize {
    lent.request
        .as_ref()
        .map_or(0, |request| request.text().len())
}

fn report_dropped_lines(state: &State) {
    if state.log.dropped > 0 {
        let (component, dropped) = (&*state.component, state.log.dropped);
        tracing::warn!(component, dropped, "log lines over the limit were dropped");
    }
}

/// Whether a component can be called in a role at all.
pub(crate) fn has(loaded: &Loaded, role: Role) -> bool {
    loaded.roles().contains(&role)
}
