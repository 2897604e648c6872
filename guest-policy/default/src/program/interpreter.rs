//! Interpreters and shells that run a file.

use execgate_knowledge::shells;
use execgate_rules::Invocation;

use crate::finding::Finding;
use crate::judge::{Judge, base_name};
use crate::{access, table};

/// Modules of Python that are programs for developers.
const MODULES: &[&str] = &[
    "pytest",
    "unittest",
    "build",
    "venv",
    "json.tool",
    "py_compile",
    "compileall",
    "base64",
    "mypy",
    "ruff",
    "black",
    "flake8",
    "coverage",
    "tox",
    "pip list",
    "doctest",
    "pylint",
    "isort",
    "calendar",
];

/// Options of interpreters before the script that only change how it runs.
const QUIET_OPTIONS: &[&str] = &[
    "-u",
    "-B",
    "-O",
    "-E",
    "-s",
    "-w",
    "-W",
    "--no-warnings",
    "--check",
    "--test",
    "-n",
    "-e",
    "-x",
    "-q",
    "-v",
];

pub(super) fn interprets(
    judge: &Judge<'_>,
    invocation: &Invocation<'_>,
    findings: &mut Vec<Finding>,
) {
    if invocation.only_informs() {
        return;
    }
    let module = invocation.option("m", &[]).and_then(|(_, value)| value);
    if shells::unversioned(&invocation.name) == "python" && module.is_some() {
        let leading = invocation
            .segment
            .words
            .get(1)
            .and_then(|word| word.value.as_deref())
            == Some("-m");
        if !leading || !module.is_some_and(|module| MODULES.contains(&module)) {
            findings.push(Finding::ask(
                "program/unknown",
                "nothing is known of that module".into(),
                invocation.span(),
            ));
        }
        access::develops(judge, invocation, findings);
        return;
    }
    if table::look_up(base_name(invocation.written), invocation).is_some_and(|known| {
        known
            .refuses(&invocation.name, &invocation.segment.words[1..])
            .is_none()
    }) {
        access::develops(judge, invocation, findings);
        return;
    }
    runs_script(judge, invocation, findings);
}

/// A script of the project, with harmless options before it.
pub(super) fn runs_script(
    judge: &Judge<'_>,
    invocation: &Invocation<'_>,
    findings: &mut Vec<Finding>,
) {
    if invocation.only_informs() {
        return;
    }
    let shell = shells::SHELLS.contains(invocation.name.as_str());
    let words = &invocation.segment.words[1..];
    let place = words.iter().position(|word| {
        !word
            .value
            .as_deref()
            .is_some_and(|text| text.starts_with('-') && text.len() > 1)
    });
    let harmless = words[..place.unwrap_or(words.len())].iter().all(|word| {
        word.value.as_deref().is_some_and(|text| {
            QUIET_OPTIONS.contains(&text) && (shell || text != "-e" && text != "-n" && text != "-x")
        })
    });
    let script = place
        .and_then(|place| words[place].value.as_deref())
        .filter(|text| text.contains(['.', '/']) || *text == "artisan");
    match script {
        Some(path) if harmless => {
            let first = place.unwrap_or(0);
            access::script(judge, path, words[first].span, findings);
            access::develops(judge, invocation, findings);
        }
        Some(_) | None => findings.push(
            Finding::ask(
                "eval/inline-code",
                format!(
                    "`{}` runs code that is not a file of the project",
                    invocation.written
                ),
                invocation.span(),
            )
            .high(),
        ),
    }
}
