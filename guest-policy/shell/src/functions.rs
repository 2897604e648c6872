//! Names that certainly are functions at a point of the text.
//!
//! Not followed: what a function defines when it is called, and functions that a child shell gets through its environment.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::reader::Reader;
use crate::segment::{Join, Relation};
use crate::tree::{Body, Form, Inner, Item, List, Piece};

/// Names at which a shell, or its POSIX mode, looks for a builtin first, and names that reach past functions.
const BUILTIN_FIRST: [&str; 20] = [
    ".", ":", "break", "builtin", "command", "continue", "env", "eval", "exec", "exit", "export",
    "readonly", "return", "set", "shift", "source", "times", "trap", "typeset", "unset",
];

/// What a call of a function of the text itself is resolved to.
pub(crate) const FUNCTION: &str = "function";

/// What is known of functions. A name that is absent may be a program's.
#[derive(Debug, Default)]
pub(crate) struct Functions {
    certain: BTreeSet<String>,
    /// Names in the order they were defined, so that a scope can be forgotten.
    journal: Vec<String>,
    /// Names that may be removed again at any time.
    removed: BTreeSet<String>,
    /// Functions that are defined before any of the bodies being walked can run.
    coming: Vec<Rc<BTreeSet<String>>>,
    /// Calls that may run again, by name.
    repeated: BTreeMap<String, Vec<u32>>,
    /// Set once a trap may call a function between two commands.
    pub(crate) trapped: bool,
}

impl Functions {
    /// Whether a name certainly is a function's.
    pub(crate) fn contains(&self, name: &str) -> bool {
        self.certain.contains(name)
            || self.coming.iter().any(|names| names.contains(name)) && !self.removed.contains(name)
    }

    /// Notes a definition that has been run.
    pub(crate) fn define(&mut self, name: &str) {
        let found = !name.contains('/') && !BUILTIN_FIRST.contains(&name);
        if found && !self.removed.contains(name) && self.certain.insert(name.to_owned()) {
            self.journal.push(name.to_owned());
        }
    }

    /// Notes a call that may run again.
    pub(crate) fn repeats(&mut self, name: &str, index: u32) {
        self.repeated
            .entry(name.to_owned())
            .or_default()
            .push(index);
    }

    /// Forgets a name, for good where that may happen again later; returns the earlier calls that may then run a program.
    pub(crate) fn remove(&mut self, name: &str, again: bool) -> Vec<u32> {
        self.certain.remove(name);
        if again {
            self.removed.insert(name.to_owned());
        }
        self.repeated.remove(name).unwrap_or_default()
    }

    /// Forgets everything.
    pub(crate) fn forget_all(&mut self) {
        self.certain.clear();
        self.coming.clear();
    }

    /// Marks the start of a scope.
    pub(crate) fn mark(&self) -> usize {
        self.journal.len()
    }

    /// Forgets what was defined since the mark.
    pub(crate) fn forget_since(&mut self, mark: usize) {
        for name in self.journal.drain(mark..) {
            self.certain.remove(&name);
        }
    }

    /// Enters a body that runs only after some definitions.
    pub(crate) fn enter(&mut self, coming: Rc<BTreeSet<String>>) {
        self.coming.push(coming);
    }

    /// Leaves it.
    pub(crate) fn leave(&mut self) {
        self.coming.pop();
    }
}

impl Reader<'_> {
    /// Walks the items of a list.
    pub(crate) fn list(&mut self, list: &List) {
        let mut end = 0;
        let mut coming = Rc::default();
        for (at, item) in list.items.iter().enumerate() {
            if defined(item).is_none() {
                self.item(item);
                continue;
            }
            if at >= end {
                let (count, names) = definitions(&list.items[at..]);
                end = at + count;
                coming = Rc::new(names);
            }
            self.definition(item, &coming);
        }
    }

    /// Walks the definition of a function among others: no body runs before all of them are defined.
    fn definition(&mut self, item: &Item, coming: &Rc<BTreeSet<String>>) {
        let certain = !self.functions.trapped && !self.variables.is_unsettled();
        if !certain {
            return self.item(item);
        }
        self.functions.enter(Rc::clone(coming));
        self.item(item);
        self.functions.leave();
    }

    /// Notes that a command certainly calls a function.
    pub(crate) fn name_function(&mut self, index: u32) {
        let segment = &mut self.line.segments[index as usize];
        let Some(name) = segment.words.first().and_then(|word| word.value.as_deref()) else {
            return;
        };
        if !self.functions.contains(name) {
            return;
        }
        segment.canonical = Some(FUNCTION);
        if segment.context.in_loop || segment.relation == Relation::Script {
            self.functions.repeats(name, index);
        }
    }

    /// Forgets a function that the text removes, also where it was called before in what may run again.
    pub(crate) fn remove_function(&mut self, name: &str) {
        let place = &self.place;
        let again = place.context.in_loop || place.relation == Relation::Script;
        for index in self.functions.remove(name, again) {
            self.line.segments[index as usize].canonical = None;
        }
    }
}

/// How many items at the start of some define functions or do nothing that could call one, and the names they define.
fn definitions(items: &[Item]) -> (usize, BTreeSet<String>) {
    let mut names = BTreeSet::new();
    let mut count = 0;
    for item in items {
        match defined(item) {
            Some(name) => names.extend(
                Some(name)
                    .filter(|name| !name.contains('/') && !BUILTIN_FIRST.contains(name))
                    .map(str::to_owned),
            ),
            None if is_quiet(item) => {}
            None => break,
        }
        count += 1;
    }
    (count, names)
}

/// The name of the function that an item defines in its turn, and does nothing else.
fn defined(item: &Item) -> Option<&str> {
    let [stage] = item.stages.as_slice() else {
        return None;
    };
    let in_turn = matches!(item.join, Join::First | Join::Sequence | Join::Background);
    match &stage.command.body {
        Body::Function {
            name, word: None, ..
        } if in_turn && !item.background => Some(name),
        _ => None,
    }
}

/// Whether an item only assigns values that no command prints.
fn is_quiet(item: &Item) -> bool {
    let [stage] = item.stages.as_slice() else {
        return false;
    };
    let plain = |piece: &Piece| match piece {
        Piece::Text { .. } => true,
        Piece::Parameter { parameter, .. } => parameter.form == Form::Plain,
        Piece::Command { script, .. } => {
            matches!(&**script, Inner::Parsed(list) if list.items.is_empty())
        }
        Piece::Arithmetic { .. } | Piece::Process { .. } | Piece::Array(_) => false,
    };
    match &stage.command.body {
        Body::Simple { assignments, words } => {
            words.is_empty()
                && stage.command.redirects.is_empty()
                && assignments
                    .iter()
                    .flat_map(|assignment| &assignment.value.pieces)
                    .all(plain)
        }
        _ => false,
    }
}
