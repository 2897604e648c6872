//! The operator's deny list: native, and nothing a component says can lift it.

use execgate_host::{Decision, Risk, Segment, Verdict};

use crate::plan::ExecPlan;

/// Programs, or programs with a verb, that are always denied.
#[derive(Clone, Debug, Default)]
pub struct Floor {
    entries: Vec<Vec<String>>,
}

impl Floor {
    /// From entries such as `docker` or `git push`.
    pub fn new(entries: &[String]) -> Self {
        let words = |entry: &String| {
            entry
                .split_whitespace()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        Self {
            entries: entries
                .iter()
                .map(words)
                .filter(|words| !words.is_empty())
                .collect(),
        }
    }

    /// The verdict of a plan: the policies', or a denial that it never loosens.
    pub fn tighten(&self, plan: &ExecPlan, verdict: Verdict) -> Verdict {
        let hit = plan
            .command_line
            .segments
            .iter()
            .find_map(|segment| Some((segment, self.entry_for(segment)?)));
        let Some((segment, entry)) = hit else {
            return verdict;
        };
        Verdict {
            decision: Decision::Deny,
            rule: format!("operator/deny/{}", entry.join("-")),
            category: "operator".to_owned(),
            reason: format!("`{}` is on the operator's deny list", entry.join(" ")),
            spans: vec![segment.span],
            risk: Risk::High,
            remedy: Some("the operator can take it off the setting `policy.deny`".to_owned()),
            annotations: Vec::new(),
        }
    }

    fn entry_for(&self, segment: &Segment) -> Option<&[String]> {
        self.entries
            .iter()
            .map(Vec::as_slice)
            .find(|entry| matches(entry, segment))
    }
}

/// Whether a segment starts the program with the verbs in this order; a word
/// whose value is not known could be the verb and counts as it.
fn matches(entry: &[String], segment: &Segment) -> bool {
    let mut words = segment.words.iter().map(|word| word.value.as_deref());
    let Some(Some(program)) = words.next() else {
        return false;
    };
    let base = program.rsplit('/').next().unwrap_or(program);
    if base != entry[0] {
        return false;
    }
    let mut operands = words.filter(|word| !word.is_some_and(|word| word.starts_with('-')));
    entry[1..]
        .iter()
        .all(|verb| operands.any(|word| word.is_none_or(|word| word == verb)))
}
