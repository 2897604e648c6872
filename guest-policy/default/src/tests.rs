//! The profile natively.

mod approver;
mod commands;
mod formatter;
mod policy;
mod windows;
