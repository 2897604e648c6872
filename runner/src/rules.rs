//! The operator's own rules as the settings have them: what components get of them, their examples, and what is odd about them.
//!
//! What a rule means is the policy's to say (docs/rules.md); here it is only data.

use std::collections::BTreeSet;

use execgate_host::{Decision, Policies, Verdict, strictness};
use execgate_knowledge::{programs, shells};
use serde::Serialize;
use serde_json::Value;

use crate::config::Config;
use crate::floor::Floor;
use crate::judge::judge;
use crate::plan::Surroundings;
use crate::profile::Profile;
use crate::record::decision_name;
use crate::request::ExecRequest;

/// The setting.
const KEY: &str = "policy.rules";

/// Keys of a rule that are about its examples, and no business of the policy.
const EXAMPLES: [&str; 2] = ["matches", "spares"];

/// Rules that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RuleError {
    /// An example is decided otherwise than its rule says.
    #[error(transparent)]
    Example(Box<Contradiction>),
    /// The examples are not texts.
    #[error("the examples `{key}` of rule `{rule}` are not a list of commands")]
    Malformed {
        /// Its id.
        rule: String,
        /// `matches` or `spares`.
        key: &'static str,
    },
    /// The profile's policy does not know such rules.
    #[error(
        "the {0} profile knows no `policy.rules`: take them out, or use `policy.deny`, which holds in every profile"
    )]
    Profile(&'static str),
}

/// An example that is decided otherwise than its rule says.
#[derive(Debug, thiserror::Error)]
#[error(
    "rule `{rule}` says that it {expected} `{command}`, but the verdict is {verdict} ({by}: {reason}); change the rule or the example"
)]
pub struct Contradiction {
    /// The rule's id.
    pub rule: String,
    /// `matches` or `spares`.
    pub expected: &'static str,
    /// The example.
    pub command: String,
    /// What came of it.
    pub verdict: &'static str,
    /// The rule that decided.
    pub by: String,
    /// Why.
    pub reason: String,
}

/// The rules as a component is given them.
pub fn for_component(rules: &[toml::Table]) -> Vec<Value> {
    let without_examples = |rule: &toml::Table| {
        let mut rule = rule.clone();
        rule.retain(|key, _| !EXAMPLES.contains(&key));
        // Only a date has no JSON of its own, and no key of a rule takes one.
        serde_json::to_value(rule).unwrap_or_default()
    };
    rules.iter().map(without_examples).collect()
}

/// Judges every example of every rule.
///
/// # Errors
/// The first example that is not decided as its rule says, or rules that the profile does not know.
pub(crate) async fn check(
    config: &Config,
    policies: &Policies,
    surroundings: &Surroundings,
) -> Result<(), RuleError> {
    let rules = config.tables(KEY);
    if !rules.is_empty() && config.profile() != Profile::Default {
        return Err(RuleError::Profile(config.profile().name()));
    }
    let floor = Floor::new(&config.list("policy.deny"));
    for rule in &rules {
        let id = rule.get("id").and_then(toml::Value::as_str);
        let id = id.unwrap_or_default().to_owned();
        let own = format!("operator/{id}");
        let decision = decision(rule);
        for command in examples(rule, "matches")? {
            let verdict = verdict(policies, &command, surroundings, &floor).await;
            if !is_decided(&verdict, decision) {
                return Err(contradicts(id, "matches", command, verdict));
            }
        }
        for command in examples(rule, "spares")? {
            let verdict = verdict(policies, &command, surroundings, &floor).await;
            if verdict.rule == own {
                return Err(contradicts(id, "spares", command, verdict));
            }
        }
    }
    Ok(())
}

/// Whether a verdict is what a rule wants, or stricter where the rule is about stopping.
fn is_decided(verdict: &Verdict, wanted: Decision) -> bool {
    match wanted {
        Decision::Allow => verdict.decision == Decision::Allow,
        Decision::Ask => verdict.decision != Decision::Allow,
        Decision::Deny => verdict.decision == Decision::Deny,
    }
}

fn decision(rule: &toml::Table) -> Decision {
    match rule.get("decision").and_then(toml::Value::as_str) {
        Some("allow") => Decision::Allow,
        Some("deny") => Decision::Deny,
        _ => Decision::Ask,
    }
}

fn examples(rule: &toml::Table, key: &'static str) -> Result<Vec<String>, RuleError> {
    texts(rule, key).ok_or_else(|| RuleError::Malformed {
        rule: rule
            .get("id")
            .and_then(toml::Value::as_str)
            .unwrap_or_default()
            .to_owned(),
        key,
    })
}

