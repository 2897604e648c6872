//! Where the parts of a command run, as far as `cd` in it tells.

use std::rc::Rc;

use execgate_guest::{Context, Join, Relation};
use execgate_rules::Line;
use execgate_rules::paths::lexical;

use crate::facts::Facts;
use crate::windows;

/// Directories that a part may run in, at most.
const MAX_DIRECTORIES: usize = 8;

/// The directories that each segment may run in; empty where that is not known.
pub(crate) fn directories(line: &Line<'_>, facts: &Facts<'_>) -> Vec<Rc<Vec<String>>> {
    let segments = &line.command_line.segments;
    let mut walk = Walk {
        here: Rc::new(vec![windows::rooted(facts.cwd())]),
        failed: Vec::new(),
        known: true,
    };
    let mut invocations = line.invocations.iter().peekable();
    let mut result = Vec::with_capacity(segments.len());
    let mut nested = false;
    for (index, segment) in segments.iter().enumerate() {
        if segment.relation == Relation::Top
            && !matches!(segment.join, Join::AndThen | Join::Pipe | Join::PipeBoth)
        {
            walk.may_have_failed();
        }
        result.push(Rc::clone(&walk.here));
        let invocation = invocations.next_if(|invocation| invocation.index == index);
        let moves = windows::moves(segment);
        let Some(invocation) = invocation.filter(|invocation| {
            moves || matches!(invocation.name.as_str(), "cd" | "pushd" | "popd" | "chdir")
        }) else {
            continue;
        };
        nested |= segment
            .context
            .intersects(Context::all() - Context::CONDITIONAL)
            || segment.relation != Relation::Top;
        let target = match invocation.operands().next() {
            None if invocation.name == "cd" => facts.home(),
            None => None,
            Some(word) => word
                .value
                .as_deref()
                .filter(|text| !text.starts_with(['-', '+'])),
        };
        let place = if moves {
            windows::moves_to(segment)
        } else {
            None
        };
        walk.go(if moves { place.as_deref() } else { target });
    }
    if nested {
        everywhere(result, walk)
    } else {
        result
    }
}

/// Inside loops, functions and subshells the order of the text is not the order of the moves.
fn everywhere(directories: Vec<Rc<Vec<String>>>, walk: Walk) -> Vec<Rc<Vec<String>>> {
    let count = directories.len();
    let known = walk.known && directories.iter().all(|here| !here.is_empty());
    let mut all: Vec<String> = directories
        .iter()
        .chain([&walk.here])
        .flat_map(|here| here.iter().cloned())
        .collect();
    all.sort();
    all.dedup();
    if !known || all.len() > MAX_DIRECTORIES {
        all.clear();
    }
    let all = Rc::new(all);
    vec![all; count]
}

/// The moves so far.
struct Walk {
    /// Where the next part runs if all moves succeeded; empty when that is not known.
    here: Rc<Vec<String>>,
    /// Where it runs if one failed.
    failed: Vec<String>,
    known: bool,
}

impl Walk {
    fn may_have_failed(&mut self) {
        if self.failed.is_empty() && self.here.len() < 2 {
            return;
        }
        let here = Rc::make_mut(&mut self.here);
        here.append(&mut self.failed);
        here.sort();
        here.dedup();
        if here.len() > MAX_DIRECTORIES {
            self.lose();
        }
    }

    /// From here on nothing is known; nothing is kept, so that a long text costs no more than a short one.
    fn lose(&mut self) {
        self.known = false;
        self.here = Rc::default();
        self.failed.clear();
    }

    fn go(&mut self, target: Option<&str>) {
        let Some(target) = target.filter(|_| self.known && self.failed.len() <= MAX_DIRECTORIES)
        else {
            self.lose();
            return;
        };
        let next = self.here.iter().map(|base| lexical(base, target)).collect();
        let before = std::mem::replace(&mut self.here, Rc::new(next));
        self.failed.extend_from_slice(&before);
    }
}
