//! What may be loaded, and what the refusal of everything else says.

use std::path::Path;

use execgate_host::{
    Decision, Grants, Limits, LoadError, LoadOptions, PublishError, Role, Slot, Source,
};
use pretty_assertions::assert_eq;

use super::support::{
    answering_text, bad, engine, harmless, judge, load, policies, text, try_load,
};

async fn refusal(name: &str, bytes: Vec<u8>) -> String {
    try_load(&engine(), name, bytes)
        .await
        .unwrap_err()
        .to_string()
}

fn answering_as(change: impl FnOnce(String) -> String) -> Vec<u8> {
    let text = answering_text(Decision::Ask, "other");
    let changed = change(text.clone());
    assert_ne!(changed, text, "the change must change something");
    wat::parse_str(changed).unwrap()
}

#[tokio::test]
async fn a_loaded_component_says_what_it_is() {
    let loaded = load(&engine(), "x", answering_as(|text| format!("{text} "))).await;
    assert_eq!(loaded.roles(), [Role::Policy]);
    assert_eq!(
        loaded.imports(),
        [
            "execgate:policy/command@1.0.0",
            "execgate:policy/log@1.0.0",
            "execgate:policy/request@1.0.0",
            "execgate:policy/settings@1.0.0",
            "execgate:policy/verdict@1.0.0",
        ]
    );
    assert_eq!(loaded.digest().len(), 64);
}

#[tokio::test]
async fn what_is_no_component_is_told_from_one_that_is_damaged() {
    let whole = bad("trap");
    for (bytes, part) in [
        (Vec::new(), "it is empty"),
        (b"(component)".to_vec(), "not WebAssembly"),
        (bad("core_module"), "core module"),
        (whole[..5].to_vec(), "truncated"),
        (whole[..whole.len() / 2].to_vec(), "damaged, truncated"),
    ] {
        let message = refusal("x", bytes).await;
        assert!(
            message.starts_with("`x` is not a usable component: "),
            "{message}"
        );
        assert!(message.contains(part), "{message}");
    }
    let missing = Source::file(Path::new("/nonexistent/policy.wasm"));
    assert!(matches!(missing, Err(LoadError::Unreadable { .. })));
}

#[tokio::test]
async fn imports_beyond_the_grants_are_refused_by_name() {
    for (guest, part) in [
        (
            "wants_files",
            "`wasi:filesystem/types@0.2.6`: nothing grants it",
        ),
        (
            "wants_sockets",
            "`wasi:sockets/tcp@0.2.6`: nothing grants it",
        ),
        (
            "wants_clock",
            "`wasi:clocks/monotonic-clock@0.2.6`: nothing grants it",
        ),
        (
            "wants_counters",
            "`execgate:policy/counters@1.0.0`: grant it with `counters`",
        ),
        (
            "wants_unknown",
            "`execgate:policy/oracle@1.3.0`: this host does not know",
        ),
    ] {
        let message = refusal(guest, bad(guest)).await;
        assert!(message.contains(part), "{message}");
    }
    let message = refusal("no_role", bad("no_role")).await;
    assert!(message.ends_with("but `greet`"), "{message}");
}

#[tokio::test]
async fn another_major_version_is_refused_with_both_versions() {
    let bytes = answering_as(|text| text.replace("@1.0.0", "@2.0.0"));
    assert_eq!(
        refusal("x", bytes).await,
        "component `x` wants version 2.0.0 of `execgate:policy` (`execgate:policy/policy@2.0.0`), \
         this host offers 1.0.0: rebuild it with an SDK of that version"
    );
    let import = answering_as(|text| text.replace("request@1.0.0", "request@2.0.0"));
    assert!(
        refusal("x", import)
            .await
            .contains("(`execgate:policy/request@2.0.0`)")
    );
}

#[tokio::test]
async fn a_compatible_minor_version_loads_and_judges() {
    for version in ["@1.2.0", "@1.0.1"] {
        let bytes = answering_as(|text| text.replace("@1.0.0", version));
        let policies = policies(load(&engine(), "x", bytes).await).await;
        let judged = judge(&policies, harmless()).await;
        assert_eq!(judged.verdict.rule, "test/other");
    }
}

#[tokio::test]
async fn one_more_case_or_field_or_function_is_refused_with_the_item() {
    let case = answering_as(|text| text.replace("\"ask\" \"deny\"", "\"ask\" \"deny\" \"defer\""));
    let message = refusal("x", case).await;
    assert!(message.contains("does not fit version 1.0.0"), "{message}");
    assert!(message.contains("decision"), "{message}");
    let function = answering_as(|text| text.replace("cwd-given", "cwd-guessed"));
    let message = refusal("x", function).await;
    assert!(message.contains("[method]request.cwd-guessed"), "{message}");
}

#[tokio::test]
async fn a_component_that_needs_more_memory_than_its_limit_is_told_so() {
    let bytes = answering_as(|text| text.replace("\"memory\") 16)", "\"memory\") 160)"));
    let options = LoadOptions {
        limits: Some(Limits {
            memory: 100 << 16,
            ..Limits::default()
        }),
        grants: Grants::default(),
    };
    let refused = engine().load(Source::bytes("x", bytes), options).await;
    assert_eq!(
        refused.unwrap_err().to_string(),
        "component `x` needs 10485760 bytes of memory to start, its limit is 6553600: raise `memory`"
    );
}

#[tokio::test]
async fn a_component_that_traps_when_it_starts_is_refused() {
    let message = refusal("trap_in_start", bad("trap_in_start")).await;
    assert!(message.contains("`trap_in_start` trapped"), "{message}");
}

#[tokio::test]
async fn a_slot_takes_only_its_role() {
    let slot = Slot::new(Role::Formatter, "formatter");
    let loaded = load(&engine(), "x", bad("trap")).await;
    let refused = slot.publish(loaded, "{}").await.unwrap_err();
    assert!(matches!(refused, PublishError::Role { .. }), "{refused}");
}

#[test]
fn every_bad_guest_has_a_test() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/guests/bad");
    let tests = [
        include_str!("faults.rs"),
        include_str!("loading.rs"),
        include_str!("quarantine.rs"),
    ];
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let quoted = format!("\"{name}\"");
        assert!(tests.iter().any(|test| test.contains(&quoted)), "{name}");
    }
    assert!(text("policy.wat").contains(";; GUEST"));
}
