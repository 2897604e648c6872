//! The policy: everything or nothing.

use execgate_guest::{Configure, Kind, Policy, Problem, Request, Verdict, allow, deny};

use crate::settings::{Mode, Settings};

/// The policy of the openclaw profile.
#[derive(Debug)]
pub struct OpenclawPolicy {
    settings: Settings,
}

impl Configure for OpenclawPolicy {
    fn configure(settings: &str) -> Result<Self, Vec<Problem>> {
        Ok(Self {
            settings: Settings::read(settings)?,
        })
    }
}

impl Policy for OpenclawPolicy {
    fn evaluate(&self, request: &dyn Request) -> Verdict {
        if request.kind() == Kind::Patch {
            return allow(
                "patch/confined",
                "patches do not depend on the mode: the runner confines them",
            );
        }
        match self.settings.mode {
            Mode::Full => allow(
                "mode/full",
                "the mode is `full`: everything runs as written",
            ),
            Mode::Deny => deny("mode/deny", "exec denied: host=gateway security=deny"),
        }
    }
}
