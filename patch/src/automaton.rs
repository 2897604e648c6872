//! Finds many sequences of lines in one pass over a file.
//!
//! The automaton of Aho and Corasick over whole lines. A pass takes time that is (but for sorting by length) linear in the lines of the file and of the patterns together, however
//! much they repeat: instead of listing every occurrence it keeps, of each pattern, how its last two lie, and that decides whether the
//! part of the file after any given line has none, one or more of them.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::text::Tolerance;

/// The state in which nothing has matched.
const ROOT: usize = 0;

/// The last two lines that something ends on, the later one first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct LastTwo {
    pub last: Option<usize>,
    pub before: Option<usize>,
}

impl LastTwo {
    fn add(&mut self, line: Option<usize>) {
        if line > self.last {
            self.before = self.last;
            self.last = line;
        } else if line > self.before {
            self.before = line;
        }
    }
}

/// Patterns under one tolerance, compiled.
#[derive(Debug)]
pub(crate) struct Automaton<'p> {
    tolerance: Tolerance,
    /// Numbers of the lines that occur in patterns.
    words: HashMap<Cow<'p, [u8]>, usize>,
    edges: HashMap<(usize, usize), usize>,
    nodes: Vec<Node>,
    /// The state that each pattern ends in.
    ends: Vec<usize>,
}

#[derive(Debug, Default)]
struct Node {
    /// The state before, and the word that leads from there to here.
    parent: usize,
    word: usize,
    depth: usize,
    /// The state of the longest proper suffix.
    suffix: usize,
}

