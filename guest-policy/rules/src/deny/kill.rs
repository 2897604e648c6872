//! Signals to processes.

use execgate_knowledge::privilege;

use super::Hit;
use crate::invocation::Invocation;
use crate::line::Line;

pub(super) const SIGNAL: &str = "kill/signal";

pub(super) fn judge(line: &Line<'_>, hits: &mut Vec<Hit>) {
    for invocation in line
        .invocations
        .iter()
        .filter(|invocation| signals(invocation))
    {
        hits.push(Hit {
            rule: SIGNAL,
            effect: "ends processes",
            remedy: "use the exec tool's own kill action; `kill -0` and `kill -l` pass",
            span: invocation.span(),
        });
    }
}

fn signals(invocation: &Invocation<'_>) -> bool {
    let name = invocation.name.as_str();
    if privilege::KILLERS.contains(name) {
        return !invocation.only_informs() && !invocation.has("", &["list"]);
    }
    match name {
        "kill" => !probes(invocation),
        "fuser" => invocation.has("k", &["kill"]),
        _ => false,
    }
}

/// `kill -0` asks whether a process is there, `kill -l` lists signals.
fn probes(invocation: &Invocation<'_>) -> bool {
    let first = invocation
        .segment
        .words
        .get(1)
        .and_then(|word| word.value.as_deref());
    match first {
        Some("-0" | "-l" | "-L" | "--list" | "--table" | "--help" | "--version") => true,
        Some("-s" | "-n") => invocation
            .option("sn", &[])
            .is_some_and(|(_, value)| value == Some("0")),
        Some(_) | None => false,
    }
}
