//! What the kernel tells of processes (proc(5)).

use std::collections::BTreeSet;
use std::fs;

use execgate_tests::{Scratch, leftovers};

/// The variable that every command is marked with.
const MARK: &[u8] = b"EXECGATE_SESSION=";

/// Processes of commands started from a scratch directory that still live. The program itself and its keeper are not among them.
pub fn commands(scratch: &Scratch) -> Vec<u32> {
    let is_marked = |pid: &u32| {
        let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        let mut variables = environment.split(|byte| *byte == 0);
        variables.any(|variable| variable.starts_with(MARK))
    };
    leftovers(scratch).into_iter().filter(is_marked).collect()
}

/// Processes below one that have ended and that nobody has waited for.
pub fn zombies(root: u32) -> Vec<u32> {
    let processes: Vec<Process> = fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| Process::read(entry.file_name().to_str()?.parse().ok()?))
        .collect();
    let mut family = BTreeSet::from([root]);
    loop {
        let children = processes.iter().filter(|one| family.contains(&one.parent));
        let more: Vec<u32> = children.map(|one| one.pid).collect();
        let size = family.len();
        family.extend(more);
        if family.len() == size {
            break;
        }
    }
    let is_zombie = |one: &&Process| one.state == "Z" && family.contains(&one.pid);
    let zombies = processes.iter().filter(is_zombie);
    zombies.map(|one| one.pid).collect()
}

struct Process {
    pid: u32,
    state: String,
    parent: u32,
}

impl Process {
    fn read(pid: u32) -> Option<Self> {
        let line = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The name before it may contain anything.
        let (_, fields) = line.rsplit_once(") ")?;
        let mut fields = fields.split(' ');
        Some(Self {
            pid,
            state: fields.next()?.to_owned(),
            parent: fields.next()?.parse().ok()?,
        })
    }
}

/// The most memory that a process ever took, in bytes.
pub fn peak_memory(pid: u32) -> u64 {
    memory(pid, "VmHWM:")
}

/// Memory of a process that is no file's, in bytes.
pub fn anonymous_memory(pid: u32) -> u64 {
    memory(pid, "RssAnon:")
}

fn memory(pid: u32, name: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).expect("the process lives");
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let kib = line.and_then(|line| line.trim().strip_suffix(" kB"));
    let kib: u64 = kib
        .and_then(|kib| kib.parse().ok())
        .expect("the kernel tells it in kB");
    kib * 1024
}
