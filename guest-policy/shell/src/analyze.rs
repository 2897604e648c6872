//! The entry point.

use std::cell::Cell;
use std::rc::Rc;

use crate::opaque::{Opaque, OpaqueReason};
use crate::reader::{MAX_TEXT_BYTES, Reader};
use crate::segment::CommandLine;
use crate::source::{Source, Span};

/// Analyses a command text.
///
/// Takes time in proportion to the text (and to the known inner scripts in it, which are bounded), and ends for every input.
/// Whatever was not understood is in [`CommandLine::opaque`].
#[must_use]
pub fn analyze(source: &Source<'_>) -> CommandLine {
    counted(source).0
}

/// Analyses and returns how many steps the parser took.
pub(crate) fn counted(source: &Source<'_>) -> (CommandLine, u64) {
    let steps = Rc::new(Cell::new(0));
    let line = match refusal(source) {
        Some((reason, detail)) => {
            let end = u32::try_from(source.text.len()).unwrap_or(u32::MAX);
            CommandLine {
                segments: Vec::new(),
                opaque: vec![Opaque {
                    reason,
                    detail,
                    span: Span { start: 0, end },
                }],
            }
        }
        None => Reader::read(source, Rc::clone(&steps)),
    };
    (line, steps.get())
}

/// Says why a text is not read at all.
fn refusal(source: &Source<'_>) -> Option<(OpaqueReason, String)> {
    if source.text.len() > MAX_TEXT_BYTES {
        let detail = format!("the text has more than {MAX_TEXT_BYTES} bytes");
        return Some((OpaqueReason::TooLong, detail));
    }
    let detail = "the text holds a NUL byte".to_owned();
    source
        .text
        .contains('\0')
        .then_some((OpaqueReason::NulByte, detail))
}
