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
const DIRECTORIES: &[&str] = &[
    "/.config/execgate",
    "/.local/state/execgate",
    "/.cache/execgate",
    "/.local/share/execgate",
    "/etc/execgate",
];

/// Variables that move them.
pub const VARIABLE_PREFIX: &str = "EXECGATE_";

/// Whether a text holds the name of such a directory.
pub fn names_own_directory(text: &str) -> bool {
    // All of them hold the program's name, and nearly no text does.
    text.contains(PROGRAM) && DIRECTORIES.iter().any(|name| text.contains(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_directory_is_found() {
        for directory in DIRECTORIES {
            assert!(names_own_directory(&format!("/home/user{directory}/x")));
        }
        assert!(!names_own_directory("/src/execgate/.config"));
    }
}
