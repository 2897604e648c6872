//! The hunks of one file, applied to its content: pure, and linear in the content and the hunks together.

use crate::locate::{Located, Part, Search};
use crate::source::{Source, SourceLine};
use crate::{Hunk, HunkLine};

#[cfg(test)]
mod tests;

/// Why a hunk does not fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Misfit {
    /// Which hunk of the file, from 0.
    pub hunk: usize,
    pub sought: Sought,
    pub found: Found,
}

/// What a hunk looks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Sought {
    /// The line after `@@`.
    Context(String),
    /// The old lines, joined.
    Lines(String),
}

/// What there is instead of the one place. Lines are those of the file, counted from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Found {
    /// Several places.
    Places(Vec<usize>),
    /// None; what is nearest, in words.
    Nothing(String),
}

/// Returns the content with all hunks applied, each after the one before.
///
/// Lines that stay keep their bytes, new lines get the endings of their neighbours, and neither the byte order mark nor a missing final
/// line ending changes.
pub(crate) fn edit(content: &[u8], hunks: &[Hunk]) -> Result<Vec<u8>, Misfit> {
    let source = Source::new(content);
    let forms: Vec<Form<'_>> = hunks.iter().map(Form::new).collect();
    let mut patterns = Vec::new();
    let keys: Vec<Keys> = forms.iter().map(|form| form.keys(&mut patterns)).collect();
    let lines = source.lines.iter().map(|line| line.text).collect();
    let search = Search::new(lines, patterns);
    let mut output = Output::new(&source);
    for (index, (form, keys)) in forms.iter().zip(&keys).enumerate() {
        let placed = form.place(keys, &search, output.copied);
        let (at, lines) = placed.map_err(|(sought, found)| Misfit {
            hunk: index,
            sought,
            found,
        })?;
        output.hunk(at, lines);
    }
    Ok(output.finish())
}

/// A hunk and the shorter reading of it.
struct Form<'h> {
    hunk: &'h Hunk,
    /// The lines without a last old line that is empty: models end a hunk with a blank line that the file does not have.
    short: Option<Vec<HunkLine>>,
}

/// Numbers of the patterns that are searched for a hunk.
#[derive(Debug, Default)]
struct Keys {
    context: Option<usize>,
    old: Option<usize>,
    /// Of the shorter reading, if it has old lines at all.
    short: Option<usize>,
}

impl<'h> Form<'h> {
    fn new(hunk: &'h Hunk) -> Self {
        Self {
            hunk,
            short: shorter(&hunk.lines),
        }
    }

    fn keys<'f>(&'f self, patterns: &mut Vec<Vec<&'f [u8]>>) -> Keys {
        let mut add = |pattern: Vec<&'f [u8]>| {
            (!pattern.is_empty()).then(|| {
                patterns.push(pattern);
                patterns.len() - 1
            })
        };
        let old = |lines: &'f [HunkLine]| {
            let texts = lines.iter().filter_map(HunkLine::old);
            texts.map(str::as_bytes).collect()
        };
        Keys {
            context: add(self.hunk.context.iter().map(String::as_bytes).collect()),
            old: add(old(&self.hunk.lines)),
            short: self.short.as_deref().and_then(|lines| add(old(lines))),
        }
    }

    /// Finds where the hunk goes, at or after `start`, and in which reading.
    fn place(
        &self,
        keys: &Keys,
        search: &Search<'_>,
        start: usize,
    ) -> Result<(usize, &[HunkLine]), (Sought, Found)> {
        let start = self.after_context(keys, search, start)?;
        let part = match self.hunk.end_of_file {
            true => Part::End(start),
            false => Part::From(start),
        };
        let insertion = match (keys.context, part) {
            (Some(_), Part::From(start)) => start,
            (None, _) | (_, Part::End(_)) => search.length(),
        };
        let Some(old) = keys.old else {
            return Ok((insertion, &self.hunk.lines));
        };
        match (search.find(old, part), &self.short, keys.short) {
            (Located::At(at), _, _) => Ok((at, &self.hunk.lines)),
            (Located::Missing, Some(short), None) => Ok((insertion, short)),
            (Located::Missing, Some(short), Some(key)) => match search.find(key, part) {
                Located::At(at) => Ok((at, short)),
                other => Err((self.sought(), found(other, search, old, part))),
            },
            (other, _, _) => Err((self.sought(), found(other, search, old, part))),
        }
    }

    /// The line after that of the context; `start` if there is no context.
    fn after_context(
        &self,
        keys: &Keys,
        search: &Search<'_>,
        start: usize,
    ) -> Result<usize, (Sought, Found)> {
        let (Some(key), Some(context)) = (keys.context, &self.hunk.context) else {
            return Ok(start);
        };
        let part = Part::From(start);
        match search.find(key, part) {
            Located::At(at) => Ok(at + 1),
            other => {
                let sought = Sought::Context(context.clone());
                Err((sought, found(other, search, key, part)))
            }
        }
    }

    fn sought(&self) -> Sought {
        let old: Vec<&str> = self.hunk.old().collect();
        Sought::Lines(old.join("\n"))
    }
}

