//! Systems without subreaper, pidfds and `/proc`.
//!
//! There, the keeper sees its direct children only: a session is its first process and that one's process group. Descendants that leave the
//! group are not found, and orphans are not the keeper's.

use std::io;
use std::os::fd::OwnedFd;

use rustix::io::{FdFlags, fcntl_dupfd_cloexec, fcntl_setfd};
use rustix::net::RecvFlags;
use rustix::process::{Pid, Resource, Rlimit, Signal, getrlimit, setrlimit};

use crate::child::Inheritance;
use crate::tree::Process;

/// How messages are received. Received descriptors are closed by the child itself, before it executes a program.
pub const RECEIVE: RecvFlags = RecvFlags::empty();

/// There is no way to adopt orphans here.
pub fn become_reaper() -> io::Result<()> {
    Ok(())
}

/// Opens a pipe that exec closes, both ends above every descriptor a child may be given.
pub fn pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    let (read, write) = rustix::pipe::pipe()?;
    fcntl_setfd(&read, FdFlags::CLOEXEC)?;
    fcntl_setfd(&write, FdFlags::CLOEXEC)?;
    Ok((
        fcntl_dupfd_cloexec(read, 64)?,
        fcntl_dupfd_cloexec(write, 64)?,
    ))
}

/// There is no such wish here: a keeper that is killed leaves its children running.
pub fn die_with_parent(_parent: Pid) -> io::Result<()> {
    Ok(())
}

/// Returns the limit on open files, which stays as it is.
pub fn lift_open_files() -> io::Result<Rlimit> {
    Ok(getrlimit(Resource::Nofile))
}

/// There is no mark here.
pub fn mark(_number: u32) -> Option<u64> {
    None
}

/// Sets the child's limits.
pub fn inherit(inheritance: &Inheritance) -> io::Result<()> {
    debug_assert!(inheritance.mark.is_none(), "`mark` gives none here");
    Ok(setrlimit(Resource::Nofile, inheritance.open_files)?)
}

/// There is no mark here.
pub fn mark_of(_pid: Pid) -> Option<u64> {
    None
}

/// Another process's environment is not read here.
pub fn session_of(_pid: Pid) -> Option<String> {
    None
}

/// Lists the processes whose groups the keeper leads.
pub fn processes(roots: &[Pid]) -> Vec<Process> {
    let keeper = rustix::process::getpid().as_raw_nonzero().get();
    let alive = |pid: &&Pid| rustix::process::test_kill_process_group(**pid).is_ok();
    let process = |pid: &Pid| {
        let number = pid.as_raw_nonzero().get();
        Process {
            pid: *pid,
            parent: keeper,
            group: number,
            session: number,
            started: 0,
            alive: true,
        }
    };
    roots.iter().filter(alive).map(process).collect()
}

/// Nobody says.
pub fn children(_parent: Pid) -> Option<Vec<Pid>> {
    None
}

/// Never asked for, since [`children`] gives nothing.
pub fn below(_pending: Vec<Pid>) -> Vec<Process> {
    Vec::new()
}

/// Sends signals to the group that this process leads; it is the keeper's own child and not reaped.
pub fn signal(process: &Process, signals: &[Signal]) -> bool {
    let send = |&signal: &Signal| rustix::process::kill_process_group(process.pid, signal).is_ok();
    signals.iter().all(send)
}

/// [`signal`] reaches the group already.
pub fn kill_group(_process: &Process) {}

/// Names a process by its number.
pub fn command(pid: Pid) -> String {
    format!("[{pid}]")
}
