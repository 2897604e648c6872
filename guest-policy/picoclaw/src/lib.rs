//! execgate-picoclaw.
