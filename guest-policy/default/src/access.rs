//! Files that programs read and write.

use execgate_guest::{RedirectOperator, Relation, Segment, Span, Word};
use execgate_knowledge::programs;
use execgate_rules::Invocation;
use execgate_rules::paths::{self, Candidate, Path, climbs};

use crate::environment;
use crate::finding::Finding;
use crate::judge::{Judge, is_system_program};
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
        if let Some(candidate) = paths::of_redirect(redirect) {
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
    // The second operand of some filters is their output.
    let output = matches!(invocation.name.as_str(), "uniq" | "xxd")
        .then(|| invocation.operands().nth(1).map(|word| word.span))
        .flatten();
    for candidate in paths::of_words(invocation) {
        let with = if Some(candidate.span) == output {
            Use::Write
        } else {
            Use::Read
        };
        findings.extend(file(judge, &candidate, with));
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
    for candidate in paths::of_words(invocation) {
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
    // Labels of bazel look like paths of the root directory, and so do the places of an interface.
    let labels = matches!(invocation.name.as_str(), "bazel" | "buck2");
    let places = invocation.name == "gh" && invocation.has_verb(&["api"]);
    for candidate in paths::of_words(invocation) {
        let label = labels
            && matches!(&candidate.path, Path::Known(path) if path.starts_with("//"))
            || places && matches!(&candidate.path, Path::Known(path) if path.starts_with('/'));
        if !label {
            findings.extend(file(judge, &candidate, Use::Run));
        }
    }
    let looks = invocation.name == "make" && invocation.has("n", &["dry-run", "just-print"]);
    let installs = matches!(invocation.name.as_str(), "make" | "just" | "task")
        && invocation.operand_texts().any(|text| text == "install");
    let consequential =
        || runs_targets(invocation) && invocation.operand_texts().any(is_consequential);
    if !looks && (installs || consequential()) {
        findings.push(Finding::ask(
            "program/arguments",
            "by its name it changes more than the workspace".into(),
            invocation.span(),
        ));
    }
    if opens_console(invocation) {
        findings.push(
            Finding::ask(
                "eval/inline-code",
                "a console of the project runs whatever it is told".into(),
                invocation.span(),
            )
            .high(),
        );
    }
    for word in invocation.operands().filter(|_| invocation.name == "make") {
        let set = word.value.as_deref().and_then(|text| text.split_once('='));
        if let Some((name, value)) = set {
            let value = Word {
                value: Some(value.to_owned()),
                ..word.clone()
            };
            findings.extend(environment::variable(name, &value, word.span, true));
        }
    }
    if invocation.name == "go"
        && invocation.has_verb(&["run"])
        && !invocation.operand_texts().nth(1).is_some_and(is_local_go)
    {
        findings.push(
            Finding::ask(
                "program/arguments",
                "it runs a program that is not the project's".into(),
                invocation.span(),
            )
            .high(),
        );
    }
}

/// Whether a program's operands name scripts or targets that somebody else wrote.
fn runs_targets(invocation: &Invocation<'_>) -> bool {
    !is_system_program(invocation.written)
        || matches!(
            invocation.name.as_str(),
            "npm"
                | "pnpm"
                | "yarn"
                | "bun"
                | "make"
                | "just"
                | "task"
                | "php"
                | "rake"
                | "mix"
                | "rails"
                | "bundle"
                | "node"
                | "gradle"
                | "mvn"
                | "sbt"
                | "ant"
                | "nx"
                | "turbo"
                | "deno"
        )
        || execgate_knowledge::shells::unversioned(&invocation.name) == "python"
}

/// Whether a script of a web framework is asked for its console.
fn opens_console(invocation: &Invocation<'_>) -> bool {
    const CONSOLES: &[&str] = &[
        "console",
        "dbconsole",
        "dbshell",
        "runner",
        "shell",
        "shell_plus",
        "tinker",
        "eval",
    ];
    let mut operands = invocation.operand_texts();
    let written = match invocation.name.as_str() {
        "php" | "ruby" => operands.next().unwrap_or_default(),
        name if execgate_knowledge::shells::unversioned(name) == "python" => {
            operands.next().unwrap_or_default()
        }
        _ => invocation.written,
    };
    let script = written.rsplit('/').next().unwrap_or(written);
    matches!(script, "artisan" | "manage.py" | "rails" | "console")
        && operands.next().is_some_and(|verb| CONSOLES.contains(&verb))
}

fn is_consequential(text: &str) -> bool {
    // `migrate:status` only looks.
    !text.ends_with(":status")
        && text
            .split(|letter: char| !letter.is_ascii_alphanumeric())
            .any(|word| programs::CONSEQUENTIAL.contains(&word))
}

fn is_local_go(text: &str) -> bool {
    text.starts_with('.') || text.ends_with(".go")
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
    } else if judge.brings_files() || crate::flow::is_written(judge, path) {
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

/// What speaks against using a file.
pub(crate) fn file(judge: &Judge<'_>, candidate: &Candidate<'_>, with: Use) -> Option<Finding> {
    let span = candidate.span;
    match &candidate.path {
        Path::Known(path) => class(judge.class(path), path, with, span),
        Path::Pattern { directory, pattern } => pattern_of(judge, directory, pattern, with, span),
        Path::Unknown { variable } => {
            let bounded = match variable {
                Some(name) => judge.is_bounded(name),
                None => prints_plainly(judge, span),
            };
            let reason = "which file it uses is not known before it runs".to_owned();
            (!bounded)
                .then(|| Finding::ask("path/unknown", reason, span).instead("write the path out"))
        }
    }
}

/// Whether what stands in a place is printed by commands whose output leads nowhere.
pub(crate) fn prints_plainly(judge: &Judge<'_>, span: Span) -> bool {
    let inside = |segment: &Segment| {
        segment.relation == Relation::Substitution
            && segment.span.start >= span.start
            && segment.span.end <= span.end
    };
    let segments = judge
        .line
        .command_line
        .segments
        .iter()
        .filter(|segment| inside(segment));
    let mut count = 0;
    let plain = segments.into_iter().all(|segment| {
        count += 1;
        Invocation::read(0, segment).is_some_and(|invocation| {
            programs::PLAIN_PRINTERS.iter().any(|(name, verbs)| {
                *name == invocation.written && (verbs.is_empty() || invocation.has_verb(verbs))
            })
        })
    });
    plain && count > 0
}

fn pattern_of(
    judge: &Judge<'_>,
    directory: &str,
    pattern: &str,
    with: Use,
    span: Span,
) -> Option<Finding> {
    let kind = judge.class(directory);
    let rest = paths::after_directory(directory, pattern);
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

/// What speaks against using a place of a kind.
pub(crate) fn class(class: Option<Class>, path: &str, with: Use, span: Span) -> Option<Finding> {
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
        (Class::ProjectStartup | Class::Readable | Class::Temporary, Use::Read) => None,
        (Class::ProjectStartup, Use::Run) => None,
        (Class::Temporary | Class::Readable, Use::Run) => Some(outside()),
        (Class::Temporary | Class::ProjectStartup, Use::Write) => Some(outside()),
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
