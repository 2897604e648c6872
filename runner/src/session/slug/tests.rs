use super::*;
use pretty_assertions::assert_eq;
use std::cell::Cell;
use std::collections::HashSet;

/// Numbers that look random, always the same ones (SplitMix64).
fn numbers() -> impl FnMut() -> u64 {
    let mut state = 1_u64;
    move || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }
}

#[test]
fn the_words_are_plain_and_different() {
    let words: Vec<_> = ADJECTIVES.iter().chain(&NOUNS).collect();
    assert!(
        words
            .iter()
            .all(|word| word.bytes().all(|byte| byte.is_ascii_lowercase()))
    );
    let different: HashSet<_> = words.iter().collect();
    assert_eq!(different.len(), 42 + 54);
}

#[test]
fn taken_words_get_a_number_then_a_third_word_then_entropy() {
    let random = || 0;
    let mut taken = HashSet::new();
    let mut ids = Vec::new();
    for _ in 0..26 {
        let id = slug(|id| taken.contains(id), random);
        taken.insert(id.clone());
        ids.push(id);
    }
    let (two, rest) = ids.split_at(12);
    assert_eq!(two[..2], ["agile-acorn", "agile-acorn-2"]);
    assert_eq!(two[11], "agile-acorn-12");
    let (three, more) = rest.split_at(12);
    assert_eq!(three[..2], ["agile-acorn-acorn", "agile-acorn-acorn-2"]);
    assert_eq!(three[11], "agile-acorn-acorn-12");
    assert_eq!(more, ["agile-acorn-acorn-0-1", "agile-acorn-acorn-0-2"]);
}

#[test]
fn it_ends_even_if_everything_is_taken() {
    let asked = Cell::new(0);
    let everything = |_: &str| {
        asked.set(asked.get() + 1);
        true
    };
    let id = slug(everything, numbers());
    assert!(asked.get() < 50);
    assert!(id.len() > 20, "{id}");
}

#[test]
fn thousands_of_sessions_have_different_ids() {
    let mut taken = HashSet::new();
    let mut random = numbers();
    for _ in 0..20_000 {
        let id = slug(|id| taken.contains(id), &mut random);
        assert!(id.len() < 50);
        assert!(taken.insert(id));
    }
}
