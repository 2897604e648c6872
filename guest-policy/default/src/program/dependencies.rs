//! Installing what a project declares: nothing new comes with it.

use execgate_rules::{Argument, Invocation};

/// Options that change neither what is installed nor where.
const QUIET: &[&str] = &[
    "--ci",
    "--frozen",
    "--frozen-lockfile",
    "--ignore-scripts",
    "--immutable",
    "--legacy-peer-deps",
    "--locked",
    "--no-audit",
    "--no-fund",
    "--no-interaction",
    "--no-progress",
    "--no-root",
    "--offline",
    "--prefer-frozen-lockfile",
    "--prefer-offline",
    "--prod",
    "--production",
    "--silent",
    "--sync",
    "--all-extras",
    "--quiet",
    "-q",
    "-s",
];

/// Whether a package manager is asked for the declared packages and no others.
pub(super) fn installs_declared(invocation: &Invocation<'_>) -> bool {
    let manager = matches!(
        invocation.written,
        "npm" | "pnpm" | "yarn" | "bun" | "poetry"
    );
    let mut operands = invocation.operand_texts();
    let verb = match operands.next() {
        Some("install") => true,
        Some("i") => invocation.written == "npm" || invocation.written == "pnpm",
        Some(_) => false,
        // Yarn installs where it is told nothing.
        None => invocation.written == "yarn",
    };
    let alone = invocation.operands().count() <= 1;
    let quiet = invocation.arguments.iter().all(|argument| match argument {
        Argument::Option { word, .. } => word
            .value
            .as_deref()
            .is_some_and(|text| QUIET.contains(&text)),
        Argument::Operand(_) => true,
    });
    manager && verb && alone && quiet
}
