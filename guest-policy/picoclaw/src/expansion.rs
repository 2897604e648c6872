//! Substitutions and braced expansions outside of literal quotes, which this profile refuses.

use execgate_guest::{CommandLine, Part, Relation, Segment, Span};

/// The first `$(…)`, `${…}` or backtick of a text that a shell would expand.
///
/// It is looked for twice: in the analysis, which is sure of what runs, and in the text, which also shows
/// expansions whose value the analysis knows. Bodies of quoted here-documents are data.
pub(crate) fn first(text: &str, line: &CommandLine) -> Option<Span> {
    analysed(line).or_else(|| written(text, line))
}

fn analysed(line: &CommandLine) -> Option<Span> {
    let substitution = |segment: &&Segment| segment.relation == Relation::Substitution;
    let holder = |segment: &Segment| {
        let words = segment
            .words
            .iter()
            .chain(
                segment
                    .assignments
                    .iter()
                    .map(|assignment| &assignment.value),
            )
            .chain(segment.redirects.iter().map(|redirect| &redirect.target));
        words
            .into_iter()
            .find(|word| word.parts.contains(&Part::Substitution))
            .map(|word| word.span)
    };
    let segment = line
        .segments
        .iter()
        .find(substitution)
        .map(|segment| segment.span);
    segment.or_else(|| line.segments.iter().find_map(holder))
}

fn written(text: &str, line: &CommandLine) -> Option<Span> {
    let literal: Vec<Span> = line
        .segments
        .iter()
        .flat_map(|segment| &segment.redirects)
        .filter_map(|redirect| redirect.here.as_ref())
        .filter(|here| here.quoted)
        .map(|here| here.span)
        .collect();
    let mut reader = Reader {
        bytes: text.as_bytes(),
        literal,
        place: 0,
        double: false,
    };
    reader.find()
}

/// Walks a text with its quotes.
struct Reader<'a> {
    bytes: &'a [u8],
    literal: Vec<Span>,
    place: usize,
    double: bool,
}

impl Reader<'_> {
    fn find(&mut self) -> Option<Span> {
        while let Some(byte) = self.bytes.get(self.place).copied() {
            if let Some(end) = self.literal_end() {
                self.place = end;
                continue;
            }
            match byte {
                b'\\' => self.place += 1,
                b'"' => self.double = !self.double,
                b'\'' if !self.double => self.skip_single(false),
                b'#' if !self.double && self.begins_word() => self.skip_line(),
                b'`' => return Some(span(self.place, 1)),
                b'$' => match self.bytes.get(self.place + 1) {
                    Some(b'\'') if !self.double => {
                        self.place += 1;
                        self.skip_single(true);
                    }
                    Some(b'{') => return Some(span(self.place, 2)),
                    Some(b'(') if self.bytes.get(self.place + 2) != Some(&b')') => {
                        return Some(span(self.place, 2));
                    }
                    Some(_) | None => {}
                },
                _ => {}
            }
            self.place += 1;
        }
        None
    }

    fn literal_end(&self) -> Option<usize> {
        let place = u32::try_from(self.place).ok()?;
        let here = self
            .literal
            .iter()
            .find(|span| span.start <= place && place < span.end)?;
        Some(here.end as usize)
    }

    /// Leaves the place on the closing quote.
    fn skip_single(&mut self, escapes: bool) {
        self.place += 1;
        while let Some(byte) = self.bytes.get(self.place) {
            match byte {
                b'\\' if escapes => self.place += 1,
                b'\'' => return,
                _ => {}
            }
            self.place += 1;
        }
    }

    fn begins_word(&self) -> bool {
        let before = self
            .place
            .checked_sub(1)
            .and_then(|place| self.bytes.get(place));
        before.is_none_or(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'('))
    }

    fn skip_line(&mut self) {
        while self
            .bytes
            .get(self.place + 1)
            .is_some_and(|byte| *byte != b'\n')
        {
            self.place += 1;
        }
    }
}

fn span(start: usize, length: usize) -> Span {
    let offset = |place: usize| u32::try_from(place).unwrap_or(u32::MAX);
    Span {
        start: offset(start),
        end: offset(start + length),
    }
}
