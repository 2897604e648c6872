//! Stopping and restarting the machine.

use execgate_knowledge::power;

use super::Hit;
use crate::invocation::Invocation;
use crate::line::Line;

pub(super) const POWER: &str = "power/stop";

pub(super) fn judge(line: &Line<'_>, hits: &mut Vec<Hit>) {
    for invocation in line
        .invocations
        .iter()
        .filter(|invocation| stops(invocation))
    {
        hits.push(Hit {
            rule: POWER,
            effect: "stops or restarts the machine",
            remedy: "ask the operator to do it",
            span: invocation.span(),
        });
    }
}

fn stops(invocation: &Invocation<'_>) -> bool {
    let name = invocation.name.as_str();
    if power::PROGRAMS.contains(name) {
        return !invocation.only_informs();
    }
    if power::RUN_LEVEL.contains(&name) {
        return invocation.has_verb(power::STOPPING_LEVELS);
    }
    power::MANAGERS.contains(&name)
        && invocation
            .operand_texts()
            .any(|text| power::VERBS.contains(text))
        && !informs(invocation)
}

/// `systemctl status reboot` and the like name a unit.
fn informs(invocation: &Invocation<'_>) -> bool {
    invocation.has_verb(&[
        "status",
        "show",
        "cat",
        "list-units",
        "list-unit-files",
        "is-active",
        "is-enabled",
        "help",
    ])
}
