//! execgate-default.
