//! Sessions on other hosts.

use execgate_knowledge::remote;

use super::Hit;
use crate::invocation::Invocation;
use crate::line::Line;
use crate::paths::is_remote;

pub(super) const SESSION: &str = "ssh/session";

pub(super) fn judge(line: &Line<'_>, hits: &mut Vec<Hit>) {
    for invocation in line
        .invocations
        .iter()
        .filter(|invocation| connects(invocation))
    {
        hits.push(Hit {
            rule: SESSION,
            effect: "opens a session on another host",
            remedy: "work on this machine, or ask the operator; `git clone` and `ssh-keygen` pass",
            span: invocation.span(),
        });
    }
}

fn connects(invocation: &Invocation<'_>) -> bool {
    let name = invocation.name.as_str();
    if remote::SESSIONS.contains(name) {
        let informs = name == "ssh" && invocation.has("VQG", &[]);
        return !informs && !invocation.only_informs();
    }
    remote::COPIES.contains(&name)
        && invocation.operand_texts().any(|text| {
            is_remote(text) || text.starts_with("scp://") || text.starts_with("rsync://")
        })
}
