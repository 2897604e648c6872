//! Running what another command prints, or what was just downloaded.

use execgate_guest::{RedirectOperator, Segment};
use execgate_knowledge::{remote, shells};

use super::Hit;
use crate::invocation::{Argument, Invocation};
use crate::line::{Line, is_process_substitution};

pub(super) const INPUT: &str = "pipe-shell/input";
pub(super) const DOWNLOADED: &str = "pipe-shell/downloaded";

pub(super) fn judge(line: &Line<'_>, hits: &mut Vec<Hit>) {
    let downloads = downloads(line);
    for invocation in &line.invocations {
        if runs_input(line, invocation) {
            hits.push(Hit {
                rule: INPUT,
                effect: "runs what another command prints",
                remedy: "save the output to a file, look at it, and run the file in a call of its own",
                span: invocation.span(),
            });
        } else if runs_one_of(invocation, &downloads) {
            hits.push(Hit {
                rule: DOWNLOADED,
                effect: "runs what it has just downloaded",
                remedy: "download in one call, look at the file, and run it in another",
                span: invocation.span(),
            });
        }
    }
}

/// Whether a program is a shell or an interpreter.
fn interprets(name: &str) -> bool {
    shells::SHELLS.contains(name) || shells::interpreter_named(name).is_some()
}

fn runs_input(line: &Line<'_>, invocation: &Invocation<'_>) -> bool {
    let name = invocation.name.as_str();
    let sources = matches!(name, "source" | ".");
    if !sources && !interprets(name) {
        return false;
    }
    if invocation
        .operands()
        .next()
        .is_some_and(is_process_substitution)
        || reads_process(invocation.segment)
    {
        return true;
    }
    let from_input = match invocation.operands().next() {
        None => !sources && !has_inline_program(invocation),
        Some(word) => matches!(
            word.value.as_deref(),
            Some("-" | "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0")
        ),
    };
    let forced = shells::SHELLS.contains(name) && invocation.has("s", &[]);
    (from_input || forced || name == "deno") && line.is_fed(invocation.segment)
}

fn reads_process(segment: &Segment) -> bool {
    segment.redirects.iter().any(|redirect| {
        redirect.operator == RedirectOperator::Read && is_process_substitution(&redirect.target)
    })
}

/// Whether the program stands in the arguments, so that the input is only data.
fn has_inline_program(invocation: &Invocation<'_>) -> bool {
    if invocation.only_informs() {
        return true;
    }
    if shells::SHELLS.contains(invocation.name.as_str()) {
        return invocation.has("c", &[]);
    }
    let module = shells::unversioned(&invocation.name) == "python" && invocation.has("m", &[]);
    module
        || shells::interpreter_named(&invocation.name)
            .is_some_and(|known| invocation.has(known.inline_letters, known.inline_words))
}

/// File names that fetching segments write.
fn downloads<'a>(line: &Line<'a>) -> Vec<&'a str> {
    let mut names = Vec::new();
    for invocation in line
        .invocations
        .iter()
        .filter(|invocation| remote::FETCHERS.contains(invocation.name.as_str()))
    {
        for argument in &invocation.arguments {
            match argument {
                Argument::Option {
                    name,
                    value: Some(value),
                    ..
                } if matches!(
                    name.as_ref(),
                    "-o" | "-O" | "--output" | "--output-document"
                ) =>
                {
                    names.push(*value);
                }
                Argument::Operand(word) => names.extend(
                    word.value
                        .as_deref()
                        .and_then(|text| text.rsplit('/').next()),
                ),
                Argument::Option { .. } => {}
            }
        }
        names.extend(
            invocation
                .segment
                .redirects
                .iter()
                .filter_map(|redirect| redirect.target.value.as_deref()),
        );
    }
    names.retain(|name| !name.is_empty() && *name != "-");
    names
}

fn runs_one_of(invocation: &Invocation<'_>, downloads: &[&str]) -> bool {
    if downloads.is_empty() {
        return false;
    }
    let same = |text: &str| {
        downloads
            .iter()
            .any(|name| name.trim_start_matches("./") == text.trim_start_matches("./"))
    };
    if invocation.written.contains('/') && same(invocation.written) {
        return true;
    }
    let runs = interprets(&invocation.name) || matches!(invocation.name.as_str(), "source" | ".");
    runs && invocation.verb().is_some_and(same)
}
