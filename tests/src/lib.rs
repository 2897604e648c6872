//! execgate-tests.
