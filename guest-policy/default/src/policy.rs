//! The policy: what it understands in full and knows to be harmless runs, the rest is asked or denied.

use execgate_guest::{Configure, Decision, Kind, Policy, Problem, Request, Verdict, allow, deny};
use execgate_knowledge::shells;
use execgate_rules::operator::OperatorRule;
use execgate_rules::{Line, program_name};

use crate::environment;
use crate::facts::Facts;
use crate::finding::{Finding, verdict};
use crate::judge::Judge;
use crate::operator::Operator;
use crate::patch;
use crate::settings::{Mode, Settings};

/// The request's fact that asks for everything that was considered.
const EXPLAIN: &str = "explain";

/// The verdict's fact that answers: a JSON list of objects with `decision`, `rule`, `reason`, `remedy`, `span` and `lifted`.
const FINDINGS: &str = "findings";

/// The policy of the default profile.
#[derive(Debug)]
pub struct DefaultPolicy {
    settings: Settings,
}

impl Configure for DefaultPolicy {
    fn configure(settings: &str) -> Result<Self, Vec<Problem>> {
        Ok(Self {
            settings: Settings::read(settings)?,
        })
    }
}

impl Policy for DefaultPolicy {
    fn evaluate(&self, request: &dyn Request) -> Verdict {
        if self.settings.mode == Mode::Deny {
            return deny("mode/deny", "the mode is `deny`: nothing runs");
        }
        match request.kind() {
            Kind::Run => self.run(request),
            Kind::Input if is_for_program(request) => {
                allow("default/input", "it is input of a program, not of a shell")
            }
            Kind::Input => self.run(request),
            Kind::Patch => self.patch(request),
            Kind::Session => allow(
                "default/session",
                "it looks after what was judged before it started",
            ),
        }
    }
}

impl DefaultPolicy {
    fn run(&self, request: &dyn Request) -> Verdict {
        let command_line = request.command_line();
        let line = Line::read(&command_line);
        let facts = Facts::new(request);
        let mut findings = Judge::new(&facts, &line).findings();
        environment::overrides(request, &mut findings);
        findings.retain(|finding| !self.settings.is_exempt(&finding.rule));
        let operator = Operator::new(&self.settings.rules, &facts, &line);
        // Of equals the first one speaks, and that is the operator's.
        findings.splice(..0, operator.objections());
        let considered = request.annotation(EXPLAIN).map(|_| findings.clone());
        let allowed_by = operator.lift(&mut findings);
        let verdict = match allowed_by {
            Some(rule) if findings.is_empty() => allow_by(rule),
            _ => self.in_mode(&findings),
        };
        match considered {
            None => verdict,
            Some(considered) => explained(verdict, &considered, &findings),
        }
    }

    /// A patch runs nothing, so that mode `full` has nothing to add to what the runner confines.
    fn patch(&self, request: &dyn Request) -> Verdict {
        let mut findings = patch::judge(request);
        findings.retain(|finding| !self.settings.is_exempt(&finding.rule));
        if findings.is_empty() {
            return allow("default/patch", "it changes files of the workspace");
        }
        self.in_mode(&findings)
    }

    fn in_mode(&self, findings: &[Finding]) -> Verdict {
        match self.settings.mode {
            Mode::Ask | Mode::Auto => verdict(findings),
            Mode::Deny => deny("mode/deny", "the mode is `deny`: nothing runs"),
            Mode::Allowlist => {
                let judged = verdict(findings);
                match judged.decision {
                    Decision::Ask => Verdict {
                        decision: Decision::Deny,
                        ..judged
                    },
                    Decision::Allow | Decision::Deny => judged,
                }
            }
            Mode::Full => {
                let own: Vec<Finding> = findings
                    .iter()
                    .filter(|finding| holds_in_full_mode(&finding.rule))
                    .cloned()
                    .collect();
                verdict(&own)
            }
        }
    }
}

/// The runtime's own controls, and what the operator wrote.
fn holds_in_full_mode(rule: &str) -> bool {
    rule.starts_with("self/") || rule.starts_with("operator/")
}

fn allow_by(rule: &OperatorRule) -> Verdict {
    let reason = rule.reason.as_deref();
    allow(
        &rule.name(),
        reason.unwrap_or("the operator's rules allow it"),
    )
}

/// The verdict with everything that was said against the command, as JSON.
fn explained(verdict: Verdict, considered: &[Finding], left: &[Finding]) -> Verdict {
    let all: Vec<serde_json::Value> = considered
        .iter()
        .map(|finding| finding.described(!left.contains(finding)))
        .collect();
    let mut annotations = verdict.annotations;
    annotations.push((FINDINGS.into(), serde_json::Value::from(all).to_string()));
    Verdict {
        annotations,
        ..verdict
    }
}

/// Whether input goes to a program that the runner names and that is no shell.
fn is_for_program(request: &dyn Request) -> bool {
    request
        .annotation("foreground-program")
        .is_some_and(|program| !shells::SHELLS.contains(&program_name(&program)))
}
