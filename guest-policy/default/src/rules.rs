//! Names of the rules of this profile beyond the shared deny categories.

/// Every rule that `exempt` may name.
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
    "git/history",
    "code/written",
    "opaque/text",
];
