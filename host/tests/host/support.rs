//! Components from text, and short ways to load and publish them.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use execgate_host::{
    Allocation, CommandLine, Decision, Engine, EngineConfig, Judged, LoadError, LoadOptions,
    Loaded, Policies, RequestFacts, Source, StaticRequest,
};

/// Start of every `evaluate`, and what makes it behave as long as the caller names no directory.
const EVALUATE: &str = r#"(func (export "evaluate") (param i32) (result i32)"#;
const BEHAVES: &str = "
    (if (i32.eqz (call $cwd-given (local.get 0)))
      (then (call $drop (local.get 0)) (return (i32.const 2048))))";

fn guests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/guests")
}

pub fn text(path: &str) -> String {
    fs::read_to_string(guests().join(path)).unwrap()
}

/// A policy around a core module.
pub fn policy_text(core: &str) -> String {
    text("policy.wat").replace(";; GUEST", core)
}

/// A policy that always answers the same, with a reason of five letters.
pub fn answering_text(decision: Decision, reason: &str) -> String {
    let number = match decision {
        Decision::Allow => "\"\\00\\00\\00\\00\" \"\\00\\02",
        Decision::Ask => "\"\\01\\00\\00\\00\" \"\\00\\02",
        Decision::Deny => "\"\\02\\00\\00\\00\" \"\\00\\02",
    };
    let core = text("answer.wat")
        .replacen("\"\\00\\00\\00\\00\" \"\\00\\02", number, 1)
        .replace("test/fixed", &format!("test/{reason}"));
    policy_text(&core)
}

pub fn answering(decision: Decision, reason: &str) -> Vec<u8> {
    wat::parse_str(answering_text(decision, reason)).unwrap()
}

/// A bad guest as it stands.
pub fn bad(name: &str) -> Vec<u8> {
    let text = text(&format!("bad/{name}.wat"));
    let whole = text.contains("(component") || text.contains("(module (");
    wat::parse_str(if whole { text } else { policy_text(&text) }).unwrap()
}

/// A bad guest that is only bad when the caller names a directory: it passes its self-check.
pub fn bad_on_demand(name: &str) -> Vec<u8> {
    let core = text(&format!("bad/{name}.wat"));
    assert!(core.contains(EVALUATE), "{name}");
    let core = core.replace(EVALUATE, &format!("{EVALUATE}{BEHAVES}"));
    wat::parse_str(policy_text(&core)).unwrap()
}

pub fn engine() -> Engine {
    Engine::new(EngineConfig {
        allocation: Allocation::Pooling { instances: 4 },
        ..EngineConfig::default()
    })
    .unwrap()
}

pub async fn try_load(
    engine: &Engine,
    name: &str,
    bytes: Vec<u8>,
) -> Result<Arc<Loaded>, LoadError> {
    engine
        .load(Source::bytes(name, bytes), LoadOptions::default())
        .await
}

pub async fn load(engine: &Engine, name: &str, bytes: Vec<u8>) -> Arc<Loaded> {
    try_load(engine, name, bytes).await.unwrap()
}

/// Slots with one policy published.
pub async fn policies(loaded: Arc<Loaded>) -> Policies {
    let policies = Policies::new();
    policies.chain[0].publish(loaded, "{}").await.unwrap();
    policies
}

/// A request that makes a guest of [`bad_on_demand`] behave.
pub fn harmless() -> StaticRequest {
    let nothing = CommandLine {
        segments: Vec::new(),
        opaque: Vec::new(),
        annotations: Vec::new(),
    };
    StaticRequest::new("true", nothing)
}

/// A request that makes it misbehave.
pub fn provoking() -> StaticRequest {
    StaticRequest {
        cwd_given: true,
        ..harmless()
    }
}

pub async fn judge(policies: &Policies, request: StaticRequest) -> Judged {
    let request: Arc<dyn RequestFacts> = Arc::new(request);
    policies.pin().evaluate(request).await
}

/// A policy that traps as long as its workspace holds a file `broken`.
pub fn watching() -> Vec<u8> {
    let text = policy_text(&text("watches.wat"))
        .replace(
            "  (core module $memory",
            r#"  (import "execgate:policy/workspace@1.0.0" (instance $workspace
    (export "exists" (func (param "path" string) (result bool)))))
  (core module $memory"#,
        )
        .replace(
            "  (core func $drop",
            r#"  (core func $exists (canon lower (func $workspace "exists") (memory (core memory $memory "memory"))))
  (core func $drop"#,
        )
        .replace(
            r#"(export "log" (func $write))"#,
            r#"(export "log" (func $write)) (export "exists" (func $exists))"#,
        );
    wat::parse_str(text).unwrap()
}
