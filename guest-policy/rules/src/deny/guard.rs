//! The runtime's own controls.

use execgate_guest::Segment;
use execgate_knowledge::guard;

use super::Hit;
use crate::line::Line;

pub(super) const CONTROL: &str = "self/control";

pub(super) fn judge(line: &Line<'_>, hits: &mut Vec<Hit>) {
    let controls = line.invocations.iter().filter(|invocation| {
        invocation.name == guard::PROGRAM
            && !invocation
                .segment
                .words
                .get(1)
                .and_then(|word| word.value.as_deref())
                .is_some_and(|verb| guard::HARMLESS_VERBS.contains(&verb))
    });
    hits.extend(controls.map(|invocation| hit(invocation.segment)));
    hits.extend(
        line.command_line
            .segments
            .iter()
            .filter(|segment| touches(segment))
            .map(hit),
    );
}

fn hit(segment: &Segment) -> Hit {
    Hit {
        rule: CONTROL,
        effect: "turns the controls of execgate itself",
        remedy: "approvals, policies and settings are the operator's; ask for what you need",
        span: segment.span,
    }
}

fn touches(segment: &Segment) -> bool {
    let words = segment
        .words
        .iter()
        .chain(segment.redirects.iter().map(|redirect| &redirect.target));
    let paths = words
        .filter_map(|word| word.value.as_deref())
        .any(guard::names_own_directory);
    let names = segment
        .assignments
        .iter()
        .any(|assignment| assignment.name.starts_with(guard::VARIABLE_PREFIX));
    paths || names
}
