//! execgate-shell: command text to segments.
