//! Ways to configure git, or to lead it elsewhere.

use execgate_rules::{Argument, Invocation};

/// Verbs whose operands may name a remote helper, which is a program.
const REMOTE_VERBS: &[&str] = &[
    "archive",
    "clone",
    "fetch",
    "ls-remote",
    "pull",
    "push",
    "remote",
    "submodule",
];

/// Whether it only shows the value of one key.
pub(super) fn reads_key(invocation: &Invocation<'_>) -> bool {
    let mut operands = invocation.operand_texts();
    let key = operands.next() == Some("config")
        && operands.next().is_some_and(|key| key.contains('.'))
        && invocation.operands().count() == 2;
    let shown = invocation.arguments.iter().all(|argument| match argument {
        Argument::Option { name, .. } => matches!(
            name.as_ref(),
            "--get" | "--local" | "--show-origin" | "--show-scope" | "--type" | "--bool" | "--int"
        ),
        Argument::Operand(_) => true,
    });
    key && shown
}

/// Keys of git that only change what is shown, with the values that are known.
pub(super) fn configures(invocation: &Invocation<'_>) -> bool {
    let plain = |value: &str| {
        let (key, value) = value.split_once('=').unwrap_or((value, ""));
        let key = key.to_ascii_lowercase();
        (key == "core.pager" && matches!(value, "cat" | ""))
            || [
                "core.quotepath",
                "color.ui",
                "color.",
                "advice.",
                "log.date",
            ]
            .iter()
            .any(|known| key.starts_with(known))
    };
    let operands: Vec<&str> = invocation.operand_texts().collect();
    let sets = operands.first() == Some(&"config")
        && (operands.len() > 3
            || invocation.has(
                "fe",
                &[
                    "global",
                    "system",
                    "add",
                    "unset",
                    "file",
                    "replace-all",
                    "edit",
                ],
            ));
    let helper =
        invocation.has_verb(REMOTE_VERBS) && operands.iter().any(|text| text.contains("::"));
    let foreign =
        operands.first() == Some(&"pull") && operands.iter().any(|text| text.contains("://"));
    sets || helper
        || foreign
        || invocation.arguments.iter().any(|argument| match argument {
            Argument::Option { name, value, .. } => {
                name == "-c"
                    && value.is_none_or(|value| !plain(value))
                    && invocation.verb() != Some("switch")
            }
            Argument::Operand(_) => false,
        })
}
