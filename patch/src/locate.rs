//! Where the lines of hunks are in a file.

use std::cell::OnceCell;

use crate::automaton::{Automaton, LastTwo, longest_beginning, occurrences};
use crate::text::{Tolerance, shown};

/// Which part of the file is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// All from this line on, counted from 0.
    From(usize),
    /// The very end, if it does not begin before this line.
    End(usize),
}

/// What a search found. Lines are counted from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Located {
    At(usize),
    /// All the places, two or more.
    Ambiguous(Vec<usize>),
    Missing,
}

/// Searches of many patterns in the lines of one file.
///
/// Each tolerance is tried for all patterns at once, and only when some search needs it: at most four passes over the file.
#[derive(Debug)]
pub(crate) struct Search<'s> {
    lines: Vec<&'s [u8]>,
    patterns: Vec<Vec<&'s [u8]>>,
    passes: [OnceCell<Vec<LastTwo>>; 4],
}

impl<'s> Search<'s> {
    /// Takes the lines of the file and all patterns that will be asked for, by their index.
    pub fn new(lines: Vec<&'s [u8]>, patterns: Vec<Vec<&'s [u8]>>) -> Self {
        Self {
            lines,
            patterns,
            passes: Default::default(),
        }
    }

    /// Number of lines of the file.
    pub fn length(&self) -> usize {
        self.lines.len()
    }

    /// Finds a pattern: the strictest tolerance that finds it anywhere in the part decides, and must find it once.
    pub fn find(&self, pattern: usize, part: Part) -> Located {
        let length = self.patterns[pattern].len();
        for (tolerance, pass) in Tolerance::ALL.into_iter().zip(&self.passes) {
            let found = pass
                .get_or_init(|| Automaton::new(&self.patterns, tolerance).last_two(&self.lines))
                [pattern];
            let begin = |end: Option<usize>| end.map(|end| end + 1 - length);
            match (begin(found.last), begin(found.before), part) {
                (Some(last), _, Part::End(start)) => {
                    if last >= start && last + length == self.lines.len() {
                        return Located::At(last);
                    }
                }
                (Some(_), Some(before), Part::From(start)) if before >= start => {
                    let places =
                        occurrences(&self.patterns[pattern], &self.lines, start, tolerance);
                    return Located::Ambiguous(places);
                }
                (Some(last), _, Part::From(start)) => {
                    if last >= start {
                        return Located::At(last);
                    }
                }
                (None, _, _) => {}
            }
        }
        Located::Missing
    }

    /// Says where something like the pattern is that was not found in a part of the file. Lines are counted from 1.
    pub fn nearest(&self, pattern: usize, part: Part) -> String {
        let pattern = &self.patterns[pattern];
        let start = match part {
            Part::From(start) | Part::End(start) => start,
        };
        let nearest = longest_beginning(pattern, &self.lines, Tolerance::Folded);
        let Some((at, length)) = nearest else {
            return format!(
                "its first line is nowhere in the file of {} lines",
                self.lines.len()
            );
        };
        if length < pattern.len() {
            return self.difference(pattern, at, length);
        }
        match part {
            Part::End(_) => format!("it is at line {}, not at the end of the file", at + 1),
            Part::From(_) => format!(
                "it is at line {}, but the search begins at line {}, after the hunks before: put the hunks in the order of the file",
                at + 1,
                start + 1
            ),
        }
    }

    fn difference(&self, pattern: &[&[u8]], at: usize, length: usize) -> String {
        let text = |line: &[u8]| shown(&String::from_utf8_lossy(line));
        let found = match self.lines.get(at + length) {
            Some(line) => format!("has `{}`", text(line)),
            None => "ends".to_owned(),
        };
        format!(
            "nearest candidate at line {}: its first {length} of {} lines are there, then line {} {found} where the hunk has `{}`",
            at + 1,
            pattern.len(),
            at + length + 1,
            text(pattern[length]),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::{Located, Part, Search};

    fn search<'s>(lines: &'s str, pattern: &'s str) -> Search<'s> {
        let split = |text: &'s str| text.split('|').map(str::as_bytes).collect();
        Search::new(split(lines), vec![split(pattern)])
    }

    #[test]
    fn the_strictest_tolerance_with_a_hit_decides() {
        let table = [
            ("a|b", "b", Part::From(0), Located::At(1)),
            ("b |b| b", "b", Part::From(0), Located::At(1)),
            ("b |b| b", "b", Part::From(2), Located::At(2)),
            (
                "b |b\t|c",
                "b",
                Part::From(0),
                Located::Ambiguous(vec![0, 1]),
            ),
            (" b|b ", "b", Part::From(0), Located::At(1)),
            ("‘b’", "'b'", Part::From(0), Located::At(0)),
            ("b|b", "b", Part::From(0), Located::Ambiguous(vec![0, 1])),
            ("b|b", "b", Part::End(0), Located::At(1)),
            ("b|b |c", "b", Part::End(0), Located::Missing),
            ("b|b ", "b", Part::End(0), Located::At(1)),
            ("b", "b", Part::End(1), Located::Missing),
            ("b", "b|c", Part::From(0), Located::Missing),
            (
                "x|x|x",
                "x|x",
                Part::From(0),
                Located::Ambiguous(vec![0, 1]),
            ),
        ];
        for (lines, pattern, part, expected) in table {
            let found = search(lines, pattern).find(0, part);
            assert_eq!(found, expected, "{lines:?} {pattern:?} {part:?}");
        }
    }

    #[test]
    fn the_nearest_candidate_is_described() {
        let table = [
            (
                "a|b",
                "z",
                Part::From(0),
                "its first line is nowhere in the file of 2 lines",
            ),
            (
                "a|b|c",
                "b|d",
                Part::From(0),
                "nearest candidate at line 2: its first 1 of 2 lines are there, then line 3 has `c` where the hunk has `d`",
            ),
            (
                "a|b",
                "b|d",
                Part::From(0),
                "nearest candidate at line 2: its first 1 of 2 lines are there, then line 3 ends where the hunk has `d`",
            ),
            (
                "a|b",
                "a",
                Part::From(1),
                "it is at line 1, but the search begins at line 2, after the hunks before: put the hunks in the order of the file",
            ),
            (
                "a|b",
                "a",
                Part::End(0),
                "it is at line 1, not at the end of the file",
            ),
        ];
        for (lines, pattern, part, expected) in table {
            assert_eq!(search(lines, pattern).nearest(0, part), expected);
        }
    }
}
