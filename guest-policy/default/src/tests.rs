//! The profile natively.

mod approver;
mod commands;
mod formatter;
mod operator;
mod policy;
mod windows;
