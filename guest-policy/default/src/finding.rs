//! What speaks against running a command.

use execgate_guest::{Decision, Risk, Span, Verdict, allow, ask, deny};

/// One objection.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Finding {
    /// `Ask` or `Deny`.
    pub(crate) decision: Decision,
    /// Rule id.
    pub(crate) rule: String,
    /// Why.
    pub(crate) reason: String,
    /// What would pass.
    pub(crate) remedy: &'static str,
    /// How bad.
    pub(crate) risk: Risk,
    /// Where.
    pub(crate) span: Span,
}

impl Finding {
    /// Something that a person should see first.
    pub(crate) fn ask(rule: &str, reason: String, span: Span) -> Self {
        Self {
            decision: Decision::Ask,
            rule: rule.into(),
            reason,
            remedy: "approve it, or use a command that is known to be harmless",
            risk: Risk::Medium,
            span,
        }
    }

    /// Something that should not be done at all.
    pub(crate) fn deny(rule: &str, reason: String, span: Span) -> Self {
        let remedy = "work on files in the workspace, or ask the operator to do it";
        Self {
            decision: Decision::Deny,
            rule: rule.into(),
            reason,
            remedy,
            risk: Risk::Critical,
            span,
        }
    }

    pub(crate) fn high(self) -> Self {
        Self {
            risk: Risk::High,
            ..self
        }
    }

    /// As an object for those who want to know all of them; `lifted` tells whether a rule of the operator's allows it.
    pub(crate) fn described(&self, lifted: bool) -> serde_json::Value {
        let decision = match self.decision {
            Decision::Deny => "deny",
            Decision::Ask | Decision::Allow => "ask",
        };
        serde_json::json!({
            "decision": decision,
            "rule": self.rule,
            "reason": self.reason,
            "remedy": self.remedy,
            "span": [self.span.start, self.span.end],
            "lifted": lifted,
        })
    }

    pub(crate) fn instead(self, remedy: &'static str) -> Self {
        Self { remedy, ..self }
    }
}

/// The verdict of all findings: the strictest decides, of equals the one with the highest risk, then the first.
pub(crate) fn verdict(findings: &[Finding]) -> Verdict {
    let rank = |finding: &Finding| (finding.decision as u8, finding.risk as u8);
    let Some(worst) = findings.iter().rev().max_by_key(|finding| rank(finding)) else {
        return allow(
            "default/harmless",
            "every part of it is known to be harmless",
        );
    };
    let verdict = match worst.decision {
        Decision::Deny => deny(&worst.rule, &worst.reason),
        Decision::Ask | Decision::Allow => ask(&worst.rule, &worst.reason),
    };
    let spans = findings
        .iter()
        .filter(|finding| finding.rule == worst.rule)
        .map(|finding| finding.span)
        .collect();
    Verdict {
        spans,
        risk: worst.risk,
        remedy: Some(worst.remedy.into()),
        ..verdict
    }
}
