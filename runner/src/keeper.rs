//! The runner's side of the keeper: the process that is parent of everything started here.
//!
//! 1. [`Keeper::start`] starts the embedded keeper program and waits until it is ready.
//! 2. [`Keeper::spawn`] starts what a [`Launch`] says and gives a [`Running`].
//! 3. [`Running::exit`] tells how its first process ended; [`Keeper::kill_tree`] ends all of its processes.
//! 4. When the last handle and the last [`Running`] are dropped, or this process dies, the keeper ends everything it started.
//!
//! A keeper that dies (`kill -9`, out of memory) is not replaced: the sessions it held cannot be followed any more. Each of them ends with
//! [`Exit::Lost`], every later call with [`KeeperError::Lost`], and the embedder may start a new keeper.
//!
//! This module judges nothing: not whether a command may run, nor how long.

mod actor;
mod client;
mod error;
mod launch;
#[cfg_attr(target_os = "linux", path = "keeper/linux.rs")]
#[cfg_attr(not(target_os = "linux"), path = "keeper/other.rs")]
mod platform;
mod program;
mod running;

pub(crate) use client::KillOnDrop;
pub use client::{Keeper, Killed};
pub use error::{KeeperError, SpawnError};
pub use execgate_keeper::{SESSION_VARIABLE, Survivor, Usage};
pub use launch::{Launch, Output, Stdin, Streams};
pub use running::{Exit, ExitWaiter, OutputStreams, Running, Status};
