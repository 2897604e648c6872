//! For authors of execgate components: traits, export macros, and doubles for native tests.
//!
//! 1. Make a crate with `crate-type = ["cdylib", "lib"]` that depends on this one.
//! 2. Implement [`Configure`] and [`Policy`] (or another role) for a type.
//! 3. Export it with [`export_policy!`].
//! 4. `cargo build --release --target wasm32-wasip2`, then
//!    `execgate policy inspect target/wasm32-wasip2/release/NAME.wasm`.
//!
//! ```
//! use execgate_guest::{Configure, Policy, Problem, Request, Verdict, allow, deny};
//!
//! struct OnlyTrue;
//! impl Configure for OnlyTrue {
//!     fn configure(_settings: &str) -> Result<Self, Vec<Problem>> {
//!         Ok(Self)
//!     }
//! }
//! impl Policy for OnlyTrue {
//!     fn evaluate(&self, request: &dyn Request) -> Verdict {
//!         if request.text() == "true" {
//!             return allow("only-true/true", "it does nothing");
//!         }
//!         deny("only-true/other", "this policy allows nothing but `true`")
//!     }
//! }
//! execgate_guest::export_policy!(OnlyTrue);
//! ```

#[doc(hidden)]
pub mod bindings;
pub mod log;
mod outcome;
pub mod patterns;
mod request;
mod roles;
pub mod testing;
mod types;
mod verdicts;

pub use outcome::{Completion, Output};
pub use request::Request;
pub use roles::{Analyzer, Approver, Configure, Formatter, Policy};
pub use types::{
    Artifact, Assignment, Caller, CommandLine, Consideration, Context, Decision, Descriptor,
    Dialect, Ending, Executable, Found, Grant, Here, Join, Kind, Opaque, Part, PathKind, Place,
    Problem, Prompt, Redirect, RedirectOperator, Relation, Rendered, Risk, Segment, Source, Span,
    Stage, Survivor, Verdict, Word,
};
pub use verdicts::{allow, ask, deny};
