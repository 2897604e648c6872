//! The picoclaw profile: its policy, approver and formatter in one component.
//!
//! * [`PicoPolicy`] decides: internal channels, the caller's directory, deny rules, allowlist, path guard.
//! * [`PicoFormatter`] writes results and refusals as that system's clients read them.
//! * [`PicoApprover`] refuses: the profile never asks.
//!
//! What the children of an allowed command do is not looked at (`make`, `npm run`).

mod approver;
mod expansion;
mod formatter;
mod guard;
mod policy;
mod session;
mod settings;

pub use approver::PicoApprover;
pub use formatter::PicoFormatter;
pub use policy::PicoPolicy;
pub use settings::Settings;

execgate_guest::export_policy!(PicoPolicy);
execgate_guest::export_approver!(PicoApprover);
execgate_guest::export_formatter!(PicoFormatter);

#[cfg(test)]
mod tests;
