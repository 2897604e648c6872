//! The built-in components, built from `guest-policy/` with this crate.

use execgate_host::Source;

use crate::profile::Profile;

include!(concat!(env!("OUT_DIR"), "/guests.rs"));

/// The component that reads command texts.
pub fn analyzer() -> Source {
    Source::embedded("analyzer", ANALYZER)
}

/// A profile's policy, approver and formatter, in one component.
pub fn bundle(profile: Profile) -> Source {
    match profile {
        Profile::Default => Source::embedded("default", DEFAULT),
        Profile::Picoclaw => Source::embedded("picoclaw", PICOCLAW),
        Profile::Openclaw => Source::embedded("openclaw", OPENCLAW),
    }
}
