//! What is run while words are expanded: substitutions wherever they stand.

use crate::cursor::MAX_DEPTH;
use crate::opaque::OpaqueReason;
use crate::reader::{Input, Place, Reader};
use crate::segment::{Join, Relation};
use crate::source::Span;
use crate::tree::{Form, Inner, Parameter, Piece, RawWord};

impl Reader<'_> {
    /// Walks the substitutions in words of the segment `index`.
    pub(crate) fn visit_words(&mut self, words: &[RawWord], index: u32) {
        for word in words {
            self.visit_pieces(&word.pieces, index);
        }
    }

    pub(crate) fn visit_pieces(&mut self, pieces: &[Piece], index: u32) {
        for piece in pieces {
            match piece {
                Piece::Text { .. } => {}
                Piece::Parameter { parameter, .. } => self.visit_parameter(parameter, index),
                Piece::Command { script, .. } => {
                    self.substitution(script, index, Relation::Substitution)
                }
                Piece::Process { script } => {
                    self.substitution(script, index, Relation::ProcessSubstitution)
                }
                Piece::Arithmetic { expression } => {
                    self.visit_pieces(&expression.pieces, index);
                    self.settle_arithmetic(expression);
                    self.forget_assigned(expression);
                }
                Piece::Array(elements) => self.visit_words(elements, index),
            }
        }
    }

    fn visit_parameter(&mut self, parameter: &Parameter, index: u32) {
        self.visit_pieces(&parameter.rest.pieces, index);
        self.settle_parameter(parameter);
        match parameter.form {
            Form::Prompt => {
                let detail = format!(
                    "`@P` runs the substitutions in the value of `{}`",
                    parameter.name
                );
                self.opaque(OpaqueReason::DynamicScript, detail, parameter.span);
            }
            Form::Assign { .. } => self.assigned(&parameter.name, parameter.span),
            Form::Other
                if parameter.name.is_empty()
                    && parameter
                        .rest
                        .literal()
                        .is_some_and(|rest| rest.starts_with([' ', '\t', '\n', '|'])) =>
            {
                self.opaque(
                    OpaqueReason::DialectDependent,
                    "`${ …}` runs a command in newer shells",
                    parameter.span,
                );
            }
            Form::Bad => {
                self.opaque(
                    OpaqueReason::DialectDependent,
                    "an expansion with quotes in it, of which shells differ in where it ends; take the quotes out",
                    parameter.span,
                );
                self.forget_assigned(&parameter.rest);
            }
            Form::Other | Form::Indirect => self.forget_assigned(&parameter.rest),
            Form::Plain
            | Form::Default { .. }
            | Form::Alternative { .. }
            | Form::Require { .. } => {}
        }
    }

    /// Forgets every name in an expression that may assign.
    pub(crate) fn forget_assigned(&mut self, expression: &RawWord) {
        for name in crate::assigned::expression_names(expression) {
            self.assigned(&name, expression.span);
        }
    }

    /// Forgets a name that an expansion assigns; there is no assignment to show for it.
    fn assigned(&mut self, name: &str, span: Span) {
        self.variables.forget(name);
        if execgate_knowledge::environment::DANGEROUS.contains(name) {
            let detail = format!("an expression assigns `{name}`, which changes what names mean");
            self.opaque(OpaqueReason::DynamicScript, detail, span);
        }
    }

    fn substitution(&mut self, script: &Inner, index: u32, relation: Relation) {
        if self.place.depth >= MAX_DEPTH {
            let detail = format!("more than {MAX_DEPTH} levels of nesting");
            let span = self.line.segments[index as usize].span;
            return self.opaque(OpaqueReason::TooDeep, detail, span);
        }
        let change = |place: &mut Place| {
            place.parent = Some(index);
            place.relation = relation;
            place.context.subshell = true;
            place.depth += 1;
            place.pipeline = None;
            place.joined = Join::First;
            if relation == Relation::ProcessSubstitution {
                place.input = Input::Unknown;
            }
        };
        self.scoped(change, |reader| match script {
            Inner::Parsed(list) => reader.list(list),
            Inner::Deferred { text, origin } => reader.text(text, *origin),
        });
    }
}
