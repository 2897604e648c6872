//! What a process holds: descriptors, threads, children, memory.

use std::fs;

/// One count of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    pub descriptors: usize,
    pub threads: usize,
    /// Living processes below this one.
    pub processes: usize,
}

impl Held {
    pub fn now() -> Self {
        Self {
            descriptors: entries("/proc/self/fd"),
            threads: entries("/proc/self/task"),
            processes: below(std::process::id()),
        }
    }
}

fn entries(directory: &str) -> usize {
    fs::read_dir(directory).map_or(0, Iterator::count)
}

/// How many processes descend from one.
fn below(pid: u32) -> usize {
    let tasks = fs::read_dir(format!("/proc/{pid}/task"));
    let lists = tasks
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    let children: Vec<u32> = lists
        .flat_map(|list| {
            list.split_ascii_whitespace()
                .filter_map(|pid| pid.parse().ok())
                .collect::<Vec<_>>()
        })
        .collect();
    children.iter().map(|child| 1 + below(*child)).sum()
}

/// Resident memory in bytes that is this process's own: pages of files do not count, nor does what the allocator keeps for later.
pub fn resident() -> u64 {
    #[cfg(target_env = "gnu")]
    {
        #[expect(unsafe_code, reason = "it only gives memory back that nobody uses")]
        // SAFETY: malloc_trim(3) may be called at any time, from any thread.
        unsafe {
            libc::malloc_trim(0);
        }
    }
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("RssAnon:"));
    let kilobytes = line.and_then(|line| line.split_ascii_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}
