//! Deleting, and ending processes.

use execgate_guest::Part;
use execgate_rules::Invocation;
use execgate_rules::paths::{self, Path};

use crate::finding::Finding;
use crate::judge::{Judge, is_system_program};
use crate::place::Class;

/// Judges programs that delete or signal; whether it was one.
pub(crate) fn judge(
    judge: &Judge<'_>,
    invocation: &Invocation<'_>,
    findings: &mut Vec<Finding>,
) -> bool {
    match invocation.name.as_str() {
        "rm" | "unlink" | "rmdir" | "shred" | "srm" => remove(judge, invocation, findings),
        "find" if has_delete(invocation) => found(judge, invocation, findings),
        "kill" if is_system_program(invocation.written) => signal(judge, invocation, findings),
        _ => return false,
    }
    true
}

fn has_delete(invocation: &Invocation<'_>) -> bool {
    invocation
        .segment
        .words
        .iter()
        .any(|word| word.value.as_deref() == Some("-delete"))
}

fn remove(judge: &Judge<'_>, invocation: &Invocation<'_>, findings: &mut Vec<Finding>) {
    if invocation.only_informs() {
        return;
    }
    let tree = invocation.has("rRd", &["recursive", "dir", "no-preserve-root"])
        || invocation.name == "srm";
    let destroys = matches!(invocation.name.as_str(), "shred" | "srm");
    if invocation.operands().next().is_none()
        || (tree
            && invocation
                .operands()
                .any(|word| word.value.as_deref() == Some("")))
    {
        findings.push(ask_tree(invocation));
    }
    for candidate in paths::candidates(invocation.segment, Some(invocation)) {
        let known = matches!(candidate.path, Path::Known(_));
        let path = match &candidate.path {
            Path::Known(path) => path.as_ref(),
            Path::Pattern { directory, .. } => directory.as_str(),
            // Somebody's home directory, whoever's it is.
            Path::Unknown {
                variable: Some(name),
            } if name.starts_with('~') => {
                findings.push(outside(name, &candidate));
                continue;
            }
            Path::Unknown { .. } => {
                findings.push(
                    Finding::ask(
                        "path/unknown",
                        "what it deletes is not known before it runs".into(),
                        candidate.span,
                    )
                    .high(),
                );
                continue;
            }
        };
        let everything = known
            && judge
                .bases()
                .iter()
                .any(|base| judge.places.holds_everything(base, path));
        match judge.class(path) {
            _ if everything => findings.push(outside(path, &candidate)),
            Some(Class::Project | Class::Temporary | Class::Harmless)
                if known && !tree && !destroys => {}
            Some(
                Class::Project
                | Class::Temporary
                | Class::Harmless
                | Class::ProjectStartup
                | Class::ProjectSecret,
            ) => findings.push(ask_tree(invocation)),
            Some(
                Class::Readable
                | Class::Elsewhere
                | Class::System
                | Class::Startup
                | Class::Secret
                | Class::Device,
            ) => findings.push(outside(path, &candidate)),
            None => findings.push(ask_tree(invocation)),
        }
    }
}

fn outside(path: &str, candidate: &paths::Candidate<'_>) -> Finding {
    Finding::deny(
        "delete/outside",
        format!("it deletes in `{path}`, which is not a part of the workspace"),
        candidate.span,
    )
}

fn ask_tree(invocation: &Invocation<'_>) -> Finding {
    Finding::ask(
        "delete/tree",
        "it deletes more than single named files".into(),
        invocation.span(),
    )
    .high()
    .instead("name single files and use plain `rm`")
}

fn found(judge: &Judge<'_>, invocation: &Invocation<'_>, findings: &mut Vec<Finding>) {
    findings.push(ask_tree(invocation));
    for root in roots(invocation) {
        let kind = judge.class(root);
        if !matches!(kind, Some(Class::Project | Class::Temporary) | None) {
            findings.push(Finding::deny(
                "delete/outside",
                format!("it deletes in `{root}`, which is not a part of the workspace"),
                invocation.span(),
            ));
        }
    }
}

/// Where `find` begins.
pub(crate) fn roots<'a>(invocation: &Invocation<'a>) -> Vec<&'a str> {
    let words = invocation.segment.words[1..]
        .iter()
        .map(|word| word.value.as_deref().unwrap_or(""));
    words
        .skip_while(|text| matches!(*text, "-L" | "-H" | "-P"))
        .take_while(|text| !text.starts_with(['-', '(', '!']))
        .collect()
}

/// A person's own jobs may be ended; other processes are asked about.
fn signal(judge: &Judge<'_>, invocation: &Invocation<'_>, findings: &mut Vec<Finding>) {
    let first = invocation
        .segment
        .words
        .get(1)
        .and_then(|word| word.value.as_deref());
    if matches!(first, Some("-0" | "-l" | "-L")) {
        return;
    }
    let own = invocation
        .operands()
        .all(|word| match (&word.value, word.parts.as_slice()) {
            (Some(text), _) => text.starts_with('%'),
            (None, [Part::Variable(name)]) => {
                name == "!" || judge.facts.text().contains(&format!("{name}=$!"))
            }
            (None, [Part::Substitution]) => judge.facts.text().contains("$(jobs -p)"),
            (None, _) => false,
        });
    if !own || invocation.operands().next().is_none() {
        findings.push(
            Finding::ask(
                "kill/process",
                "it ends processes that it did not start".into(),
                invocation.span(),
            )
            .high(),
        );
    }
}
