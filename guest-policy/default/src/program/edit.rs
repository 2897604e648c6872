//! `sed` and `awk`: their scripts can run programs and write files.

use execgate_rules::{Argument, Invocation};

use super::files;
use crate::access::Use;
use crate::finding::Finding;
use crate::judge::Judge;

pub(super) fn sed(judge: &Judge<'_>, invocation: &Invocation<'_>, findings: &mut Vec<Finding>) {
    let scripts = invocation
        .arguments
        .iter()
        .filter_map(|argument| match argument {
            Argument::Option { name, value, .. } if name == "-e" || name == "--expression" => {
                Some(*value)
            }
            Argument::Option { .. } | Argument::Operand(_) => None,
        });
    let mut scripts: Vec<Option<&str>> = scripts.collect();
    if invocation.has("f", &["file"]) {
        scripts.push(None);
    }
    if scripts.is_empty() {
        scripts.push(
            invocation.segment.words[1..]
                .iter()
                .find(|word| {
                    !word
                        .value
                        .as_deref()
                        .is_some_and(|text| text.starts_with('-'))
                })
                .and_then(|word| word.value.as_deref()),
        );
    }
    if !scripts
        .iter()
        .all(|script| script.is_some_and(is_plain_sed))
    {
        findings.push(Finding::ask(
            "program/arguments",
            "the script could run programs or write files".into(),
            invocation.span(),
        ));
    }
    let with = if invocation.segment.words.iter().any(|word| {
        word.value.as_deref().is_some_and(|text| {
            text.starts_with("-i")
                || text.starts_with("--in-place")
                || (text.starts_with('-') && !text.starts_with("--") && text.contains('i'))
        })
    }) {
        Use::Write
    } else {
        Use::Read
    };
    files(judge, invocation, with, findings);
}

/// Whether a script is only substitutions, prints, deletions and addresses without `e`, `w`, `r` and `W`.
fn is_plain_sed(script: &str) -> bool {
    script.split([';', '\n']).all(|command| {
        let command = command.trim();
        let address = command.trim_start_matches(|letter: char| {
            letter.is_ascii_digit() || matches!(letter, ',' | '$' | ' ' | '!' | '~' | '+')
        });
        let body = after_regular(address);
        match body.chars().next() {
            None => true,
            Some(
                'p' | 'd' | 'q' | '=' | 'n' | 'N' | 'g' | 'G' | 'h' | 'H' | 'x' | 'D' | 'P' | 'l'
                | '}' | '{' | '#',
            ) => body.len() <= 2,
            Some('s' | 'y') => is_plain_substitution(body),
            Some(_) => false,
        }
    })
}

/// What follows `/regular/` and `/a/,/b/` addresses.
fn after_regular(text: &str) -> &str {
    let Some(rest) = text.strip_prefix('/') else {
        return text;
    };
    match rest.find('/') {
        Some(place) => {
            let rest = rest[place + 1..].trim_start_matches([',', ' ', '!']);
            if rest.starts_with('/') {
                after_regular(rest)
            } else {
                rest
            }
        }
        None => text,
    }
}

fn is_plain_substitution(body: &str) -> bool {
    let mut characters = body.chars().skip(1);
    let Some(delimiter) = characters.next() else {
        return false;
    };
    let flags = body.rsplit(delimiter).next().unwrap_or("e");
    body.matches(delimiter).count() >= 3
        && flags.chars().all(|flag| "gpiIm0123456789".contains(flag))
}

pub(super) fn awk(judge: &Judge<'_>, invocation: &Invocation<'_>, findings: &mut Vec<Finding>) {
    let script = invocation.operands().next();
    let code = script.and_then(|word| word.value.as_deref());
    let dangerous = |code: &str| {
        // Two bars are an operator, one is a pipe.
        let code = &code.replace("||", " ");
        [
            "system", "getline", "ARGV", "|", "close(", "@load", "@include", "printf >", "ENVIRON",
            "/inet",
        ]
        .iter()
        .any(|call| code.contains(call))
            || writes_file(code)
            || calls_indirectly(code)
    };
    if invocation.has("fEilD", &["file", "exec", "include", "load"]) || code.is_none_or(dangerous) {
        findings.push(Finding::ask(
            "program/arguments",
            "the script could run programs or use other files".into(),
            invocation.span(),
        ));
    }
    files(judge, invocation, Use::Read, findings);
}

/// Whether `mlr` is told to run programs or to write files.
pub(super) fn runs_programs(invocation: &Invocation<'_>) -> bool {
    const WORDS: &[&str] = &[
        "system", "exec", "tee", "split", "emit", "dump", "print", "ENV", "case",
    ];
    invocation.operands().any(|word| {
        word.value
            .as_deref()
            .is_none_or(|text| WORDS.iter().any(|known| text.contains(known)))
    }) || invocation.has("", &["prepipe", "prepipex", "load", "mload"])
}

/// Whether a function is called by the name that a variable holds: `@name(`.
fn calls_indirectly(code: &str) -> bool {
    code.match_indices('@').any(|(place, _)| {
        let rest = &code[place + 1..];
        let length = rest
            .find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
            .unwrap_or(rest.len());
        length > 0 && rest[length..].starts_with('(')
    })
}

/// `print > "file"`, but not `$1 > 5`.
fn writes_file(code: &str) -> bool {
    code.contains("print")
        && code.contains('>')
        && code.contains('"')
        && code
            .split('>')
            .skip(1)
            .any(|rest| rest.trim_start().starts_with(['"', '$', '(']) || rest.starts_with('>'))
}
