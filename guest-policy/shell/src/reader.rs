//! From the tree to segments: walks commands in the order a shell would run them and keeps track of values.

use std::cell::Cell;
use std::rc::Rc;

use crate::braces::Excess;
use crate::cursor::{Fault, Origin};
use crate::expand::Expander;
use crate::functions::Functions;
use crate::opaque::{Opaque, OpaqueReason};
use crate::parser::Parser;
use crate::pieces::Reading;
use crate::redirect::{HereDocument, Redirect, RedirectOperator};
use crate::segment::{CommandLine, Context, Join, Relation, Segment, Stage};
use crate::source::{Dialect, Source, Span};
use crate::tree::{
    Body, Command, HereBody, Item, Piece, RawAssignment, RawRedirect, RawWord, StageNode,
};
use crate::variables::Variables;
use crate::word::{Assignment, Part, Word};

/// Most segments one analysis returns.
pub const MAX_SEGMENTS: usize = 10_000;

/// Longest text in bytes that is analysed.
pub const MAX_TEXT_BYTES: usize = 128 * 1024;

/// Bytes of inner scripts, and of values, that one analysis works through.
const WORK_BYTES: usize = 4 * 1024 * 1024;

/// Most words that one analysis returns; a text of plain words cannot have as many.
const MAX_WORDS: usize = 100_000;

/// Most obstacles that are listed; later ones add nothing.
const MAX_OPAQUE: usize = 1_000;

/// Where commands stand, handed down and never up.
#[derive(Clone, Debug, Default)]
pub(crate) struct Place {
    pub(crate) parent: Option<u32>,
    pub(crate) relation: Relation,
    pub(crate) context: Context,
    pub(crate) pipeline: Option<Stage>,
    pub(crate) fed_by: Option<(u32, u32)>,
    pub(crate) input: Input,
    pub(crate) joined: Join,
    pub(crate) depth: u32,
    /// The language of the script.
    pub(crate) dialect: Dialect,
    /// How many scripts are nested.
    pub(crate) scripts: u32,
}

/// What a command would read from its standard input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Input {
    /// The runner's own, which holds no script.
    #[default]
    Closed,
    /// Something that is not known.
    Unknown,
    /// A file that a redirect names, which stands in the segment.
    File,
    /// This text.
    Text { text: Rc<str>, origin: Origin },
}

/// Collects the result.
pub(crate) struct Reader<'s> {
    pub(crate) source: &'s Source<'s>,
    pub(crate) line: CommandLine,
    pub(crate) variables: Variables,
    pub(crate) functions: Functions,
    pub(crate) place: Place,
    pipelines: u32,
    budget: usize,
    script_budget: usize,
    word_budget: usize,
    pub(crate) steps: Rc<Cell<u64>>,
    /// Whether a variable of the environment may hold operators, which the command processor would obey.
    pub(crate) tainted: bool,
}

impl<'s> Reader<'s> {
    /// Analyses the source's text.
    pub(crate) fn read(source: &'s Source<'s>, steps: Rc<Cell<u64>>) -> CommandLine {
        let mut reader = Self {
            source,
            line: CommandLine::default(),
            variables: Variables::new(source),
            functions: Functions::default(),
            place: Place {
                dialect: source.dialect,
                ..Place::default()
            },
            pipelines: 0,
            budget: WORK_BYTES,
            script_budget: WORK_BYTES,
            word_budget: MAX_WORDS,
            steps,
            tainted: !matches!(source.dialect, Dialect::PowerShell | Dialect::Cmd),
        };
        reader.text(source.text, Origin::Offset(0));
        reader.line
    }

    /// Parses a text and walks it at the current place.
    pub(crate) fn text(&mut self, text: &str, origin: Origin) {
        if self.script_budget < text.len() {
            self.opaque(
                OpaqueReason::TooLong,
                format!("inner scripts exceed {WORK_BYTES} bytes"),
                origin.map(0, text.len()),
            );
            return;
        }
        self.script_budget -= text.len();
        match self.place.dialect {
            Dialect::Bash | Dialect::Posix | Dialect::Zsh => {}
            Dialect::PowerShell => return crate::powershell::read(self, text, origin),
            Dialect::Cmd => return crate::cmd::read(self, text, origin),
        }
        let (list, fault) =
            Parser::new(text, origin, self.place.depth, Rc::clone(&self.steps)).script();
        self.list(&list);
        if let Some(fault) = fault {
            self.fault(fault);
        }
    }

