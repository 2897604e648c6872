//! Short ways to write a verdict.

use crate::types::{Decision, Risk, Verdict};

/// An `allow` with a rule id such as `git/status` and a reason.
pub fn allow(rule: &str, reason: &str) -> Verdict {
    verdict(Decision::Allow, rule, reason, Risk::Low)
}

/// An `ask` with a rule id and a reason.
pub fn ask(rule: &str, reason: &str) -> Verdict {
    verdict(Decision::Ask, rule, reason, Risk::Medium)
}

/// A `deny` with a rule id and a reason.
pub fn deny(rule: &str, reason: &str) -> Verdict {
    verdict(Decision::Deny, rule, reason, Risk::High)
}

/// The category is the rule id up to its first `/`.
fn verdict(decision: Decision, rule: &str, reason: &str, risk: Risk) -> Verdict {
    Verdict {
        decision,
        rule: rule.to_owned(),
        category: rule.split('/').next().unwrap_or(rule).to_owned(),
        reason: reason.to_owned(),
        spans: Vec::new(),
        risk,
        remedy: None,
        annotations: Vec::new(),
    }
}
