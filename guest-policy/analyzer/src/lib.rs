//! execgate-analyzer.
