//! The approver: this profile never asks, so whatever comes here is refused.

use execgate_guest::{Approver, Configure, Consideration, Grant, Problem, Request, Verdict};

use crate::settings::Settings;

/// The approver of the picoclaw profile.
#[derive(Debug)]
pub struct PicoApprover;

impl Configure for PicoApprover {
    fn configure(settings: &str) -> Result<Self, Vec<Problem>> {
        Settings::read(settings)?;
        Ok(Self)
    }
}

impl Approver for PicoApprover {
    fn consider(
        &self,
        _request: &dyn Request,
        verdict: &Verdict,
        _grants: &[Grant],
    ) -> Consideration {
        Consideration::Refuse(format!("this profile asks nobody: {}", verdict.reason))
    }
}
