//! What the kernel tells of processes that it ended for want of memory.

use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};

/// Kills counted when this was last asked.
static SEEN: AtomicU64 = AtomicU64::new(u64::MAX);

/// Begins to count; before, a kill cannot be told from older ones.
pub(crate) fn watch() {
    if let Some(count) = kills() {
        SEEN.store(count, Ordering::Relaxed);
    }
}

/// Whether the kernel has ended a process of this control group, or of this machine where the group is not told, since this was last asked.
///
/// Asked when a process was ended by SIGKILL and nobody here sent it.
pub(crate) fn ran_out() -> bool {
    kills().is_some_and(|count| count > SEEN.swap(count, Ordering::Relaxed))
}

/// The kernel's own count: `oom_kill` of the control group's memory.events (cgroup v2), else of /proc/vmstat.
fn kills() -> Option<u64> {
    let of_group = fs::read_to_string("/proc/self/cgroup")
        .ok()
        .and_then(|groups| {
            let path = groups.lines().find_map(|line| line.strip_prefix("0::"))?;
            count(&format!("/sys/fs/cgroup{path}/memory.events"))
        });
    of_group.or_else(|| count("/proc/vmstat"))
}

fn count(path: &str) -> Option<u64> {
    let text = fs::read_to_string(path).ok()?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("oom_kill "))?;
    line.trim().parse().ok()
}
