//! Shows an analysis in tests, one line for each command and each obstacle.

use crate::{Dialect, Source, analyze};

/// Argv of all commands, `?` for a word that is not known; then the reasons of what was not understood.
pub(crate) fn shown(text: &str, dialect: Dialect) -> Vec<String> {
    let line = analyze(&Source {
        text,
        dialect,
        home: Some("C:\\Users\\dev"),
        cwd: Some("C:\\Users\\dev\\project"),
        ..Source::default()
    });
    let segments = line
        .segments
        .iter()
        .filter(|segment| !segment.words.is_empty());
    let argv = segments.map(|segment| {
        let words = segment
            .words
            .iter()
            .map(|word| word.value.as_deref().unwrap_or("?"));
        words.collect::<Vec<_>>().join("|")
    });
    let obstacles = line
        .opaque
        .iter()
        .map(|opaque| format!("{:?}", opaque.reason));
    argv.chain(obstacles).collect()
}

/// Compares what is shown of each text with what is expected.
#[track_caller]
pub(crate) fn table(dialect: Dialect, rows: &[(&str, &[&str])]) {
    let found: Vec<(&str, Vec<String>)> = rows
        .iter()
        .map(|(text, _)| (*text, shown(text, dialect)))
        .collect();
    let expected: Vec<(&str, Vec<String>)> = rows
        .iter()
        .map(|(text, lines)| (*text, lines.iter().map(|line| (*line).to_owned()).collect()))
        .collect();
    pretty_assertions::assert_eq!(found, expected);
}