    /// Records an obstacle.
    pub(crate) fn opaque(&mut self, reason: OpaqueReason, detail: impl Into<String>, span: Span) {
        let entry = Opaque {
            reason,
            detail: detail.into(),
            span,
        };
        if self.line.opaque.len() < MAX_OPAQUE && self.line.opaque.last() != Some(&entry) {
            self.line.opaque.push(entry);
        }
    }

    fn fault(&mut self, fault: Fault) {
        self.opaque(fault.reason, fault.detail, fault.span);
    }

    /// Adds a segment with the given words and returns its index; `None` once there are too many.
    pub(crate) fn push(&mut self, span: Span, words: Vec<Word>) -> Option<u32> {
        if self.line.segments.len() >= MAX_SEGMENTS {
            if !self
                .line
                .opaque
                .iter()
                .any(|entry| entry.reason == OpaqueReason::TooManySegments)
            {
                let detail = format!("more than {MAX_SEGMENTS} commands");
                self.line.opaque.truncate(MAX_OPAQUE - 1);
                self.opaque(OpaqueReason::TooManySegments, detail, span);
            }
            return None;
        }
        let place = &self.place;
        self.line.segments.push(Segment {
            span,
            words,
            assignments: Vec::new(),
            redirects: Vec::new(),
            parent: place.parent,
            relation: place.relation,
            context: place.context.clone(),
            pipeline: place.pipeline,
            fed_by: place.fed_by,
            joined: place.joined,
            depth: place.depth,
            dialect: place.dialect,
            canonical: None,
        });
        u32::try_from(self.line.segments.len() - 1).ok()
    }

    /// Returns the number of a new pipeline.
    pub(crate) fn next_pipeline(&mut self) -> u32 {
        self.pipelines += 1;
        self.pipelines - 1
    }

    /// Counts bytes of values that are put into words; says whether they are within the limit.
    pub(crate) fn spend_value(&mut self, bytes: usize) -> bool {
        let within = bytes <= self.budget;
        self.budget = self.budget.saturating_sub(bytes);
        within
    }

    pub(crate) fn count(&self) -> u32 {
        self.line.segments.len() as u32
    }

    /// Runs a walk at another place, then returns to this one and forgets what it assigned and defined.
    pub(crate) fn scoped(&mut self, change: impl FnOnce(&mut Place), walk: impl FnOnce(&mut Self)) {
        let saved = self.place.clone();
        let mark = self.variables.mark();
        let defined = self.functions.mark();
        change(&mut self.place);
        walk(self);
        self.variables.forget_since(mark);
        self.functions.forget_since(defined);
        self.place = saved;
    }

    pub(crate) fn item(&mut self, item: &Item) {
        let conditional = matches!(item.join, Join::And | Join::Or);
        if !conditional && !item.background && item.stages.len() == 1 {
            self.place.joined = item.join;
            item.stages
                .iter()
                .for_each(|stage| self.command(&stage.command));
            return;
        }
        let change = |place: &mut Place| {
            place.context.conditional |= conditional;
            place.context.background |= item.background;
            place.joined = item.join;
        };
        self.scoped(change, |reader| match item.stages.as_slice() {
            [stage] => reader.command(&stage.command),
            stages => reader.pipeline(stages),
        });
    }

    fn pipeline(&mut self, stages: &[StageNode]) {
        let pipeline = self.next_pipeline();
        let mut before = None;
        for (index, stage) in (0_u32..).zip(stages) {
            let first = self.count();
            let produced = before.map(|range| self.produced(range));
            let change = |place: &mut Place| {
                place.context.subshell = true;
                place.pipeline = Some(Stage { pipeline, index });
                if let Some(input) = produced {
                    place.fed_by = before;
                    place.input = input;
                    place.joined = if stage.both {
                        Join::PipeBoth
                    } else {
                        Join::Pipe
                    };
                }
            };
            self.scoped(change, |reader| reader.command(&stage.command));
            before = Some((first, self.count()));
        }
    }

    /// Walks one command.
    pub(crate) fn command(&mut self, command: &Command) {
        let joined = self.place.joined;
        match &command.body {
            Body::Simple { assignments, words } => {
                self.simple(command.span, assignments, words, &command.redirects)
            }
            Body::Nothing => {}
            body => self.compound(command, body),
        }
        self.place.joined = joined;
    }

    fn simple(
        &mut self,
        span: Span,
        assignments: &[RawAssignment],
        words: &[RawWord],
        redirects: &[RawRedirect],
    ) {
        let Some(index) = self.push(span, Vec::new()) else {
            return;
        };
        self.visit_words(words, index);
        let fields = self.fields(words);
        let assigned = self.assignments(assignments, index);
        let redirected = self.redirects(redirects, index);
        let segment = &mut self.line.segments[index as usize];
        segment.words = fields;
        segment.assignments = assigned;
        segment.redirects = redirected;
        let input = self.input_of(index);
        if input != self.place.input {
            self.line.segments[index as usize].fed_by = None;
        }
        let outer = std::mem::replace(&mut self.place.input, input);
        self.name_function(index);
        self.effects(index, words);
        self.unwrap(index);
        self.place.input = outer;
    }

