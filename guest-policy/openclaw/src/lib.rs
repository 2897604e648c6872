//! The openclaw profile: its policy, approver and formatter in one component.
//!
//! * [`OpenclawPolicy`] decides by `mode`: `full` runs everything as written, `deny` nothing. The modes between them need
//!   an allowlist and approvals; until this component has them they are refused when it is configured, not guessed.
//! * [`OpenclawFormatter`] writes results and sessions as OpenClaw's clients read them.
//! * [`OpenclawApprover`] refuses: neither mode asks.

mod approver;
mod formatter;
mod policy;
mod settings;

pub use approver::OpenclawApprover;
pub use formatter::OpenclawFormatter;
pub use policy::OpenclawPolicy;
pub use settings::{Mode, Settings};

execgate_guest::export_policy!(OpenclawPolicy);
execgate_guest::export_approver!(OpenclawApprover);
execgate_guest::export_formatter!(OpenclawFormatter);

#[cfg(test)]
mod tests;
