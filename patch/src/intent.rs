//! What a patch means to do, for a policy that judges it before anything is read.

use serde::Serialize;

use crate::{Action, Patch, Section};

/// Kind of an [`Intent`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Operation {
    /// A file is made.
    Add,
    /// A file, link or empty directory is removed.
    Delete,
    /// A file is changed in place.
    Update,
    /// A file is changed and gets another path.
    Move,
}

/// What a section of a patch means to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Intent {
    /// Path as it was written: neither normalized nor looked up.
    pub path: String,
    /// What is done to it.
    pub operation: Operation,
    /// The other path of a [`Operation::Move`], as it was written.
    pub move_to: Option<String>,
}

/// Returns what the sections of a patch mean to do, in their order; one path may come several times. Looks at no file.
pub fn files(patch: &Patch) -> Vec<Intent> {
    patch.sections.iter().map(intent).collect()
}

fn intent(section: &Section) -> Intent {
    let (operation, move_to) = match &section.action {
        Action::Add { .. } => (Operation::Add, None),
        Action::Delete => (Operation::Delete, None),
        Action::Update { move_to: None, .. } => (Operation::Update, None),
        Action::Update { move_to, .. } => (Operation::Move, move_to.clone()),
    };
    Intent {
        path: section.path.clone(),
        operation,
        move_to,
    }
}
