//! Session ids that a person can say.

#[cfg(test)]
mod tests;

#[rustfmt::skip]
const ADJECTIVES: [&str; 42] = [
    "agile", "amber", "azure", "brave", "breezy", "bright", "brisk", "calm", "clever", "cosy", "crisp", "curious", "dapper", "eager",
    "early", "fancy", "fleet", "gentle", "golden", "grand", "hidden", "humble", "jolly", "keen", "lively", "lucky", "mellow", "merry",
    "neat", "nimble", "plucky", "polite", "proud", "quick", "quiet", "rapid", "silver", "steady", "sunny", "swift", "tidy", "vivid",
];

#[rustfmt::skip]
const NOUNS: [&str; 54] = [
    "acorn", "anchor", "badger", "basil", "beacon", "birch", "bison", "brook", "canyon", "cedar", "clover", "comet", "coral", "cove",
    "crane", "delta", "dune", "ember", "falcon", "fern", "fjord", "garnet", "glacier", "grove", "harbor", "heron", "island", "ivy",
    "juniper", "kestrel", "lagoon", "lantern", "lark", "linden", "maple", "marlin", "meadow", "moss", "otter", "pebble", "pine", "plover",
    "prairie", "quartz", "raven", "reef", "ridge", "robin", "saffron", "sparrow", "summit", "tulip", "valley", "willow",
];

/// Last number that is put after words that are taken.
const LAST_NUMBER: u32 = 12;

/// Ids with extra entropy that are tried. None of them is taken unless `taken` takes everything.
const MOST_TRIES: u32 = 16;

/// Returns an id that is not taken, of random words: `brave-otter`, else `brave-otter-2` to `-12`, else three words in the same way, else three words and
/// 64 random bits.
///
/// It always ends: if all of these are taken, the last one is returned, whatever `taken` says.
///
/// ```text
/// let id = slug(|id| sessions.contains_key(id), || rng.next_u64());
/// ```
pub fn slug(taken: impl Fn(&str) -> bool, mut random: impl FnMut() -> u64) -> String {
    let two = format!(
        "{}-{}",
        pick(&ADJECTIVES, &mut random),
        pick(&NOUNS, &mut random)
    );
    let three = format!("{two}-{}", pick(&NOUNS, &mut random));
    for words in [&two, &three] {
        if let Some(id) = numbered(words).find(|id| !taken(id)) {
            return id;
        }
    }
    // The number tells tries apart even if `random` repeats itself.
    let mut tries = (1..=MOST_TRIES).map(|number| format!("{three}-{:x}-{number}", random()));
    let last = tries.next_back();
    tries.find(|id| !taken(id)).or(last).unwrap_or(three)
}

fn numbered(words: &str) -> impl Iterator<Item = String> {
    let plain = std::iter::once(words.to_owned());
    plain.chain((2..=LAST_NUMBER).map(move |number| format!("{words}-{number}")))
}

fn pick<'a>(words: &[&'a str], random: &mut impl FnMut() -> u64) -> &'a str {
    // The remainder is less than the length; the bias is beyond notice.
    words[(random() % words.len() as u64) as usize]
}
