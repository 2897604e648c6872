//! Questions to clouds and databases.

use execgate_rules::Invocation;

use crate::finding::Finding;
use crate::table;

/// Questions to a cloud: verbs that list and describe, but for what is secret.
pub(super) fn cloud(invocation: &Invocation<'_>, findings: &mut Vec<Finding>) {
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
    let asks = verbs.iter().take(4).any(|verb| reads(verb))
        && !verbs.iter().any(|verb| SECRET.contains(verb));
    let unclear = invocation
        .operands()
        .take(3)
        .any(|word| word.value.is_none());
    let elsewhere = invocation.has("", &["endpoint-url", "ca-bundle", "query-file"]);
    if !asks || unclear || elsewhere {
        findings.push(Finding::ask(
            "program/unknown",
            format!("`{}` may change what is in the cloud", invocation.written),
            invocation.span(),
        ));
    }
}

/// Queries that only select.
pub(super) fn queries(invocation: &Invocation<'_>, findings: &mut Vec<Finding>) {
    const VERBS: &[&str] = &[
        "select",
        "show",
        "explain",
        "describe",
        "\\d",
        "\\l",
        "\\conninfo",
        "\\dt",
    ];
    let query = invocation.segment.words[1..]
        .iter()
        .filter_map(|word| word.value.as_deref())
        .find(|text| {
            let lower = text.trim_start().to_ascii_lowercase();
            VERBS.iter().any(|verb| lower.starts_with(verb))
        });
    let commands = invocation.segment.words[1..]
        .iter()
        .filter_map(|word| word.value.as_deref())
        .any(|text| text.starts_with('.') || text.starts_with('|'));
    let plain = !commands
        && query.is_some_and(|text| {
            let lower = text.to_ascii_lowercase();
            ![
                "into",
                "outfile",
                "dumpfile",
                "copy",
                "program",
                "load_",
                "pg_",
                "lo_",
                ";",
                "\\!",
                "\\o",
                "analyze update",
                "analyze delete",
                "delete ",
                "update ",
                "insert ",
            ]
            .iter()
            .any(|word| lower.contains(word))
        });
    let options = table::option_names(invocation).all(|name| {
        matches!(
            name,
            "-c" | "-e"
                | "-d"
                | "-h"
                | "-U"
                | "-A"
                | "-t"
                | "-p"
                | "-u"
                | "-q"
                | "-X"
                | "--command"
                | "--execute"
        )
    });
    if !plain || !options {
        findings.push(Finding::ask(
            "program/arguments",
            "only plain queries are known to be harmless".into(),
            invocation.span(),
        ));
    }
}
