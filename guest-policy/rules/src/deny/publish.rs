//! Publishing commits.

use super::Hit;
use crate::invocation::{Argument, Invocation};
use crate::line::Line;

pub(super) const PUSH: &str = "git/push";

pub(super) fn judge(line: &Line<'_>, hits: &mut Vec<Hit>) {
    for invocation in line
        .invocations
        .iter()
        .filter(|invocation| publishes(invocation))
    {
        hits.push(Hit {
            rule: PUSH,
            effect: "publishes commits",
            remedy: "commit locally and let the operator push",
            span: invocation.span(),
        });
    }
}

fn publishes(invocation: &Invocation<'_>) -> bool {
    if invocation.name != "git" || invocation.has("", &["help"]) {
        return false;
    }
    // An unknown verb may be any verb.
    let unknown_verb = invocation
        .operands()
        .next()
        .is_some_and(|word| word.value.is_none());
    unknown_verb
        || invocation.has_verb(&["push", "force", "send-pack", "http-push"])
        || pushes_by_part(invocation)
        || defines_alias(invocation)
}

/// `git subtree push`, `git lfs push`, `git svn dcommit`.
fn pushes_by_part(invocation: &Invocation<'_>) -> bool {
    let mut operands = invocation.operand_texts();
    match operands.next() {
        Some("subtree" | "lfs") => operands.next() == Some("push"),
        Some("svn") => operands.next() == Some("dcommit"),
        Some(_) | None => false,
    }
}

/// `git -c alias.x='push' x` gives a verb another name.
fn defines_alias(invocation: &Invocation<'_>) -> bool {
    invocation.arguments.iter().any(|argument| match argument {
        Argument::Option { name, value, .. } => {
            matches!(name.as_ref(), "-c" | "--config-env")
                && value.is_none_or(|value| value.to_ascii_lowercase().starts_with("alias."))
        }
        Argument::Operand(_) => false,
    })
}
