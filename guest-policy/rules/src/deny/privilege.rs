//! Running as somebody else, and changing who may do what with files.

use execgate_knowledge::privilege;

use super::Hit;
use crate::invocation::Invocation;
use crate::line::Line;

pub(super) const ELEVATE: &str = "privilege/elevate";
pub(super) const MODE: &str = "privilege/chmod";
pub(super) const OWNER: &str = "privilege/chown";

pub(super) fn judge(line: &Line<'_>, hits: &mut Vec<Hit>) {
    for invocation in line
        .invocations
        .iter()
        .filter(|invocation| !invocation.only_informs())
    {
        let name = invocation.name.as_str();
        let (rule, effect, remedy) = if privilege::ELEVATORS.contains(name) {
            (
                ELEVATE,
                "runs with somebody else's rights",
                "run the command without it",
            )
        } else if privilege::OWNERSHIP.contains(&name) {
            (OWNER, "changes who owns files", "leave the owner as it is")
        } else if name == "chmod" && sets_octal_mode(invocation) {
            (
                MODE,
                "sets permissions by number",
                "use a symbolic mode such as `chmod +x FILE`",
            )
        } else {
            continue;
        };
        hits.push(Hit {
            rule,
            effect,
            remedy,
            span: invocation.span(),
        });
    }
}

fn sets_octal_mode(invocation: &Invocation<'_>) -> bool {
    invocation.verb().is_some_and(|mode| {
        let digits = mode.trim_start_matches(['=', '+', '-']);
        digits.len() >= 3 && digits.bytes().all(|byte| (b'0'..=b'7').contains(&byte))
    })
}
