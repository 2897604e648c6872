//! Allows commands that only read.
use execgate_guest::{Configure, Policy, Problem, Request, Verdict, allow, deny};

struct ReadOnly;
impl Configure for ReadOnly {
    fn configure(_settings: &str) -> Result<Self, Vec<Problem>> {
        Ok(Self)
    }
}
impl Policy for ReadOnly {
    fn evaluate(&self, request: &dyn Request) -> Verdict {
        if request.text() == "true" {
            return allow("only-true/true", "it does nothing");
        }
        deny("only-true/other", "this policy allows nothing but `true`")
    }
}
execgate_guest::export_policy!(ReadOnly);
