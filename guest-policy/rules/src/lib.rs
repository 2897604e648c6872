//! What the built-in components share: segments as invocations, the paths in them, deny categories, settings.
//!
//! Everything here is pure and natively testable; the facts it uses stand in `execgate-knowledge`.

pub mod deny;
mod invocation;
mod line;
pub mod operator;
pub mod paths;
pub mod prompt;
pub mod session;
mod settings;
pub mod signals;

pub use invocation::{Argument, Invocation, program_name};
pub use line::{Line, is_process_substitution};
pub use settings::Fields;
