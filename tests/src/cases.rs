//! The tables of cases.

use std::path::{Path, PathBuf};

use serde_json::Value;

/// Rows of a table: from the folder in `EXECGATE_CASES` if it is there, else the project's own copy.
///
/// # Panics
/// The table is not there, or a line of it is not JSON.
pub fn rows(name: &str) -> Vec<Value> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("cases")
        .join(name);
    let given = std::env::var_os("EXECGATE_CASES")
        .map(|folder| PathBuf::from(folder).join(name))
        .filter(|path| path.is_file());
    let path = given.unwrap_or(own);
    let content = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("`{}`: {error}", path.display()));
    let parse = |(index, line): (usize, &str)| {
        serde_json::from_str(line)
            .unwrap_or_else(|error| panic!("`{}` line {}: {error}", path.display(), index + 1))
    };
    content.lines().enumerate().map(parse).collect()
}

/// A text of a row.
///
/// # Panics
/// The row has no such text.
pub fn text<'a>(row: &'a Value, name: &str) -> &'a str {
    row[name]
        .as_str()
        .unwrap_or_else(|| panic!("no text `{name}` in {row}"))
}
