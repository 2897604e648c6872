//! The daemon: one runner behind a Unix socket, for commands that outlive the terminal that started them.
//!
//! A daemon is for one profile and one workspace. Its socket and lock lie in the state directory, readable for their owner alone; who
//! connects must be the same user, and none of the processes that the daemon itself started (an agent must not turn its own controls).
//! The protocol is JSON-RPC 2.0, one object a line (docs/daemon.md).

mod ask;
mod peer;
pub mod place;
mod rpc;
mod serve;

pub use place::{Endpoint, EndpointError};
pub use rpc::{ErrorObject, Incoming, Request, code};
pub use serve::{Daemon, DaemonError};
