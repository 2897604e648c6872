//! Compound commands on their way to segments.

use crate::cursor::MAX_DEPTH;
use crate::failing::redirect_may_fail;
use crate::opaque::OpaqueReason;
use crate::reader::{Input, Place, Reader};
use crate::segment::Join;
use crate::tree::{Body, Command, List, RawWord};
use crate::word::Assignment;

impl Reader<'_> {
    /// Walks a compound command: first what it holds itself, then its commands.
    pub(crate) fn compound(&mut self, command: &Command, body: &Body) {
        if self.place.depth >= MAX_DEPTH {
            return self.opaque(
                OpaqueReason::TooDeep,
                format!("more than {MAX_DEPTH} levels of nesting"),
                command.span,
            );
        }
        let words = own_words(body);
        let outer = self.place.input.clone();
        let mut own = None;
        if !words.is_empty() || !command.redirects.is_empty() {
            let Some(index) = self.push(command.span, Vec::new()) else {
                return;
            };
            self.visit_words(
                &words.iter().map(|word| (*word).clone()).collect::<Vec<_>>(),
                index,
            );
            if let Body::For { name, words, .. } = body {
                self.line.segments[index as usize].assignments = self.loop_values(name, words);
            }
            self.line.segments[index as usize].redirects =
                self.redirects(&command.redirects, index);
            self.place.input = self.input_of(index);
            own = Some(index);
        }
        let joined = self.place.joined;
        self.place.depth += 1;
        if command.redirects.iter().any(redirect_may_fail) {
            self.scoped(|_| {}, |reader| reader.inside(command, body, own));
        } else {
            self.inside(command, body, own);
        }
        self.place.depth -= 1;
        self.place.joined = joined;
        self.place.input = outer;
    }

    /// What a loop assigns to its variable, one after the other.
    fn loop_values(&mut self, name: &str, words: &[RawWord]) -> Vec<Assignment> {
        let values = self.fields(words).into_iter().map(|value| Assignment {
            span: value.span,
            name: name.to_owned(),
            value,
            append: false,
            subscript: false,
        });
        values.collect()
    }

    fn inside(&mut self, command: &Command, body: &Body, own: Option<u32>) {
        match body {
            Body::Group(list) => self.list(list),
            Body::Subshell(list) => self.scoped(
                |place| place.context.subshell = true,
                |reader| reader.list(list),
            ),
            Body::If { clauses, otherwise } => self.branches(clauses, otherwise.as_ref()),
            Body::While { condition, body } => self.repeated(&[condition, body], &[], condition),
            Body::For { name, body, .. } => {
                self.repeated(&[body], std::slice::from_ref(name), &List::default())
            }
            Body::ArithmeticFor { header, body } => {
                self.forget_assigned(header);
                self.repeated(&[body], &[], &List::default());
            }
            Body::Case { arms, .. } => {
                for (_, list) in arms {
                    self.conditional(list);
                }
            }
            Body::Arithmetic(expression) => {
                self.dialect_dependent("`((…))`", command.span);
                self.forget_assigned(expression);
            }
            Body::Conditional(words) => self.conditional_words(command, words, own),
            Body::Function { name, word, body } => self.function(name, word.is_none(), body),
            Body::Coprocess { name, body } => {
                self.variables.forget(name);
                let change = |place: &mut Place| {
                    place.context.coprocess = true;
                    place.context.background = true;
                    place.context.subshell = true;
                    place.input = Input::Unknown;
                };
                self.scoped(change, |reader| reader.command(body));
            }
            Body::Simple { .. } | Body::Nothing => {}
        }
    }

    fn branches(&mut self, clauses: &[(List, List)], otherwise: Option<&List>) {
        for (index, (condition, list)) in clauses.iter().enumerate() {
            if index == 0 {
                self.list(condition)
            } else {
                self.conditional(condition)
            }
            self.conditional(list);
        }
        if let Some(list) = otherwise {
            self.conditional(list);
        }
    }

    fn conditional(&mut self, list: &List) {
        let change = |place: &mut Place| {
            place.context.conditional = true;
            place.joined = Join::First;
        };
        self.scoped(change, |reader| reader.list(list));
    }

    /// Walks what may run many times: what it assigns is unknown from the start.
    fn repeated(&mut self, lists: &[&List], names: &[String], always: &List) {
        let assigned = crate::assigned::list_names(lists);
        self.forget_names(
            names.iter().cloned().chain(assigned.names),
            assigned.anything,
        );
        let first: *const List = always;
        for list in lists {
            let change = |place: &mut Place| {
                place.context.in_loop = true;
                place.context.conditional |= !std::ptr::eq(*list, first);
                place.joined = Join::First;
            };
            self.scoped(change, |reader| reader.list(list));
        }
    }

    fn forget_names(&mut self, names: impl Iterator<Item = String>, anything: bool) {
        names.for_each(|name| self.variables.forget(&name));
        if anything {
            self.variables.forget_all();
        }
    }

    /// Walks a function's body, which may run at any later time with any values.
    fn function(&mut self, name: &str, valid: bool, body: &Command) {
        if valid && !self.variables.is_unsettled() {
            self.functions.define(name);
        }
        let assigned = crate::assigned::command_names(body);
        for name in &assigned.names {
            self.variables.forget(name);
            self.variables.freeze(name);
        }
        if assigned.anything {
            self.variables.distrust();
        }
        let mark = self.variables.mark();
        let outer = self.variables.hide();
        let change = |place: &mut Place| {
            place.context.function = Some(name.to_owned());
            place.context.conditional = true;
            // It may be called more than once, and in the middle of a pipeline.
            place.context.in_loop = true;
            place.input = Input::Unknown;
            place.joined = Join::First;
        };
        self.scoped(change, |reader| reader.command(body));
        self.variables.restore(outer);
        self.variables.forget_since(mark);
    }

    fn conditional_words(&mut self, command: &Command, words: &[RawWord], own: Option<u32>) {
        if words.len() > 1 {
            self.dialect_dependent("`[[ … ]]`", command.span);
        }
        let Some(index) = own else { return };
        for text in words.iter().filter_map(RawWord::literal) {
            self.evaluated_twice(&text, command.span, index);
            if text.contains('[') {
                self.variables.unsettle();
            }
        }
    }
}

/// The words that a compound command expands itself.
fn own_words(body: &Body) -> Vec<&RawWord> {
    match body {
        Body::For { words, .. } | Body::Conditional(words) => words.iter().collect(),
        Body::ArithmeticFor { header, .. } | Body::Arithmetic(header) => vec![header],
        Body::Case { subject, arms } => std::iter::once(subject)
            .chain(arms.iter().flat_map(|(patterns, _)| patterns))
            .collect(),
        Body::Function { word, .. } => word.iter().collect(),
        Body::Simple { .. }
        | Body::Group(_)
        | Body::Subshell(_)
        | Body::If { .. }
        | Body::While { .. }
        | Body::Coprocess { .. }
        | Body::Nothing => Vec::new(),
    }
}
