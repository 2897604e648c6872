//! A text as numbered lines, to page through and to search.

use regex::Regex;

#[cfg(test)]
mod tests;

/// Lines shown when neither an offset nor a limit is given.
pub const DEFAULT_LINES: usize = 200;

/// The lines of a text. CR LF counts as LF, and a line feed at the end begins no further line.
#[derive(Debug, Clone)]
pub struct Lines<'a> {
    lines: Vec<&'a str>,
    scalars: usize,
}

/// Some of the lines, in a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineSlice {
    /// The lines, with line feeds between them.
    pub text: String,
    /// How many lines stand before them.
    pub offset: usize,
    /// How many lines these are.
    pub count: usize,
    /// Whether earlier lines are left out because nobody said how many are wanted.
    pub left_out: bool,
}

/// Lines that match, at most as many as were asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found<'a> {
    /// The first matches.
    pub matches: Vec<Match<'a>>,
    /// How many lines match in all.
    pub total: usize,
    /// Whether more lines match than are listed.
    pub more: bool,
}

/// A line that matches and those around it, which may match too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match<'a> {
    /// Number of the line; the first is 1.
    pub number: usize,
    /// The line.
    pub line: &'a str,
    /// The lines right before it, in order.
    pub before: Vec<&'a str>,
    /// The lines right after it, in order.
    pub after: Vec<&'a str>,
}

impl<'a> Lines<'a> {
    /// Splits a text.
    pub fn new(text: &'a str) -> Self {
        // `str::lines` is just this: it drops the `\r` of `\r\n`, keeps any other, and wants no line after the last line feed.
        Self {
            lines: text.lines().collect(),
            scalars: text.chars().count(),
        }
    }

    /// Returns how many lines there are; none in an empty text.
    pub fn total(&self) -> usize {
        self.lines.len()
    }

    /// Returns the length of the whole text in Unicode scalar values, line ends included.
    pub fn scalars(&self) -> usize {
        self.scalars
    }

    /// Returns the lines from `offset` on, at most `limit`; only with `limit` the last ones; with neither the last [`DEFAULT_LINES`].
    ///
    /// Numbers are as a client sends them: rounded down, negative ones count as 0, and those that are not finite as not given.
    pub fn slice(&self, offset: Option<f64>, limit: Option<f64>) -> LineSlice {
        let total = self.total();
        let (start, end) = match (count(offset), count(limit)) {
            (Some(offset), Some(limit)) => (offset, offset.saturating_add(limit)),
            (Some(offset), None) => (offset, total),
            (None, limit) => {
                let limit = limit.unwrap_or(DEFAULT_LINES);
                (total.saturating_sub(limit), total)
            }
        };
        let (start, end) = (start.min(total), end.min(total));
        LineSlice {
            text: self.lines[start..end].join("\n"),
            offset: start,
            count: end - start,
            left_out: count(offset).or(count(limit)).is_none() && start > 0,
        }
    }

    /// Finds the lines that match, each with up to `context` lines before and after it, and lists the first `max_matches`.
    pub fn search(&self, pattern: &Regex, context: usize, max_matches: usize) -> Found<'a> {
        let matching = self.lines.iter().enumerate();
        let mut matching = matching.filter(|(_, line)| pattern.is_match(line));
        let matches: Vec<_> = matching
            .by_ref()
            .take(max_matches)
            .map(|(at, _)| self.around(at, context))
            .collect();
        let others = matching.count();
        Found {
            total: matches.len() + others,
            more: others > 0,
            matches,
        }
    }

    fn around(&self, at: usize, context: usize) -> Match<'a> {
        let after = &self.lines[at + 1..];
        Match {
            number: at + 1,
            line: self.lines[at],
            before: self.lines[at.saturating_sub(context)..at].to_vec(),
            after: after[..context.min(after.len())].to_vec(),
        }
    }
}

/// A number of lines. What is too great for the type is the greatest.
fn count(number: Option<f64>) -> Option<usize> {
    let number = number.filter(|number| number.is_finite())?;
    Some(number.floor().max(0.0) as usize)
}
