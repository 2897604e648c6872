//! Sets of names.

/// What a set of names has in common, in 256 bits: nearly every name that is not in the set is told apart by it,
/// without a comparison of texts. There is nothing to build when a program starts.
#[derive(Clone, Copy, Debug)]
pub struct Digest([u64; 4]);

impl Digest {
    /// Of no names.
    pub const EMPTY: Self = Self([0; 4]);

    /// With one more name.
    #[must_use]
    pub const fn with(mut self, name: &str) -> Self {
        let place = place(name.as_bytes());
        self.0[place / 64] |= 1 << (place % 64);
        self
    }

    /// Whether a name may be in the set.
    pub const fn may_hold(&self, name: &str) -> bool {
        let place = place(name.as_bytes());
        self.0[place / 64] >> (place % 64) & 1 == 1
    }
}

/// One of 256 bits, by length, first and last byte. The factors spread the names of the tables well; any would do.
const fn place(name: &[u8]) -> usize {
    let length = name.len();
    if length == 0 {
        return 0;
    }
    (length * 31 + name[0] as usize * 5 + name[length - 1] as usize * 13) % 256
}

/// A set of names.
#[derive(Clone, Copy, Debug)]
pub struct Names {
    digest: Digest,
    names: &'static [&'static str],
}

impl Names {
    /// The set of some names.
    pub const fn new(names: &'static [&'static str]) -> Self {
        let mut digest = Digest::EMPTY;
        let mut place = 0;
        while place < names.len() {
            digest = digest.with(names[place]);
            place += 1;
        }
        Self { digest, names }
    }

    /// Whether a name is in it.
    pub fn contains(&self, name: &str) -> bool {
        self.digest.may_hold(name) && self.names.contains(&name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_holds_its_names_and_no_others() {
        const NAMES: Names = Names::new(&["a", "ab", "", "naïve"]);
        for name in ["a", "ab", "", "naïve"] {
            assert!(NAMES.contains(name), "{name}");
        }
        for name in ["b", "abc", "aab", "ä", "na"] {
            assert!(!NAMES.contains(name), "{name}");
        }
    }
}
