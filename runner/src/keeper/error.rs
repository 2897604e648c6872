//! What can go wrong between the runner and its keeper.

use std::io;
use std::path::PathBuf;

/// The keeper cannot be started or does not answer any more.
#[derive(Debug, thiserror::Error)]
pub enum KeeperError {
    /// The embedded program could not be started.
    #[error(
        "start the keeper program: {0}; if this system forbids programs in memory and in the temporary directory, set TMPDIR to a directory that allows them"
    )]
    Start(#[source] io::Error),
    /// The program started and ended before it was ready.
    #[error("set the keeper up: it ended before it was ready")]
    NotReady,
    /// The keeper has died or the connection to it broke.
    #[error("reach the keeper: it has ended, and what it ran is lost; start a new one")]
    Lost,
    /// The keeper refused, with the system's error.
    #[error("signal session `{session}`: {source}")]
    Signal {
        /// The session.
        session: String,
        /// The system's error; not found when its first process has ended.
        #[source]
        source: io::Error,
    },
}

/// A process could not be started. Nothing is left of the attempt.
#[derive(Debug, thiserror::Error)]
pub enum SpawnError {
    /// The working directory cannot be entered.
    #[error("enter the working directory `{path}`: {source}", path = path.display())]
    Directory {
        /// The directory.
        path: PathBuf,
        /// The system's error.
        #[source]
        source: io::Error,
    },
    /// The program, or the interpreter its first line names, cannot be executed.
    #[error("execute `{path}`: {source}", path = path.display())]
    Program {
        /// The program.
        path: PathBuf,
        /// The system's error.
        #[source]
        source: io::Error,
    },
    /// A path that would depend on where the keeper stands.
    #[error("use the {what} `{path}`: it must be an absolute path", path = path.display())]
    Relative {
        /// Which path.
        what: &'static str,
        /// The path.
        path: PathBuf,
    },
    /// Programs cannot be given a NUL byte.
    #[error("pass the {what}: it contains a NUL byte")]
    Nul {
        /// Where the byte is.
        what: &'static str,
    },
    /// A name that no environment can hold.
    #[error("set the environment variable `{name}`: a name must not be empty nor contain `=`")]
    EnvironmentName {
        /// The name, decoded.
        name: String,
    },
    /// Session ids are marks in the environment.
    #[error("use an empty session id: give each session an id of its own")]
    EmptySession,
    /// Arguments and environment together are longer than any system takes.
    #[error("pass arguments and environment of more than 8 MiB")]
    TooLarge,
    /// The session's id was used before.
    #[error("start session `{session}`: its id is in use; give each session an id of its own")]
    SessionInUse {
        /// The id.
        session: String,
    },
    /// A pipe, a fork, a terminal or a descriptor was refused.
    #[error("prepare a process: {0}")]
    System(#[source] io::Error),
    /// The keeper is gone.
    #[error(transparent)]
    Keeper(#[from] KeeperError),
}
