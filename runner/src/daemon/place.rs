//! Where a daemon is found.

use std::fs::{DirBuilder, File, OpenOptions};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};
use sha2::{Digest as _, Sha256};
use tokio::net::{UnixListener, UnixStream};

use crate::config::Config;
use crate::profile::Profile;

/// Directory of the sockets, in the state directory.
const SOCKETS: &str = "sockets";

/// Most bytes of a socket's path (`sun_path` of unix(7), less its final NUL).
const LONGEST_PATH: usize = 107;

/// Why there is no daemon, or none can be made.
#[derive(Debug, thiserror::Error)]
pub enum EndpointError {
    /// The path is too long.
    #[error(
        "the socket's path `{path}` has {} bytes, {LONGEST_PATH} is the most that systems take; name a shorter `--state-dir`",
        path.as_os_str().len()
    )]
    TooLong {
        /// The path.
        path: PathBuf,
    },
    /// A directory, lock or socket cannot be made.
    #[error("cannot use `{path}`: {source}; make it writable, or name another `--state-dir`")]
    Unusable {
        /// What.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Another daemon holds the place.
    #[error("a daemon for this workspace is running already; `execgate stop` ends it")]
    Taken,
}

/// The place of the daemon of one profile and workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    directory: PathBuf,
    name: String,
}

impl Endpoint {
    /// The place for a profile and a workspace, an absolute path.
    pub fn new(config: &Config, workspace: &Path) -> Self {
        Self {
            directory: config.state_dir().join(SOCKETS),
            name: name(config.profile(), workspace),
        }
    }

    /// All places of a state directory that a daemon is or was at.
    pub fn all(config: &Config) -> Vec<Self> {
        let directory = config.state_dir().join(SOCKETS);
        let entries = std::fs::read_dir(&directory)
            .into_iter()
            .flatten()
            .flatten();
        let names = entries.filter_map(|entry| {
            let path = entry.path();
            let is_socket = path
                .extension()
                .is_some_and(|extension| extension == "sock");
            is_socket
                .then(|| path.file_stem()?.to_str().map(str::to_owned))
                .flatten()
        });
        let mut all: Vec<Self> = names
            .map(|name| Self {
                directory: directory.clone(),
                name,
            })
            .collect();
        all.sort_by(|one, other| one.name.cmp(&other.name));
        all
    }

    /// The socket.
    pub fn socket(&self) -> PathBuf {
        self.directory.join(format!("{}.sock", self.name))
    }

    /// Where a daemon that was started unasked writes its messages.
    pub fn log(&self) -> PathBuf {
        self.directory.join(format!("{}.log", self.name))
    }

    fn lock(&self) -> PathBuf {
        self.directory.join(format!("{}.lock", self.name))
    }

    /// Connects to the daemon, if one listens.
    pub async fn connect(&self) -> Option<UnixStream> {
        UnixStream::connect(self.socket()).await.ok()
    }

    /// Makes the directory of the sockets, for the owner alone.
    ///
    /// # Errors
    /// [`EndpointError::Unusable`].
    pub fn make_directory(&self) -> Result<(), EndpointError> {
        let made = DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(&self.directory);
        made.map_err(unusable(&self.directory))
    }

    /// Takes the place: nobody else can as long as the lock is held.
    ///
    /// # Errors
    /// [`EndpointError`].
    pub(super) fn take(&self) -> Result<(File, UnixListener), EndpointError> {
        self.make_directory()?;
        let (path, socket) = (self.lock(), self.socket());
        if socket.as_os_str().len() > LONGEST_PATH {
            return Err(EndpointError::TooLong { path: socket });
        }
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false).mode(0o600);
        let lock = options.open(&path).map_err(unusable(&path))?;
        if flock(&lock, FlockOperation::NonBlockingLockExclusive).is_err() {
            return Err(EndpointError::Taken);
        }
        // Whoever bound it before is gone: the lock was free.
        let _ = std::fs::remove_file(&socket);
        let listener = UnixListener::bind(&socket).map_err(unusable(&socket))?;
        // The directory keeps others out until the mode is set.
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o600);
        std::fs::set_permissions(&socket, mode).map_err(unusable(&socket))?;
        Ok((lock, listener))
    }

    pub(super) fn leave(&self) {
        // A socket that nobody listens on is removed by the next daemon as well.
        let _ = std::fs::remove_file(self.socket());
    }
}

fn unusable(path: &Path) -> impl FnOnce(std::io::Error) -> EndpointError {
    let path = path.to_owned();
    move |source| EndpointError::Unusable { path, source }
}

/// A short name that no other profile and workspace has.
fn name(profile: Profile, workspace: &Path) -> String {
    let mut hasher = Sha256::new();
    hasher.update(profile.name());
    hasher.update([0]);
    hasher.update(workspace.as_os_str().as_encoded_bytes());
    let mut name = hex::encode(hasher.finalize());
    name.truncate(16);
    name
}
