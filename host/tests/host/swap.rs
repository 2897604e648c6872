//! Publication, rollback, and calls that go on meanwhile.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use execgate_host::{Decision, LoadOptions, PublishError, RequestFacts, Source};
use pretty_assertions::assert_eq;
use tempfile::TempDir;

use super::support::{answering, bad, engine, harmless, judge, load, policies, try_load};

#[tokio::test]
async fn a_publication_that_fails_keeps_what_was_live() {
    let engine = engine();
    let policies = policies(load(&engine, "good", answering(Decision::Ask, "first")).await).await;
    let slot = &policies.chain[0];
    let before = slot.current().unwrap().identity().clone();
    let loaded = load(&engine, "trap_in_configure", bad("trap_in_configure")).await;
    assert!(slot.publish(loaded, "{}").await.is_err());
    assert_eq!(slot.current().unwrap().identity(), &before);
    let judged = judge(&policies, harmless()).await;
    assert_eq!(
        (judged.verdict.rule.as_str(), judged.by),
        ("test/first", Some(before))
    );
}

#[tokio::test]
async fn a_rollback_goes_back_and_forth_and_counts_on() {
    let engine = engine();
    let policies = policies(load(&engine, "one", answering(Decision::Ask, "first")).await).await;
    let slot = &policies.chain[0];
    assert!(matches!(
        slot.rollback().await,
        Err(PublishError::NothingBefore { .. })
    ));
    let two = load(&engine, "two", answering(Decision::Deny, "other")).await;
    slot.publish(two, "{}").await.unwrap();
    for (generation, component) in [(3, "one"), (4, "two"), (5, "one")] {
        let identity = slot.rollback().await.unwrap();
        assert_eq!(
            (identity.generation, identity.component.as_str()),
            (generation, component)
        );
    }
}

#[tokio::test]
async fn what_is_pinned_stays_until_the_call_is_over() {
    let engine = engine();
    let policies = policies(load(&engine, "one", answering(Decision::Ask, "first")).await).await;
    let pinned = policies.pin();
    let two = load(&engine, "two", answering(Decision::Deny, "other")).await;
    policies.chain[0].publish(two, "{}").await.unwrap();
    let request: Arc<dyn RequestFacts> = Arc::new(harmless());
    assert_eq!(
        pinned.evaluate(Arc::clone(&request)).await.verdict.rule,
        "test/first"
    );
    let now = policies.pin().evaluate(request).await;
    assert_eq!(
        (now.verdict.rule.as_str(), now.by.unwrap().generation),
        ("test/other", 2)
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_call_fails_or_mixes_generations_while_components_are_swapped() {
    let engine = engine();
    let odd = load(&engine, "odd", answering(Decision::Ask, "first")).await;
    let even = load(&engine, "even", answering(Decision::Deny, "other")).await;
    let policies = Arc::new(policies(Arc::clone(&odd)).await);
    let done = Arc::new(AtomicBool::new(false));
    let judging: Vec<_> = (0..4)
        .map(|_| {
            let (policies, done) = (Arc::clone(&policies), Arc::clone(&done));
            tokio::spawn(async move {
                loop {
                    let is_last = done.load(Ordering::Acquire);
                    let judged = judge(&policies, harmless()).await;
                    let by = judged.by.unwrap();
                    let expected = match by.generation % 2 {
                        1 => ("odd", "test/first"),
                        _ => ("even", "test/other"),
                    };
                    let got = (by.component.as_str(), judged.verdict.rule.as_str());
                    assert_eq!((got, judged.fault), (expected, None));
                    if is_last {
                        break;
                    }
                }
            })
        })
        .collect();
    for generation in 2..200 {
        let next = if generation % 2 == 1 { &odd } else { &even };
        let published = policies.chain[0].publish(Arc::clone(next), "{}").await;
        assert_eq!(published.unwrap().generation, generation);
    }
    done.store(true, Ordering::Release);
    for task in judging {
        task.await.unwrap();
    }
}

#[tokio::test]
async fn replacing_the_file_of_a_component_touches_nothing_until_it_is_loaded_whole() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("policy.wasm");
    fs::write(&file, answering(Decision::Ask, "first")).unwrap();
    let engine = engine();
    let from_file = || engine.load(Source::file(&file).unwrap(), LoadOptions::default());
    let policies = policies(from_file().await.unwrap()).await;
    let newer = answering(Decision::Ask, "other");
    for part in [0, newer.len() / 2] {
        fs::write(&file, &newer[..part]).unwrap();
        assert!(from_file().await.is_err());
        assert_eq!(
            judge(&policies, harmless()).await.verdict.rule,
            "test/first"
        );
    }
    fs::write(&file, &newer).unwrap();
    policies.chain[0]
        .publish(from_file().await.unwrap(), "{}")
        .await
        .unwrap();
    assert_eq!(
        judge(&policies, harmless()).await.verdict.rule,
        "test/other"
    );
}

#[tokio::test]
async fn the_live_digest_is_that_of_the_bytes_that_were_published() {
    let engine = engine();
    let bytes = answering(Decision::Ask, "first");
    let again = try_load(&engine, "again", bytes.clone()).await.unwrap();
    let policies = policies(load(&engine, "one", bytes).await).await;
    let live = policies.chain[0].current().unwrap();
    assert_eq!(live.identity().digest, again.digest());
    let two = load(&engine, "two", answering(Decision::Ask, "other")).await;
    policies.chain[0].publish(two, "{}").await.unwrap();
    let live = policies.chain[0].current().unwrap();
    assert_ne!(live.identity().digest, again.digest());
}
