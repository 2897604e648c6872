//! Regular expressions: the host's in a component, the same crate in native tests.

use crate::types::Span;

/// Checks a pattern.
///
/// # Errors
/// What is wrong with it.
pub fn check(pattern: &str) -> Result<(), String> {
    imp::check(pattern)
}

/// The first match of a pattern in a text, if there is one.
///
/// # Errors
/// What is wrong with the pattern.
pub fn find(pattern: &str, text: &str) -> Result<Option<Span>, String> {
    imp::find(pattern, text)
}

#[cfg(target_family = "wasm")]
mod imp {
    pub use crate::bindings::execgate::policy::patterns::{check, find};
}

#[cfg(not(target_family = "wasm"))]
mod imp {
    use crate::types::Span;

    fn compile(pattern: &str) -> Result<regex::bytes::Regex, String> {
        regex::bytes::RegexBuilder::new(pattern)
            .unicode(false)
            .build()
            .map_err(|error| error.to_string())
    }

    pub fn check(pattern: &str) -> Result<(), String> {
        compile(pattern).map(drop)
    }

    pub fn find(pattern: &str, text: &str) -> Result<Option<Span>, String> {
        let found = compile(pattern)?.find(text.as_bytes()).map(|hit| Span {
            start: u32::try_from(hit.start()).unwrap_or(u32::MAX),
            end: u32::try_from(hit.end()).unwrap_or(u32::MAX),
        });
        Ok(found)
    }
}
