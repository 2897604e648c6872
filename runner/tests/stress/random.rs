//! Numbers that look random and are the same in every run.

/// A generator (xorshift64*, Vigna 2016).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 32) % bound
    }

    /// Printable text without line ends.
    pub fn text(&mut self, length: usize) -> String {
        let letters = "abcdefghijklmnopqrstuvwxyz0123456789 äß≤"
            .chars()
            .collect::<Vec<_>>();
        (0..length)
            .map(|_| letters[self.below(letters.len() as u64) as usize])
            .collect()
    }
}
