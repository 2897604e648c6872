//! Compiled code on disk, so that the second start of a component takes no compiler.
//!
//! Machine code from a file is run as it is: whoever can write the file can run
//! anything. The directory therefore belongs to the user alone, and belongs
//! outside every place that commands may write. The checksum is against damage, not malice.

use std::fs::{self, DirBuilder, File};
use std::hash::{Hash, Hasher};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

use sha2::{Digest, Sha256};
use wasmtime::component::Component;

/// A cache directory that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CacheError {
    /// It cannot be made or looked at.
    #[error("cannot use the cache directory `{}`", path.display())]
    Io {
        /// The directory.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Others could put code into it.
    #[error(
        "the cache directory `{}` belongs to user {owner} with mode {mode:o}, others can write it: \
         make it yours alone with `chown` and `chmod 700`, or name another one", path.display()
    )]
    Writable {
        /// The directory.
        path: PathBuf,
        /// Its owner's number.
        owner: u32,
        /// Its permission bits.
        mode: u32,
    },
}

/// A directory of compiled components of one engine configuration.
pub(crate) struct Cache {
    directory: PathBuf,
    /// Tells configurations, versions and processors of the engine apart.
    engine: String,
}

/// Feeds what is hashed to SHA-256: the standard hasher promises nothing between releases.
struct Sha(Sha256);

impl Hasher for Sha {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    fn finish(&self) -> u64 {
        0
    }
}

impl Cache {
    /// Opens the directory, or makes it for its owner alone.
    pub(crate) fn open(directory: PathBuf, engine: &wasmtime::Engine) -> Result<Self, CacheError> {
        let made = DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(&directory);
        let metadata = made.and_then(|()| fs::metadata(&directory));
        let metadata = metadata.map_err(|source| CacheError::Io {
            path: directory.clone(),
            source,
        })?;
        let mode = metadata.mode() & 0o777;
        if metadata.uid() != rustix::process::geteuid().as_raw() || mode & 0o022 != 0 {
            return Err(CacheError::Writable {
                path: directory,
                owner: metadata.uid(),
                mode,
            });
        }
        let mut hasher = Sha(Sha256::new());
        engine.precompile_compatibility_hash().hash(&mut hasher);
        Ok(Self {
            directory,
            engine: hex::encode(&hasher.0.finalize()[..8]),
        })
    }

    /// Takes a component from the cache, or compiles it and keeps it.
    ///
    /// A cache that fails costs time and nothing else.
    pub(crate) fn component(
        &self,
        engine: &wasmtime::Engine,
        digest: &[u8; 32],
        bytes: &[u8],
    ) -> wasmtime::Result<Component> {
        let code = self.code_path(digest);
        if let Some(component) = read(engine, &code) {
            return Ok(component);
        }
        let component = Component::from_binary(engine, bytes)?;
        if let Err(error) = write(&component, &code) {
            tracing::warn!(
                "compiled code was not kept in `{}`: {error:#}",
                code.display()
            );
        }
        Ok(component)
    }

    fn code_path(&self, digest: &[u8; 32]) -> PathBuf {
        let name = format!("{}-{}.cwasm", hex::encode(digest), self.engine);
        self.directory.join(name)
    }
}

/// The file that holds the checksum of another.
fn sidecar(code: &Path) -> PathBuf {
    code.with_extension("crc32")
}

/// Maps a cached component, if it is whole and of this engine.
#[expect(
    unsafe_code,
    reason = "the one place that runs machine code from a file"
)]
fn read(engine: &wasmtime::Engine, code: &Path) -> Option<Component> {
    let expected = fs::read_to_string(sidecar(code)).ok()?;
    let bytes = fs::read(code).ok()?;
    if checksum(&bytes) != expected {
        tracing::warn!("`{}` is damaged and is made anew", code.display());
        return None;
    }
    // SAFETY: the file was written by `write` below into a directory that only
    // this user can write, which `open` checked; the checksum rules out a
    // damaged or half-written file, and files are replaced by renaming, never
    // changed in place, so that the mapping stays what it is.
    let component = unsafe { Component::deserialize_file(engine, code) };
    component
        .inspect_err(|error| tracing::warn!("`{}` is made anew: {error:#}", code.display()))
        .ok()
}

/// Writes both files; whoever reads between the two finds a checksum that does not fit.
fn write(component: &Component, code: &Path) -> wasmtime::Result<()> {
    let bytes = component.serialize()?;
    replace(code, &bytes)?;
    replace(&sidecar(code), checksum(&bytes).as_bytes())?;
    Ok(())
}

/// Puts a whole file in the place of another.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{}.{number}.new", process::id()));
    let temporary = PathBuf::from(name);
    let mut options = File::options();
    options.write(true).create_new(true).mode(0o600);
    // Not flushed to the disk: after a crash the checksum tells.
    let written = options
        .open(&temporary)
        .and_then(|mut file| file.write_all(bytes));
    let replaced = written.and_then(|()| fs::rename(&temporary, path));
    if replaced.is_err() {
        // The first error is the one to report.
        let _ = fs::remove_file(&temporary);
    }
    replaced
}

/// Length and CRC-32, as text.
fn checksum(bytes: &[u8]) -> String {
    format!("{} {:08x}\n", bytes.len(), crc32fast::hash(bytes))
}
