//! From a verdict to a permit: the only place where one is made.
//!
//! A [`Permit`] owns the plan it is for. Nothing starts without one, and it is
//! looked at again (`recheck`) right before the start.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use execgate_host::{Consideration, Decision, Pinned, Prompt, Verdict};

use crate::facts::PlanFacts;
use crate::plan::ExecPlan;

/// What a person says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// This once.
    AllowOnce,
    /// No.
    Deny,
    /// Nobody was there to ask.
    Unreachable,
}

/// Puts a question to a person and waits for the answer.
pub trait Ask: Send + Sync + std::fmt::Debug {
    /// Asks. May wait as long as the person takes.
    fn ask<'a>(
        &'a self,
        prompt: &'a Prompt,
        plan: &'a ExecPlan,
    ) -> Pin<Box<dyn Future<Output = Answer> + Send + 'a>>;
}

/// Nobody to ask.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nobody;

impl Ask for Nobody {
    fn ask<'a>(
        &'a self,
        _prompt: &'a Prompt,
        _plan: &'a ExecPlan,
    ) -> Pin<Box<dyn Future<Output = Answer> + Send + 'a>> {
        Box::pin(std::future::ready(Answer::Unreachable))
    }
}

/// The right to start one plan once.
#[derive(Debug)]
pub struct Permit {
    plan: Arc<ExecPlan>,
}

/// A plan that changed between its judgement and its start.
#[derive(Debug, thiserror::Error)]
#[error("{change} after it was judged; nothing was started, ask again")]
pub struct Stale {
    change: String,
}

impl Permit {
    /// The plan it is for.
    pub fn plan(&self) -> &Arc<ExecPlan> {
        &self.plan
    }

    /// Looks again at everything the judgement rests on.
    ///
    /// # Errors
    /// What changed.
    pub fn recheck(self) -> Result<Self, Stale> {
        match self.plan.recheck() {
            Ok(()) => Ok(self),
            Err(change) => Err(Stale { change }),
        }
    }
}

/// How a verdict was settled.
#[derive(Debug)]
pub enum Settled {
    /// It may run.
    Permitted {
        /// The right to run it.
        permit: Permit,
        /// Who said so: empty for the policy alone.
        answer: String,
    },
    /// It may not.
    Refused {
        /// The verdict, with the reason that a person or approver added.
        verdict: Verdict,
        /// Who said so: empty for the policy alone.
        answer: String,
    },
}

/// Settles a verdict: allows pass, denials stay, and for the rest the approver
/// decides whether and what a person is asked.
pub async fn settle(
    facts: &Arc<PlanFacts>,
    verdict: Verdict,
    policies: &Pinned,
    ask: &dyn Ask,
) -> Settled {
    let permitted = |answer: &str| Settled::Permitted {
        permit: Permit {
            plan: Arc::clone(facts.plan()),
        },
        answer: answer.to_owned(),
    };
    match verdict.decision {
        Decision::Allow => return permitted(""),
        Decision::Deny => {
            return Settled::Refused {
                verdict,
                answer: String::new(),
            };
        }
        Decision::Ask => {}
    }
    let considered = policies
        .consider(Arc::clone(facts) as _, &verdict, &[])
        .await;
    let prompt = match considered.value {
        // No grant was offered, so none can cover it: a guest that says so is wrong.
        Consideration::Covered(id) => {
            return refused(
                verdict,
                format!(
                    "the approver named grant `{}`, which does not exist",
                    id.escape_debug()
                ),
                "approver",
            );
        }
        Consideration::Refuse(reason) => return refused(verdict, reason, "approver"),
        Consideration::Ask(prompt) => prompt,
    };
    // What the person sees must be what runs: programs are hashed before the question.
    for segment in 0..facts.plan().programs.len() {
        facts.plan().digest(segment);
    }
    match ask.ask(&prompt, facts.plan()).await {
        Answer::AllowOnce => permitted("allow-once"),
        Answer::Deny => refused(verdict, "a person said no".to_owned(), "deny"),
        Answer::Unreachable => refused(
            verdict,
            "approval is needed and nobody can be asked here".to_owned(),
            "unreachable",
        ),
    }
}

fn refused(mut verdict: Verdict, because: String, answer: &str) -> Settled {
    verdict
        .annotations
        .push(("refused-because".to_owned(), because));
    Settled::Refused {
        verdict,
        answer: answer.to_owned(),
    }
}
