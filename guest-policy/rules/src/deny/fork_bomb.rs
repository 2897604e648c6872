//! Functions that start themselves again and again.

use execgate_guest::{Context, Segment};

use super::Hit;
use crate::line::Line;

pub(super) const FORK_BOMB: &str = "fork-bomb/function";

pub(super) fn judge(line: &Line<'_>, hits: &mut Vec<Hit>) {
    let bombs = line
        .command_line
        .segments
        .iter()
        .filter(|segment| calls_itself(segment));
    hits.extend(bombs.take(1).map(|segment| Hit {
        rule: FORK_BOMB,
        effect: "starts itself without end",
        remedy: "let a function call itself neither in a pipeline nor in the background",
        span: segment.span,
    }));
}

fn calls_itself(segment: &Segment) -> bool {
    let program = segment.words.first().and_then(|word| word.value.as_deref());
    let forks = segment.stage.is_some() || segment.context.contains(Context::BACKGROUND);
    program.is_some() && program == segment.function.as_deref() && forks
}