/// A text or a list of them; none if they are anything else.
fn texts(rule: &toml::Table, key: &str) -> Option<Vec<String>> {
    match rule.get(key) {
        None => Some(Vec::new()),
        Some(toml::Value::String(text)) => Some(vec![text.clone()]),
        Some(value) => {
            let items = value.as_array()?.iter();
            items.map(|item| item.as_str().map(str::to_owned)).collect()
        }
    }
}

async fn verdict(
    policies: &Policies,
    command: &str,
    surroundings: &Surroundings,
    floor: &Floor,
) -> Verdict {
    judge(
        &policies.pin(),
        ExecRequest::new(command),
        surroundings,
        floor,
    )
    .await
    .verdict
}

fn contradicts(
    rule: String,
    expected: &'static str,
    command: String,
    verdict: Verdict,
) -> RuleError {
    RuleError::Example(Box::new(Contradiction {
        rule,
        expected,
        command,
        verdict: decision_name(verdict.decision),
        by: verdict.rule,
        reason: verdict.reason,
    }))
}

/// Something odd about a rule. It works all the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Oddity {
    /// The rule's id.
    pub rule: String,
    /// `broad`, `shadowed`, `duplicate`, `dead` or `untested`.
    pub kind: &'static str,
    /// What it is, and what would be better.
    pub message: String,
}

/// A rule, as far as oddities go.
#[derive(Debug)]
struct Shape {
    id: String,
    exact: Option<String>,
    programs: BTreeSet<String>,
    verbs: BTreeSet<String>,
    options: BTreeSet<String>,
    without: BTreeSet<String>,
    paths: BTreeSet<String>,
    matches: Vec<String>,
}

impl Shape {
    fn of(rule: &toml::Table) -> Self {
        let text = |key: &str| {
            rule.get(key)
                .and_then(toml::Value::as_str)
                .map(str::to_owned)
        };
        let set = |key: &str| texts(rule, key).unwrap_or_default().into_iter().collect();
        Self {
            id: text("id").unwrap_or_default(),
            exact: text("exact"),
            programs: set("program"),
            verbs: set("verb"),
            options: set("options"),
            without: set("without"),
            paths: set("paths"),
            matches: texts(rule, "matches").unwrap_or_default(),
        }
    }

    /// Whether every command that another rule is about is one of this rule's too.
    fn covers(&self, other: &Self) -> bool {
        self.exact == other.exact
            && other.programs.is_subset(&self.programs)
            && (self.verbs.is_empty()
                || !other.verbs.is_empty() && other.verbs.is_subset(&self.verbs))
            && self.options.is_subset(&other.options)
            && self.without.is_subset(&other.without)
            && (self.paths.is_empty() || self.paths == other.paths)
    }

    /// A program of the rule that runs whatever it is told to.
    fn carrier(&self) -> Option<&str> {
        let name = |path: &'_ str| path.rsplit('/').next().unwrap_or(path).to_owned();
        let runs_anything = |program: &&String| {
            let name = name(program);
            shells::SHELLS.contains(&name)
                || shells::INTERPRETERS
                    .iter()
                    .any(|one| name.starts_with(one.name))
                || programs::WRAPPERS
                    .iter()
                    .any(|(wrapper, _)| *wrapper == name)
                || matches!(
                    name.as_str(),
                    "sudo" | "doas" | "su" | "ssh" | "docker" | "podman" | "kubectl"
                )
        };
        let names_more = !self.verbs.is_empty() || !self.options.is_empty();
        self.programs
            .iter()
            .find(runs_anything)
            .filter(|_| !names_more)
            .map(String::as_str)
    }
}

