//! From the tree to segments.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::facts::Facts;
use super::tree::{
    Assign, Body, Chain, Element, Piece, RawRedirect, Section, Statement, Term, When,
};
use crate::cursor::MAX_DEPTH;
use crate::functions::FUNCTION;
use crate::opaque::OpaqueReason;
use crate::reader::{Input, Place, Reader};
use crate::redirect::Redirect;
use crate::segment::{Join, Relation, Stage};
use crate::source::Span;
use crate::word::{Assignment, Word};

/// Longest value of a variable that is kept, in bytes: each use copies it.
const MAX_VALUE: usize = 1024;

/// The variable that holds parameters which commands are given unasked.
pub(super) const DEFAULTS: &str = "psdefaultparametervalues";

/// Drives whose items are what commands mean, so that setting one renames something.
const RENAMING_DRIVES: [&str; 3] = ["alias:", "function:", DEFAULTS];

/// Walks one text.
pub(super) struct Walk<'r, 's> {
    pub(super) reader: &'r mut Reader<'s>,
    pub(super) facts: Facts,
    values: BTreeMap<String, String>,
    /// Functions that are certain to be there from here on, in lower case.
    functions: BTreeSet<String>,
}

impl<'r, 's> Walk<'r, 's> {
    pub(super) fn new(reader: &'r mut Reader<'s>, facts: Facts) -> Self {
        Self {
            reader,
            facts,
            values: BTreeMap::new(),
            functions: BTreeSet::new(),
        }
    }

    /// The value of a variable where that is known for certain.
    pub(super) fn value(&self, name: &str) -> Option<String> {
        if let Some(value) = self.values.get(name) {
            return Some(value.clone());
        }
        if self.facts.sets(name) {
            return None;
        }
        let source = self.reader.source;
        if name == "home" {
            return source.home.map(str::to_owned);
        }
        // A script within another may have been handed other values.
        if self.reader.place.scripts > 0 {
            return None;
        }
        let known = match name {
            "env:userprofile" | "env:home" => source.home,
            "pwd" if !self.facts.moves => source.cwd,
            _ => None,
        };
        let exported = name.strip_prefix("env:").and_then(|name| {
            source
                .variables
                .iter()
                .find(|(known, _)| {
                    known.eq_ignore_ascii_case(name) && !name.eq_ignore_ascii_case("pwd")
                })
                .map(|(_, value)| value.clone())
        });
        known.map(str::to_owned).or(exported)
    }

    pub(super) fn block(&mut self, block: &[Statement]) {
        for statement in block {
            self.statement(statement);
            self.reader.place.joined = Join::Sequence;
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Chain(chain) => self.chain(chain),
            Statement::Assign(assign) => self.assign(assign),
            Statement::Compound(sections) => {
                sections.iter().for_each(|section| self.section(section))
            }
        }
    }

    fn chain(&mut self, chain: &Chain) {
        for (join, elements) in &chain.pipelines {
            let join = *join;
            let change = |place: &mut Place| {
                place.context.conditional |= matches!(join, Join::And | Join::Or);
                place.context.background |= chain.background;
                if join != Join::First {
                    place.joined = join;
                }
            };
            self.at(change, |walk| match elements.as_slice() {
                [element] => {
                    walk.element(element);
                }
                elements => walk.pipeline(elements),
            });
        }
    }

    fn pipeline(&mut self, elements: &[Element]) {
        let pipeline = self.reader.next_pipeline();
        let mut before: Option<((u32, u32), Input)> = None;
        for (index, element) in (0_u32..).zip(elements) {
            let first = self.reader.count();
            let input = before.take();
            let change = |place: &mut Place| {
                place.pipeline = Some(Stage { pipeline, index });
                if let Some((range, input)) = input {
                    place.fed_by = Some(range);
                    place.input = input;
                    place.joined = Join::Pipe;
                }
            };
            let mut printed = Input::Unknown;
            self.at(change, |walk| printed = walk.element(element));
            before = Some(((first, self.reader.count()), printed));
        }
    }

    /// Walks at another place, then returns to this one.
    pub(super) fn at(&mut self, change: impl FnOnce(&mut Place), walk: impl FnOnce(&mut Self)) {
        let saved = self.reader.place.clone();
        change(&mut self.reader.place);
        walk(self);
        self.reader.place = saved;
    }

    /// Walks one stage; returns what it prints.
    fn element(&mut self, element: &Element) -> Input {
        match &element.body {
            Body::Command { name, arguments } => {
                self.command(element, name, arguments);
                Input::Unknown
            }
            Body::Expression(term) => {
                let Some(index) = self.holder(element.span, term, &element.redirects) else {
                    return Input::Unknown;
                };
                let known = self.reader.line.segments[index as usize]
                    .assignments
                    .first()
                    .and_then(|printed| printed.value.value.clone());
                match known {
                    Some(text) => Input::Text {
                        origin: self.reader.origin_of(term.span, &text),
                        text: Rc::from(text),
                    },
                    None => Input::Unknown,
                }
            }
        }
    }

