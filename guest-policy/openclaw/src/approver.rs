//! The approver: neither mode asks, so whatever comes here is refused.

use execgate_guest::{Approver, Configure, Consideration, Grant, Problem, Request, Verdict};

use crate::settings::Settings;

/// The approver of the openclaw profile.
#[derive(Debug)]
pub struct OpenclawApprover;

impl Configure for OpenclawApprover {
    fn configure(settings: &str) -> Result<Self, Vec<Problem>> {
        Settings::read(settings)?;
        Ok(Self)
    }
}

impl Approver for OpenclawApprover {
    fn consider(
        &self,
        _request: &dyn Request,
        verdict: &Verdict,
        _grants: &[Grant],
    ) -> Consideration {
        Consideration::Refuse(format!("this mode asks nobody: {}", verdict.reason))
    }
}
