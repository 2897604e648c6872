//! Who is at the other end of a connection.

use tokio::net::UnixStream;

/// Why a peer is not served.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Unwelcome {
    #[error("this daemon serves its own user alone")]
    OtherUser,
    #[error("commands that this daemon runs cannot control it; ask a person")]
    OwnDescendant,
    #[error("the system does not say who is connected")]
    Unknown,
}

/// Checks the user, and that it is no process of a session: those descend from this process, through the keeper, whatever they did.
pub(super) fn check(stream: &UnixStream) -> Result<(), Unwelcome> {
    let credentials = stream.peer_cred().map_err(|_| Unwelcome::Unknown)?;
    if credentials.uid() != rustix::process::geteuid().as_raw() {
        return Err(Unwelcome::OtherUser);
    }
    let pid = credentials.pid().ok_or(Unwelcome::Unknown)?;
    match descends_from(pid, std::process::id().cast_signed()) {
        Some(false) => Ok(()),
        Some(true) => Err(Unwelcome::OwnDescendant),
        None => Err(Unwelcome::Unknown),
    }
}

/// Whether a process is a descendant of another; `None` where that cannot be told.
#[cfg(target_os = "linux")]
fn descends_from(mut pid: i32, ancestor: i32) -> Option<bool> {
    // No chain of processes is longer than there are ids.
    for _ in 0..4_194_304 {
        if pid == ancestor {
            return Some(true);
        }
        if pid <= 1 {
            return Some(false);
        }
        pid = parent(pid)?;
    }
    None
}

/// Elsewhere the keeper's children are not told apart yet: nobody is taken for one.
#[cfg(not(target_os = "linux"))]
fn descends_from(_pid: i32, _ancestor: i32) -> Option<bool> {
    Some(false)
}

/// The parent of a process (proc_pid_stat(5), field 4). Its name, field 2, may hold anything.
#[cfg(target_os = "linux")]
fn parent(pid: i32) -> Option<i32> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let after_name = &stat[stat.rfind(')')? + 1..];
    after_name.split_ascii_whitespace().nth(1)?.parse().ok()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_child_descends_from_this_process_and_its_parent_does_not() {
        let own = std::process::id().cast_signed();
        let mut child = std::process::Command::new("cat")
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        let pid = child.id().cast_signed();
        assert_eq!(descends_from(pid, own), Some(true));
        assert_eq!(descends_from(own, pid), Some(false));
        drop(child.stdin.take());
        child.wait().unwrap();
        assert_eq!(descends_from(pid, own), None);
    }
}
