//! execgate: runs shell commands for AI agents, each judged by WebAssembly components.
//!
//! 1. Read the settings: [`config::load`].
//! 2. Make a [`Runner`]; it loads the profile's components and opens the store.
//! 3. Call [`Runner::exec`] for each command; it answers with what the model reads.
//! 4. A command that goes on in the background is a session: [`Runner::process`] lists, reads, waits for and ends sessions,
//!    [`Runner::events`] tells of their ends.
//! 5. Swap a component while calls run: [`Runner::swap`]. Nothing is recompiled, and
//!    a call ends on the components it began with.
//!
//! ```no_run
//! use execgate::config::{Config, Files};
//! use execgate::{Attachment, ExecRequest, Load, Profile, Runner};
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let files = Files { config: None, directory: std::env::current_dir()? };
//! let config = execgate::config::load(Profile::Default, &files, &[])?;
//! let runner = Runner::new(&config, None, Load::Many).await?;
//! let response = runner.exec(ExecRequest::new("echo hello"), Attachment::default()).await;
//! println!("{}", response.text);
//! # Ok(())
//! # }
//! ```
//!
//! This crate judges nothing itself: what a text does, whether it may run, what
//! a person is asked and how the answer reads are the components' to say.

mod approvals;
pub mod audit;
#[cfg(test)]
mod cases;
mod causes;
pub mod check;
pub mod completion;
mod components;
pub mod config;
pub mod daemon;
mod environment;
mod exec;
pub mod exit_code;
pub mod explain;
mod facts;
mod floor;
mod guests;
mod judge;
pub mod keeper;
mod memory;
pub mod output;
mod patch;
mod plan;
mod profile;
mod record;
mod request;
mod response;
mod rules;
mod runner;
pub mod session;
mod spawn;
mod terminal;
pub mod tool;

pub use approvals::{Answer, Ask};
pub use causes::in_full;
pub use completion::Stream;
pub use components::{ComponentError, Inspected, SlotName, Swapped, inspect};
pub use exec::Attachment;
pub use execgate_host::Prompt;
pub use guests::{analyzer as built_in_analyzer, bundle as built_in_bundle};
pub use patch::PatchRequest;
pub use plan::{ExecPlan, Subject};
pub use profile::Profile;
pub use request::{Attendance, BadArguments, Caller, ExecRequest, RemoteDeadlines, TimeLimit};
pub use response::{Outcome, Response};
pub use rules::{Contradiction, Oddity, RuleError};
pub use runner::{BuildError, Load, Runner};
pub use session::{Event, Follower, News, Piece, Tap, TapError, View, action::ProcessRequest};
pub use terminal::WindowSize;