    /// What a command reads from standard input after its own redirects.
    pub(crate) fn input_of(&self, index: u32) -> Input {
        let mut input = self.place.input.clone();
        for redirect in &self.line.segments[index as usize].redirects {
            input = match (&redirect.descriptor, redirect.operator) {
                (
                    Some(crate::Descriptor::Number(1..)) | Some(crate::Descriptor::Variable(_)),
                    _,
                ) => continue,
                (_, RedirectOperator::Read | RedirectOperator::ReadWrite) => {
                    match redirect.target.parts.as_slice() {
                        [] => Input::File,
                        _ if redirect.target.parts.contains(&Part::ProcessSubstitution) => {
                            Input::Unknown
                        }
                        _ => Input::File,
                    }
                }
                (_, RedirectOperator::DuplicateInput)
                    if redirect.target.value.as_deref() == Some("-") =>
                {
                    Input::Closed
                }
                (_, RedirectOperator::DuplicateInput) => Input::Unknown,
                (
                    _,
                    RedirectOperator::HereDocument
                    | RedirectOperator::HereDocumentStripped
                    | RedirectOperator::HereString,
                ) => match &redirect.here {
                    Some(HereDocument {
                        body: Some(text),
                        span,
                        ..
                    }) => Input::Text {
                        text: text.as_str().into(),
                        origin: self.origin_of(*span, text),
                    },
                    Some(_) | None => Input::Unknown,
                },
                _ => continue,
            };
        }
        input
    }

    /// Expands the words of a command.
    pub(crate) fn fields(&mut self, words: &[RawWord]) -> Vec<Word> {
        let mut all = Vec::new();
        for word in words {
            let mut expander = Expander {
                variables: &self.variables,
                budget: &mut self.budget,
            };
            let fields = if self.word_budget == 0 {
                Err(Excess::Fields)
            } else {
                expander.fields(word)
            };
            match fields {
                Ok(mut fields) if self.spend_words(fields.len(), word.span) => {
                    all.append(&mut fields)
                }
                Ok(_) => all.push(unknown(word.span)),
                Err(excess) => {
                    self.excess(excess, word.span);
                    all.push(unknown(word.span));
                }
            }
        }
        all
    }

    /// Counts words of the result; says whether they are within the limit.
    pub(crate) fn spend_words(&mut self, count: usize, span: Span) -> bool {
        let within = count <= self.word_budget;
        self.word_budget = self.word_budget.saturating_sub(count);
        if !within {
            self.excess(Excess::Fields, span);
        }
        within
    }

    fn excess(&mut self, excess: Excess, span: Span) {
        match excess {
            Excess::Fields => self.opaque(
                OpaqueReason::TooManyFields,
                "expansion makes too many words",
                span,
            ),
            Excess::Depth => {
                self.opaque(OpaqueReason::TooDeep, "braces are nested too deeply", span)
            }
        }
    }

    pub(crate) fn single(&mut self, word: &RawWord, assigned: bool) -> Word {
        Expander {
            variables: &self.variables,
            budget: &mut self.budget,
        }
        .single(word, assigned)
    }

    fn assignments(&mut self, raw: &[RawAssignment], index: u32) -> Vec<Assignment> {
        let persists = self.line.segments[index as usize].words.is_empty();
        let mut all = Vec::new();
        for assignment in raw {
            if let Some(subscript) = &assignment.subscript {
                self.visit_pieces(&subscript.pieces, index);
            }
            self.visit_pieces(&assignment.value.pieces, index);
            let value = self.single(&assignment.value, true);
            let array = assignment.subscript.is_some()
                || assignment
                    .value
                    .pieces
                    .iter()
                    .any(|piece| matches!(piece, Piece::Array(_)));
            self.settle_assignment(assignment);
            if persists {
                self.assign(&assignment.name, &value, assignment.append, array);
            }
            all.push(Assignment {
                span: assignment.span,
                name: assignment.name.clone(),
                value,
                append: assignment.append,
                subscript: array,
            });
            self.elements(assignment, &mut all);
        }
        all
    }

