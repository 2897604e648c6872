//! The typed calls. Each makes a fresh instance, configures it, calls one export and drops it,
//! so that nothing of one command or agent is left for the next.

use std::sync::Arc;

use wasmtime::component::Resource;

use crate::answers;
use crate::fault::{Fault, FaultKind, Raised};
use crate::imports::counters::Counters;
use crate::load::{Loaded, Role};
use crate::state::{Lent, State};
use crate::turn;
use crate::wire::{CommandLine, CommandText, Consideration, Grant, Problem, Rendered, Verdict};

/// A component with its settings: what can be called.
#[derive(Clone)]
pub(crate) struct Configured {
    pub(crate) loaded: Arc<Loaded>,
    /// A JSON object, as text.
    pub(crate) settings: Arc<str>,
    pub(crate) counters: Arc<Counters>,
}

/// Every kind of resource is lent once a call, so that one number does for all.
const LENT: u32 = 0;

/// Makes one call of one role: `$guest` is the instance's export, `$store` its store.
macro_rules! call {
    ($self:ident, $role:ident, $lent:expr, |$guest:ident, $store:ident| $call:expr) => {{
        let loaded = &$self.loaded;
        let Some(indices) = &loaded.exports.$role else {
            return Err(no_role(loaded, stringify!($role)));
        };
        if turn::inside() {
            return Err($self.reentrant());
        }
        let _turn = loaded.shared.turn().await;
        let store = loaded.store(&$self.counters, $lent);
        let mut store = store.map_err(|error| $self.no_store(&error))?;
        let $store = &mut store;
        let called = turn::run(loaded.limits.wall_clock, async {
            let instance = loaded.pre.instantiate_async(&mut *$store).await?;
            let $guest = indices.load(&mut *$store, &instance)?;
            configured($guest.call_configure(&mut *$store, &$self.settings).await?)?;
            $call.await
        });
        let called = called.await;
        report_dropped_lines(store.data());
        called.map_err(|error| Fault::from_call(&error, store.data()))
    }};
}

impl Configured {
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
        Fault::new(FaultKind::Malformed, self.loaded.name(), reason)
    }

    fn reentrant(&self) -> Fault {
        let message = Raised::Reentrant.to_string();
        Fault::new(FaultKind::Reentrant, self.loaded.name(), message)
    }

    fn no_store(&self, error: &wasmtime::Error) -> Fault {
        Fault::new(FaultKind::Memory, self.loaded.name(), format!("{error:#}"))
    }
}

fn configured(answer: Result<(), Vec<Problem>>) -> wasmtime::Result<()> {
    answer.map_err(|problems| Raised::Configure(problems).into())
}

fn length(lent: &Lent) -> usize {
    lent.request
        .as_ref()
        .map_or(0, |request| request.text().len())
}

fn no_role(loaded: &Loaded, role: &str) -> Fault {
    let message = format!("it exports no {role}");
    Fault::new(FaultKind::Missing, loaded.name(), message)
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
