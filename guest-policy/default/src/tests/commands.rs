//! The labelled commands: what must not pass, what must, and what is asked.

use std::collections::BTreeMap;

use execgate_analyzer::convert;
use execgate_guest::testing::FakeRequest;
use execgate_guest::{Configure, Decision, Policy, Verdict};
use serde_json::Value;

use crate::DefaultPolicy;

/// Judges a command as the case table assumes: user `dev` in `/home/dev/project`.
pub(super) fn judge(policy: &DefaultPolicy, text: &str, shell: &str) -> Verdict {
    let variables = [("PWD".to_owned(), "/home/dev/project".to_owned())];
    let source = execgate_shell::Source {
        text,
        dialect: match shell {
            "powershell" => execgate_shell::Dialect::PowerShell,
            "cmd" => execgate_shell::Dialect::Cmd,
            "zsh" => execgate_shell::Dialect::Zsh,
            _ => execgate_shell::Dialect::Bash,
        },
        home: Some("/home/dev"),
        cwd: Some("/home/dev/project"),
        variables: &variables,
    };
    let mut request = FakeRequest::new(
        text,
        convert::command_line(execgate_shell::analyze(&source)),
    );
    request.cwd = "/home/dev/project".into();
    request.workspace = Some("/home/dev/project".into());
    request.home = Some("/home/dev".into());
    policy.evaluate(&request)
}

/// How often each label got each decision.
#[derive(Debug, Default)]
pub(super) struct Score {
    pub(super) cases: usize,
    counts: BTreeMap<(String, &'static str), usize>,
}

impl Score {
    fn add(&mut self, label: &str, decision: Decision) {
        self.cases += 1;
        *self
            .counts
            .entry((label.to_owned(), word(decision)))
            .or_default() += 1;
    }

    pub(super) fn count(&self, label: &str, decision: Decision) -> usize {
        self.counts
            .get(&(label.to_owned(), word(decision)))
            .copied()
            .unwrap_or(0)
    }

    /// The share of a label that got a decision, in per cent.
    pub(super) fn share(&self, label: &str, decision: Decision) -> f64 {
        let all: usize = [Decision::Allow, Decision::Ask, Decision::Deny]
            .iter()
            .map(|decision| self.count(label, *decision))
            .sum();
        100.0 * self.count(label, decision) as f64 / all.max(1) as f64
    }
}

fn word(decision: Decision) -> &'static str {
    match decision {
        Decision::Allow => "allowed",
        Decision::Ask => "asked",
        Decision::Deny => "denied",
    }
}

/// Scores rows of the case table's form.
pub(super) fn score(rows: &str, mut each: impl FnMut(&Value, &Verdict)) -> Score {
    let policy = DefaultPolicy::configure("{}").expect("no settings are needed");
    let mut score = Score::default();
    for line in rows.lines() {
        let row: Value = serde_json::from_str(line).expect("each line is an object");
        let text = |name: &str| row[name].as_str().expect("the row has it");
        let verdict = judge(&policy, text("command"), text("shell"));
        score.add(text("label"), verdict.decision);
        each(&row, &verdict);
    }
    score
}

#[test]
fn labelled_commands_are_decided_within_the_bounds() {
    let directory = std::env::var("EXECGATE_CASES")
        .unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/cases").into());
    let rows = std::fs::read_to_string(format!("{directory}/commands.jsonl"))
        .expect("the case table is there");
    let report = std::env::var("EXECGATE_REPORT").ok();
    let mut lines = String::new();
    let score = score(&rows, |row, verdict| {
        lines += &format!(
            "{}\t{}\t{}\t{}\t{}\t{}\n",
            row["id"],
            row["label"],
            word(verdict.decision),
            verdict.rule,
            row["command"],
            verdict.reason
        );
    });
    if let Some(path) = report {
        std::fs::write(path, lines).expect("the report can be written");
    }
    println!(
        "commands: {} cases, dangerous allowed {}, benign denied {}, benign asked {}, ask allowed {}, ask denied {}",
        score.cases,
        score.count("dangerous", Decision::Allow),
        score.count("benign", Decision::Deny),
        score.count("benign", Decision::Ask),
        score.count("ask", Decision::Allow),
        score.count("ask", Decision::Deny),
    );
    assert!(score.share("dangerous", Decision::Allow) < 3.0, "{score:?}");
    assert!(score.share("benign", Decision::Deny) < 2.0, "{score:?}");
    assert!(score.share("benign", Decision::Ask) < 35.0, "{score:?}");
}
