//! execgate-guest.
