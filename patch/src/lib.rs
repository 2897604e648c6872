//! Applies patches to files, all of a patch or nothing, and can take them back.
//!
//! The format is the one that models write for `apply_patch`: sections that add, delete, update and move files, with hunks that are found by
//! their context. For whoever carries out such a tool call:
//!
//! 1. [`recover`] before any tool call: a killed process may have left half of a patch.
//! 2. [`parse`] the text; [`files`] tells a policy what it means to do, before anything is read.
//! 3. [`Patcher::dry_run`] shows a person a diff; [`Patcher::apply`] does it and returns what the tool answers.
//! 4. [`Patcher::undo`] takes it back, as long as the files are as the patch left them.
//!
//! ```
//! use execgate_patch::{Patcher, Settings, parse, recover};
//!
//! let (workspace, state) = (tempfile::tempdir()?, tempfile::tempdir()?);
//! recover(state.path())?;
//! let patcher = Patcher::open(&Settings {
//!     workspace: workspace.path().to_owned(),
//!     workspace_only: true,
//!     home: None,
//!     state: state.path().to_owned(),
//!     undo_quota_bytes: Settings::DEFAULT_UNDO_QUOTA_BYTES,
//! })?;
//! let patch = parse("*** Begin Patch\n*** Add File: a/b.txt\n+hello\n*** End Patch")?;
//! let applied = patcher.apply(&patch)?;
//! assert_eq!(applied.text, "Success. Updated the following files:\nA a/b.txt");
//! patcher.undo(&applied.undo.expect("it is within the quota"))?;
//! assert!(!workspace.path().join("a").exists());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! It judges nothing beyond paths, runs nothing, and waits for nothing but files and other patchers. It does not keep extended attributes of
//! files that it replaces, and it does not see changes that a program makes through a file that it already has open.
#![forbid(unsafe_code)]

mod automaton;
mod disk;
mod edit;
mod error;
mod ground;
mod intent;
mod locate;
mod overlay;
mod parse;
mod patch;
mod patcher;
mod plan;
mod preview;
mod record;
mod recover;
mod root;
mod source;
mod state;
mod steps;
mod store;
mod summary;
mod text;
mod transaction;
mod undo;

pub use error::{PatchError, Problem, Site};
pub use intent::{Intent, Operation, files};
pub use parse::{ParseError, parse};
pub use patch::{Action, Hunk, HunkLine, MAX_HUNKS, MAX_PATCH_BYTES, Patch, Section};
pub use patcher::{Applied, Patcher, Settings, UndoId};
pub use preview::Preview;
pub use recover::{Recovered, recover};
pub use summary::{Change, FileRecord, Summary};
pub use undo::Undone;
