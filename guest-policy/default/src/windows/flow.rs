//! What one part of a command hands to another, and where parts run.

use execgate_guest::{RedirectOperator, Segment, Word};
use execgate_rules::Line;

use super::path::{self, Place};
use super::{Command, Shell, canonical, shell};

/// Cmdlets that read from the network.
const FETCHERS: [&str; 3] = [
    "invoke-restmethod",
    "invoke-webrequest",
    "start-bitstransfer",
];

/// Cmdlets and built-in commands that write the files that they name.
const WRITERS: [&str; 21] = [
    "add-content",
    "compress-archive",
    "copy",
    "copy-item",
    "export-clixml",
    "export-csv",
    "invoke-restmethod",
    "invoke-webrequest",
    "mklink",
    "move",
    "move-item",
    "new-item",
    "out-file",
    "ren",
    "rename-item",
    "set-content",
    "set-item",
    "start-bitstransfer",
    "start-transcript",
    "tee-object",
    "trace-command",
];

/// Whether a segment changes the directory of those after it.
pub(crate) fn moves(segment: &Segment) -> bool {
    matches!(
        canonical(segment),
        Some("cd" | "pushd" | "popd" | "set-location" | "push-location" | "pop-location")
    )
}

/// Where such a segment goes, in the form of the other rules; `None` where that is not known.
pub(crate) fn moves_to(segment: &Segment) -> Option<String> {
    let shell = shell(segment)?;
    let plain = |word: &&Word| match word.value.as_deref() {
        Some(text) => !(text.starts_with('/') && text.len() <= 2 || text.starts_with('-')),
        None => true,
    };
    let mut targets = segment.words.iter().skip(1).filter(plain);
    let (Some(target), None) = (targets.next(), targets.next()) else {
        return None;
    };
    match path::read(target.value.as_deref()?, shell, None, None) {
        Place::Path(path) if super::file::split_pattern(&path).is_none() => Some(path),
        Place::Path(_)
        | Place::Nothing
        | Place::Item(..)
        | Place::Network
        | Place::Device
        | Place::Unclear => None,
    }
}

/// Stages of the same pipeline before a segment, in order.
pub(super) fn stages_before<'b>(
    line: &Line<'b>,
    segment: &'b Segment,
) -> impl Iterator<Item = &'b Segment> {
    let stage = segment.stage;
    let segments: &'b [Segment] = &line.command_line.segments;
    segments.iter().filter(move |other| {
        other.stage.zip(stage).is_some_and(|(before, own)| {
            before.pipeline == own.pipeline && before.index < own.index
        })
    })
}

/// Whether a line saves downloads or unpacks archives.
pub(crate) fn brings_files(line: &Line<'_>) -> bool {
    line.command_line.segments.iter().any(|segment| {
        let saves = || {
            segment.words.iter().skip(1).any(|word| {
                word.value
                    .as_deref()
                    .is_some_and(|text| text.to_ascii_lowercase().starts_with("-o"))
            }) || !segment.redirects.is_empty()
        };
        match canonical(segment) {
            Some("start-bitstransfer" | "expand-archive") => true,
            Some(name) if FETCHERS.contains(&name) => saves(),
            Some(_) => false,
            None => {
                shell(segment).is_some()
                    && segment
                        .words
                        .first()
                        .and_then(|word| word.value.as_deref())
                        .is_some_and(|name| {
                            matches!(
                                path::program_name(name).as_str(),
                                "certutil" | "bitsadmin" | "expand" | "extrac32"
                            )
                        })
            }
        }
    })
}

/// Names of files that cmdlets and built-in commands write, in the form of the other rules.
pub(crate) fn written(line: &Line<'_>) -> Vec<String> {
    let mut names = Vec::new();
    for segment in &line.command_line.segments {
        let Some(shell) = shell(segment) else {
            continue;
        };
        let words = segment
            .words
            .iter()
            .skip(1)
            .filter(|_| canonical(segment).is_some_and(|name| WRITERS.contains(&name)));
        let files = segment.redirects.iter().filter(|redirect| {
            !matches!(
                redirect.operator,
                RedirectOperator::Read
                    | RedirectOperator::DuplicateInput
                    | RedirectOperator::DuplicateOutput
            )
        });
        for word in words.chain(files.map(|redirect| &redirect.target)) {
            let Some(text) = word.value.as_deref() else {
                continue;
            };
            if let Place::Path(path) = path::read(text, shell, None, None) {
                names.push(path);
            }
        }
    }
    names
}

impl Command<'_, '_, '_> {
    /// Whether the network's answer is its input, directly or through filters.
    pub(super) fn is_fed_by_network(&self) -> bool {
        let line = self.windows.judge.line;
        let fetches = |segment: &Segment| {
            canonical(segment).is_some_and(|name| FETCHERS.contains(&name))
                || self.shell == Shell::Cmd
                    && canonical(segment).is_none()
                    && crate::flow::is_fed_by_network(self.windows.judge, self.segment)
        };
        stages_before(line, self.segment).any(fetches)
    }
}
