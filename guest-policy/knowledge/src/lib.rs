//! execgate-knowledge.
