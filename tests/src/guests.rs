//! Components to load: the example policy, and small ones from text.

use std::path::{Path, PathBuf};

/// Start of every `evaluate` of a bad guest.
const EVALUATE: &str = r#"(func (export "evaluate") (param i32) (result i32)"#;

/// Allows as long as the caller names no directory.
const BEHAVE: &str = "
    (if (i32.eqz (call $cwd-given (local.get 0)))
      (then (call $drop (local.get 0)) (return (i32.const 2048))))";

/// Path of the built example policy, which allows what only reads.
pub fn read_only_policy() -> PathBuf {
    PathBuf::from(env!("EXECGATE_READ_ONLY_COMPONENT"))
}

/// A bad guest of `guests/bad` as it stands. Most fail their self-check.
///
/// # Panics
/// There is none of that name.
pub fn bad_policy(name: &str) -> Vec<u8> {
    let text = read(&format!("bad/{name}.wat"));
    let whole = text.contains("(component") || text.contains("(module (");
    assemble(&if whole { text } else { policy(&text) })
}

/// A bad guest that behaves, and allows everything, until a call names its directory: it passes its self-check.
///
/// # Panics
/// There is none of that name, or it has no `evaluate` of the usual form.
pub fn bad_policy_on_demand(name: &str) -> Vec<u8> {
    let core = read(&format!("bad/{name}.wat"));
    assert!(
        core.contains(EVALUATE),
        "`{name}` has an `evaluate` of the usual form"
    );
    assemble(&policy(
        &core.replace(EVALUATE, &format!("{EVALUATE}{BEHAVE}")),
    ))
}

/// A policy that allows everything, by the rule `test/` and five letters.
///
/// # Panics
/// The name is not five letters long.
pub fn answering_policy(name: &str) -> Vec<u8> {
    assert_eq!(name.len(), 5, "the guest's text has room for five letters");
    assemble(&policy(
        &read("answer.wat").replace("test/fixed", &format!("test/{name}")),
    ))
}

fn read(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("guests")
        .join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("`{}`: {error}", path.display()))
}

/// The shell of a policy around a core module.
fn policy(core: &str) -> String {
    read("policy.wat").replace(";; GUEST", core)
}

fn assemble(text: &str) -> Vec<u8> {
    wat::parse_str(text).unwrap_or_else(|error| panic!("the guest's text is wrong: {error}"))
}
