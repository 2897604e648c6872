//! Patches: the files that they mean to change, judged as if a command wrote them.

use std::borrow::Cow;

use execgate_guest::{CommandLine, Request, Span};
use execgate_rules::Line;
use execgate_rules::paths::{Candidate, Path, after_tilde, lexical};
use serde::Deserialize;

use crate::access::{self, Use};
use crate::facts::Facts;
use crate::finding::Finding;
use crate::judge::Judge;

/// The request's fact that lists the files: a JSON list of [`Intent`]s.
const FILES: &str = "patch-files";

/// What a section of a patch means to do.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Intent {
    path: String,
    move_to: Option<String>,
}

/// All that speaks against a patch.
pub(crate) fn judge(request: &dyn Request) -> Vec<Finding> {
    let facts = Facts::new(request);
    let files = request.annotation(FILES);
    let Some(intents) = files.and_then(|files| serde_json::from_str::<Vec<Intent>>(&files).ok())
    else {
        let span = Span { start: 0, end: 0 };
        return vec![Finding::ask(
            "path/unknown",
            "which files it changes is not known".into(),
            span,
        )];
    };
    let nothing = CommandLine {
        segments: Vec::new(),
        opaque: Vec::new(),
        annotations: Vec::new(),
    };
    let line = Line::read(&nothing);
    let judge = Judge::new(&facts, &line);
    let paths = intents
        .into_iter()
        .flat_map(|intent| [Some(intent.path), intent.move_to]);
    paths
        .flatten()
        .flat_map(|path| findings(&judge, &path))
        .collect()
}

/// A mention such as `@src/main.rs` may mean the path without its sign.
fn findings(judge: &Judge<'_>, path: &str) -> Vec<Finding> {
    let span = span_of(judge.facts.text(), path);
    let spellings = [Some(path), path.strip_prefix('@')];
    let candidates = spellings.into_iter().flatten().map(|path| Candidate {
        path: Path::Known(Cow::Owned(absolute(judge.facts, path))),
        span,
    });
    candidates
        .filter_map(|candidate| access::file(judge, &candidate, Use::Write))
        .collect()
}

/// The path from the root, `~` and `..` resolved by name, as patches are.
fn absolute(facts: &Facts<'_>, path: &str) -> String {
    match (after_tilde(path), facts.home()) {
        (Some(rest), Some(home)) => lexical(home, rest.trim_start_matches('/')),
        _ => lexical(&facts.cwd(), path),
    }
}

/// Where the text first names a path.
fn span_of(text: &str, path: &str) -> Span {
    let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    let found = text.find(&format!(": {path}")).map(|at| at + 2);
    let start = found.unwrap_or(0);
    let end = found.map_or(0, |at| at + path.len());
    Span {
        start: place(start),
        end: place(end),
    }
}
