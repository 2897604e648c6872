//! The profile natively.

mod approver;
mod commands;
mod disguises;
mod formatter;
mod operator;
mod policy;
mod windows;
