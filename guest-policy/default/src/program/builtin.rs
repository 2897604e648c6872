//! Builtins that set variables and the shell's own state.

use execgate_guest::Word;
use execgate_rules::Invocation;

use crate::environment;
use crate::finding::Finding;

pub(super) fn declares(invocation: &Invocation<'_>, findings: &mut Vec<Finding>) {
    let printing = invocation.operands().next().is_none();
    if printing || invocation.has("pn", &[]) {
        findings.push(Finding::ask(
            "path/secret",
            "it prints or links variables".into(),
            invocation.span(),
        ));
    }
    for word in invocation.operands() {
        let known = word.value.as_deref().or(match word.parts.first() {
            Some(execgate_guest::Part::Literal(text)) => Some(text.as_str()),
            Some(_) | None => None,
        });
        let Some((name, value)) = known.and_then(|text| text.split_once('=')) else {
            if known.is_none_or(|text| !is_name(text)) {
                findings.push(Finding::ask(
                    "environment/variable",
                    "which variable it sets is not known".into(),
                    word.span,
                ));
            }
            continue;
        };
        let value = Word {
            value: word.value.is_some().then(|| value.to_owned()),
            ..word.clone()
        };
        findings.extend(environment::variable(
            name.trim_end_matches('+'),
            &value,
            word.span,
            true,
        ));
    }
}

pub(super) fn is_name(text: &str) -> bool {
    text.bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

pub(super) fn names(invocation: &Invocation<'_>, findings: &mut Vec<Finding>) {
    let plain =
        |text: &str| is_name(text) && !execgate_knowledge::environment::DANGEROUS.contains(text);
    if !invocation
        .operands()
        .all(|word| word.value.as_deref().is_some_and(plain))
    {
        findings.push(Finding::ask(
            "environment/variable",
            "it sets a variable that is not known to be harmless".into(),
            invocation.span(),
        ));
    }
}

pub(super) fn options(invocation: &Invocation<'_>, findings: &mut Vec<Finding>) {
    let words = &invocation.segment.words[1..];
    let harmless = words.iter().all(|word| {
        word.value.as_deref().is_some_and(|text| {
            matches!(
                text,
                "pipefail"
                    | "globstar"
                    | "nullglob"
                    | "extglob"
                    | "dotglob"
                    | "failglob"
                    | "-o"
                    | "+o"
                    | "-s"
                    | "-u"
            ) || text
                .strip_prefix(['-', '+'])
                .is_some_and(|letters| letters.chars().all(|letter| "euxoEfC".contains(letter)))
        })
    });
    if !harmless || words.is_empty() {
        findings.push(Finding::ask(
            "program/arguments",
            "it changes or prints the shell's state".into(),
            invocation.span(),
        ));
    }
}
