//! What one part of a command hands to another.

use std::collections::BTreeSet;

use execgate_guest::{RedirectOperator, Segment};
use execgate_knowledge::remote;
use execgate_rules::paths::lexical;
use execgate_rules::{Argument, Invocation, Line};

use crate::finding::Finding;
use crate::judge::Judge;
use crate::table::Effect;
use crate::windows;

/// Endings of files that no build tool runs.
const DATA_ENDINGS: &[&str] = &[
    ".log", ".txt", ".out", ".csv", ".md", ".pid", ".err", ".tsv", ".html", ".xml", ".flag",
];

/// What is fetched from the network may be read, not worked with; files may not be written and run in one call.
pub(crate) fn judge(
    judge: &Judge<'_>,
    invocation: &Invocation<'_>,
    effect: Effect,
    findings: &mut Vec<Finding>,
) {
    // What `openssl` is known to do with its input is reading.
    let acts = matches!(effect, Effect::Develops | Effect::Wraps) && invocation.name != "openssl"
        || invocation.name == "patch";
    if acts && is_fed_by_network(judge, invocation.segment) {
        findings.push(
            Finding::ask(
                "pipe-shell/input",
                "it works with what was just fetched".into(),
                invocation.span(),
            )
            .high(),
        );
    }
    if effect == Effect::Develops
        && builds(invocation)
        && (judge.brings_files() || writes_code(judge))
    {
        findings.push(
            Finding::ask(
                "code/written",
                "it builds or runs in the call that writes or fetches files".into(),
                invocation.span(),
            )
            .instead("write in one call and run in another"),
        );
    }
}

/// Whether the command writes files that a build tool could run.
fn writes_code(judge: &Judge<'_>) -> bool {
    judge
        .written()
        .iter()
        .any(|path| !DATA_ENDINGS.iter().any(|ending| path.ends_with(ending)))
}

/// Whether a command runs code of the project.
fn builds(invocation: &Invocation<'_>) -> bool {
    !matches!(
        invocation.name.as_str(),
        "git" | "gh" | "docker" | "kubectl" | "helm" | "openssl" | "systemctl"
    )
}

/// Whether the network's answer is its input, directly or through filters.
pub(crate) fn is_fed_by_network(judge: &Judge<'_>, segment: &Segment) -> bool {
    let Some(stage) = segment.stage else {
        return false;
    };
    judge.line.invocations.iter().any(|other| {
        other
            .segment
            .stage
            .is_some_and(|before| before.pipeline == stage.pipeline && before.index < stage.index)
            && remote::FETCHERS.contains(other.name.as_str())
    })
}

/// Whether a command unpacks archives or saves downloads.
pub(crate) fn brings_files(line: &Line<'_>) -> bool {
    line.invocations
        .iter()
        .any(|invocation| match invocation.name.as_str() {
            "curl" => {
                invocation.has("oOJ", &["output", "remote-name"])
                    || !invocation.segment.redirects.is_empty()
            }
            "wget" => {
                !matches!(
                    invocation.option("O", &["output-document"]),
                    Some((_, Some("-")))
                ) && !invocation.has("", &["spider"])
            }
            "tar" => {
                invocation.has("x", &["extract"])
                    || invocation.verb().is_some_and(|verb| verb.contains('x'))
            }
            "unzip" => !invocation.has("l", &[]),
            "git" => invocation.has_verb(&["clone"]),
            "aria2c" | "scp" | "sftp" | "ftp" | "7z" => true,
            _ => false,
        })
        || windows::brings_files(line)
}

/// Absolute names of the files that redirects and copying programs write.
pub(crate) fn written(judge: &Judge<'_>) -> BTreeSet<String> {
    let mut names: Vec<&str> = Vec::new();
    let posix = |segment: &&Segment| windows::shell(segment).is_none();
    for segment in judge.line.command_line.segments.iter().filter(posix) {
        let writes = segment.redirects.iter().filter(|redirect| {
            !matches!(
                redirect.operator,
                RedirectOperator::Read
                    | RedirectOperator::HereDocument
                    | RedirectOperator::HereString
                    | RedirectOperator::DuplicateInput
                    | RedirectOperator::DuplicateOutput
            )
        });
        names.extend(writes.filter_map(|redirect| redirect.target.value.as_deref()));
    }
    let copies = |invocation: &&Invocation<'_>| {
        matches!(
            invocation.name.as_str(),
            "tee" | "cp" | "mv" | "ln" | "install" | "dd" | "patch" | "base64" | "sponge"
        )
    };
    for invocation in judge.line.invocations.iter().filter(copies) {
        names.extend(
            invocation
                .operand_texts()
                .map(|text| text.strip_prefix("of=").unwrap_or(text)),
        );
        names.extend(
            invocation
                .arguments
                .iter()
                .filter_map(|argument| match argument {
                    Argument::Option { value, .. } => *value,
                    Argument::Operand(_) => None,
                }),
        );
    }
    let windows = windows::written(judge.line);
    names.extend(windows.iter().map(String::as_str));
    names.retain(|name| !execgate_knowledge::devices::HARMLESS.contains(name));
    let bases = judge.all_bases();
    names
        .iter()
        .flat_map(|name| bases.iter().map(move |base| lexical(base, name)))
        .collect()
}

/// Whether the command itself writes a file, or one in a directory of that name.
pub(crate) fn is_written(judge: &Judge<'_>, path: &str) -> bool {
    judge.all_bases().into_iter().any(|base| {
        let path = lexical(base, path);
        judge.written().contains(&path) || is_edited(judge, base, &path)
    })
}

/// Whether a file that is run has been edited in place before.
fn is_edited(judge: &Judge<'_>, base: &str, path: &str) -> bool {
    let mut editors = judge
        .line
        .invocations
        .iter()
        .filter(|invocation| matches!(invocation.name.as_str(), "sed" | "gsed" | "sd"));
    editors.any(|editor| {
        let in_place = editor.name == "sd" || editor.has("i", &["in-place"]);
        in_place
            && editor
                .operand_texts()
                .any(|text| lexical(base, text) == path)
    })
}
