//! Sets of names.

/// What a set of names has in common, in one number: nearly every name that is not in the set is told apart by it,
/// without a comparison of texts. There is nothing to build when a program starts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Digest(u64);

impl Digest {
    /// Of no names.
    pub const EMPTY: Self = Self(0);

    /// With one more name.
    #[must_use]
    pub const fn with(self, name: &str) -> Self {
        Self(self.0 | bit(name.as_bytes()))
    }

    /// Whether a name may be in the set.
    pub const fn may_hold(self, name: &str) -> bool {
        self.0 & bit(name.as_bytes()) != 0
    }
}

/// One of 64 bits, by length, first and last byte. The factors spread the names of the tables well; any would do.
const fn bit(name: &[u8]) -> u64 {
    let length = name.len();
    if length == 0 {
        return 1;
    }
    let place = length * 31 + name[0] as usize * 5 + name[length - 1] as usize * 13;
    1 << (place % 64)
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
