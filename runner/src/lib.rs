//! The runner: processes and what they print.

pub mod completion;
pub mod keeper;
pub mod output;
