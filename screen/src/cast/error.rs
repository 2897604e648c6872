//! Why a recording cannot be written or read.

use std::io;

/// Why a recording cannot be written or read. Lines are counted from 1.
#[derive(Debug, thiserror::Error)]
pub enum CastError {
    /// Nothing was read or written.
    #[error("the recording cannot be read or written")]
    Io(#[from] io::Error),
    /// The quota leaves no room for the header and the marker at the end.
    #[error(
        "a quota of {quota_bytes} bytes leaves no room for the header: give at least {needed_bytes}"
    )]
    Quota {
        /// What was given.
        quota_bytes: u64,
        /// What is needed.
        needed_bytes: u64,
    },
    /// A speed that is no positive number.
    #[error("the speed `{0}` is none: give a number above 0, 1 for the speed it was recorded at")]
    Speed(f64),
    /// Another version of the format.
    #[error(
        "line 1: this is asciicast version {0}, only version 2 is supported: convert it with `asciinema convert`"
    )]
    Version(u64),
    /// The first line is no header.
    #[error("line 1: no header of an asciicast: {0}")]
    Header(String),
    /// A line is no event.
    #[error("line {line}: no event of an asciicast: {problem}")]
    Line {
        /// Which line.
        line: u64,
        /// What is wrong with it.
        problem: String,
    },
    /// A line is longer than anything this library writes.
    #[error("line {line}: longer than {limit_bytes} bytes")]
    LongLine {
        /// Which line.
        line: u64,
        /// Most bytes of a line.
        limit_bytes: u64,
    },
}
