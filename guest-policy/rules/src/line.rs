//! A command line with its segments read as invocations.

use execgate_guest::{CommandLine, Part, Relation, Segment, Span, Word};

use crate::invocation::Invocation;

/// A command line, and what its segments call.
#[derive(Debug)]
pub struct Line<'a> {
    /// The analysis.
    pub command_line: &'a CommandLine,
    /// Segments whose program is known, in order.
    pub invocations: Vec<Invocation<'a>>,
}

impl<'a> Line<'a> {
    /// Reads an analysis.
    pub fn read(command_line: &'a CommandLine) -> Self {
        let invocations = command_line
            .segments
            .iter()
            .enumerate()
            .filter_map(|(index, segment)| Invocation::read(index, segment))
            .collect();
        Self {
            command_line,
            invocations,
        }
    }

    /// The segment with an index.
    pub fn segment(&self, index: u32) -> Option<&'a Segment> {
        self.command_line.segments.get(index as usize)
    }

    /// Whether the output of another command is the input of a segment, or of the wrappers around it.
    pub fn is_fed(&self, segment: &Segment) -> bool {
        let mut current = Some(segment);
        // A parent stands before its child, so this ends; the bound guards against a malformed analysis.
        for _ in 0..=self.command_line.segments.len() {
            let Some(segment) = current else {
                return false;
            };
            if segment.fed_by.is_some() || segment.stage.is_some_and(|stage| stage.index > 0) {
                return true;
            }
            if segment.relation != Relation::Wrapped {
                return false;
            }
            current = segment.parent.and_then(|parent| self.segment(parent));
        }
        false
    }

    /// Segments whose command word is not known, with the span of that word.
    pub fn unknown_programs(&self) -> impl Iterator<Item = (usize, Span)> + '_ {
        self.command_line
            .segments
            .iter()
            .enumerate()
            .filter_map(|(index, segment)| {
                let word = segment.words.first()?;
                word.value.is_none().then_some((index, word.span))
            })
    }
}

/// Whether a word holds a process substitution.
pub fn is_process_substitution(word: &Word) -> bool {
    word.parts
        .iter()
        .any(|part| matches!(part, Part::ProcessSubstitution))
}