    /// A segment for a value that is printed: an assignment without a name.
    fn holder(&mut self, span: Span, term: &Term, redirects: &[RawRedirect]) -> Option<u32> {
        let index = self.reader.push(span, Vec::new())?;
        self.inside(term, index);
        let value = self.word(term);
        let printed = Assignment {
            span,
            name: String::new(),
            value,
            append: false,
            subscript: false,
        };
        let redirects = self.redirects(redirects, index);
        let segment = &mut self.reader.line.segments[index as usize];
        segment.assignments.push(printed);
        segment.redirects = redirects;
        Some(index)
    }

    fn command(&mut self, element: &Element, name: &Term, arguments: &[Term]) {
        let Some(index) = self.reader.push(element.span, Vec::new()) else {
            return;
        };
        if let [Piece::Script(block)] = name.pieces.as_slice()
            && !name.computed
        {
            self.called_block(index, block, arguments, &element.redirects);
            return;
        }
        self.inside(name, index);
        arguments
            .iter()
            .for_each(|argument| self.inside(argument, index));
        if !self.reader.spend_words(arguments.len() + 1, element.span) {
            return;
        }
        let mut words = vec![self.word(name)];
        for argument in arguments {
            let word = self.word(argument);
            words.push(word);
        }
        let redirects = self.redirects(&element.redirects, index);
        let resolved = self.resolved(&words);
        let segment = &mut self.reader.line.segments[index as usize];
        segment.words.clone_from(&words);
        segment.redirects = redirects;
        segment.canonical = resolved;
        self.runs(index, &words, resolved, arguments);
    }