    /// The elements of an array, each as an assignment of its own.
    fn elements(&mut self, assignment: &RawAssignment, all: &mut Vec<Assignment>) {
        for piece in &assignment.value.pieces {
            if let Piece::Array(elements) = piece {
                let values = self.fields(elements).into_iter();
                all.extend(values.map(|value| Assignment {
                    span: value.span,
                    name: assignment.name.clone(),
                    value,
                    append: false,
                    subscript: true,
                }));
            }
        }
    }

    /// Stores an assignment that lasts.
    fn assign(&mut self, name: &str, value: &Word, append: bool, array: bool) {
        let text = match (&value.value, append, array) {
            (_, _, true) | (None, _, _) => None,
            (Some(text), false, false) => Some(text.clone()),
            (Some(text), true, false) => self
                .variables
                .get(name)
                .map(|before| format!("{before}{text}")),
        };
        self.variables.set(name, text);
    }

    pub(crate) fn redirects(&mut self, raw: &[RawRedirect], index: u32) -> Vec<Redirect> {
        raw.iter()
            .map(|redirect| self.redirect(redirect, index))
            .collect()
    }

    fn redirect(&mut self, raw: &RawRedirect, index: u32) -> Redirect {
        let delimiter = raw.here.is_some();
        let target = if delimiter {
            Word {
                span: raw.target.span,
                value: Some(delimiter_of(raw)),
                parts: Vec::new(),
                quoted: false,
            }
        } else {
            self.visit_pieces(&raw.target.pieces, index);
            self.target(raw)
        };
        let here = match (&raw.here, raw.operator) {
            (Some(cell), _) => {
                Some(self.here_document(&cell.get().cloned().unwrap_or_default(), index))
            }
            (None, RedirectOperator::HereString) => Some(HereDocument {
                quoted: false,
                span: raw.target.span,
                body: target.value.as_ref().map(|text| format!("{text}\n")),
            }),
            (None, _) => None,
        };
        if let Some(crate::Descriptor::Variable(name)) = &raw.descriptor {
            self.variables.forget(name);
        }
        Redirect {
            span: raw.span,
            descriptor: raw.descriptor.clone(),
            operator: raw.operator,
            target,
            here,
        }
    }

    fn target(&mut self, raw: &RawRedirect) -> Word {
        if raw.operator == RedirectOperator::HereString {
            return self.single(&raw.target, false);
        }
        let mut fields = self.fields(std::slice::from_ref(&raw.target));
        match (fields.pop(), fields.is_empty()) {
            (Some(word), true) => word,
            _ => unknown(raw.target.span),
        }
    }

    fn here_document(&mut self, body: &HereBody, index: u32) -> HereDocument {
        let quoted = body.quoted;
        if quoted {
            return HereDocument {
                quoted,
                span: body.span,
                body: Some(body.text.clone()),
            };
        }
        let origin = if body.verbatim {
            Origin::Offset(body.span.start)
        } else {
            Origin::Fixed(body.span)
        };
        let word = self.quoted_text(&body.text, origin, Reading::here_document(), index);
        HereDocument {
            quoted,
            span: body.span,
            body: word.and_then(|word| word.value),
        }
    }

    /// Reads a text that is expanded like the inside of double quotes, and what it runs.
    pub(crate) fn quoted_text(
        &mut self,
        text: &str,
        origin: Origin,
        reading: Reading,
        index: u32,
    ) -> Option<Word> {
        if self.script_budget < text.len() {
            self.opaque(
                OpaqueReason::TooLong,
                format!("inner texts exceed {WORK_BYTES} bytes"),
                origin.map(0, text.len()),
            );
            return None;
        }
        self.script_budget -= text.len();
        let mut parser = Parser::new(text, origin, self.place.depth, Rc::clone(&self.steps));
        match parser.word(reading) {
            Ok(word) => {
                self.visit_pieces(&word.pieces, index);
                Some(self.single(&word, false))
            }
            Err(fault) => {
                self.fault(fault);
                None
            }
        }
    }

    /// Notes what shells that share a name read differently.
    pub(crate) fn dialect_dependent(&mut self, construct: &str, span: Span) {
        if self.place.dialect == Dialect::Posix {
            self.opaque(
                OpaqueReason::DialectDependent,
                format!("{construct} means something else to a plain POSIX shell"),
                span,
            );
        }
    }
}

/// The delimiter of a here-document, which is never expanded.
fn delimiter_of(raw: &RawRedirect) -> String {
    raw.here
        .as_ref()
        .and_then(|cell| cell.get())
        .map(|body| body.delimiter.clone())
        .unwrap_or_default()
}

/// A word of which nothing is known.
pub(crate) fn unknown(span: Span) -> Word {
    Word {
        span,
        value: None,
        parts: vec![Part::Variable {
            name: String::new(),
            quoted: false,
        }],
        quoted: false,
    }
}
