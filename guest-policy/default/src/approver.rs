//! The approver: a grant for exactly this request covers it, else a person is asked.

use execgate_guest::{Approver, Configure, Consideration, Grant, Problem, Request, Verdict};
use execgate_rules::prompt;

use crate::settings::Settings;

/// The approver of the default profile.
#[derive(Debug)]
pub struct DefaultApprover;

impl Configure for DefaultApprover {
    fn configure(settings: &str) -> Result<Self, Vec<Problem>> {
        Settings::read(settings)?;
        Ok(Self)
    }
}

impl Approver for DefaultApprover {
    fn consider(
        &self,
        request: &dyn Request,
        verdict: &Verdict,
        grants: &[Grant],
    ) -> Consideration {
        prompt::consider(request, verdict, grants)
    }
}
