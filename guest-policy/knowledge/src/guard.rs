//! The runtime's own controls: what an agent may never turn.

/// The program that approves, swaps and loosens.
pub const PROGRAM: &str = "execgate";

/// Its verbs that only show something.
pub const HARMLESS_VERBS: &[&str] = &[
    "--help",
    "-h",
    "help",
    "--version",
    "-V",
    "version",
    "doctor",
    "explain",
];

/// Directory names that hold its state, cache and configuration.
pub const DIRECTORIES: &[&str] = &[
    "/.config/execgate",
    "/.local/state/execgate",
    "/.cache/execgate",
    "/.local/share/execgate",
    "/etc/execgate",
];

/// Variables that move them.
pub const VARIABLE_PREFIX: &str = "EXECGATE_";
