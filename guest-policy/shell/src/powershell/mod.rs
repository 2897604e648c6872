//! Reads PowerShell texts, as Windows PowerShell 5.1 and PowerShell 7 read them.
//!
//! A statement begins in one of two modes (`about_Parsing`): what begins like a value is an expression, anything else
//! is a command. Expressions are not computed; the commands in them are found, and calls into .NET that are not
//! known to be harmless are opaque. The steps are: [`parser`] makes a tree, [`facts`] notes what must be known before
//! it is walked, [`walk`] makes segments of it, [`runs`] looks at what a command runs in turn.

mod command;
pub(crate) mod encoded;
mod expression;
mod facts;
mod keywords;
mod literals;
mod parser;
mod runs;
mod scanner;
mod strings;
#[cfg(test)]
mod tests;
mod tree;
mod walk;
mod words;

use std::rc::Rc;

use self::facts::Facts;
use self::parser::Parser;
use self::walk::Walk;
use crate::cursor::Origin;
use crate::reader::Reader;

/// Parses a text and walks it at the reader's place.
pub(crate) fn read(reader: &mut Reader<'_>, text: &str, origin: Origin) {
    let mut parser = Parser::new(text, origin, reader.place.depth, Rc::clone(&reader.steps));
    let (block, fault) = parser.script();
    let facts = Facts::of(&block);
    Walk::new(reader, facts).block(&block);
    if let Some(fault) = fault {
        reader.opaque(fault.reason, fault.detail, fault.span);
    }
}
