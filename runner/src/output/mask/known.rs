//! Secrets whose value is known.

use std::ops::Range;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use super::CONTEXT;
use super::starts::Starts;

/// Shortest value in bytes. Shorter ones are found in ordinary text.
const SHORTEST: usize = 8;

/// Fewest bytes of a value that are held back at the end of a stream. Fewer say nothing of it, and end ordinary text.
const SHORTEST_BEGINNING: usize = 4;

/// Bytes of all values up to which the fast automaton is small enough: it takes about 250 bytes for each.
const FAST_BYTES: usize = 16 * 1024;

/// Finds known values, also where they overlap.
pub(super) struct Known {
    automaton: AhoCorasick,
    starts: Starts,
    values: Vec<Value>,
}

struct Value {
    bytes: Vec<u8>,
    /// For each beginning of the value, by its length less one: the length of its longest proper beginning that it also ends in (Knuth, Morris, Pratt).
    borders: Vec<usize>,
}

impl Known {
    pub(super) fn new(values: impl IntoIterator<Item = Vec<u8>>) -> Self {
        let mut values: Vec<_> = values
            .into_iter()
            .filter(|value| value.trim_ascii().len() >= SHORTEST)
            .flat_map(|value| spellings(value.trim_ascii()))
            .flat_map(|value| pieces(&value))
            .collect();
        values.sort_unstable();
        values.dedup();
        let bytes = values.iter().map(Vec::len).sum::<usize>();
        let kind = if bytes <= FAST_BYTES {
            AhoCorasickKind::DFA
        } else {
            AhoCorasickKind::ContiguousNFA
        };
        let automaton = AhoCorasick::builder()
            .kind(Some(kind))
            .match_kind(MatchKind::Standard)
            // Secrets begin like words: to look for their rarest bytes first takes longer than to walk.
            .prefilter(false)
            .build(&values)
            .expect("the values have less than two billion bytes");
        Self {
            automaton,
            starts: Starts::new(values.iter().map(Vec::as_slice)),
            values: values.into_iter().map(Value::new).collect(),
        }
    }

    /// Finds every value, joining those that overlap; sorted.
    pub(super) fn find(&self, bytes: &[u8]) -> Vec<Range<usize>> {
        let mut found: Vec<Range<usize>> = Vec::new();
        if !self.may_be_in(bytes) {
            return found;
        }
        // They come in the order of their ends.
        for value in self.automaton.find_overlapping_iter(bytes) {
            let mut range = value.range();
            while let Some(last) = found.pop_if(|last| last.end >= range.start) {
                range.start = range.start.min(last.start);
            }
            found.push(range);
        }
        found
    }

    /// Whether a value begins somewhere, as far as its first bytes tell. Most output has none, and is not walked.
    fn may_be_in(&self, bytes: &[u8]) -> bool {
        let mut from = 0;
        while let Some((at, group)) = self.starts.next(bytes, from) {
            let head = bytes[at..].get(..SHORTEST);
            let begins = |head| self.begins(head, group);
            if head.is_some_and(begins) {
                return true;
            }
            from = at + 1;
        }
        false
    }

    /// Whether one of a group of values begins with this. Values are sorted, and so are groups.
    fn begins(&self, head: &[u8], group: &[usize]) -> bool {
        let value = |at: usize| self.values[at].bytes.as_slice();
        let next = group.partition_point(|&at| value(at) < head);
        group
            .get(next)
            .is_some_and(|&at| value(at).starts_with(head))
    }

    /// How many bytes at the end may begin a value.
    pub(super) fn unsettled(&self, bytes: &[u8]) -> usize {
        let lengths = self.values.iter().map(|value| value.begun_at_end(bytes));
        let longest = lengths.max().unwrap_or(0);
        if longest < SHORTEST_BEGINNING {
            0
        } else {
            longest
        }
    }
}

impl Value {
    fn new(bytes: Vec<u8>) -> Self {
        let mut value = Self {
            borders: vec![0; bytes.len()],
            bytes,
        };
        for at in 1..value.bytes.len() {
            value.borders[at] = value.step(value.borders[at - 1], value.bytes[at]);
        }
        value
    }

    /// How much of the value stands at the end once `byte` comes after `length` bytes of it.
    fn step(&self, mut length: usize, byte: u8) -> usize {
        while self.bytes[length] != byte {
            match length.checked_sub(1) {
                None => return 0,
                Some(last) => length = self.borders[last],
            }
        }
        length + 1
    }

    /// How many bytes at the end are a beginning of the value, but not the whole of it.
    fn begun_at_end(&self, bytes: &[u8]) -> usize {
        let most = bytes.len().min(self.bytes.len() - 1);
        let end = &bytes[bytes.len() - most..];
        end.iter().fold(0, |length, &byte| self.step(length, byte))
    }
}

/// A value as it is, and as a terminal prints its lines.
fn spellings(value: &[u8]) -> Vec<Vec<u8>> {
    let mut printed = Vec::with_capacity(value.len());
    for &byte in value {
        if byte == b'\n' && printed.last() != Some(&b'\r') {
            printed.push(b'\r');
        }
        printed.push(byte);
    }
    vec![value.to_vec(), printed]
}

/// A value as pieces that are not too long; the last two overlap, so that it is not too short.
fn pieces(value: &[u8]) -> Vec<Vec<u8>> {
    let whole = value.chunks_exact(CONTEXT);
    let last = &value[value.len().saturating_sub(CONTEXT)..];
    whole.chain([last]).map(<[u8]>::to_vec).collect()
}
