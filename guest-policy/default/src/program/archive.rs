//! `tar`.

use execgate_rules::Invocation;

use super::files;
use crate::access::Use;
use crate::finding::Finding;
use crate::judge::Judge;
use crate::table;

pub(super) fn tar(judge: &Judge<'_>, invocation: &Invocation<'_>, findings: &mut Vec<Finding>) {
    const HARMLESS: &str = "cxtvfzjJpkamWC";
    let words = &invocation.segment.words[1..];
    let bundled = words
        .first()
        .and_then(|word| word.value.as_deref())
        .filter(|text| !text.starts_with('-'))
        .unwrap_or("");
    let letters = table::option_names(invocation).all(|name| match name.strip_prefix("--") {
        Some(long) => matches!(
            long,
            "create"
                | "extract"
                | "list"
                | "file"
                | "verbose"
                | "gzip"
                | "exclude"
                | "strip-components"
                | "exclude-vcs"
        ),
        None => name.chars().skip(1).all(|letter| HARMLESS.contains(letter)),
    });
    if !letters || !bundled.chars().all(|letter| HARMLESS.contains(letter)) {
        findings.push(Finding::ask(
            "program/arguments",
            "these options of `tar` can run programs or write elsewhere".into(),
            invocation.span(),
        ));
    }
    if crate::flow::is_fed_by_network(judge, invocation.segment) {
        findings.push(
            Finding::ask(
                "code/written",
                "it unpacks what it has just fetched".into(),
                invocation.span(),
            )
            .high(),
        );
    }
    files(judge, invocation, Use::Write, findings);
}
