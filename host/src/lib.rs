//! Loads, limits, calls and swaps the components that judge commands.
//!
//! This crate knows components and nothing else: no process, no terminal, and of
//! paths only those that a component was granted. Whatever fails, nothing is allowed.
//!
//! 1. Make an [`Engine`] and, from [`Policies::new`], the slots.
//! 2. [`Engine::load`] components and [`Slot::publish`] them with their settings.
//! 3. [`Policies::pin`] what is live, for one request.
//! 4. [`Pinned::analyze`] its text and [`Pinned::evaluate`] it.
#![doc = concat!("\n```no_run\n", include_str!("../examples/embed.rs"), "```")]

mod ahead;
mod answers;
mod bindings;
mod cache;
mod call;
mod engine;
mod failure;
mod fault;
mod imports;
mod limits;
mod load;
mod manifest;
mod outcome;
mod policies;
mod request;
mod selfcheck;
mod slot;
mod source;
mod state;
mod stderr;
mod turn;
mod wire;

pub use cache::CacheError;
pub use engine::{Allocation, Engine, EngineConfig, EngineError};
pub use fault::{Fault, FaultKind};
pub use limits::Limits;
pub use load::{Grants, LoadError, LoadOptions, Loaded, Role};
pub use outcome::{CompletionFacts, OutputFacts, StaticCompletion, StaticOutput};
pub use policies::{Answer, Judged, Pinned, Policies, strictness};
pub use request::{RequestFacts, StaticRequest};
pub use slot::{Identity, Live, PublishError, Slot};
pub use source::Source;
pub use wire::{
    Artifact, Assignment, Caller, CommandLine, CommandText, Consideration, Context, Decision,
    Descriptor, Dialect, Ending, Executable, Found, Grant, Here, Join, Kind, Opaque, Part,
    PathKind, Place, Problem, Prompt, Redirect, RedirectOperator, Relation, Rendered, Risk,
    Segment, Span, Stage, Survivor, Verdict, Word,
};
