//! Program texts in arguments: `eval`, sourced scripts, and inline code that starts programs or deletes.

use execgate_knowledge::shells;

use super::Hit;
use crate::invocation::{Argument, Invocation};
use crate::line::Line;

pub(super) const EVAL: &str = "eval/eval";
pub(super) const SOURCE: &str = "eval/source";
pub(super) const CODE: &str = "eval/inline-code";

pub(super) fn judge(line: &Line<'_>, hits: &mut Vec<Hit>) {
    for invocation in &line.invocations {
        let (rule, effect, remedy) = match invocation.name.as_str() {
            "eval" => (
                EVAL,
                "evaluates a text as shell code",
                "write the command itself",
            ),
            "source" | "." if sources_script(invocation) => (
                SOURCE,
                "runs a script in the shell itself",
                "run it as `sh SCRIPT`",
            ),
            _ if runs_dangerous_code(invocation) => (
                CODE,
                "runs inline code that starts programs, deletes or hides what it does",
                "put the code into a file in the workspace and run that",
            ),
            _ => continue,
        };
        hits.push(Hit {
            rule,
            effect,
            remedy,
            span: invocation.span(),
        });
    }
}

fn sources_script(invocation: &Invocation<'_>) -> bool {
    invocation
        .operands()
        .next()
        .is_some_and(|word| match word.value.as_deref() {
            Some(path) => path.to_ascii_lowercase().ends_with(".sh"),
            None => true,
        })
}

fn runs_dangerous_code(invocation: &Invocation<'_>) -> bool {
    inline_code(invocation).any(|code| code.is_none_or(is_dangerous))
}

/// Program texts among the arguments; `None` stands for one that is not known.
pub(crate) fn inline_code<'a>(
    invocation: &'a Invocation<'a>,
) -> impl Iterator<Item = Option<&'a str>> + 'a {
    let known = shells::interpreter_named(&invocation.name);
    let from_options =
        invocation
            .arguments
            .iter()
            .filter_map(move |argument| match (argument, known) {
                (Argument::Option { name, value, .. }, Some(known)) if is_inline(name, known) => {
                    Some(*value)
                }
                (Argument::Option { .. } | Argument::Operand(_), _) => None,
            });
    let awk = matches!(invocation.name.as_str(), "awk" | "gawk" | "mawk" | "nawk");
    let from_operand = invocation
        .operands()
        .take(usize::from(awk))
        .map(|word| word.value.as_deref());
    from_options.chain(from_operand)
}

fn is_inline(name: &str, known: &shells::Interpreter) -> bool {
    match name.strip_prefix("--") {
        Some(word) => known.inline_words.contains(&word),
        None => name
            .chars()
            .nth(1)
            .is_some_and(|letter| known.inline_letters.contains(letter)),
    }
}

fn is_dangerous(code: &str) -> bool {
    shells::DANGEROUS_CALLS
        .iter()
        .any(|call| code.contains(call))
}
