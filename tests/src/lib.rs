//! What the black-box suites share: the built program, places of their own to run it in, and the tables of cases.
//!
//! A suite takes a [`Scratch`], starts the program in it, as a [`Caller`] where calls are streamed, and reads answers, exit codes and the
//! store. Nothing here knows the crates that the program is made of.
//!
//! The program is `target/<profile>/execgate`, beside the test executables; `cargo test` builds it because its package has integration tests
//! too. After a build of single suites, `cargo build` brings it up to date. `EXECGATE_PROGRAM` names another one.

mod caller;
mod cases;
mod finished;
mod guests;
mod leftovers;
mod program;
mod scratch;
mod store;
mod tally;
mod until;

pub use caller::{Answer, Caller};
pub use cases::{rows, text};
pub use finished::{DEADLINE, Finished, Running};
pub use guests::{answering_policy, bad_policy, bad_policy_on_demand, read_only_policy};
pub use leftovers::{leftovers, processes};
pub use program::{cache, program};
pub use scratch::Scratch;
pub use store::Store;
pub use tally::Tally;
pub use until::comes_true;
