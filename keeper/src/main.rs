//! The keeper program: parent and subreaper of everything a runner starts.
//!
//! Its standard input is one end of a Unix stream socket; the runner holds the other. It has one thread and waits in one `poll`. It decides
//! nothing: what may run was settled before it is asked.

mod child;
mod connection;
mod ending;
mod keeper;
mod sessions;
mod sys;
mod tree;

#[cfg_attr(target_os = "linux", path = "linux.rs")]
#[cfg_attr(not(target_os = "linux"), path = "other.rs")]
mod platform;

use std::process::ExitCode;

fn main() -> ExitCode {
    // Nobody reads what this program might say: its exit is the message.
    match keeper::Keeper::start().and_then(keeper::Keeper::run) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}
