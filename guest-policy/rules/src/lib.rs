//! execgate-rules.
