//! From terms to words.

use super::expression::STEP;
use super::tree::{Piece, Term};
use super::walk::Walk;
use crate::word::{Part, Word};

impl Walk<'_, '_> {
    /// The word of a term, as far as its text is known.
    pub(super) fn word(&mut self, term: &Term) -> Word {
        let mut parts: Vec<Part> = Vec::new();
        if term.computed || term.pieces.is_empty() {
            // Nothing is sure of its beginning.
            parts.push(variable(""));
        }
        for piece in &term.pieces {
            match piece {
                Piece::Text(_) if term.computed => {}
                Piece::Text(text) => push_literal(&mut parts, text),
                Piece::Variable(name) => {
                    let name = name.strip_prefix(STEP).unwrap_or(name);
                    match self.value(name).filter(|_| !term.computed) {
                        Some(text) if self.reader.spend_value(text.len()) => {
                            push_literal(&mut parts, &text)
                        }
                        Some(_) | None => parts.push(variable(name)),
                    }
                }
                Piece::Printed(_) => parts.push(Part::Substitution { quoted: true }),
                Piece::Script(_) if term.computed => {
                    parts.push(Part::Substitution { quoted: true })
                }
                Piece::Script(_) => {
                    push_literal(&mut parts, "{");
                    parts.push(Part::Substitution { quoted: true });
                    push_literal(&mut parts, "}");
                }
                Piece::Code(..) => parts.push(variable("")),
            }
        }
        let value = match parts.as_slice() {
            [Part::Literal(text)] => Some(text.clone()),
            _ => None,
        };
        if value.is_some() {
            parts.clear();
        }
        Word {
            span: term.span,
            value,
            parts,
            quoted: term.quoted,
        }
    }
}

fn variable(name: &str) -> Part {
    Part::Variable {
        name: name.to_owned(),
        quoted: true,
    }
}

fn push_literal(parts: &mut Vec<Part>, text: &str) {
    if let Some(Part::Literal(last)) = parts.last_mut() {
        last.push_str(text);
    } else {
        parts.push(Part::Literal(text.to_owned()));
    }
}
