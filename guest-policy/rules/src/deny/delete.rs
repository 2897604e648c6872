//! Deleting trees, or without a question.

use super::Hit;
use crate::invocation::Invocation;
use crate::line::Line;

pub(super) const REMOVE: &str = "delete/recursive-or-forced";
pub(super) const FIND: &str = "delete/find";
pub(super) const DOS: &str = "delete/dos";

pub(super) fn judge(line: &Line<'_>, hits: &mut Vec<Hit>) {
    for invocation in &line.invocations {
        let Some((rule, effect)) = rule_of(invocation) else {
            continue;
        };
        hits.push(Hit {
            rule,
            effect,
            remedy: "name the files to delete and use plain `rm` without `-r` and `-f`",
            span: invocation.span(),
        });
    }
}

fn rule_of(invocation: &Invocation<'_>) -> Option<(&'static str, &'static str)> {
    match invocation.name.as_str() {
        "rm" | "grm" | "srm" if invocation.has("rRfF", &["recursive", "force"]) => {
            Some((REMOVE, "deletes recursively or without asking"))
        }
        "find" | "gfind" | "bfs" if has_word(invocation, "-delete") => {
            Some((FIND, "deletes everything that it finds"))
        }
        "del" | "erase" | "rd" | "rmdir" if has_dos_switch(invocation) => {
            Some((DOS, "deletes recursively or without asking"))
        }
        _ => None,
    }
}

fn has_word(invocation: &Invocation<'_>, text: &str) -> bool {
    invocation
        .segment
        .words
        .iter()
        .any(|word| word.value.as_deref() == Some(text))
}

fn has_dos_switch(invocation: &Invocation<'_>) -> bool {
    invocation
        .operand_texts()
        .any(|text| matches!(text.to_ascii_lowercase().as_str(), "/f" | "/q" | "/s"))
}
