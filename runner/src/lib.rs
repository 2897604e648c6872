//! execgate.
