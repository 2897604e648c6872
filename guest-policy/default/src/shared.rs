//! What the shared deny categories mean in this profile.

use execgate_guest::Risk;
use execgate_rules::deny::Hit;

use crate::finding::Finding;

/// Rules that this profile decides by rules of its own.
const OWN: &[&str] = &[
    "delete/recursive-or-forced",
    "delete/find",
    "disk/dd",
    "privilege/chmod",
    "kill/signal",
    "privilege/chown",
];

/// Rules that nobody should be asked about.
const NEVER: &[&str] = &[
    "self/control",
    "disk/format",
    "disk/block-device",
    "power/stop",
    "fork-bomb/function",
    "delete/dos",
];

/// The finding for a hit.
pub(crate) fn finding(hit: Hit) -> Option<Finding> {
    if OWN.contains(&hit.rule) {
        return None;
    }
    let reason = format!("it {}", hit.effect);
    let finding = if NEVER.contains(&hit.rule) {
        Finding::deny(hit.rule, reason, hit.span)
    } else {
        Finding::ask(hit.rule, reason, hit.span)
    };
    let risk = if NEVER.contains(&hit.rule) {
        Risk::Critical
    } else {
        Risk::High
    };
    Some(Finding { risk, ..finding }.instead(hit.remedy))
}
