//! Where texts may begin, by their first two bytes: a look at each pair of bytes in a table costs a fraction of a step of
//! an automaton, as no look waits for the one before it.

/// Pairs that are looked at before it is asked whether one of them begins a text.
const STRIDE: usize = 8;

/// The first pairs of some texts.
pub(super) struct Starts {
    /// For each pair of bytes the number of its group, or 0.
    group_of: Box<[u8; 1 << 16]>,
    /// The texts with the same first pair, by their places in what was given. The first group is empty, the last one may have several pairs.
    groups: Vec<Vec<usize>>,
}

impl Starts {
    /// The first pairs of texts of at least two bytes; shorter ones are never found.
    pub(super) fn new<'a>(texts: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let mut group_of = Box::new([0; 1 << 16]);
        let mut groups = vec![Vec::new()];
        for (at, text) in texts.into_iter().enumerate() {
            let Some(pair) = text.first_chunk() else {
                continue;
            };
            let group = &mut group_of[place(*pair)];
            if *group == 0 {
                let next = u8::try_from(groups.len());
                *group = next.unwrap_or(u8::MAX);
                groups.extend(next.map(|_| Vec::new()));
            }
            groups[usize::from(*group)].push(at);
        }
        Self { group_of, groups }
    }

    /// The first place from `from` on at which texts may begin, and which ones.
    pub(super) fn next(&self, bytes: &[u8], from: usize) -> Option<(usize, &[usize])> {
        let mut at = from;
        // Most stretches begin nothing, and are passed with one question.
        while let Some(pairs) = bytes.get(at..at + STRIDE + 1) {
            let groups = pairs.windows(2).map(|pair| self.group(pair));
            if groups.fold(0, |all, group| all | group) != 0 {
                break;
            }
            at += STRIDE;
        }
        let mut pairs = bytes.get(at..)?.windows(2);
        let found = at + pairs.position(|pair| self.group(pair) != 0)?;
        let group = self.group(&bytes[found..]);
        Some((found, &self.groups[usize::from(group)]))
    }

    fn group(&self, bytes: &[u8]) -> u8 {
        bytes
            .first_chunk()
            .map_or(0, |pair| self.group_of[place(*pair)])
    }
}

/// Where a pair stands in the table.
fn place(pair: [u8; 2]) -> usize {
    usize::from(u16::from_le_bytes(pair))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    fn all<'a>(starts: &'a Starts, text: &[u8]) -> Vec<(usize, &'a [usize])> {
        let mut found: Vec<(usize, &[usize])> = Vec::new();
        let mut from = 0;
        while let Some(next) = starts.next(text, from) {
            from = next.0 + 1;
            found.push(next);
        }
        found
    }

    #[test]
    fn every_place_of_a_first_pair_is_found_and_no_other() {
        let starts = Starts::new([b"sk-".as_slice(), b"\xff\x00\x01", b"x", b"skip"]);
        let text = b"ask sk sks \xff\xff\x00 x and a long text of which nothing else begins, but at its end sk";
        let [both, other] = [[0, 3].as_slice(), &[1]];
        assert_eq!(
            all(&starts, text),
            [
                (1, both),
                (4, both),
                (7, both),
                (12, other),
                (text.len() - 2, both)
            ]
        );
        assert_eq!(starts.next(b"s", 0), None);
        assert_eq!(starts.next(b"sk", 9), None);
    }

    #[test]
    fn more_pairs_than_there_are_groups_are_found_all_the_same() {
        let texts: Vec<[u8; 2]> = (0..300_u16).map(u16::to_le_bytes).collect();
        let starts = Starts::new(texts.iter().map(<[u8; 2]>::as_slice));
        for (at, text) in texts.iter().enumerate() {
            let (place, group) = starts.next(text, 0).expect("it begins there");
            assert_eq!((place, group.contains(&at)), (0, true));
        }
        assert_eq!(starts.next(&300_u16.to_le_bytes(), 0), None);
    }
}
