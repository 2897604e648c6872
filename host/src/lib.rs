//! execgate-host.
