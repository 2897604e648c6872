//! The profile natively.

mod commands;
