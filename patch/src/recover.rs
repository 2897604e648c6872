//! Finishes or takes back patches that were interrupted.

use std::io;
use std::path::Path;

use serde::Serialize;

use crate::error::{PatchError, Problem};
use crate::record::Record;
use crate::root::Root;
use crate::steps::Steps;
use crate::store::{Stage, Store};
use crate::transaction::{finish_if_complete, roll_back};

/// What a recovery found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Recovered {
    /// Patches that were interrupted after their last change, and count as applied.
    pub finished: Vec<String>,
    /// Patches that were taken back.
    pub rolled_back: Vec<String>,
    /// Files of those that somebody else has changed since: they stay as they are, and what they were before stays in the state directory.
    pub left: Vec<String>,
}

/// Finishes or takes back every patch that a killed process left half applied; the tree is as before or as after each of them then.
///
/// To be called before any tool call, as another tool would see the half of a patch. It can itself be interrupted and called again. It waits
/// while a patcher is at work. A state directory that is not there is not made.
///
/// # Errors
/// The state directory or the workspace cannot be read or written.
pub fn recover(state: &Path) -> Result<Recovered, PatchError> {
    recover_watched(state, &Steps::default())
}

pub(crate) fn recover_watched(state: &Path, steps: &Steps) -> Result<Recovered, PatchError> {
    if !state.exists() {
        return Ok(Recovered::default());
    }
    let store = Store::lock(state, steps);
    let store = store.map_err(Problem::fault("open the state directory", state))?;
    recover_in(&store, steps, state)
}

/// As [`recover`], in a store that is held already.
pub(crate) fn recover_in(
    store: &Store<'_>,
    steps: &Steps,
    state: &Path,
) -> Result<Recovered, PatchError> {
    let fault = || Problem::fault("recover an interrupted patch from", state);
    let mut recovered = Recovered::default();
    for (id, stage) in store.all().map_err(fault())? {
        match stage {
            Stage::New | Stage::Gone => store.discard(&id, stage).map_err(fault())?,
            Stage::Open => recover_one(store, steps, &id, &mut recovered).map_err(fault())?,
            Stage::Applied | Stage::Left => {}
        }
    }
    Ok(recovered)
}

fn recover_one(
    store: &Store<'_>,
    steps: &Steps,
    id: &str,
    recovered: &mut Recovered,
) -> io::Result<()> {
    let record = store.record(id, Stage::Open)?;
    let root = open(&record)?;
    if let Some(root) = &root
        && finish_if_complete(store, steps, id, &record, root)?
    {
        recovered.finished.push(id.to_owned());
        return Ok(());
    }
    let left = roll_back(store, steps, id, &record, root.as_ref())?;
    recovered.rolled_back.push(id.to_owned());
    let shown = |path: std::path::PathBuf| path.display().to_string();
    recovered.left.extend(left.into_iter().map(shown));
    Ok(())
}

/// The root of a record; `None` if there is nothing by that path, or something else.
fn open(record: &Record) -> io::Result<Option<Root>> {
    match Root::open(record.root()) {
        Ok(root) => Ok((root.path == record.root()).then_some(root)),
        Err(error) if crate::disk::is_gone(&error) => Ok(None),
        Err(error) => Err(error),
    }
}
