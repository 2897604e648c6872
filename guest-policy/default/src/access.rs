//! Files that programs read and write.

use execgate_guest::{RedirectOperator, Segment, Span};
use execgate_rules::Invocation;
use execgate_rules::paths::{self, Candidate, Path, climbs};

use crate::finding::Finding;
use crate::judge::Judge;
use crate::place::Class;

/// What is done with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    Read,
    Write,
    /// Its content steers a program or is run.
    Run,
}

/// Judges redirects to and from files.
pub(crate) fn redirects(judge: &Judge<'_>, segment: &Segment, findings: &mut Vec<Finding>) {
    for redirect in &segment.redirects {
        let with = match redirect.operator {
            RedirectOperator::Read | RedirectOperator::DuplicateInput => Use::Read,
            RedirectOperator::HereDocument | RedirectOperator::HereString => continue,
            RedirectOperator::Write
            | RedirectOperator::Clobber
            | RedirectOperator::Append
            | RedirectOperator::ReadWrite
            | RedirectOperator::DuplicateOutput
            | RedirectOperator::WriteBoth
            | RedirectOperator::AppendBoth => Use::Write,
        };
        let only = Segment {
            words: Vec::new(),
            assignments: Vec::new(),
            redirects: vec![redirect.clone()],
            ..segment.clone()
        };
        for candidate in paths::candidates(&only, None) {
            if let Path::Known(path) = &candidate.path
                && (path.starts_with("/dev/tcp/") || path.starts_with("/dev/udp/"))
            {
                findings.push(
                    Finding::ask(
                        "network/send",
                        "it opens a connection".into(),
                        candidate.span,
                    )
                    .high(),
                );
            }
            findings.extend(file(judge, &candidate, with));
        }
        if execgate_rules::is_process_substitution(&redirect.target) {
            findings.retain(|finding| {
                finding.span != redirect.target.span || finding.rule != "path/unknown"
            });
        }
    }
}

/// Judges the operands of a program that reads.
pub(crate) fn reads(judge: &Judge<'_>, invocation: &Invocation<'_>, findings: &mut Vec<Finding>) {
    for candidate in candidates(invocation) {
        findings.extend(file(judge, &candidate, Use::Read));
    }
}

/// Judges the operands of a program that writes; of copiers, all but the last are only read.
pub(crate) fn writes(judge: &Judge<'_>, invocation: &Invocation<'_>, findings: &mut Vec<Finding>) {
    let copies = matches!(
        invocation.name.as_str(),
        "cp" | "ln" | "install" | "rsync" | "convert" | "ffmpeg" | "pdfunite" | "pdftotext"
    );
    let last = invocation.operands().last().map(|word| word.span);
    let into = invocation.has("t", &["target-directory"]);
    for candidate in candidates(invocation) {
        let with = if copies && !into && Some(candidate.span) != last {
            Use::Read
        } else {
            Use::Write
        };
        findings.extend(file(judge, &candidate, with));
    }
    if invocation.operands().any(|word| {
        word.value
            .as_deref()
            .is_some_and(|text| paths::is_remote(text) && invocation.name == "rsync")
    }) {
        findings.push(
            Finding::ask(
                "ssh/session",
                "it copies to or from another host".into(),
                invocation.span(),
            )
            .high(),
        );
    }
}

/// Judges the operands of a developer's command.
pub(crate) fn develops(
    judge: &Judge<'_>,
    invocation: &Invocation<'_>,
    findings: &mut Vec<Finding>,
) {
    for candidate in candidates(invocation) {
        findings.extend(file(judge, &candidate, Use::Run));
    }
}

/// Judges a program of the project itself.
pub(crate) fn project_program(
    judge: &Judge<'_>,
    invocation: &Invocation<'_>,
    findings: &mut Vec<Finding>,
) {
    script(
        judge,
        invocation.written,
        invocation.segment.words[0].span,
        findings,
    );
    develops(judge, invocation, findings);
}

