//! Systems without files in memory.

use std::io::{self, Seek, Write};
use std::os::fd::OwnedFd;

use rustix::net::SendFlags;

/// How messages are sent. Rust programs ignore `SIGPIPE` unless they ask for it.
pub const SEND: SendFlags = SendFlags::empty();

/// Puts text into a file without a name.
pub fn text(bytes: &[u8]) -> io::Result<OwnedFd> {
    let mut file = tempfile::tempfile()?;
    file.write_all(bytes)?;
    // Opening `/dev/fd` shares the position here.
    file.rewind()?;
    Ok(OwnedFd::from(file))
}

/// A program must have a name here.
pub fn program(_bytes: &[u8]) -> io::Result<OwnedFd> {
    Err(io::ErrorKind::Unsupported.into())
}
