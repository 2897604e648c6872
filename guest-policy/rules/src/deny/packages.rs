//! Packages installed or removed beyond the project.

use execgate_knowledge::packages::{self, JAVASCRIPT_VERBS, SYSTEM_LETTERS};
use execgate_knowledge::shells;

use super::Hit;
use crate::invocation::Invocation;
use crate::line::Line;

pub(super) const SYSTEM: &str = "packages/system";
pub(super) const JAVASCRIPT: &str = "packages/npm-global";
pub(super) const PYTHON: &str = "packages/pip-user";

pub(super) fn judge(line: &Line<'_>, hits: &mut Vec<Hit>) {
    for invocation in line
        .invocations
        .iter()
        .filter(|invocation| !invocation.only_informs())
    {
        let (rule, remedy) = if changes_system(invocation) {
            (SYSTEM, "ask the operator to install it")
        } else if changes_account_by_npm(invocation) {
            (
                JAVASCRIPT,
                "install it for the project, without the global option",
            )
        } else if changes_account_by_pip(invocation) {
            (
                PYTHON,
                "install it into a virtual environment, without `--user`",
            )
        } else {
            continue;
        };
        hits.push(Hit {
            rule,
            effect: "installs or removes packages beyond the project",
            remedy,
            span: invocation.span(),
        });
    }
}

fn changes_system(invocation: &Invocation<'_>) -> bool {
    let name = invocation.name.as_str();
    let by_letters = SYSTEM_LETTERS.iter().any(|(manager, letters)| {
        *manager == name
            && invocation.has(letters, &[])
            && !(name == "rpm" && invocation.has("q", &["query"]))
    });
    by_letters
        || packages::SYSTEM.iter().filter(|manager| manager.name == name).any(|manager| {
            manager.verbs.is_empty()
                || invocation.operand_texts().take(2).any(|text| manager.verbs.contains(&text))
                || manager.verbs.iter().filter_map(|verb| verb.strip_prefix("--")).any(|verb| {
                    invocation.arguments.iter().any(|argument| {
                        matches!(argument, crate::invocation::Argument::Option { name, .. } if name.strip_prefix("--") == Some(verb))
                    })
                })
        })
}

fn changes_account_by_npm(invocation: &Invocation<'_>) -> bool {
    if !packages::JAVASCRIPT.contains(&invocation.name.as_str()) {
        return false;
    }
    let global = invocation.has("g", &["global"])
        || invocation
            .option("", &["location"])
            .is_some_and(|(_, value)| value == Some("global"))
        || (invocation.name == "yarn" && invocation.has_verb(&["global"]));
    global
        && invocation
            .operand_texts()
            .take(2)
            .any(|text| JAVASCRIPT_VERBS.contains(&text))
}

fn changes_account_by_pip(invocation: &Invocation<'_>) -> bool {
    let texts = invocation.segment.words.iter();
    let texts = texts.filter_map(|word| word.value.as_deref());
    if !texts.clone().any(|text| text == "install") {
        return false;
    }
    let texts: Vec<&str> = texts.collect();
    let by_module = shells::unversioned(&invocation.name) == "python"
        && texts
            .windows(2)
            .any(|pair| pair == ["-m", "pip"] || pair == ["-m", "pip3"])
        || texts.contains(&"-mpip");
    let pip = packages::PYTHON.contains(&shells::unversioned(&invocation.name));
    (pip || by_module || (invocation.name == "uv" && invocation.has_verb(&["pip"])))
        && texts.iter().any(|text| {
            matches!(*text, "--user" | "--break-system-packages") || is_abbreviation(text)
        })
}

/// `--us` is `--user` to pip, which takes unambiguous abbreviations.
fn is_abbreviation(text: &str) -> bool {
    text.len() > 4 && "--user".starts_with(text)
}