/// Judges a file of the project that is run.
pub(crate) fn script(judge: &Judge<'_>, path: &str, span: Span, findings: &mut Vec<Finding>) {
    if judge.class(path) != Some(Class::Project) {
        findings.push(
            Finding::ask(
                "path/outside",
                format!("`{path}` would be run and is not in the workspace"),
                span,
            )
            .high(),
        );
    } else if judge.brings_files || crate::flow::is_written(judge, path) {
        findings.push(
            Finding::ask(
                "code/written",
                format!("`{path}` would be run in the call that writes or fetches files"),
                span,
            )
            .high()
            .instead("write in one call and run in another"),
        );
    }
}

fn candidates(invocation: &Invocation<'_>) -> Vec<Candidate> {
    let only = Segment {
        assignments: Vec::new(),
        redirects: Vec::new(),
        ..invocation.segment.clone()
    };
    paths::candidates(&only, Some(invocation))
}

/// What speaks against using a file.
pub(crate) fn file(judge: &Judge<'_>, candidate: &Candidate, with: Use) -> Option<Finding> {
    let span = candidate.span;
    match &candidate.path {
        Path::Known(path) => class(judge.class(path), path, with, span),
        Path::Pattern { directory, pattern } => pattern_of(judge, directory, pattern, with, span),
        Path::Unknown { variable } => {
            let bounded = variable
                .as_deref()
                .is_some_and(|name| judge.is_bounded(name));
            let reason = "which file it uses is not known before it runs".to_owned();
            (!bounded)
                .then(|| Finding::ask("path/unknown", reason, span).instead("write the path out"))
        }
    }
}

fn pattern_of(
    judge: &Judge<'_>,
    directory: &str,
    pattern: &str,
    with: Use,
    span: Span,
) -> Option<Finding> {
    let kind = judge.class(directory);
    let rest = pattern
        .strip_prefix(directory)
        .unwrap_or(pattern)
        .trim_start_matches('/');
    let hidden = rest
        .split('/')
        .any(|name| name.starts_with('.') && name != ".");
    let known = matches!(
        kind,
        Some(Class::Project | Class::Temporary | Class::ProjectStartup)
    );
    if !known || climbs(rest) || hidden && !rest.starts_with(".[!.]") {
        return class(kind, pattern, with, span).or_else(|| {
            Some(Finding::ask(
                "path/unknown",
                format!("what `{pattern}` stands for is not known before it runs"),
                span,
            ))
        });
    }
    class(kind, pattern, with, span)
}

fn class(class: Option<Class>, path: &str, with: Use, span: Span) -> Option<Finding> {
    let Some(class) = class else {
        return Some(Finding::ask(
            "path/unknown",
            format!("where `{path}` leads is not known before it runs"),
            span,
        ));
    };
    let verb = match with {
        Use::Read => "read",
        Use::Write => "written",
        Use::Run => "used",
    };
    let outside = || {
        Finding::ask(
            "path/outside",
            format!("`{path}` would be {verb} and is not in the workspace"),
            span,
        )
    };
    let secret = || {
        Finding::ask(
            "path/secret",
            format!("`{path}` would be {verb} and may hold secrets"),
            span,
        )
        .high()
    };
    let protected = || {
        Finding::deny(
            "path/protected",
            format!("`{path}` would be {verb} and belongs to the system or to the account"),
            span,
        )
    };
    match (class, with) {
        (Class::Harmless | Class::Project, Use::Read | Use::Write | Use::Run) => None,
        (Class::ProjectStartup | Class::Readable, Use::Read | Use::Run) => None,
        (Class::Temporary, Use::Read) => None,
        (Class::Temporary | Class::ProjectStartup, Use::Write | Use::Run) => Some(outside()),
        (
            Class::Elsewhere | Class::Startup | Class::System | Class::Device,
            Use::Read | Use::Run,
        ) => Some(outside()),
        (Class::Elsewhere, Use::Write) => Some(outside()),
        (Class::ProjectSecret, Use::Read | Use::Write | Use::Run)
        | (Class::Secret, Use::Read | Use::Run) => Some(secret()),
        (
            Class::Readable | Class::System | Class::Startup | Class::Secret | Class::Device,
            Use::Write,
        ) => Some(protected()),
    }
}
