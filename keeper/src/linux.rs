//! What only Linux has: a subreaper, pidfds, `/proc`, and an inherited mark that no program clears by accident.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read};
use std::os::fd::OwnedFd;

use execgate_keeper::SESSION_VARIABLE;
use rustix::io::{Errno, fcntl_dupfd_cloexec};
use rustix::net::RecvFlags;
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{
    Pid, PidfdFlags, Resource, Rlimit, Signal, getrlimit, pidfd_open, pidfd_send_signal, setrlimit,
};

use crate::child::Inheritance;
use crate::tree::Process;

/// How messages are received: descriptors among them must not leak into a child.
pub const RECEIVE: RecvFlags = RecvFlags::CMSG_CLOEXEC;

/// Most bytes read of one environment when a marker is looked for.
const ENVIRONMENT_READ: u64 = 4 << 20;

/// Longest command line reported, in bytes.
const COMMAND_READ: u64 = 200;

/// Base of the marks: so large (146,000 years of microseconds) that as a limit it means nothing.
const MARK: u64 = 1 << 62;

/// Becomes parent of every orphan below and takes a name that a listing shows.
pub fn become_reaper() -> io::Result<()> {
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
    rustix::thread::set_name(c"execgate-keeper")?;
    Ok(())
}

/// Opens a pipe that exec closes, both ends above every descriptor a child may be given.
pub fn pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    let (read, write) = pipe_with(PipeFlags::CLOEXEC)?;
    Ok((
        fcntl_dupfd_cloexec(read, 64)?,
        fcntl_dupfd_cloexec(write, 64)?,
    ))
}

/// Makes a child die with the keeper, even if the keeper died before this call.
pub fn die_with_parent(parent: Pid) -> io::Result<()> {
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
    if rustix::process::getppid() == Some(parent) {
        Ok(())
    } else {
        Err(Errno::SRCH.into())
    }
}

/// Lifts the keeper's limit on open files and returns what it was.
pub fn lift_open_files() -> io::Result<Rlimit> {
    let before = getrlimit(Resource::Nofile);
    setrlimit(
        Resource::Nofile,
        Rlimit {
            current: before.maximum,
            ..before
        },
    )?;
    Ok(before)
}

/// Returns the mark of the session with this number: a value for the limit on real-time processor time.
///
/// Of all inherited attributes this one survives exec, `setsid`, `env -i` and a change of user, can be read of any process, and has no effect on
/// one that is not of a real-time class. `None` when the limit is already set: by an operator, or by another keeper above this one.
pub fn mark(number: u32) -> Option<u64> {
    let keeper = u64::from(
        rustix::process::getpid()
            .as_raw_nonzero()
            .get()
            .unsigned_abs(),
    );
    let limit = getrlimit(Resource::Rttime);
    let free = limit.current.is_none() && limit.maximum.is_none();
    free.then_some(MARK | (keeper << 32) | u64::from(number))
}

/// Sets the child's limits and its mark.
pub fn inherit(inheritance: &Inheritance) -> io::Result<()> {
    setrlimit(Resource::Nofile, inheritance.open_files)?;
    if let Some(mark) = inheritance.mark {
        setrlimit(
            Resource::Rttime,
            Rlimit {
                current: Some(mark),
                maximum: Some(mark),
            },
        )?;
    }
    Ok(())
}

/// Reads the mark of a process.
pub fn mark_of(pid: Pid) -> Option<u64> {
    let limits = fs::read_to_string(format!("/proc/{pid}/limits")).ok()?;
    let line = limits
        .lines()
        .find_map(|line| line.strip_prefix("Max realtime timeout"))?;
    line.split_ascii_whitespace().nth(1)?.parse().ok()
}

/// Reads the session marker from the environment a process was started with.
pub fn session_of(pid: Pid) -> Option<String> {
    let mut environment = Vec::new();
    let file = fs::File::open(format!("/proc/{pid}/environ")).ok()?;
    file.take(ENVIRONMENT_READ)
        .read_to_end(&mut environment)
        .ok()?;
    let mut entries = environment.split(|&byte| byte == 0);
    let value = entries.find_map(|entry| {
        entry
            .strip_prefix(SESSION_VARIABLE.as_bytes())?
            .strip_prefix(b"=")
    })?;
    String::from_utf8(value.to_vec()).ok()
}

