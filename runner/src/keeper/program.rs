//! Starting the embedded keeper program.

use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Stdio;
use std::{fs, os::unix::net::UnixStream};

use tempfile::TempDir;
use tokio::process::{Child, Command};

use super::platform;

/// The keeper program for this target, built by the build script.
static PROGRAM: &[u8] = include_bytes!(env!("EXECGATE_KEEPER_PROGRAM"));

/// A started keeper program.
pub struct Started {
    pub child: Child,
    /// This side's end of the socket pair; non-blocking.
    pub socket: UnixStream,
    /// The program's file, if it had to be written; it may go once the keeper is ready.
    pub directory: Option<TempDir>,
}

/// Starts the program from memory or, where that is refused, from a private file.
pub fn start() -> io::Result<Started> {
    start_from_memory().or_else(|_| start_from_file())
}

fn start_from_memory() -> io::Result<Started> {
    let program = platform::program(PROGRAM)?;
    let path = format!("/proc/self/fd/{}", program.as_raw_fd());
    let (child, socket) = run(Path::new(&path))?;
    Ok(Started {
        child,
        socket,
        directory: None,
    })
}

fn start_from_file() -> io::Result<Started> {
    let directory = TempDir::with_prefix("execgate-")?;
    let path = directory.path().join("execgate-keeper");
    fs::write(&path, PROGRAM)?;
    fs::set_permissions(&path, fs::Permissions::from_mode(0o700))?;
    let (child, socket) = run_settled(&path)?;
    Ok(Started {
        child,
        socket,
        directory: Some(directory),
    })
}

/// A process that another thread forks meanwhile holds the file open for writing until it executes its program.
fn run_settled(path: &Path) -> io::Result<(Child, UnixStream)> {
    for _ in 0..100 {
        match run(path) {
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy => {
                std::thread::yield_now()
            }
            result => return result,
        }
    }
    run(path)
}

fn run(path: &Path) -> io::Result<(Child, UnixStream)> {
    let (ours, theirs) = UnixStream::pair()?;
    ours.set_nonblocking(true)?;
    let mut command = std::process::Command::new(path);
    // The environment of the parent of all commands can be read by each of them: it holds nothing.
    command.arg0("execgate-keeper").env_clear().current_dir("/");
    command
        .stdin(OwnedFd::from(theirs))
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let child = Command::from(command).spawn()?;
    Ok((child, ours))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    async fn greets(started: Started) {
        let Started {
            mut child,
            mut socket,
            directory,
        } = started;
        socket.set_nonblocking(false).unwrap();
        let mut length = [0; 4];
        socket.read_exact(&mut length).unwrap();
        assert_eq!(length, [1, 0, 0, 0]);
        drop((socket, directory));
        assert!(child.wait().await.unwrap().success());
    }

    #[tokio::test]
    async fn the_program_runs_from_a_private_file_too() {
        greets(start_from_file().unwrap()).await;
    }

    #[tokio::test]
    #[cfg(target_os = "linux")]
    async fn the_program_runs_from_memory() {
        greets(start_from_memory().unwrap()).await;
    }
}
