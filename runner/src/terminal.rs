//! The master's side of a pseudo terminal. portable-pty opens and resizes the pair; the child starts elsewhere.

use std::fs::OpenOptions;
use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::fs::OpenOptionsExt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use portable_pty::{MasterPty, PtySize, native_pty_system};
use rustix::io::{fcntl_dupfd_cloexec, ioctl_fionbio};
use tokio::net::unix::pipe;

/// Columns and rows of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WindowSize {
    /// Columns, at least 1.
    pub columns: u16,
    /// Rows, at least 1.
    pub rows: u16,
}

impl WindowSize {
    /// Most columns, and most rows: what a screen costs grows with both.
    pub const MOST: u16 = 500;
}

impl Default for WindowSize {
    /// What OpenClaw gives its terminals: 120 x 30.
    fn default() -> Self {
        Self {
            columns: 120,
            rows: 30,
        }
    }
}

impl From<WindowSize> for PtySize {
    fn from(size: WindowSize) -> Self {
        Self {
            rows: size.rows.max(1),
            cols: size.columns.max(1),
            pixel_width: 0,
            pixel_height: 0,
        }
    }
}

/// The master of a pair. Dropping it, and the ends made with it, hangs up.
///
/// Nothing is typed when it is dropped: portable-pty's own writer, which types an end-of-file then, is not used.
pub struct Terminal {
    /// Every use is one system call.
    master: Mutex<Box<dyn MasterPty + Send>>,
}

impl std::fmt::Debug for Terminal {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Terminal").finish_non_exhaustive()
    }
}

/// A new terminal, and what reads from it, writes to it and runs on it.
///
/// The ends are tokio's of pipes, which serve any descriptor that can be polled. Where a pipe has an end of file, the reading end of a terminal
/// fails with `EIO`.
#[derive(Debug)]
pub struct Opened {
    /// The master.
    pub terminal: Terminal,
    /// What the programs print.
    pub output: pipe::Receiver,
    /// What is typed.
    pub input: pipe::Sender,
    /// The other side, for the child.
    pub slave: OwnedFd,
}

impl Terminal {
    /// Opens a pair. Call it within a tokio runtime.
    ///
    /// # Errors
    /// The system gives no terminal.
    pub fn open(size: WindowSize) -> io::Result<Opened> {
        let pair = native_pty_system()
            .openpty(size.into())
            .map_err(io::Error::other)?;
        let missing = || io::Error::other("the terminal has no name");
        let name = pair.master.tty_name().ok_or_else(missing)?;
        let slave = OpenOptions::new()
            .read(true)
            .write(true)
            .custom_flags(libc::O_NOCTTY)
            .open(name)?;
        let terminal = Self {
            master: pair.master.into(),
        };
        let output = terminal.duplicate()?;
        let input = terminal.duplicate()?;
        // One flag for both: it belongs to what they are duplicates of.
        ioctl_fionbio(&output, true)?;
        Ok(Opened {
            terminal,
            output: pipe::Receiver::from_owned_fd_unchecked(output)?,
            input: pipe::Sender::from_owned_fd_unchecked(input)?,
            slave: OwnedFd::from(slave),
        })
    }

    /// Gives the window another size; the process group in the foreground gets SIGWINCH.
    ///
    /// # Errors
    /// The system refuses it.
    pub fn resize(&self, size: WindowSize) -> io::Result<()> {
        self.master().resize(size.into()).map_err(io::Error::other)
    }

    /// Whether a line is being read that is not to be seen, such as a password: line by line, without echo.
    pub fn hides_input(&self) -> bool {
        use rustix::termios::{LocalModes, tcgetattr};
        let modes = self
            .duplicate()
            .ok()
            .and_then(|master| tcgetattr(master).ok());
        modes.is_some_and(|termios| {
            let modes = termios.local_modes;
            modes.contains(LocalModes::ICANON) && !modes.contains(LocalModes::ECHO)
        })
    }

    /// The process group in the foreground, if there is one.
    pub fn foreground_group(&self) -> Option<u32> {
        let group = self.master().process_group_leader()?;
        u32::try_from(group).ok()
    }

    fn master(&self) -> MutexGuard<'_, Box<dyn MasterPty + Send>> {
        self.master.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn duplicate(&self) -> io::Result<OwnedFd> {
        let master = self.master();
        let raw = master
            .as_raw_fd()
            .ok_or_else(|| io::Error::other("the terminal has no descriptor"))?;
        #[expect(
            unsafe_code,
            reason = "portable-pty gives the number alone; the master that owns it is locked as long as this borrow lasts"
        )]
        let borrowed = unsafe { BorrowedFd::borrow_raw(raw) };
        Ok(fcntl_dupfd_cloexec(borrowed, 3)?)
    }
}
