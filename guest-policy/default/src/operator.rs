//! What the operator's own rules make of a command.

use execgate_guest::{Decision, Segment, Span};
use execgate_rules::operator::{OperatorRule, Surroundings};
use execgate_rules::paths::{after_tilde, is_inside, lexical};
use execgate_rules::{Invocation, Line};

use crate::facts::Facts;
use crate::finding::Finding;

/// Categories that no rule about single commands lifts: what was not understood, what one command does to another, and
/// the runtime's own controls.
const HELD: &[&str] = &[
    "self",
    "opaque",
    "dynamic",
    "operator",
    "environment",
    "code",
    "fork-bomb",
    "pipe-shell",
];

/// Categories that not even a rule about the whole text lifts.
const ALWAYS_HELD: &[&str] = &["self", "opaque", "dynamic", "operator"];

/// Objections to the paths of a command: lifted by rules that say which paths are meant.
const PATHS: &[&str] = &["path", "delete"];

/// A secret stays one wherever it lies.
const SECRET: &str = "path/secret";

/// The operator's rules before one command line.
pub(crate) struct Operator<'a> {
    rules: &'a [OperatorRule],
    facts: &'a Facts<'a>,
    line: &'a Line<'a>,
}

/// What a rule is about.
enum Scope<'a> {
    Text,
    Segment(&'a Segment),
}

impl<'a> Operator<'a> {
    pub(crate) fn new(rules: &'a [OperatorRule], facts: &'a Facts<'a>, line: &'a Line<'a>) -> Self {
        Self { rules, facts, line }
    }

    /// What rules that ask or deny speak against.
    pub(crate) fn objections(&self) -> Vec<Finding> {
        let strict = self
            .rules
            .iter()
            .filter(|rule| rule.decision != Decision::Allow);
        let objections = |rule: &'a OperatorRule| {
            let scopes = self.scopes(rule).into_iter();
            scopes.map(|scope| objection(rule, self.span(&scope)))
        };
        strict.flat_map(objections).collect()
    }

    /// Drops the findings that rules allow; tells which rule was the last to drop one.
    pub(crate) fn lift(&self, findings: &mut Vec<Finding>) -> Option<&'a OperatorRule> {
        let mut lifting = None;
        for rule in self
            .rules
            .iter()
            .filter(|rule| rule.decision == Decision::Allow)
        {
            let before = findings.len();
            for scope in self.scopes(rule) {
                findings.retain(|finding| !self.covers(rule, &scope, finding));
            }
            if findings.len() < before {
                lifting = Some(rule);
            }
        }
        lifting
    }

    fn span(&self, scope: &Scope<'_>) -> Span {
        match scope {
            Scope::Text => {
                let end = u32::try_from(self.facts.text().len()).unwrap_or(u32::MAX);
                Span { start: 0, end }
            }
            Scope::Segment(segment) => segment.span,
        }
    }

    /// What a rule is about in this command line.
    fn scopes(&self, rule: &OperatorRule) -> Vec<Scope<'a>> {
        if rule.is_about_text(self.facts.text()) {
            return vec![Scope::Text];
        }
        let invocations = self.line.invocations.iter();
        let about = invocations.filter(|invocation| rule.is_about(invocation, self));
        about
            .map(|invocation| Scope::Segment(invocation.segment))
            .collect()
    }

    fn covers(&self, rule: &OperatorRule, scope: &Scope<'_>, finding: &Finding) -> bool {
        let category = finding.rule.split('/').next().unwrap_or_default();
        match scope {
            Scope::Text => !ALWAYS_HELD.contains(&category),
            Scope::Segment(segment) => {
                finding.decision == Decision::Ask
                    && !HELD.contains(&category)
                    && finding.rule != SECRET
                    && (rule.covers_paths() || !PATHS.contains(&category))
                    && contains(segment.span, finding.span)
                    && !self.is_of_inner(segment, finding)
            }
        }
    }

    /// Whether a finding is about a command within a segment, which the rule says nothing of.
    fn is_of_inner(&self, segment: &Segment, finding: &Finding) -> bool {
        let others = self.line.command_line.segments.iter();
        let mut inner = others
            .filter(|other| !std::ptr::eq(*other, segment) && contains(segment.span, other.span));
        inner.any(|inner| contains(inner.span, finding.span))
    }

    /// A directory as rules write it: below the workspace, or of the home directory, or absolute.
    fn directory(&self, written: &str) -> Option<String> {
        match after_tilde(written) {
            Some(rest) => Some(lexical(self.facts.home()?, rest.trim_start_matches('/'))),
            None if written.starts_with('/') => Some(lexical("/", written)),
            None => Some(lexical(self.facts.workspace()?, written)),
        }
    }
}

impl Surroundings for Operator<'_> {
    fn program(&self, invocation: &Invocation<'_>) -> Option<String> {
        self.facts.executable(invocation.index)?.real_path
    }

    fn is_below(&self, path: &str, directories: &[String]) -> bool {
        let place = self.facts.place(path);
        let real = place.real_path.unwrap_or(place.path);
        let mut directories = directories
            .iter()
            .filter_map(|directory| self.directory(directory));
        directories.any(|directory| is_inside(&real, &directory))
    }
}

fn objection(rule: &OperatorRule, span: Span) -> Finding {
    let reason = rule.reason.clone().unwrap_or_else(|| match rule.decision {
        Decision::Deny => "the operator's rules deny it".to_owned(),
        Decision::Ask | Decision::Allow => "the operator's rules want to be asked".to_owned(),
    });
    match rule.decision {
        Decision::Deny => Finding::deny(&rule.name(), reason, span),
        Decision::Ask | Decision::Allow => Finding::ask(&rule.name(), reason, span).high(),
    }
    .instead("the operator can change the setting `policy.rules`")
}

fn contains(outer: Span, inner: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}
