//! All tables of programs as one, sorted when it is compiled: an instance is made for every call and builds nothing.

use execgate_knowledge::programs::{self, Row};
use execgate_knowledge::tools;

use super::{Effect, Known};

/// A program with its verbs, and what is known of it.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    /// The program, or the program and its verbs, with blanks between.
    pub(super) key: &'static str,
    pub(super) known: Known,
}

/// The tables, by what their programs do.
const TABLES: [(Effect, &[Row]); 6] = [
    (Effect::Speaks, programs::SPEAKERS),
    (Effect::Reads, programs::READERS),
    (Effect::Writes, programs::WRITERS),
    (Effect::Develops, programs::COMMANDS),
    (Effect::Develops, tools::TOOLS),
    (Effect::Wraps, programs::WRAPPERS),
];

static ENTRIES: [Entry; count()] = sorted();

/// Entries whose keys begin with a text, in the order of their keys, then of their effects.
pub(super) fn with(prefix: &str) -> impl Iterator<Item = &'static Entry> + '_ {
    let start = ENTRIES.partition_point(|entry| entry.key < prefix);
    ENTRIES[start..]
        .iter()
        .take_while(move |entry| entry.key.starts_with(prefix))
}

const fn count() -> usize {
    let (mut count, mut table) = (0, 0);
    while table < TABLES.len() {
        count += TABLES[table].1.len();
        table += 1;
    }
    count
}

const fn sorted() -> [Entry; count()] {
    let mut entries = joined();
    // Shell's sort: short enough for a constant, and fast enough for the compiler's limit on its steps.
    let mut gap = entries.len() / 2;
    while gap > 0 {
        let mut next = gap;
        while next < entries.len() {
            let entry = entries[next];
            let mut place = next;
            while place >= gap && is_before(&entry, &entries[place - gap]) {
                entries[place] = entries[place - gap];
                place -= gap;
            }
            entries[place] = entry;
            next += 1;
        }
        gap /= 2;
    }
    entries
}

const fn joined() -> [Entry; count()] {
    let known = Known {
        effect: Effect::Speaks,
        refused: "",
    };
    let mut entries = [Entry { key: "", known }; count()];
    let (mut next, mut table) = (0, 0);
    while table < TABLES.len() {
        let (effect, rows) = TABLES[table];
        let mut row = 0;
        while row < rows.len() {
            let (key, refused) = rows[row];
            let known = Known { effect, refused };
            entries[next] = Entry { key, known };
            next += 1;
            row += 1;
        }
        table += 1;
    }
    entries
}

/// The order of two entries; that of texts is no constant function yet.
const fn is_before(one: &Entry, other: &Entry) -> bool {
    let (left, right) = (one.key.as_bytes(), other.key.as_bytes());
    let mut place = 0;
    while place < left.len() && place < right.len() {
        if left[place] != right[place] {
            return left[place] < right[place];
        }
        place += 1;
    }
    if left.len() != right.len() {
        return left.len() < right.len();
    }
    (one.known.effect as u8) < other.known.effect as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_sorted_and_no_program_does_the_same_twice() {
        let order = |entry: &Entry| (entry.key, entry.known.effect);
        assert!(
            ENTRIES
                .windows(2)
                .all(|pair| order(&pair[0]) < order(&pair[1]))
        );
        for (effect, rows) in TABLES {
            for (key, refused) in rows {
                let found = with(key).find(|entry| order(entry) == (key, effect));
                assert_eq!(
                    found.map(|entry| entry.known.refused),
                    Some(*refused),
                    "{key}"
                );
            }
        }
    }

    #[test]
    fn only_developers_commands_have_verbs() {
        let verbed = |entry: &&Entry| entry.key.contains(' ');
        assert!(
            ENTRIES
                .iter()
                .filter(verbed)
                .all(|entry| entry.known.effect == Effect::Develops)
        );
    }

    /// The longest entry that fits counts: of two of one length only one may fit, or both must say the same.
    #[test]
    fn entries_of_one_length_do_not_contradict() {
        let operands = |entry: &Entry| -> Vec<&str> {
            let words = entry.key.split(' ');
            words.filter(|word| !word.starts_with('-')).collect()
        };
        let both_fit = |one: &Entry, other: &Entry| {
            operands(one)
                .iter()
                .zip(operands(other))
                .all(|(one, other)| *one == other)
        };
        for one in &ENTRIES {
            let same = |other: &&Entry| other.key != one.key && other.key.len() == one.key.len();
            for other in ENTRIES.iter().filter(same) {
                assert!(
                    !both_fit(one, other) || one.known.refused == other.known.refused,
                    "`{}` and `{}`",
                    one.key,
                    other.key
                );
            }
        }
    }
}
