//! Reads shell text, of bash, POSIX shells, PowerShell and cmd, into flat segments: every command that a shell would or could run.
//!
//! ```
//! use execgate_shell::{Source, analyze};
//!
//! let line = analyze(&Source { text: "x=rm; sudo \"$x\" -rf {a,b} | cat", ..Source::default() });
//! let values: Vec<Vec<_>> = line.segments.iter().map(|segment| segment.words.iter().map(|word| word.value.as_deref()).collect()).collect();
//! assert_eq!(values[1], [Some("sudo"), Some("rm"), Some("-rf"), Some("a"), Some("b")]);
//! assert_eq!(values[2], [Some("rm"), Some("-rf"), Some("a"), Some("b")]);
//! assert!(line.opaque.is_empty());
//! ```
//!
//! It runs nothing, looks at no file, and never panics: text that it does not understand is listed as [`Opaque`].
//! Globs are not expanded, functions and aliases are not substituted for their calls; what an alias or a built-in command
//! of a Windows shell stands for, and that a name certainly is a function's, is in [`Segment::canonical`].
#![forbid(unsafe_code)]

mod analyze;
mod ansi;
mod assigned;
mod braces;
mod characters;
mod cmd;
mod compound;
mod conditional;
mod cursor;
mod effects;
mod expand;
mod expansion;
mod failing;
mod functions;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod hostile_windows;
mod list;
mod opaque;
mod parser;
mod pieces;
mod powershell;
mod printed;
mod reader;
mod redirect;
mod redirection;
mod script;
mod segment;
#[cfg(test)]
mod shown;
mod source;
mod tree;
mod unwrap;
mod variables;
mod visit;
mod walk;
mod windows;
mod word;

pub use analyze::analyze;
pub use opaque::{Opaque, OpaqueReason};
pub use reader::{MAX_SEGMENTS, MAX_TEXT_BYTES};
pub use redirect::{Descriptor, HereDocument, Redirect, RedirectOperator};
pub use segment::{CommandLine, Context, Join, Relation, Segment, Stage};
pub use source::{Dialect, Source, Span};
pub use word::{Assignment, Part, Word};
