//! Categories of commands that change the machine, other hosts or other people's work: decided on parsed
//! segments, so that a thing is found in every spelling, and a mention of it is nothing.

pub(crate) mod code;
mod containers;
mod delete;
mod disk;
mod fork_bomb;
mod guard;
mod kill;
mod packages;
mod pipe_shell;
mod power;
mod privilege;
mod publish;
mod remote;

use execgate_guest::Span;

use crate::line::Line;

/// A rule that a command meets.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// Stable id, `category/name`.
    pub rule: &'static str,
    /// What the command would do, after "it".
    pub effect: &'static str,
    /// What would pass instead.
    pub remedy: &'static str,
    /// Where in the text.
    pub span: Span,
}

impl Hit {
    /// The rule's category: its id up to the first `/`.
    pub fn category(&self) -> &'static str {
        self.rule.split('/').next().unwrap_or(self.rule)
    }

    /// Whether the operator took the rule, or its whole category, out.
    pub fn is_exempt(&self, exempt: &[String]) -> bool {
        exempt
            .iter()
            .any(|name| name == self.rule || name == self.category())
    }
}

/// Names of all rules, for settings that name them.
pub const RULES: &[&str] = &[
    code::CODE,
    code::EVAL,
    code::SOURCE,
    containers::RUN,
    delete::DOS,
    delete::FIND,
    delete::REMOVE,
    disk::BLOCK_DEVICE,
    disk::COPY,
    disk::FORMAT,
    fork_bomb::FORK_BOMB,
    guard::CONTROL,
    kill::SIGNAL,
    packages::JAVASCRIPT,
    packages::PYTHON,
    packages::SYSTEM,
    pipe_shell::DOWNLOADED,
    pipe_shell::INPUT,
    power::POWER,
    privilege::ELEVATE,
    privilege::MODE,
    privilege::OWNER,
    publish::PUSH,
    remote::SESSION,
];

/// All hits of a command line, in the order of the categories.
pub fn hits(line: &Line<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for family in FAMILIES {
        family(line, &mut hits);
    }
    hits
}

type Family = fn(&Line<'_>, &mut Vec<Hit>);

const FAMILIES: &[Family] = &[
    guard::judge,
    delete::judge,
    disk::judge,
    power::judge,
    fork_bomb::judge,
    pipe_shell::judge,
    privilege::judge,
    kill::judge,
    packages::judge,
    containers::judge,
    publish::judge,
    remote::judge,
    code::judge,
];
