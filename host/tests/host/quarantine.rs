//! Faults in a row make a component suspicious; only its self-check can condemn it.

use std::fs;

use execgate_host::{Decision, FaultKind, Grants, LoadOptions, Policies, Source};
use pretty_assertions::assert_eq;
use tempfile::TempDir;

use super::support::{
    answering, bad_on_demand, engine, harmless, judge, load, policies, provoking, watching,
};

#[tokio::test]
async fn hostile_requests_cannot_switch_a_policy_off() {
    let engine = engine();
    let policies = policies(load(&engine, "door", bad_on_demand("fails_on_demand")).await).await;
    for round in 1..=23 {
        let judged = judge(&policies, provoking()).await;
        assert_eq!(judged.fault.unwrap().kind, FaultKind::Trap);
        assert_eq!(policies.chain[0].faults(), round);
    }
    let live = policies.chain[0].current().unwrap();
    assert!(!live.is_quarantined());
    assert_eq!(judge(&policies, harmless()).await.fault, None);
}

/// A policy that worked when it was published and has been broken since.
async fn broken(workspace: &TempDir) -> Policies {
    let options = LoadOptions {
        grants: Grants {
            workspace: Some(workspace.path().to_owned()),
            counters: false,
        },
        limits: None,
    };
    let engine = engine();
    let loaded = engine.load(Source::bytes("door", watching()), options);
    let policies = policies(loaded.await.unwrap()).await;
    assert_eq!(judge(&policies, harmless()).await.fault, None);
    fs::write(workspace.path().join("broken"), "").unwrap();
    for _ in 0..5 {
        let judged = judge(&policies, harmless()).await;
        assert_eq!(judged.fault.unwrap().kind, FaultKind::Trap);
    }
    let judged = judge(&policies, harmless()).await;
    assert_eq!(judged.verdict.decision, Decision::Deny);
    let fault = judged.fault.unwrap();
    assert_eq!(fault.kind, FaultKind::Quarantined);
    assert!(
        fault.message.contains("publish another one or roll back"),
        "{fault}"
    );
    policies
}

#[tokio::test]
async fn a_component_that_fails_its_self_check_too_is_quarantined_until_it_is_replaced() {
    let workspace = TempDir::new().unwrap();
    let policies = broken(&workspace).await;
    let good = load(&engine(), "good", answering(Decision::Allow, "again")).await;
    policies.chain[0].publish(good, "{}").await.unwrap();
    assert_eq!(
        judge(&policies, harmless()).await.verdict.rule,
        "test/again"
    );
    assert!(
        policies.chain[0].rollback().await.is_err(),
        "it is still broken"
    );
    fs::remove_file(workspace.path().join("broken")).unwrap();
    policies.chain[0].rollback().await.unwrap();
    let judged = judge(&policies, harmless()).await;
    assert_eq!((judged.fault, judged.by.unwrap().generation), (None, 3));
}
