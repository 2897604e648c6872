//! Expansions that may fail: the shell then passes over the rest of the line, assignments and definitions included.

use crate::reader::Reader;
use crate::tree::{Form, Parameter, Piece, RawAssignment, RawRedirect, RawWord};
use crate::variables::Variables;
use crate::{Descriptor, RedirectOperator};

/// Operators that work with any two numbers.
const TOTAL: [&str; 9] = ["+", "-", "*", "<", ">", "==", "!=", "<=", ">="];

impl Reader<'_> {
    /// Notes what may fail in an arithmetic expansion.
    pub(crate) fn settle_arithmetic(&mut self, expression: &RawWord) {
        if !is_total(expression, &self.variables) {
            self.variables.unsettle();
        }
    }

    /// Notes what may fail in an expansion of a parameter.
    pub(crate) fn settle_parameter(&mut self, parameter: &Parameter) {
        let fails = match parameter.form {
            Form::Indirect | Form::Bad => true,
            Form::Other => !is_pattern(parameter),
            Form::Plain => parameter.name.is_empty(),
            // The shell ends where a required value is missing.
            Form::Default { .. }
            | Form::Assign { .. }
            | Form::Alternative { .. }
            | Form::Require { .. }
            | Form::Prompt => false,
        };
        if fails {
            self.variables.unsettle();
        }
    }

    /// Notes what may be refused in an assignment.
    pub(crate) fn settle_assignment(&mut self, assignment: &RawAssignment) {
        let fixed = |word: &RawWord| word.literal().is_some_and(|text| is_number(&text));
        let subscript = assignment.subscript.as_ref().is_none_or(fixed);
        if !subscript || self.variables.refuses(&assignment.name) {
            self.variables.unsettle();
        }
    }
}

/// Whether a redirect of a compound command may fail, so that nothing in it is run.
pub(crate) fn redirect_may_fail(redirect: &RawRedirect) -> bool {
    let target = redirect.target.literal();
    let standard = matches!(redirect.descriptor, None | Some(Descriptor::Number(0..=2)));
    match redirect.operator {
        RedirectOperator::HereDocument
        | RedirectOperator::HereDocumentStripped
        | RedirectOperator::HereString => false,
        RedirectOperator::DuplicateOutput => {
            !standard || !matches!(target.as_deref(), Some("1" | "2"))
        }
        _ => !standard || target.as_deref() != Some("/dev/null"),
    }
}

/// `${#name}`, `${name%pattern}`, `${name[0]}` and the like, which work with any value.
fn is_pattern(parameter: &Parameter) -> bool {
    if parameter.name.is_empty() {
        return false;
    }
    match parameter.rest.pieces.first() {
        None => true,
        Some(Piece::Text { text, .. }) => {
            text.starts_with(['#', '%', '/', '^', ','])
                || parameter
                    .rest
                    .literal()
                    .is_some_and(|text| matches!(text.as_str(), "@" | "*") || is_number(&text))
        }
        Some(_) => false,
    }
}

/// Whether an expression is a chain of numbers and operators that work with all of them.
fn is_total(expression: &RawWord, variables: &Variables) -> bool {
    let mut text = String::new();
    for piece in &expression.pieces {
        match piece {
            Piece::Text { text: more, .. } => text.push_str(more),
            Piece::Parameter { parameter, .. } if parameter.form == Form::Plain => {
                text.push_str(match parameter.name.as_str() {
                    "#" | "?" | "$" => "0",
                    name => name,
                });
            }
            Piece::Parameter { .. }
            | Piece::Command { .. }
            | Piece::Process { .. }
            | Piece::Arithmetic { .. }
            | Piece::Array(_) => return false,
        }
    }
    let is_sign = |character: char| "+-*<>=!".contains(character);
    let is_part = |character: char| character.is_ascii_alphanumeric() || character == '_';
    let mut rest = text.trim_start();
    let mut operand = true;
    while !rest.is_empty() {
        let length = rest.find(|character| {
            !if operand {
                is_part(character)
            } else {
                is_sign(character)
            }
        });
        let (token, after) = rest.split_at(length.unwrap_or(rest.len()));
        let known = if operand {
            is_number(variables.get(token).unwrap_or(token))
        } else {
            TOTAL.contains(&token)
        };
        if !known {
            return false;
        }
        rest = after.trim_start();
        operand = !operand;
    }
    !operand
}

/// Whether a text is a decimal number that is not too long.
fn is_number(text: &str) -> bool {
    (1..=9).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_digit())
        && (text.len() == 1 || !text.starts_with('0'))
}