/// Lists the processes of this system that are alive or not reaped yet. The first processes of sessions are among them anyway.
pub fn processes(_roots: &[Pid]) -> Vec<Process> {
    let Ok(entries) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    let pids = entries
        .flatten()
        .filter_map(|entry| parse_pid(&entry.file_name()));
    pids.filter_map(read_process).collect()
}

/// Lists the direct children of a process, of all its threads; `None` where the kernel does not say.
///
/// Much cheaper than [`processes`], but children that end meanwhile can hide others: good for a listing, not for an ending.
pub fn children(parent: Pid) -> Option<Vec<Pid>> {
    let mut children = Vec::new();
    for thread in fs::read_dir(format!("/proc/{parent}/task")).ok()?.flatten() {
        let list = fs::read_to_string(thread.path().join("children")).ok()?;
        children.extend(
            list.split_ascii_whitespace()
                .filter_map(|pid| parse_pid(OsStr::new(pid))),
        );
    }
    Some(children)
}

/// Lists these processes and all their descendants, by way of [`children`].
pub fn below(mut pending: Vec<Pid>) -> Vec<Process> {
    let mut processes = Vec::new();
    while let Some(pid) = pending.pop() {
        pending.extend(children(pid).unwrap_or_default());
        processes.extend(read_process(pid));
    }
    processes
}

fn parse_pid(name: &OsStr) -> Option<Pid> {
    Pid::from_raw(name.to_str()?.parse().ok()?)
}

/// Reads one process; `None` when it is gone.
fn read_process(pid: Pid) -> Option<Process> {
    let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
    // The name is in brackets and may hold anything, brackets and line ends too: the fields begin behind the last one.
    let end = stat.iter().rposition(|&byte| byte == b')')?;
    let fields = std::str::from_utf8(stat.get(end + 1..)?).ok()?;
    let fields: Vec<&str> = fields.split_ascii_whitespace().collect();
    let number = |index: usize| fields.get(index)?.parse::<i32>().ok();
    let ended = matches!(fields.first(), Some(&("Z" | "X" | "x")));
    Some(Process {
        pid,
        parent: number(1)?,
        group: number(2)?,
        session: number(3)?,
        // A process whose first thread has ended shows as a zombie while others run.
        alive: !ended || number(17)? > 1,
        started: fields.get(19)?.parse().ok()?,
    })
}

/// Sends signals to exactly this process, never to a later one with the same number. Tells whether it was reached: the first signal may
/// end it before the others come.
pub fn signal(process: &Process, signals: &[Signal]) -> bool {
    let Ok(handle) = pidfd_open(process.pid, PidfdFlags::empty()) else {
        return false;
    };
    let same = read_process(process.pid).is_some_and(|now| now.started == process.started);
    let mut sent = signals
        .iter()
        .map(|&signal| pidfd_send_signal(&handle, signal).is_ok());
    let is_reached = same && sent.next() == Some(true);
    is_reached && sent.fold(true, |_, _| true)
}

/// Returns the command line of a process, or its name in brackets.
pub fn command(pid: Pid) -> String {
    let mut line = Vec::new();
    if let Ok(file) = fs::File::open(format!("/proc/{pid}/cmdline")) {
        let _ = file.take(COMMAND_READ).read_to_end(&mut line);
    }
    while line.last() == Some(&0) {
        line.pop();
    }
    if line.is_empty() {
        let name = fs::read(format!("/proc/{pid}/comm")).unwrap_or_default();
        return format!("[{}]", String::from_utf8_lossy(name.trim_ascii_end()));
    }
    String::from_utf8_lossy(&line).replace('\0', " ")
}

/// Kills the whole group of a process that a scan has just seen, in one step that no fork escapes.
///
/// The group's number cannot have passed to another one unless all process numbers went round since the scan. The keeper's own group, and the
/// numbers that mean something else to kill(2), are left alone.
pub fn kill_group(process: &Process) {
    let own = rustix::process::getpgrp().as_raw_nonzero().get();
    if process.group > 1
        && process.group != own
        && let Some(group) = Pid::from_raw(process.group)
    {
        let _ = rustix::process::kill_process_group(group, Signal::KILL);
    }
}
