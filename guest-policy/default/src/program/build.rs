//! Programs that prepare builds and look into crashes.

use execgate_guest::Word;
use execgate_rules::Invocation;

use crate::access;
use crate::finding::Finding;
use crate::judge::Judge;

/// Variables of CMake that say what is built, and not what builds it.
const CMAKE_VARIABLES: &[&str] = &[
    "CMAKE_BUILD_TYPE",
    "CMAKE_CXX_STANDARD",
    "CMAKE_C_STANDARD",
    "CMAKE_EXPORT_COMPILE_COMMANDS",
    "CMAKE_INSTALL_PREFIX",
    "CMAKE_PREFIX_PATH",
    "CMAKE_VERBOSE_MAKEFILE",
];

/// What a debugger may be told to do with a program that has crashed.
const DEBUGGER_COMMANDS: &[&str] = &[
    "bt",
    "bt full",
    "info locals",
    "info registers",
    "info sharedlibrary",
    "info threads",
    "list",
    "q",
    "quit",
    "r",
    "run",
    "thread apply all bt",
    "thread apply all bt full",
    "where",
];

/// Whether CMake is asked to prepare a build.
pub(super) fn configures(invocation: &Invocation<'_>) -> bool {
    let first = invocation.segment.words.get(1).and_then(text);
    !matches!(
        first,
        None | Some("--build" | "--version" | "--help" | "--install" | "--open")
    )
}

/// Judges the preparation of a build: of the project, with settings that name no other tools.
pub(super) fn cmake(judge: &Judge<'_>, invocation: &Invocation<'_>, findings: &mut Vec<Finding>) {
    let mut words = invocation.segment.words[1..].iter();
    while let Some(word) = words.next() {
        let Some(written) = text(word) else { continue };
        let plain = match written {
            "-S" | "-B" | "-G" | "-Wno-dev" | "--fresh" | "--log-level" => true,
            "-D" => words.next().and_then(text).is_some_and(is_plain_setting),
            _ => match written.strip_prefix("-D") {
                Some(setting) => is_plain_setting(setting),
                None => {
                    !written.starts_with('-')
                        || written.starts_with("-S")
                        || written.starts_with("-B")
                        || written.starts_with("-G")
                        || written.starts_with("--log-level=")
                }
            },
        };
        if !plain {
            findings.push(Finding::ask(
                "program/arguments",
                format!("`cmake` with `{written}` can do more than prepare a build"),
                word.span,
            ));
        }
    }
    access::develops(judge, invocation, findings);
}

fn is_plain_setting(setting: &str) -> bool {
    let (name, value) = setting.split_once('=').unwrap_or((setting, ""));
    let name = name.split(':').next().unwrap_or(name);
    let switch = matches!(
        value.to_ascii_uppercase().as_str(),
        "ON" | "OFF" | "TRUE" | "FALSE" | "YES" | "NO" | "1" | "0"
    );
    CMAKE_VARIABLES.contains(&name) || !name.starts_with("CMAKE_") && switch
}

/// Judges a debugger: it may show where a program has crashed.
pub(super) fn debugger(
    judge: &Judge<'_>,
    invocation: &Invocation<'_>,
    findings: &mut Vec<Finding>,
) {
    let mut words = invocation.segment.words[1..].iter();
    let mut batch = false;
    let mut plain = true;
    while let Some(word) = words.next() {
        match text(word) {
            None => plain = false,
            Some("-batch" | "--batch") => batch = true,
            Some("-ex" | "--ex") => {
                let command = words.next().and_then(text);
                plain &= command.is_some_and(|command| DEBUGGER_COMMANDS.contains(&command));
            }
            Some("-q" | "-quiet" | "-nx" | "-nh" | "--args") => {}
            Some(option) => plain &= !option.starts_with('-'),
        }
    }
    if !batch || !plain {
        findings.push(Finding::ask(
            "program/arguments",
            "a debugger can run anything".into(),
            invocation.span(),
        ));
    }
    access::develops(judge, invocation, findings);
}

fn text(word: &Word) -> Option<&str> {
    word.value.as_deref()
}
