//! What only Linux has: files in memory, for the keeper program and for command text too long for an argument.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::OwnedFd;

use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, memfd_create};
use rustix::io::Errno;
use rustix::net::SendFlags;

/// How messages are sent: a keeper that is gone must not end the embedding program by a signal.
pub const SEND: SendFlags = SendFlags::NOSIGNAL;

/// Puts text into a file that nobody can change any more. Each opening of it by way of `/dev/fd` begins at its start.
pub fn text(bytes: &[u8]) -> io::Result<OwnedFd> {
    let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
    sealed(
        create("execgate-text", flags, MemfdFlags::NOEXEC_SEAL)?,
        bytes,
    )
}

/// Puts a program into a file that can be executed by way of `/proc/self/fd`.
pub fn program(bytes: &[u8]) -> io::Result<OwnedFd> {
    let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
    sealed(create("execgate-keeper", flags, MemfdFlags::EXEC)?, bytes)
}

/// Kernels before 6.3 do not know the flags that say whether a file may be executed.
fn create(name: &str, flags: MemfdFlags, newer: MemfdFlags) -> Result<OwnedFd, Errno> {
    match memfd_create(name, flags | newer) {
        Err(Errno::INVAL) => memfd_create(name, flags),
        other => other,
    }
}

fn sealed(descriptor: OwnedFd, bytes: &[u8]) -> io::Result<OwnedFd> {
    let mut file = File::from(descriptor);
    file.write_all(bytes)?;
    let descriptor = OwnedFd::from(file);
    let seals = SealFlags::WRITE | SealFlags::GROW | SealFlags::SHRINK | SealFlags::SEAL;
    fcntl_add_seals(&descriptor, seals)?;
    Ok(descriptor)
}
