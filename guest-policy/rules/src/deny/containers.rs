//! Starting and entering containers.

use execgate_knowledge::containers;

use super::Hit;
use crate::invocation::Invocation;
use crate::line::Line;

pub(super) const RUN: &str = "containers/run";

pub(super) fn judge(line: &Line<'_>, hits: &mut Vec<Hit>) {
    for invocation in line
        .invocations
        .iter()
        .filter(|invocation| runs(invocation))
    {
        hits.push(Hit {
            rule: RUN,
            effect: "runs a program in a container",
            remedy: "run it on this machine, or ask the operator; listing and inspecting containers passes",
            span: invocation.span(),
        });
    }
}

fn runs(invocation: &Invocation<'_>) -> bool {
    let name = invocation.name.as_str();
    if invocation.has("", &["help"]) {
        return false;
    }
    if containers::COMPOSERS.contains(&name) {
        return invocation.has_verb(containers::RUNNING_VERBS);
    }
    if !containers::ENGINES.contains(&name) {
        return false;
    }
    let mut verbs = invocation.operand_texts();
    match verbs.next() {
        Some("container" | "compose") => verbs.next().is_some_and(is_running),
        Some(verb) => is_running(verb),
        None => false,
    }
}

fn is_running(verb: &str) -> bool {
    containers::RUNNING_VERBS.contains(&verb)
}
