//! Reads patches in the format that models write for `apply_patch`, and places their hunks.
#![forbid(unsafe_code)]

mod automaton;
mod edit;
mod intent;
mod locate;
mod parse;
mod patch;
mod source;
mod text;

pub use intent::{Intent, Operation, files};
pub use parse::{ParseError, parse};
pub use patch::{Action, Hunk, HunkLine, MAX_HUNKS, MAX_PATCH_BYTES, Patch, Section};