    /// What the first word means: a function, where it is certain that there is one by then, or a cmdlet.
    fn resolved(&self, words: &[Word]) -> Option<&'static str> {
        let name = words.first()?.value.as_deref()?;
        if self.functions.contains(&name.to_lowercase()) {
            return Some(FUNCTION);
        }
        execgate_knowledge::powershell::canonical(name)
    }

    /// Whether what stands here runs once, in its turn, and in the session itself.
    fn is_straight(&self) -> bool {
        let place = &self.reader.place;
        let context = &place.context;
        let inside = context.conditional || context.in_loop || context.background;
        !inside && context.function.is_none() && place.relation == Relation::Top
    }

    /// `& { … } arguments`
    fn called_block(
        &mut self,
        index: u32,
        block: &[Statement],
        arguments: &[Term],
        redirects: &[RawRedirect],
    ) {
        arguments
            .iter()
            .for_each(|argument| self.inside(argument, index));
        let redirects = self.redirects(redirects, index);
        self.reader.line.segments[index as usize].redirects = redirects;
        self.nested(index, Relation::Script, When::Always, block);
    }

    fn redirects(&mut self, raw: &[RawRedirect], index: u32) -> Vec<Redirect> {
        raw.iter()
            .map(|redirect| {
                self.inside(&redirect.target, index);
                Redirect {
                    span: redirect.span,
                    descriptor: redirect.descriptor.clone(),
                    operator: redirect.operator,
                    target: self.word(&redirect.target),
                    here: None,
                }
            })
            .collect()
    }

    fn assign(&mut self, assign: &Assign) {
        let Some(index) = self.reader.push(assign.span, Vec::new()) else {
            return;
        };
        self.inside(&assign.target, index);
        self.sets_member(assign);
        let value = self.assigned_value(assign, index);
        let mut names = assign.target.pieces.iter().filter_map(|piece| match piece {
            Piece::Variable(name) => Some(name.trim_start_matches('+').to_owned()),
            Piece::Text(_) | Piece::Printed(_) | Piece::Script(_) | Piece::Code(..) => None,
        });
        let name = names.next().unwrap_or_default();
        let plain = !assign.target.computed && !assign.append;
        self.renames(&name, assign.span);
        if name.starts_with("env:") {
            self.reader.tainted |= crate::cmd::holds_operators(&value);
        }
        if let Some(text) = value.value.as_ref().filter(|_| plain) {
            self.remember(&name, text);
        }
        self.reader.line.segments[index as usize]
            .assignments
            .push(Assignment {
                span: assign.span,
                name,
                value,
                append: assign.append,
                subscript: assign.target.computed,
            });
    }

    /// Walks what is assigned. A value that is written out stands in the assignment itself.
    fn assigned_value(&mut self, assign: &Assign, index: u32) -> Word {
        if let Statement::Chain(Chain { pipelines, .. }) = assign.value.as_ref()
            && let [(_, elements)] = pipelines.as_slice()
            && let [
                Element {
                    body: Body::Expression(term),
                    redirects,
                    ..
                },
            ] = elements.as_slice()
            && redirects.is_empty()
        {
            self.inside(term, index);
            return self.word(term);
        }
        self.nested(
            index,
            Relation::Substitution,
            When::Always,
            std::slice::from_ref(&assign.value),
        );
        Word {
            span: assign.span,
            value: None,
            parts: vec![crate::word::Part::Substitution { quoted: true }],
            quoted: false,
        }
    }

    /// A property that is set may be a file's.
    fn sets_member(&mut self, assign: &Assign) {
        if let Some(member) = &assign.target.member
            && !execgate_knowledge::dotnet::SETTABLE.contains(&member.as_str())
        {
            let detail = format!("setting `{member}` may change more than a variable");
            self.reader.opaque(OpaqueReason::Code, detail, assign.span);
        }
    }

    /// Setting an item of these drives makes a name mean another command.
    fn renames(&mut self, name: &str, span: Span) {
        let plain = name.trim_start_matches('+');
        if RENAMING_DRIVES.iter().any(|drive| plain.starts_with(drive)) {
            let detail = "commands or their parameters are renamed; write them out";
            self.reader.opaque(OpaqueReason::Alias, detail, span);
        }
    }

    fn remember(&mut self, name: &str, text: &str) {
        let plain = !name.contains(':') && name != "_" && text.len() <= MAX_VALUE;
        if self.is_straight() && plain && self.facts.is_constant(name) {
            self.values.insert(name.to_owned(), text.to_owned());
        }
    }

    fn section(&mut self, section: &Section) {
        match section {
            Section::Statements(when, block) => {
                let when = when.clone();
                if let When::Function(name) = &when
                    && self.is_straight()
                {
                    self.functions.insert(name.clone());
                }
                self.at(|place| enter(place, &when), |walk| walk.block(block));
            }
            Section::Value(term) => {
                if !term.pieces.is_empty() {
                    self.holder(term.span, term, &[]);
                }
            }
            Section::Reads(term) => self.reads(term),
            Section::Sets(_) => {}
        }
    }

    /// A file that a statement reads stands as the source of a redirect.
    fn reads(&mut self, term: &Term) {
        let Some(index) = self.reader.push(term.span, Vec::new()) else {
            return;
        };
        self.inside(term, index);
        let target = self.word(term);
        self.reader.line.segments[index as usize]
            .redirects
            .push(Redirect {
                span: term.span,
                descriptor: None,
                operator: crate::RedirectOperator::Read,
                target,
                here: None,
            });
    }

    /// Walks what stands in a term, as found in the segment `index`.
    pub(super) fn inside(&mut self, term: &Term, index: u32) {
        for piece in &term.pieces {
            match piece {
                Piece::Text(_) => {}
                Piece::Variable(name) => {
                    if name.ends_with(DEFAULTS) {
                        self.renames(name, term.span);
                    }
                }
                Piece::Printed(block) => {
                    self.nested(index, Relation::Substitution, When::Always, block)
                }
                Piece::Script(block) => self.nested(index, Relation::Script, When::Repeated, block),
                Piece::Code(span, detail) => {
                    self.reader
                        .opaque(OpaqueReason::Code, detail.clone(), *span)
                }
            }
        }
    }

    fn nested(&mut self, index: u32, relation: Relation, when: When, block: &[Statement]) {
        if self.reader.place.depth >= MAX_DEPTH {
            let detail = format!("more than {MAX_DEPTH} levels of nesting");
            let span = self.reader.line.segments[index as usize].span;
            return self.reader.opaque(OpaqueReason::TooDeep, detail, span);
        }
        let change = |place: &mut Place| {
            place.parent = Some(index);
            place.relation = relation;
            place.depth += 1;
            place.pipeline = None;
            place.fed_by = None;
            place.input = Input::Unknown;
            place.joined = Join::First;
            enter(place, &when);
        };
        self.at(change, |walk| {
            walk.block(block);
        });
    }
}

fn enter(place: &mut Place, when: &When) {
    match when {
        When::Always => {}
        When::Perhaps => place.context.conditional = true,
        When::Repeated => {
            place.context.conditional = true;
            place.context.in_loop = true;
        }
        When::Function(name) => {
            place.context.function = Some(name.clone());
            place.context.conditional = true;
            place.context.in_loop = true;
            place.input = Input::Unknown;
            place.joined = Join::First;
        }
    }
}
