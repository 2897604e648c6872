//! Programs with rules of their own.

mod archive;
mod arguments;
mod build;
mod builtin;
mod cloud;
mod database;
mod dependencies;
mod edit;
mod git;
mod interpreter;
mod wrapper;

use execgate_knowledge::names::Names;
use execgate_knowledge::shells;
use execgate_rules::{Invocation, paths};

pub(crate) use self::wrapper::wraps;
use crate::access::{self, Use};
use crate::candidates;
use crate::finding::Finding;
use crate::judge::{Judge, base_name, is_system_program};
use crate::place::Class;

/// Programs with rules of their own whose options can do more.
const HAS_OPTIONS: Names = Names::new(&[
    "aws", "awk", "az", "duckdb", "gawk", "gcloud", "gsed", "mawk", "mysql", "nawk", "psql", "sed",
    "sqlite3", "tar",
]);

/// Judges programs with rules of their own; whether it was one.
pub(crate) fn judge(
    judge: &Judge<'_>,
    invocation: &Invocation<'_>,
    findings: &mut Vec<Finding>,
) -> bool {
    let name = base_name(invocation.written);
    let local = !is_system_program(invocation.written)
        && judge.class(invocation.written) != Some(Class::Project);
    if local {
        return false;
    }
    if HAS_OPTIONS.contains(name)
        && let Some(word) = invocation.segment.words[1..].iter().find(|word| {
            candidates::may_be_option(judge, word) && !candidates::is_inherited(judge, word)
        })
    {
        findings.push(Finding::ask(
            "program/arguments",
            format!(
                "an argument of `{name}` that is not known yet may be an option that does more"
            ),
            word.span,
        ));
    }
    match name {
        "export" | "declare" | "readonly" | "local" | "typeset" => {
            builtin::declares(invocation, findings)
        }
        "read" | "unset" | "getopts" => builtin::names(invocation, findings),
        "set" | "shopt" => builtin::options(invocation, findings),
        "sed" | "gsed" => edit::sed(judge, invocation, findings),
        "awk" | "gawk" | "mawk" | "nawk" => edit::awk(judge, invocation, findings),
        "mlr" if edit::runs_programs(invocation) => findings.push(Finding::ask(
            "program/arguments",
            "its functions and verbs could run programs or write files".into(),
            invocation.span(),
        )),
        "cmake" if build::configures(invocation) => build::cmake(judge, invocation, findings),
        "ip" if arguments::shows_network(invocation) => {}
        "sysctl" if arguments::shows_kernel(invocation) => {}
        "xxd" if invocation.has("r", &["revert"]) && invocation.operands().count() < 2 => {
            access::reads(judge, invocation, findings)
        }
        "gdb" | "lldb" if !invocation.only_informs() => {
            build::debugger(judge, invocation, findings)
        }
        "npm" | "pnpm" | "yarn" | "bun" | "poetry"
            if dependencies::installs_declared(invocation) => {}
        "source" | "."
            if invocation
                .operands()
                .next()
                .is_some_and(|word| word.value.is_some()) =>
        {
            sources(judge, invocation, findings)
        }
        "git" if git::reads_key(invocation) => {}
        "tar" => archive::tar(judge, invocation, findings),
        "git" if git::configures(invocation) => findings.push(
            Finding::ask(
                "program/arguments",
                "`git -c` can set what git runs".into(),
                invocation.span(),
            )
            .high(),
        ),
        "psql" | "mysql" | "sqlite3" | "duckdb" => database::queries(judge, invocation, findings),
        "aws" | "gcloud" | "az" => cloud::asks(invocation, findings),
        "deno" | "bun" => return false,
        "printenv" if invocation.operands().next().is_none() => findings.push(Finding::ask(
            "path/secret",
            "it prints all variables".into(),
            invocation.span(),
        )),
        "java"
            if invocation.has("j", &[])
                && invocation.verb().is_some_and(|jar| jar.ends_with(".jar"))
                && invocation
                    .segment
                    .words
                    .get(1)
                    .and_then(|word| word.value.as_deref())
                    == Some("-jar") =>
        {
            access::script(
                judge,
                invocation.verb().unwrap_or_default(),
                invocation.span(),
                findings,
            );
            access::develops(judge, invocation, findings);
        }
        "grep" | "rg" | "egrep" | "ag" if arguments::seeks_secrets(invocation) => {
            findings.push(Finding::ask(
                "path/secret",
                "it looks for secrets".into(),
                invocation.span(),
            ))
        }
        "chmod" if !invocation.only_informs() && arguments::opens_to_all(invocation) => findings
            .push(Finding::ask(
                "program/arguments",
                "everybody could write the file, or run it as its owner".into(),
                invocation.span(),
            )),
        "pandoc" if invocation.operand_texts().any(|text| text.contains("://")) => {
            findings.push(Finding::ask(
                "program/arguments",
                "it reads what is not in the workspace".into(),
                invocation.span(),
            ))
        }
        "convert" | "magick" | "mogrify" | "ffmpeg" | "ffprobe"
            if invocation.operand_texts().any(arguments::names_protocol) =>
        {
            findings.push(Finding::ask(
                "program/arguments",
                "its operands can name protocols and scripts".into(),
                invocation.span(),
            ));
        }
        "hostname" if invocation.operands().next().is_some() => findings.push(Finding::ask(
            "program/arguments",
            "it may change the machine's name".into(),
            invocation.span(),
        )),
        "truncate"
            if invocation.option("s", &["size"]).is_none_or(|(_, size)| {
                size.is_none_or(|size| size.starts_with(['0', '-', '<']))
            }) =>
        {
            findings.push(Finding::ask(
                "delete/tree",
                "it may empty the file".into(),
                invocation.span(),
            ));
        }
        "install"
            if invocation
                .option("m", &["mode"])
                .is_some_and(|(_, mode)| mode.is_none_or(arguments::is_open_mode)) =>
        {
            findings.push(Finding::ask(
                "program/arguments",
                "everybody could write the file, or run it as its owner".into(),
                invocation.span(),
            ))
        }
        "jq" | "yq" if arguments::reads_environment(invocation) => findings.push(Finding::ask(
            "path/secret",
            "the filter reads variables or other files".into(),
            invocation.span(),
        )),
        "docker" | "podman" | "buildah"
            if invocation
                .operand_texts()
                .any(|text| text.contains("://") || text == "-")
                || invocation
                    .option("f", &["file"])
                    .is_some_and(|(_, file)| file == Some("-")) =>
        {
            findings.push(Finding::ask(
                "program/arguments",
                "it builds what is not in the workspace".into(),
                invocation.span(),
            ))
        }
        "head" | "dd" | "truncate" | "fallocate" if arguments::is_huge(invocation) => findings
            .push(Finding::ask(
                "program/arguments",
                "it makes very much data".into(),
                invocation.span(),
            )),
        _ if shells::SHELLS.contains(name) && judge.children(invocation.index).next().is_none() => {
            interpreter::runs_script(judge, invocation, findings)
        }
        _ if shells::interpreter_named(&invocation.name).is_some()
            && (invocation.name == name || name == "Rscript") =>
        {
            interpreter::interprets(judge, invocation, findings)
        }
        _ => return false,
    }
    true
}

/// A file of the project that the shell itself runs.
fn sources(judge: &Judge<'_>, invocation: &Invocation<'_>, findings: &mut Vec<Finding>) {
    let path = invocation.verb().unwrap_or_default();
    // Without a slash it is looked for on the search path first.
    if !path.contains('/') || path.starts_with('-') {
        findings.push(Finding::ask(
            "program/unknown",
            format!("what `{path}` stands for is not known"),
            invocation.span(),
        ));
    }
    access::script(judge, path, invocation.span(), findings);
    access::develops(judge, invocation, findings);
}

fn files(judge: &Judge<'_>, invocation: &Invocation<'_>, with: Use, findings: &mut Vec<Finding>) {
    for candidate in paths::of_words(invocation) {
        findings.extend(access::file(judge, &candidate, with));
    }
}
