//! Reads texts of the Windows command processor, as `cmd /c` reads a line and a batch file its lines (`help cmd`).
//!
//! Percent signs are expanded before anything else is looked at, so that the value of a variable could bring operators
//! along; values come from the environment, not from the text, and stand as unknown pieces of words. Between quotes
//! only the quote is special; a caret takes its meaning from the character after it.
//! [`parser`] makes a tree, [`walk`] makes segments of it.

mod conditions;
mod lexer;
mod loops;
mod parser;
#[cfg(test)]
mod tests;
mod tree;
mod walk;

use std::rc::Rc;

use self::parser::Parser;
use self::walk::Walk;
use crate::cursor::Origin;
use crate::opaque::OpaqueReason;
use crate::reader::Reader;
use crate::word::Word;

/// Parses a text and walks it at the reader's place.
pub(crate) fn read(reader: &mut Reader<'_>, text: &str, origin: Origin) {
    let mut parser = Parser::new(text, origin, reader.place.depth, Rc::clone(&reader.steps));
    let (list, fault) = parser.script();
    let mut walk = Walk::new(reader, text, origin);
    walk.list(&list);
    let variables = walk.variables;
    if reader.tainted && variables {
        let detail = "a variable may hold more than a word: its operators would be obeyed; write its value out";
        let span = origin.map(0, text.len());
        reader.opaque(OpaqueReason::DynamicScript, detail, span);
    }
    if let Some(fault) = fault {
        reader.opaque(fault.reason, fault.detail, fault.span);
    }
}

/// Whether a value could bring operators into a command that names its variable.
pub(crate) fn holds_operators(value: &Word) -> bool {
    value
        .value
        .as_deref()
        .is_none_or(|text| text.contains(['&', '|', '<', '>', '\n']))
}