impl<'p> Automaton<'p> {
    /// Compiles patterns, each a sequence of lines.
    pub fn new(patterns: &[Vec<&'p [u8]>], tolerance: Tolerance) -> Self {
        let mut automaton = Self {
            tolerance,
            words: HashMap::new(),
            edges: HashMap::new(),
            nodes: vec![Node::default()],
            ends: Vec::with_capacity(patterns.len()),
        };
        for pattern in patterns {
            let end = automaton.insert(pattern);
            automaton.ends.push(end);
        }
        automaton.link();
        automaton
    }

    fn insert(&mut self, pattern: &[&'p [u8]]) -> usize {
        let mut state = ROOT;
        for line in pattern {
            let fresh = self.words.len();
            let normal = self.tolerance.normal(line);
            let word = *self.words.entry(normal).or_insert(fresh);
            state = match self.edges.get(&(state, word)) {
                Some(&next) => next,
                None => self.grow(state, word),
            };
        }
        state
    }

    fn grow(&mut self, parent: usize, word: usize) -> usize {
        let next = self.nodes.len();
        self.nodes.push(Node {
            parent,
            word,
            depth: self.nodes[parent].depth + 1,
            suffix: ROOT,
        });
        self.edges.insert((parent, word), next);
        next
    }

    /// States in the order of their depth, without the root.
    fn by_depth(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (1..self.nodes.len()).collect();
        order.sort_by_key(|state| self.nodes[*state].depth);
        order
    }

    fn link(&mut self) {
        for state in self.by_depth() {
            let Node { parent, word, .. } = self.nodes[state];
            if parent != ROOT {
                self.nodes[state].suffix = self.step(self.nodes[parent].suffix, word);
            }
        }
    }

    fn step(&self, mut state: usize, word: usize) -> usize {
        loop {
            if let Some(&next) = self.edges.get(&(state, word)) {
                return next;
            }
            if state == ROOT {
                return ROOT;
            }
            state = self.nodes[state].suffix;
        }
    }

    /// Goes over lines and tells the state after each.
    fn walk(&self, lines: &[&[u8]], mut visit: impl FnMut(usize, usize)) {
        let mut state = ROOT;
        for (index, line) in lines.iter().enumerate() {
            let word = self.words.get(&self.tolerance.normal(line)[..]);
            state = word.map_or(ROOT, |word| self.step(state, *word));
            visit(index, state);
        }
    }

    /// Returns, for each pattern, the last two lines that an occurrence ends on.
    pub fn last_two(&self, lines: &[&[u8]]) -> Vec<LastTwo> {
        let mut seen = vec![LastTwo::default(); self.nodes.len()];
        self.walk(lines, |index, state| seen[state].add(Some(index)));
        // What ends in a state ends in its suffixes as well; each line was counted in one state only, so none comes twice.
        for state in self.by_depth().into_iter().rev() {
            let LastTwo { last, before } = seen[state];
            let suffix = &mut seen[self.nodes[state].suffix];
            suffix.add(last);
            suffix.add(before);
        }
        self.ends.iter().map(|end| seen[*end]).collect()
    }
}

/// Returns every line at or after `start` that an occurrence of a pattern begins on.
pub(crate) fn occurrences(
    pattern: &[&[u8]],
    lines: &[&[u8]],
    start: usize,
    tolerance: Tolerance,
) -> Vec<usize> {
    let automaton = Automaton::new(&[pattern.to_vec()], tolerance);
    let mut found = Vec::new();
    automaton.walk(&lines[start.min(lines.len())..], |index, state| {
        if state == pattern.len() {
            found.push(start + index + 1 - pattern.len());
        }
    });
    found
}

/// Returns where the longest beginning of a pattern lies and how many lines it has, if its first line is anywhere; the first such place.
pub(crate) fn longest_beginning(
    pattern: &[&[u8]],
    lines: &[&[u8]],
    tolerance: Tolerance,
) -> Option<(usize, usize)> {
    let automaton = Automaton::new(&[pattern.to_vec()], tolerance);
    let mut best = None;
    let mut longest = 0;
    automaton.walk(lines, |index, state| {
        // With one pattern the number of a state is the number of lines that match.
        if state > longest {
            longest = state;
            best = Some((index + 1 - state, state));
        }
    });
    best
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{Strategy, any, prop, prop_assert_eq, proptest};

    use super::{Automaton, LastTwo, longest_beginning, occurrences};
    use crate::text::Tolerance;

    fn split(text: &str) -> Vec<&[u8]> {
        text.split(' ').map(str::as_bytes).collect()
    }

    #[test]
    fn a_pattern_within_another_is_seen() {
        let patterns = [split("a b c"), split("b"), split("b c"), split("d")];
        let found = Automaton::new(&patterns, Tolerance::Exact).last_two(&split("b a b c b"));
        let pair = |last, before| LastTwo { last, before };
        let expected = [
            pair(Some(3), None),
            pair(Some(4), Some(2)),
            pair(Some(3), None),
            pair(None, None),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn occurrences_may_overlap() {
        let lines = split("x x x y x x");
        assert_eq!(
            occurrences(&split("x x"), &lines, 0, Tolerance::Exact),
            [0, 1, 4]
        );
        assert_eq!(occurrences(&split("x x"), &lines, 2, Tolerance::Exact), [4]);
    }

    #[test]
    fn the_longest_beginning_is_told() {
        let lines = split("a a b a b c");
        let found = longest_beginning(&split("a b c d"), &lines, Tolerance::Exact);
        assert_eq!(found, Some((3, 3)));
        assert_eq!(
            longest_beginning(&split("z"), &lines, Tolerance::Exact),
            None
        );
    }

    /// Two words only, so that everything repeats.
    fn words(length: std::ops::Range<usize>) -> impl Strategy<Value = Vec<&'static [u8]>> {
        let word = any::<bool>().prop_map(|one| if one { &b"1"[..] } else { &b"0"[..] });
        prop::collection::vec(word, length)
    }

    proptest! {
        #[test]
        fn the_last_two_are_those_that_a_search_by_hand_finds(
            lines in words(0..40),
            patterns in prop::collection::vec(words(1..5), 1..6),
        ) {
            let found = Automaton::new(&patterns, Tolerance::Exact).last_two(&lines);
            for (pattern, found) in patterns.iter().zip(found) {
                let mut ends: Vec<usize> = lines
                    .windows(pattern.len())
                    .enumerate()
                    .filter(|(_, window)| window == pattern)
                    .map(|(index, _)| index + pattern.len() - 1)
                    .collect();
                let all = occurrences(pattern, &lines, 0, Tolerance::Exact);
                let starts: Vec<usize> = ends.iter().map(|end| end + 1 - pattern.len()).collect();
                prop_assert_eq!(all, starts);
                let last = ends.pop();
                prop_assert_eq!(found, LastTwo { last, before: ends.pop() });
            }
        }
    }
}
