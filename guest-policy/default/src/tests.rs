//! The profile natively.

mod approver;
mod commands;
mod disguises;
mod formatter;
mod policy;
mod windows;