/// Looks for rules that are too broad, that others make useless, or that change nothing.
///
/// `bare` are policies without the rules, by which examples are judged.
pub(crate) async fn oddities(
    config: &Config,
    bare: &Policies,
    surroundings: &Surroundings,
) -> Vec<Oddity> {
    let tables = config.tables(KEY);
    let rules: Vec<(Decision, Shape)> = tables
        .iter()
        .map(|rule| (decision(rule), Shape::of(rule)))
        .collect();
    let floor = Floor::new(&config.list("policy.deny"));
    let mut found = Vec::new();
    for (index, (decision, shape)) in rules.iter().enumerate() {
        let mut note = |kind, message| {
            let rule = shape.id.clone();
            found.push(Oddity {
                rule,
                kind,
                message,
            });
        };
        if let Some(program) = shape.carrier().filter(|_| *decision == Decision::Allow) {
            note(
                "broad",
                format!(
                    "`{program}` runs whatever it is told to: name verbs or options, or an `exact` text"
                ),
            );
        }
        if let Some((kind, message)) = useless(&rules, index) {
            note(kind, message);
        }
        if shape.matches.is_empty() {
            note("untested", "it has no example: give commands that it is about in `matches`, and others in `spares`".to_owned());
        }
        if *decision == Decision::Allow && !shape.matches.is_empty() {
            let mut changes = false;
            for command in &shape.matches {
                let before = verdict(bare, command, surroundings, &floor).await;
                changes |= before.decision != Decision::Allow;
            }
            if !changes {
                note("dead", "all its examples are allowed without it".to_owned());
            }
        }
    }
    found
}

/// Why a rule never matters, if another one sees to that.
fn useless(rules: &[(Decision, Shape)], index: usize) -> Option<(&'static str, String)> {
    let (decision, shape) = &rules[index];
    let rank = strictness(*decision);
    let others = rules.iter().enumerate();
    let covering: Vec<_> = others
        .filter(|(place, (_, other))| *place != index && other.covers(shape))
        .collect();
    let stricter = covering
        .iter()
        .find(|(_, (other, _))| strictness(*other) > rank);
    if let Some((_, (other_decision, other))) = stricter {
        let name = decision_name(*other_decision);
        let message = format!(
            "rule `{}` covers all of it with `{name}`, and the stricter one holds",
            other.id
        );
        return Some(("shadowed", message));
    }
    let same = covering.iter().find(|(place, (other_decision, other))| {
        other_decision == decision && (*place < index || !shape.covers(other))
    });
    same.map(|(_, (_, other))| {
        let message = format!("rule `{}` says the same of all its commands", other.id);
        ("duplicate", message)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    fn rules(text: &str) -> Vec<(Decision, Shape)> {
        let table: toml::Table = text.parse().unwrap();
        let tables = table["rules"].as_array().unwrap().iter();
        tables
            .map(|rule| rule.as_table().unwrap())
            .map(|rule| (decision(rule), Shape::of(rule)))
            .collect()
    }

    fn kinds(text: &str) -> Vec<Option<&'static str>> {
        let rules = rules(text);
        (0..rules.len())
            .map(|index| useless(&rules, index).map(|(kind, _)| kind))
            .collect()
    }

    #[test]
    fn a_stricter_rule_shadows_what_it_covers() {
        let text = r#"rules = [
            {id = "a", decision = "allow", program = "git", verb = "push"},
            {id = "b", decision = "deny", program = ["git", "hg"]},
            {id = "c", decision = "allow", program = "git", verb = "push", options = "-n"},
            {id = "d", decision = "allow", program = "svn"},
        ]"#;
        assert_eq!(
            kinds(text),
            [Some("shadowed"), None, Some("shadowed"), None]
        );
    }

    #[test]
    fn of_two_that_say_the_same_the_narrower_or_later_one_is_named() {
        let text = r#"rules = [
            {id = "a", decision = "allow", program = "git", verb = "push"},
            {id = "b", decision = "allow", program = "git"},
            {id = "c", decision = "allow", program = "git"},
        ]"#;
        assert_eq!(kinds(text), [Some("duplicate"), None, Some("duplicate")]);
    }

    #[test]
    fn what_runs_anything_is_too_broad_unless_it_says_more() {
        let carriers = |text: &str| {
            let rules = rules(text);
            rules
                .iter()
                .map(|(_, shape)| shape.carrier().is_some())
                .collect::<Vec<_>>()
        };
        let text = r#"rules = [
            {id = "a", program = "/usr/bin/python3"}, {id = "b", program = "sudo"}, {id = "c", program = "bash"},
            {id = "d", program = "docker", verb = "ps"}, {id = "e", program = "terraform"}, {id = "f", program = "xargs"},
        ]"#;
        assert_eq!(carriers(text), [true, true, true, false, false, true]);
    }

    #[test]
    fn components_get_no_examples() {
        let text = r#"id = "a"
            program = "x"
            matches = ["x y"]
            spares = "z""#;
        let given = for_component(&[text.parse().unwrap()]);
        assert_eq!(given, [serde_json::json!({"id": "a", "program": "x"})]);
    }
}
