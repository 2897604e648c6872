//! execgate-keeper.
