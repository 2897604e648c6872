//! The import `workspace`: read-only looks through a directory handle that nothing leads out of.
//!
//! The disk is read on another thread, under the wall clock of the call: a hung
//! network file system ends the call, not the runner.

use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use cap_std::fs::{Dir, Metadata, OpenOptions, OpenOptionsExt, PermissionsExt};
use rustix::fs::OFlags;

use crate::bindings::execgate::policy::workspace::{Host, Metadata as Known};
use crate::fault::Raised;
use crate::state::State;
use crate::wire::PathKind;

/// Bytes that one read gives, as the contract says.
const HEAD: u32 = 256 << 10;

impl State {
    /// Runs a look at the disk on a thread that may block.
    async fn look<T: Send + 'static>(
        &mut self,
        look: impl FnOnce(&Dir) -> T + Send + 'static,
    ) -> wasmtime::Result<T> {
        // Opening a path costs about as much as copying a page.
        self.bill(4096)?;
        let granted: Option<Arc<Dir>> = self.services.workspace.clone();
        let directory =
            granted.ok_or_else(|| Raised::Malformed("it was not granted `workspace`".into()))?;
        let task = tokio::task::spawn_blocking(move || look(&directory));
        match tokio::time::timeout(self.limits.wall_clock, task).await {
            Ok(done) => Ok(done?),
            Err(_) => Err(Raised::WallClock(self.limits.wall_clock.as_millis()).into()),
        }
    }
}

impl Host for State {
    async fn exists(&mut self, path: String) -> wasmtime::Result<bool> {
        self.look(move |directory| directory.exists(path)).await
    }

    async fn stat(&mut self, path: String) -> wasmtime::Result<Result<Known, String>> {
        self.look(move |directory| match directory.metadata(&path) {
            Ok(metadata) => Ok(known(&metadata)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Known {
                kind: PathKind::Missing,
                size: 0,
                executable: false,
            }),
            Err(error) => Err(format!("`{path}`: {error}")),
        })
        .await
    }

    async fn read_head(
        &mut self,
        path: String,
        max: u32,
    ) -> wasmtime::Result<Result<Vec<u8>, String>> {
        let max = max.min(HEAD);
        self.bill(max as usize)?;
        self.look(move |directory| {
            head(directory, path.as_ref(), max).map_err(|error| format!("`{path}`: {error}"))
        })
        .await
    }
}

fn head(directory: &Dir, path: &Path, max: u32) -> io::Result<Vec<u8>> {
    let mut options = OpenOptions::new();
    // Without this, opening a pipe waits for somebody who writes.
    let flags = i32::try_from(OFlags::NONBLOCK.bits()).map_err(io::Error::other)?;
    options.read(true).custom_flags(flags);
    let file = directory.open_with(path, &options)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    let mut bytes = Vec::new();
    file.take(u64::from(max)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn known(metadata: &Metadata) -> Known {
    let kind = if metadata.is_file() {
        PathKind::File
    } else if metadata.is_dir() {
        PathKind::Directory
    } else {
        PathKind::Special
    };
    Known {
        kind,
        size: metadata.len(),
        executable: metadata.is_file() && metadata.permissions().mode() & 0o111 != 0,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use cap_std::ambient_authority;

    use super::*;

    #[test]
    fn nothing_leads_out_and_only_files_are_read() {
        let root = tempfile::tempdir().unwrap();
        let inside = root.path().join("inside");
        fs::create_dir(&inside).unwrap();
        fs::write(root.path().join("secret"), "secret").unwrap();
        fs::write(inside.join("note"), "a note").unwrap();
        symlink("../secret", inside.join("link")).unwrap();
        rustix::fs::mkfifoat(rustix::fs::CWD, inside.join("pipe"), rustix::fs::Mode::RWXU).unwrap();
        let directory = Dir::open_ambient_dir(&inside, ambient_authority()).unwrap();
        let read = |path: &str| head(&directory, Path::new(path), 4);
        assert_eq!(read("note").unwrap(), b"a no");
        for path in ["../secret", "link", "/etc/passwd", "pipe", "."] {
            assert!(read(path).is_err(), "{path}");
        }
    }
}
