//! The policy: what it understands in full and knows to be harmless runs, the rest is asked or denied.

use execgate_guest::{Configure, Policy, Problem, Request, Verdict, ask};

use crate::settings::Settings;

/// The policy of the default profile.
#[derive(Debug)]
pub struct DefaultPolicy {
    settings: Settings,
}

impl Configure for DefaultPolicy {
    fn configure(settings: &str) -> Result<Self, Vec<Problem>> {
        Ok(Self {
            settings: Settings::read(settings)?,
        })
    }
}

impl Policy for DefaultPolicy {
    fn evaluate(&self, _request: &dyn Request) -> Verdict {
        let _ = self.settings.mode;
        ask("program/unknown", "nothing is known of it")
    }
}
