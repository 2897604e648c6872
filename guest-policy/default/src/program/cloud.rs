//! Questions to clouds.

use execgate_rules::Invocation;

use crate::finding::Finding;
use crate::table;

/// Questions to a cloud: verbs that list and describe, but for what is secret.
pub(super) fn asks(invocation: &Invocation<'_>, findings: &mut Vec<Finding>) {
    const SECRET: &[&str] = &[
        "secretsmanager",
        "ssm",
        "kms",
        "secrets",
        "keyvault",
        "auth",
        "get-access-token",
        "iam-policy",
    ];
    const CHANGES: &[&str] = &[
        "add",
        "apply",
        "attach",
        "call",
        "connect",
        "copy",
        "create",
        "delete",
        "deploy",
        "detach",
        "disable",
        "enable",
        "execute",
        "export",
        "import",
        "invoke",
        "move",
        "patch",
        "remove",
        "replace",
        "reset",
        "restart",
        "resize",
        "restore",
        "rm",
        "run-command",
        "scp",
        "set",
        "ssh",
        "start",
        "stop",
        "submit",
        "suspend",
        "undelete",
        "update",
        "upgrade",
    ];
    let verbs: Vec<&str> = invocation.operand_texts().collect();
    let reads = |verb: &str| {
        matches!(
            verb,
            "ls" | "list"
                | "show"
                | "describe"
                | "tail"
                | "filter-log-events"
                | "get-caller-identity"
        ) || verb.starts_with("list-")
            || verb.starts_with("describe-")
    };
    // What is asked for comes last of the groups; the words before it name services and kinds.
    let place = verbs.iter().take(4).position(|verb| reads(verb));
    let looks = place.is_some_and(|place| {
        let service = invocation.name != "aws" || place == 1;
        service && !verbs[..place].iter().any(|verb| CHANGES.contains(verb))
    }) && !verbs.iter().any(|verb| SECRET.contains(verb));
    let unclear = invocation
        .operands()
        .take(3)
        .any(|word| word.value.is_none());
    let elsewhere = table::option_names(invocation).any(|name| {
        // Options may be shortened; `--query` is one of its own.
        name.starts_with("--e") || name.starts_with("--ca") || name.starts_with("--query-")
    });
    if !looks || unclear || elsewhere {
        findings.push(Finding::ask(
            "program/unknown",
            format!("`{}` may change what is in the cloud", invocation.written),
            invocation.span(),
        ));
    }
}
