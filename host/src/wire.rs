//! The plain data that crosses the border, by short names.

pub use crate::bindings::execgate::policy::command::{
    Assignment, CommandLine, Context, Descriptor, Dialect, Here, Join, Opaque, Part, Redirect,
    RedirectOperator, Relation, Segment, Span, Stage, Word,
};
pub use crate::bindings::execgate::policy::outcome::{Artifact, Ending, Survivor};
pub use crate::bindings::execgate::policy::request::{
    Caller, Executable, Found, Kind, PathKind, Place,
};
pub use crate::bindings::execgate::policy::settings::Problem;
pub use crate::bindings::execgate::policy::verdict::{Decision, Risk, Verdict};
pub use crate::bindings::exports::execgate::policy::analyzer::Source as CommandText;
pub use crate::bindings::exports::execgate::policy::approver::{Consideration, Grant, Prompt};
pub use crate::bindings::exports::execgate::policy::formatter::Rendered;
