//! Programs that run another one.

use execgate_guest::{Relation, Word};
use execgate_rules::Invocation;
use execgate_rules::paths::{self, Candidate, Path};

use super::builtin::is_name;
use super::files;
use crate::access::{self, Use};
use crate::finding::Finding;
use crate::judge::{Judge, base_name};
use crate::place::Class;
use crate::{delete, environment, table};

/// Judges a wrapper by its own words; the inner command is judged on its own.
pub(crate) fn wraps(
    judge: &Judge<'_>,
    invocation: &Invocation<'_>,
    own: &[Word],
    findings: &mut Vec<Finding>,
) {
    let name = base_name(invocation.written);
    for word in own {
        if let Some((variable, value)) = word
            .value
            .as_deref()
            .and_then(|text| text.split_once('='))
            // `env` passes on names that no shell could assign, such as bash's exported functions.
            .filter(|(variable, _)| {
                is_name(variable) || (name == "env" && !variable.starts_with('-'))
            })
        {
            let value = Word {
                value: Some(value.to_owned()),
                ..word.clone()
            };
            findings.extend(environment::variable(variable, &value, word.span, true));
        } else if word.value.is_none()
            && !matches!(
                name,
                "xargs" | "find" | "exec" | "trap" | "timeout" | "bash" | "sh"
            )
        {
            findings.push(Finding::ask(
                "program/arguments",
                format!("not all arguments of `{name}` are known"),
                word.span,
            ));
        }
    }
    if name == "script" {
        files(judge, invocation, Use::Write, findings);
    }
    if matches!(name, "find") {
        find(judge, invocation, findings);
    }
    if name == "xargs" || name == "parallel" {
        feeds(judge, invocation, findings);
    }
    let runs = judge
        .children(invocation.index)
        .any(|child| matches!(child.relation, Relation::Wrapped | Relation::Script));
    let alone = match name {
        "find" | "watch" => true,
        "exec" => invocation.segment.words.len() == 1,
        "command" => invocation.has("vV", &[]),
        // `trap '' SIGNAL` ignores it, `trap - SIGNAL` sets it back.
        "trap" => own
            .first()
            .is_none_or(|word| matches!(word.value.as_deref(), Some("" | "-"))),
        _ => false,
    };
    if !runs && !alone {
        findings.push(Finding::ask(
            "program/arguments",
            format!("what `{name}` runs is not known"),
            invocation.span(),
        ));
    }
}

/// What `find` runs for files outside of the workspace may only read.
fn find(judge: &Judge<'_>, invocation: &Invocation<'_>, findings: &mut Vec<Finding>) {
    let changes = judge.children(invocation.index).any(|child| {
        Invocation::read(0, child).is_none_or(|inner| {
            !matches!(
                table::look_up(base_name(inner.written), &inner).map(|known| known.effect),
                Some(table::Effect::Speaks | table::Effect::Reads)
            )
        })
    });
    let writes = judge.children(invocation.index).any(|child| {
        Invocation::read(0, child).is_some_and(|inner| {
            table::look_up(base_name(inner.written), &inner)
                .is_some_and(|known| known.effect == table::Effect::Writes)
        })
    });
    if writes {
        findings.push(Finding::ask(
            "program/arguments",
            "which files it changes is not known before it runs".into(),
            invocation.span(),
        ));
    }
    let with = if changes { Use::Write } else { Use::Read };
    for root in delete::roots(invocation) {
        let candidate = Candidate {
            path: Path::Known(root.into()),
            span: invocation.span(),
        };
        findings.extend(access::file(judge, &candidate, with));
        if matches!(judge.class(root), Some(Class::Readable | Class::System)) && root.len() < 5 {
            findings.push(Finding::ask(
                "path/outside",
                format!("it walks through all of `{root}`"),
                invocation.span(),
            ));
        }
    }
}

/// Whether a program prints nothing but numbers, or names of files in the workspace.
fn lists_names(judge: &Judge<'_>, invocation: &Invocation<'_>) -> bool {
    let names = invocation.has(
        "lL",
        &["files", "files-with-matches", "files-without-match"],
    );
    let has_word = |word: &str| {
        let mut words = invocation.segment.words.iter();
        words.any(|given| {
            given
                .value
                .as_deref()
                .is_some_and(|text| text.starts_with(word))
        })
    };
    let lists = match invocation.name.as_str() {
        "ls" => true,
        "find" => !has_word("-printf"),
        "fd" | "fdfind" => !has_word("--format"),
        "grep" | "rg" => names,
        "seq" => !invocation.has("fs", &["format", "separator"]),
        "git" => match invocation.verb() {
            Some("ls-files") => !has_word("--format"),
            Some("diff" | "show" | "diff-tree") => has_word("--name-only"),
            Some("grep") => names,
            Some("ls-tree") => has_word("--name-only"),
            Some(_) | None => false,
        },
        _ => false,
    };
    let inside = |candidate: Candidate<'_>| match candidate.path {
        Path::Known(path) => judge.class(&path) == Some(Class::Project),
        Path::Pattern { directory, .. } => judge.class(&directory) == Some(Class::Project),
        Path::Unknown { .. } => true,
    };
    lists && paths::of_words(invocation).into_iter().all(inside)
}

/// Whether a program prints names of files: those in which it finds something, or some of those it is given.
fn keeps_names(invocation: &Invocation<'_>) -> bool {
    let names = invocation.has("lL", &["files-with-matches", "files-without-match"]);
    let filters = invocation.segment.fed_by.is_some() && invocation.operands().count() <= 1;
    match invocation.name.as_str() {
        "grep" => names || filters,
        "head" | "sort" | "tail" | "uniq" => filters && invocation.operands().next().is_none(),
        _ => false,
    }
}

/// What `xargs` appends must come from a list of the project's files, and go to a program that reads or checks.
fn feeds(judge: &Judge<'_>, invocation: &Invocation<'_>, findings: &mut Vec<Finding>) {
    let own = invocation.segment.stage;
    let pipeline = own.map_or(0, |stage| stage.pipeline);
    let before = judge
        .line
        .invocations
        .partition_point(|other| other.index < invocation.index);
    let feeders = || {
        // Pipelines are numbered in their order: what belongs to this one stands right before.
        judge.line.invocations[..before]
            .iter()
            .rev()
            .take_while(|feeder| {
                feeder
                    .segment
                    .stage
                    .is_none_or(|stage| stage.pipeline >= pipeline)
            })
            .filter(|feeder| {
                let same = |stage: execgate_guest::Stage| stage.pipeline == pipeline;
                own.is_some() && feeder.segment.stage.is_some_and(same)
            })
    };
    let listed = feeders().next().is_some()
        && feeders().all(|feeder| lists_names(judge, feeder) || keeps_names(feeder));
    let reads = judge.children(invocation.index).all(|child| {
        Invocation::read(0, child).is_some_and(|inner| {
            matches!(
                table::look_up(base_name(inner.written), &inner).map(|known| known.effect),
                Some(table::Effect::Speaks | table::Effect::Reads | table::Effect::Develops)
            ) && inner.name != "git"
                || inner.name == "bash" && inner.has("n", &[])
        })
    });
    if !listed || !reads {
        findings.push(Finding::ask(
            "program/arguments",
            "which arguments it appends is not known before it runs".into(),
            invocation.span(),
        ));
    }
}
