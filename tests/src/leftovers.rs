//! Processes that a program has left behind.

use std::fs;

use crate::Scratch;

/// Process ids of what was started from a scratch directory and still lives, known by its home directory. Only Linux tells.
pub fn leftovers(scratch: &Scratch) -> Vec<u32> {
    let home = format!("HOME={}", scratch.home().display());
    let belongs = |pid: &u32| {
        let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environment
            .split(|byte| *byte == 0)
            .any(|variable| variable == home.as_bytes())
    };
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(belongs)
        .collect()
}

/// Those of them that run a program of this name.
pub fn processes(scratch: &Scratch, name: &str) -> Vec<u32> {
    let runs = |pid: &u32| {
        let program = fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
        program.trim_end() == name
    };
    leftovers(scratch).into_iter().filter(runs).collect()
}
