//! The import `patterns`: regular expressions, compiled once for all instances of the engine.

use std::collections::HashMap;
use std::mem;
use std::sync::{Mutex, PoisonError};

use regex::bytes::{Regex, RegexBuilder};

use crate::bindings::execgate::policy::patterns::Host;
use crate::state::State;
use crate::wire::Span;

/// Bytes of a pattern, as the contract says.
const PATTERN: usize = 8 << 10;
/// Bytes of a compiled pattern: enough for what stands in 8 KiB, not for nested counts.
const PROGRAM: usize = 1 << 20;
/// Compiled patterns of one half of the cache.
const HALF: usize = 256;

/// A cache in two halves: what is used moves to the young half, and when that
/// is full the old half is forgotten.
#[derive(Default)]
pub(crate) struct Patterns(Mutex<Halves>);

#[derive(Default)]
struct Halves {
    young: HashMap<String, Regex>,
    old: HashMap<String, Regex>,
}

impl Halves {
    fn get(&mut self, pattern: &str) -> Option<Regex> {
        if let Some(regex) = self.young.get(pattern) {
            return Some(regex.clone());
        }
        let (pattern, regex) = self.old.remove_entry(pattern)?;
        self.insert(pattern, regex.clone());
        Some(regex)
    }

    fn insert(&mut self, pattern: String, regex: Regex) {
        if self.young.len() >= HALF {
            self.old = mem::take(&mut self.young);
        }
        self.young.insert(pattern, regex);
    }
}

impl Patterns {
    /// A compiled pattern, from the cache if it is there.
    fn compiled(&self, pattern: &str) -> Result<Regex, String> {
        if pattern.len() > PATTERN {
            return Err(format!(
                "the pattern has {} bytes, at most {PATTERN} are allowed",
                pattern.len()
            ));
        }
        if let Some(regex) = self.locked().get(pattern) {
            return Ok(regex);
        }
        // Compiled without the lock: others need not wait for it.
        let regex = RegexBuilder::new(pattern)
            .unicode(false)
            .size_limit(PROGRAM)
            .dfa_size_limit(PROGRAM)
            .build()
            .map_err(|error| error.to_string())?;
        self.locked().insert(pattern.to_owned(), regex.clone());
        Ok(regex)
    }

    fn locked(&self) -> std::sync::MutexGuard<'_, Halves> {
        // Every state of the maps is a good one.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn find(&self, pattern: &str, text: &str) -> Result<Option<Span>, String> {
        let found = self.compiled(pattern)?.find(text.as_bytes());
        Ok(found.map(|found| Span {
            // Without Unicode `.` is one byte: a match may end within a character.
            start: offset(text.floor_char_boundary(found.start())),
            end: offset(text.ceil_char_boundary(found.end())),
        }))
    }
}

/// Texts of a guest fit its 32-bit memory.
fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

impl Host for State {
    fn check(&mut self, pattern: String) -> wasmtime::Result<Result<(), String>> {
        self.bill(PATTERN)?;
        Ok(self.services.patterns.compiled(&pattern).map(drop))
    }

    fn find(
        &mut self,
        pattern: String,
        text: String,
    ) -> wasmtime::Result<Result<Option<Span>, String>> {
        // The time is at most proportional to the product; patterns of a few
        // dozen bytes run at the speed of their text.
        self.bill((text.len() + 64).saturating_mul(1 + pattern.len() / 64))?;
        Ok(self.services.patterns.find(&pattern, &text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(pattern: &str, text: &str) -> Option<(u32, u32)> {
        let found = Patterns::default().find(pattern, text).unwrap();
        found.map(|span| (span.start, span.end))
    }

    #[test]
    fn classes_are_ascii_and_literals_are_not() {
        assert_eq!(find(r"\w+", "é1"), Some((2, 3)));
        assert_eq!(find(r"\bx", "éx"), Some((2, 3)));
        assert_eq!(find("née", "je suis née"), Some((8, 12)));
        assert_eq!(find("(?i)ABC", "xabc"), Some((1, 4)));
    }

    #[test]
    fn spans_stand_on_characters() {
        assert_eq!(find("n.", "né"), Some((0, 3)));
        assert_eq!(find("", "é"), Some((0, 0)));
    }

    #[test]
    fn patterns_that_are_wrong_or_too_large_say_so() {
        let patterns = Patterns::default();
        assert!(patterns.compiled("(").unwrap_err().contains("unclosed"));
        assert!(patterns.compiled("(?:a{1000}){1000}").is_err());
        assert!(patterns.compiled(&"a".repeat(PATTERN + 1)).is_err());
    }

    #[test]
    fn the_cache_keeps_what_is_used() {
        let patterns = Patterns::default();
        for index in 0..4 * HALF {
            patterns.compiled("used").unwrap();
            patterns.compiled(&format!("p{index}")).unwrap();
        }
        let halves = patterns.locked();
        assert!(halves.young.len() + halves.old.len() <= 2 * HALF);
        assert!(halves.young.contains_key("used"));
    }
}
