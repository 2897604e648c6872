//! execgate-read-only.
