//! Formatting, wiping and overwriting disks.

use execgate_guest::{RedirectOperator, Segment, Word};
use execgate_knowledge::{devices, disks};

use super::Hit;
use crate::invocation::Invocation;
use crate::line::Line;

pub(super) const FORMAT: &str = "disk/format";
pub(super) const COPY: &str = "disk/dd";
pub(super) const BLOCK_DEVICE: &str = "disk/block-device";

pub(super) fn judge(line: &Line<'_>, hits: &mut Vec<Hit>) {
    for invocation in &line.invocations {
        if invocation.only_informs() {
            continue;
        }
        if formats(invocation) {
            hits.push(hit(
                invocation,
                FORMAT,
                "formats, partitions or wipes a disk",
            ));
        } else if copies(invocation) {
            hits.push(hit(invocation, COPY, "copies raw blocks"));
        } else if overwrites_device(invocation) {
            hits.push(hit(invocation, BLOCK_DEVICE, "writes to a block device"));
        }
    }
    for segment in line
        .command_line
        .segments
        .iter()
        .filter(|segment| redirects_to_device(segment))
    {
        hits.push(Hit {
            rule: BLOCK_DEVICE,
            effect: "writes to a block device",
            remedy: "write to a file in the workspace",
            span: segment.span,
        });
    }
}

fn hit(invocation: &Invocation<'_>, rule: &'static str, effect: &'static str) -> Hit {
    Hit {
        rule,
        effect,
        remedy: "disks are left to the operator; work on files in the workspace",
        span: invocation.span(),
    }
}

fn formats(invocation: &Invocation<'_>) -> bool {
    let name = invocation.name.as_str();
    if name == "parted" {
        return !invocation.has("l", &["list"]);
    }
    if matches!(name, "fdisk" | "sfdisk" | "gdisk" | "sgdisk")
        && invocation.has("lpd", &["list", "dump"])
    {
        return false;
    }
    disks::FORMATTERS.contains(name)
        || disks::FORMATTER_PREFIXES
            .iter()
            .any(|prefix| name.starts_with(prefix))
}

fn copies(invocation: &Invocation<'_>) -> bool {
    matches!(invocation.name.as_str(), "dd" | "gdd" | "dcfldd" | "dc3dd")
        && invocation.segment.words[1..]
            .iter()
            .any(|word| begins(word, "if=") || begins(word, "of="))
}

fn begins(word: &Word, prefix: &str) -> bool {
    known_start(word).is_some_and(|text| text.starts_with(prefix))
}

/// The text that a word is sure to begin with.
fn known_start(word: &Word) -> Option<&str> {
    use execgate_guest::Part;
    match (&word.value, word.parts.first()) {
        (Some(value), _) => Some(value),
        (None, Some(Part::Literal(text) | Part::Glob(text))) => Some(text),
        (
            None,
            Some(
                Part::Variable(_)
                | Part::Substitution
                | Part::ProcessSubstitution
                | Part::Arithmetic,
            )
            | None,
        ) => None,
    }
}

fn overwrites_device(invocation: &Invocation<'_>) -> bool {
    devices::WRITERS.contains(invocation.name.as_str())
        && invocation.segment.words[1..]
            .iter()
            .filter_map(known_start)
            .any(|text| {
                let value = text.split_once('=').map_or(text, |(_, value)| value);
                is_block(value)
            })
}

fn is_block(path: &str) -> bool {
    devices::is_block(&crate::paths::lexical("/", path))
}

fn redirects_to_device(segment: &Segment) -> bool {
    segment.redirects.iter().any(|redirect| {
        writes(redirect.operator) && known_start(&redirect.target).is_some_and(is_block)
    })
}

/// Whether a redirect writes to its target.
fn writes(operator: RedirectOperator) -> bool {
    match operator {
        RedirectOperator::Write
        | RedirectOperator::Clobber
        | RedirectOperator::Append
        | RedirectOperator::ReadWrite
        | RedirectOperator::DuplicateOutput
        | RedirectOperator::WriteBoth
        | RedirectOperator::AppendBoth => true,
        RedirectOperator::Read
        | RedirectOperator::DuplicateInput
        | RedirectOperator::HereDocument
        | RedirectOperator::HereString => false,
    }
}
