//! The four places together, and one call's view of them.

use std::sync::Arc;

use serde::Serialize;

use crate::failure;
use crate::fault::Fault;
use crate::load::Role;
use crate::outcome::{CompletionFacts, OutputFacts};
use crate::request::RequestFacts;
use crate::slot::{Identity, Seat, Slot};
use crate::state::Lent;
use crate::wire::{CommandLine, CommandText, Consideration, Decision, Grant, Rendered, Verdict};

/// An answer, who gave it, and the fault if nobody did.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Answer<T> {
    /// The answer; with a fault, the one that stands in for it.
    pub value: T,
    /// The component that was asked, if the slot had one.
    pub by: Option<Identity>,
    /// Why the component gave no answer of its own.
    pub fault: Option<Fault>,
}

/// The verdict of a chain of policies.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Judged {
    /// The strictest verdict: deny over ask over allow, the first of equals.
    pub verdict: Verdict,
    /// The component whose verdict it is.
    pub by: Option<Identity>,
    /// All components that judged, in order; those after a `deny` are not asked.
    pub judges: Vec<Identity>,
    /// The failure behind the verdict, if it is one.
    pub fault: Option<Fault>,
}

/// The slots that serve one runner.
pub struct Policies {
    /// Reads command texts.
    pub analyzer: Arc<Slot>,
    /// Judge requests; all of them must agree.
    pub chain: Vec<Arc<Slot>>,
    /// Decides what is asked of people.
    pub approver: Arc<Slot>,
    /// Writes answers.
    pub formatter: Arc<Slot>,
}

impl Policies {
    /// Empty slots, with one policy in the chain, each named after its role.
    #[must_use]
    pub fn new() -> Self {
        let slot = |role: Role| Slot::new(role, &role.to_string());
        Self {
            analyzer: slot(Role::Analyzer),
            chain: vec![slot(Role::Policy)],
            approver: slot(Role::Approver),
            formatter: slot(Role::Formatter),
        }
    }

    /// Holds on to what is live now, so that one call sees one generation of each.
    #[must_use]
    pub fn pin(&self) -> Pinned {
        Pinned {
            analyzer: self.analyzer.pin(),
            chain: self.chain.iter().map(Slot::pin).collect(),
            approver: self.approver.pin(),
            formatter: self.formatter.pin(),
        }
    }
}

impl Default for Policies {
    fn default() -> Self {
        Self::new()
    }
}

/// What one call sees, whatever is published meanwhile.
///
/// No method fails: where a component gives no answer, one that allows nothing stands in for it.
pub struct Pinned {
    analyzer: Seat,
    chain: Vec<Seat>,
    approver: Seat,
    formatter: Seat,
}

impl Pinned {
    /// Reads a text. Where that fails, nothing of it is understood.
    pub async fn analyze(&self, text: &CommandText) -> Answer<CommandLine> {
        let result = match self.analyzer.configured() {
            Ok(analyzer) => self.analyzer.settle(analyzer.analyze(text).await).await,
            Err(fault) => Err(fault),
        };
        answer(&self.analyzer, result, |fault| {
            failure::opaque(&text.text, fault)
        })
    }

    /// Judges a request. Where that fails, or where nobody judges, it is denied.
    pub async fn evaluate(&self, request: Arc<dyn RequestFacts>) -> Judged {
        let mut judges = Vec::new();
        let mut strictest: Option<Answer<Verdict>> = None;
        for policy in &self.chain {
            let judged = judge(policy, &request).await;
            judges.extend(judged.by.clone());
            let is_stricter = strictest.as_ref().is_none_or(|so_far| {
                strictness(judged.value.decision) > strictness(so_far.value.decision)
            });
            if is_stricter {
                strictest = Some(judged);
            }
            if strictest
                .as_ref()
                .is_some_and(|so_far| so_far.value.decision == Decision::Deny)
            {
                break;
            }
        }
        let strictest = strictest.unwrap_or_else(|| Answer {
            value: failure::deny_without_policy(),
            by: None,
            fault: None,
        });
        Judged {
            verdict: strictest.value,
            by: strictest.by,
            judges,
            fault: strictest.fault,
        }
    }

    /// Considers an `ask`, with the grants that match it. Where that fails, it is refused.
    pub async fn consider(
        &self,
        request: Arc<dyn RequestFacts>,
        verdict: &Verdict,
        grants: &[Grant],
    ) -> Answer<Consideration> {
        let lent = Lent::request(&request);
        let result = match self.approver.configured() {
            Ok(approver) => {
                let considered = approver.consider(lent, verdict, grants).await;
                self.approver.settle(considered).await
            }
            Err(fault) => Err(fault),
        };
        answer(&self.approver, result, failure::refuse)
    }

    /// Writes the answer of a command that was started. Where that fails, it is a plain one.
    pub async fn render(
        &self,
        request: Arc<dyn RequestFacts>,
        completion: Arc<dyn CompletionFacts>,
        output: Arc<dyn OutputFacts>,
    ) -> Answer<Rendered> {
        let lent = Lent {
            completion: Some(Arc::clone(&completion)),
            output: Some(Arc::clone(&output)),
            request: Some(request),
        };
        let result = match self.formatter.configured() {
            Ok(formatter) => self.formatter.settle(formatter.render(lent).await).await,
            Err(fault) => Err(fault),
        };
        answer(&self.formatter, result, |fault| {
            failure::rendering(&*completion, &*output, fault)
        })
    }

    /// Writes the answer of a request that was refused. Where that fails, it is a plain one.
    pub async fn render_refusal(
        &self,
        request: Arc<dyn RequestFacts>,
        verdict: &Verdict,
    ) -> Answer<Rendered> {
        let lent = Lent::request(&request);
        let result = match self.formatter.configured() {
            Ok(formatter) => {
                let rendered = formatter.render_refusal(lent, verdict).await;
                self.formatter.settle(rendered).await
            }
            Err(fault) => Err(fault),
        };
        answer(&self.formatter, result, |fault| {
            failure::refused_rendering(verdict, fault)
        })
    }

    /// Writes the answer of an action on sessions from its report, a JSON object. Where that fails, it is the report itself.
    pub async fn render_session(&self, report: &str) -> Answer<Rendered> {
        let result = match self.formatter.configured() {
            Ok(formatter) => {
                let rendered = formatter.render_session(report).await;
                self.formatter.settle(rendered).await
            }
            Err(fault) => Err(fault),
        };
        answer(&self.formatter, result, |fault| {
            failure::session_rendering(report, fault)
        })
    }
}

async fn judge(policy: &Seat, request: &Arc<dyn RequestFacts>) -> Answer<Verdict> {
    let result = match policy.configured() {
        Ok(configured) => {
            let judged = configured.evaluate(Lent::request(request)).await;
            policy.settle(judged).await
        }
        Err(fault) => Err(fault),
    };
    answer(policy, result, failure::deny)
}

fn answer<T>(
    seat: &Seat,
    result: Result<T, Fault>,
    stand_in: impl FnOnce(&Fault) -> T,
) -> Answer<T> {
    let by = seat.identity();
    match result {
        Ok(value) => Answer {
            value,
            by,
            fault: None,
        },
        Err(fault) => Answer {
            value: stand_in(&fault),
            by,
            fault: Some(fault),
        },
    }
}

/// How much a decision stops: an allowance 0, a question 1, a denial 2. Of several answers the strictest holds.
#[must_use]
pub fn strictness(decision: Decision) -> u8 {
    match decision {
        Decision::Allow => 0,
        Decision::Ask => 1,
        Decision::Deny => 2,
    }
}
