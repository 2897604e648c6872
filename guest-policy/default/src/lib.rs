//! The default profile: its policy, approver and formatter in one component.
//!
//! * [`DefaultPolicy`] allows what it understands in full and knows to be harmless, denies what cannot be undone
//!   or should never be an agent's, and asks about the rest.
//! * [`DefaultApprover`] asks a person, unless a grant covers exactly the request.
//! * [`DefaultFormatter`] writes results and refusals.
//!
//! Settings: `mode` is one of `ask` (the verdict as judged), `auto` (the same; the runner may have a reviewer
//! answer), `allowlist` (what would be asked is denied), `deny` (nothing runs) and `full` (everything runs but the
//! runtime's own controls); `exempt` lists rules and categories that are taken out; `rules` are the operator's own (see
//! `execgate_rules::operator` and docs/rules.md); `max_output_chars` cuts output.

mod access;
mod approver;
mod candidates;
mod delete;
mod directories;
mod environment;
mod facts;
mod finding;
mod flow;
mod formatter;
mod judge;
mod network;
mod operator;
mod patch;
mod place;
mod policy;
mod program;
mod rules;
mod settings;
mod shared;
mod table;
mod windows;

pub use approver::DefaultApprover;
pub use formatter::DefaultFormatter;
pub use policy::DefaultPolicy;
pub use settings::{Mode, Settings};

execgate_guest::export_policy!(DefaultPolicy);
execgate_guest::export_approver!(DefaultApprover);
execgate_guest::export_formatter!(DefaultFormatter);

#[cfg(test)]
mod tests;