/// What there was instead of one place.
fn found(located: Located, search: &Search<'_>, key: usize, part: Part) -> Found {
    match located {
        Located::Ambiguous(places) => {
            Found::Places(places.into_iter().map(|place| place + 1).collect())
        }
        Located::At(_) | Located::Missing => Found::Nothing(search.nearest(key, part)),
    }
}

/// The lines without a last old line that is empty, and without a last new one that is empty then.
fn shorter(lines: &[HunkLine]) -> Option<Vec<HunkLine>> {
    let last = lines.iter().rposition(|line| line.old().is_some())?;
    if lines[last].old() != Some("") {
        return None;
    }
    let mut short = lines.to_vec();
    let removed = short.remove(last);
    if let (HunkLine::Context(text), true) = (&removed, last < short.len()) {
        // Lines come after it: then it is one of those that come.
        short.insert(last, HunkLine::Insert(text.clone()));
    }
    let is_blank = |line: &HunkLine| *line == HunkLine::Insert(String::new());
    if matches!(removed, HunkLine::Remove(_)) && short.last().is_some_and(is_blank) {
        short.pop();
    }
    Some(short)
}

/// The new content as it grows.
struct Output<'e> {
    source: &'e Source<'e>,
    /// How many lines of the source are dealt with.
    copied: usize,
    lines: Vec<SourceLine<'e>>,
}

impl<'e> Output<'e> {
    fn new(source: &'e Source<'e>) -> Self {
        Self {
            source,
            copied: 0,
            lines: Vec::with_capacity(source.lines.len()),
        }
    }

    /// Takes over the lines up to `at`, then applies a hunk there.
    fn hunk(&mut self, at: usize, lines: &'e [HunkLine]) {
        self.copy_to(at);
        let mut inserted = Vec::new();
        let mut removed = 0;
        for line in lines {
            match line {
                HunkLine::Insert(text) => inserted.push(text.as_bytes()),
                HunkLine::Remove(_) => removed += 1,
                HunkLine::Context(_) => {
                    self.change(removed, &inserted);
                    self.copy_to(self.copied + 1);
                    inserted.clear();
                    removed = 0;
                }
            }
        }
        self.change(removed, &inserted);
    }

    fn copy_to(&mut self, end: usize) {
        self.lines
            .extend_from_slice(&self.source.lines[self.copied..end]);
        self.copied = end;
    }

    /// Puts new lines in the place of the next `removed` ones.
    fn change(&mut self, removed: usize, inserted: &[&'e [u8]]) {
        let old = &self.source.lines[self.copied..self.copied + removed];
        let nearby = self.nearby(old);
        for (index, text) in inserted.iter().enumerate() {
            let is_last = index + 1 == inserted.len();
            let twin = match (old, is_last) {
                ([], _) => None,
                // The last line may be one that ends the file without an ending.
                ([.., last], true) => Some(last),
                ([first @ .., _], false) => first.get(index),
            };
            let ending = twin.map_or(nearby, |line| line.ending);
            self.lines.push(SourceLine { text, ending });
        }
        self.copied += removed;
    }

    /// The ending of the lines around the next one.
    fn nearby(&self, old: &[SourceLine<'e>]) -> &'e [u8] {
        let all = &self.source.lines;
        let before = self.copied.checked_sub(1).and_then(|index| all.get(index));
        let around = all.get(self.copied).into_iter().chain(before);
        let mut endings = old.iter().chain(around).map(|line| line.ending);
        let found = endings.find(|ending| !ending.is_empty());
        found.unwrap_or_else(|| self.source.ending())
    }

    fn finish(mut self) -> Vec<u8> {
        self.copy_to(self.source.lines.len());
        if let Some((last, others)) = self.lines.split_last_mut() {
            let ending = self.source.ending();
            for line in others.iter_mut().filter(|line| line.ending.is_empty()) {
                line.ending = ending;
            }
            if self.source.is_unended() {
                last.ending = b"";
            }
        }
        let mut content = self.source.mark.to_vec();
        for line in &self.lines {
            content.extend_from_slice(line.text);
            content.extend_from_slice(line.ending);
        }
        content
    }
}
