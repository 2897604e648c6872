//! Values of variables that are certain at a point of the text.

use std::collections::{BTreeMap, BTreeSet};

use crate::source::Source;

/// Names whose value the shell changes by itself.
const VOLATILE: [&str; 24] = [
    "_",
    "BASHOPTS",
    "BASHPID",
    "BASH_ARGV0",
    "BASH_COMMAND",
    "BASH_REMATCH",
    "BASH_SUBSHELL",
    "COPROC",
    "DIRSTACK",
    "EPOCHREALTIME",
    "EPOCHSECONDS",
    "EUID",
    "FUNCNAME",
    "GROUPS",
    "LINENO",
    "MAPFILE",
    "OPTARG",
    "OPTIND",
    "PIPESTATUS",
    "PPID",
    "RANDOM",
    "REPLY",
    "SECONDS",
    "UID",
];

/// Names that every shell refuses to assign.
const READ_ONLY: [&str; 6] = [
    "BASHOPTS",
    "BASH_VERSINFO",
    "EUID",
    "PPID",
    "SHELLOPTS",
    "UID",
];

/// What is known of variables. A name that is absent is not known.
#[derive(Clone, Debug, Default)]
pub(crate) struct Variables {
    known: BTreeMap<String, String>,
    /// Names that are never known again (assigned in a function, read-only, typed).
    frozen: BTreeSet<String>,
    /// Names that refuse an assignment.
    read_only: BTreeSet<String>,
    /// Names in the order they were assigned, so that a scope can be forgotten.
    journal: Vec<String>,
    /// Set once anything may change at any time.
    distrusted: bool,
    /// Set once commands may be passed over.
    unsettled: bool,
}

impl Variables {
    /// Starts with what the source promises.
    pub(crate) fn new(source: &Source<'_>) -> Self {
        let mut variables = Self::default();
        let places = [("HOME", source.home), ("PWD", source.cwd)];
        variables.known.extend(
            places
                .into_iter()
                .filter_map(|(name, value)| Some((name.to_owned(), value?.to_owned()))),
        );
        variables.known.extend(source.variables.iter().cloned());
        variables.known.insert("IFS".to_owned(), " \t\n".to_owned());
        variables
    }

    /// Starts for a shell of its own: it sees what is exported, and which variables are is not followed.
    pub(crate) fn child() -> Self {
        let mut variables = Self::default();
        variables.known.insert("IFS".to_owned(), " \t\n".to_owned());
        variables
    }

    /// Returns the value if it is certain.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.known.get(name).map(String::as_str)
    }

    /// Assigns a value, or forgets the name for `None`.
    pub(crate) fn set(&mut self, name: &str, value: Option<String>) {
        self.journal.push(name.to_owned());
        match value {
            Some(value)
                if !self.distrusted
                    && !self.unsettled
                    && !self.frozen.contains(name)
                    && !VOLATILE.contains(&name) =>
            {
                self.known.insert(name.to_owned(), value);
            }
            Some(_) | None => {
                self.known.remove(name);
            }
        }
    }

    /// Forgets a name.
    pub(crate) fn forget(&mut self, name: &str) {
        self.set(name, None);
    }

    /// Forgets a name for good from its next assignment on.
    pub(crate) fn freeze(&mut self, name: &str) {
        self.frozen.insert(name.to_owned());
    }

    /// Notes a name that may refuse assignments from now on.
    pub(crate) fn protect(&mut self, name: &str) {
        self.read_only.insert(name.to_owned());
    }

    /// Forgets everything.
    pub(crate) fn forget_all(&mut self) {
        self.known.clear();
    }

    /// Forgets everything for good.
    pub(crate) fn distrust(&mut self) {
        self.known.clear();
        self.distrusted = true;
    }

    /// Notes that an error may make the shell pass over the rest of the line: it is not certain that what follows is run.
    pub(crate) fn unsettle(&mut self) {
        self.unsettled = true;
    }

    pub(crate) fn is_unsettled(&self) -> bool {
        self.unsettled
    }

    /// Whether an assignment to a name may be refused, which is such an error.
    pub(crate) fn refuses(&self, name: &str) -> bool {
        READ_ONLY.contains(&name) || self.read_only.contains(name)
    }

    /// Hides all values while a text is walked that runs at another time.
    pub(crate) fn hide(&mut self) -> BTreeMap<String, String> {
        std::mem::take(&mut self.known)
    }

    /// Brings hidden values back, unless nothing may be known any more.
    pub(crate) fn restore(&mut self, hidden: BTreeMap<String, String>) {
        self.known = if self.distrusted {
            BTreeMap::new()
        } else {
            hidden
        };
    }

    /// Marks the start of a scope.
    pub(crate) fn mark(&self) -> usize {
        self.journal.len()
    }

    /// Freezes what was assigned since the mark: it may be assigned again at any time.
    pub(crate) fn freeze_since(&mut self, mark: usize) {
        self.frozen.extend(self.journal[mark..].iter().cloned());
    }

    /// Forgets what was assigned since the mark.
    pub(crate) fn forget_since(&mut self, mark: usize) {
        for name in &self.journal[mark..] {
            self.known.remove(name);
        }
    }
}
