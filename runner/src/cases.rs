//! The tables of cases, for unit tests.

use std::path::{Path, PathBuf};

use serde_json::Value;

/// Rows of an area of a table: from the folder in `EXECGATE_CASES` if it is there, else the project's own copy.
pub(crate) fn rows(table: &str, area: &str) -> Vec<Value> {
    let own = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/cases");
    let given = std::env::var_os("EXECGATE_CASES")
        .map(|folder| PathBuf::from(folder).join(table))
        .filter(|path| path.is_file());
    let path = given.unwrap_or_else(|| Path::new(own).join(table));
    let content = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("`{}`: {error}", path.display()));
    let rows = content.lines().map(|line| {
        serde_json::from_str::<Value>(line).unwrap_or_else(|error| panic!("{line}: {error}"))
    });
    // The OpenClaw table names its areas, and the PicoClaw table names the kind of a row that has no area.
    rows.filter(|row| row["area"] == area || row["kind"] == area)
        .collect()
}
