//! Names of the rules of this profile beyond the shared deny categories.

/// Every rule that `exempt` may name. What could not be read is not among them: nothing may allow it.
pub(crate) const NAMES: &[&str] = &[
    "dynamic/program",
    "program/unknown",
    "program/arguments",
    "path/outside",
    "path/secret",
    "path/protected",
    "path/unknown",
    "delete/tree",
    "delete/outside",
    "environment/variable",
    "network/send",
    "kill/process",
    "code/written",
    "fork-bomb/loop",
    "account/change",
    "log/tamper",
    "persistence/task",
    "protection/off",
    "registry/change",
    "service/change",
];
