//! Compiled code on disk: used when it is sound, made anew when it is not, refused where others write.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use execgate_host::{
    Allocation, CacheError, Decision, Engine, EngineConfig, EngineError, LoadOptions, Source,
};
use pretty_assertions::assert_eq;
use tempfile::TempDir;

use super::support::{answering, harmless, judge, load, policies};

fn caching(directory: &Path) -> Result<Engine, EngineError> {
    Engine::new(EngineConfig {
        allocation: Allocation::OnDemand,
        cache: Some(directory.to_owned()),
        ..EngineConfig::default()
    })
}

fn files(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

async fn judged_rule(engine: &Engine) -> String {
    let loaded = load(engine, "cached", answering(Decision::Ask, "first")).await;
    judge(&policies(loaded).await, harmless())
        .await
        .verdict
        .rule
}

#[tokio::test]
async fn code_is_kept_private_and_used_again() {
    let folder = TempDir::new().unwrap();
    let directory = folder.path().join("deep/cache");
    let engine = caching(&directory).unwrap();
    assert_eq!(judged_rule(&engine).await, "test/first");
    let kept = files(&directory);
    assert_eq!(kept.len(), 2, "{kept:?}");
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&directory), 0o700);
    assert!(kept.iter().all(|file| mode(file) == 0o600));
    let before: Vec<_> = kept
        .iter()
        .map(|file| fs::metadata(file).unwrap().modified().unwrap())
        .collect();
    assert_eq!(
        judged_rule(&caching(&directory).unwrap()).await,
        "test/first"
    );
    let after: Vec<_> = files(&directory)
        .iter()
        .map(|file| fs::metadata(file).unwrap().modified().unwrap())
        .collect();
    assert_eq!(before, after, "nothing was written again");
}

#[tokio::test]
async fn damaged_and_foreign_entries_are_made_anew() {
    let folder = TempDir::new().unwrap();
    fs::set_permissions(folder.path(), Permissions::from_mode(0o700)).unwrap();
    let engine = caching(folder.path()).unwrap();
    judged_rule(&engine).await;
    let kept = files(folder.path());
    let sound: Vec<Vec<u8>> = kept.iter().map(|file| fs::read(file).unwrap()).collect();
    for file in &kept {
        let whole = fs::read(file).unwrap();
        let mut flipped = whole.clone();
        let middle = flipped.len() / 2;
        flipped[middle] ^= 0x40;
        for damage in [Vec::new(), whole[..middle].to_vec(), flipped] {
            fs::write(file, damage).unwrap();
            assert_eq!(judged_rule(&engine).await, "test/first");
            assert_eq!(files(folder.path()), kept, "nothing is left behind");
            for (file, sound) in kept.iter().zip(&sound) {
                assert_eq!(fs::read(file).unwrap().len(), sound.len());
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn eight_first_runs_at_once_all_succeed() {
    let folder = TempDir::new().unwrap();
    let directory = folder.path().join("cache");
    let mut runs = tokio::task::JoinSet::new();
    for _ in 0..8 {
        let directory = directory.clone();
        runs.spawn(async move { judged_rule(&caching(&directory).unwrap()).await });
    }
    while let Some(rule) = runs.join_next().await {
        assert_eq!(rule.unwrap(), "test/first");
    }
    assert_eq!(files(&directory).len(), 2);
    assert_eq!(
        judged_rule(&caching(&directory).unwrap()).await,
        "test/first"
    );
}

#[test]
fn a_directory_that_others_can_write_is_refused() {
    let folder = TempDir::new().unwrap();
    for mode in [0o777, 0o770, 0o1777] {
        fs::set_permissions(folder.path(), Permissions::from_mode(mode)).unwrap();
        let refused = caching(folder.path()).err().unwrap();
        assert!(
            matches!(&refused, EngineError::Cache(CacheError::Writable { .. })),
            "{refused}"
        );
        assert!(refused.to_string().contains("chmod 700"), "{refused}");
    }
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    assert!(matches!(
        caching(&file),
        Err(EngineError::Cache(CacheError::Io { .. }))
    ));
}

#[tokio::test]
async fn a_cache_that_cannot_be_written_costs_only_time() {
    let folder = TempDir::new().unwrap();
    let directory = folder.path().join("cache");
    let engine = caching(&directory).unwrap();
    fs::remove_dir(&directory).unwrap();
    let loaded = engine.load(
        Source::bytes("x", answering(Decision::Ask, "first")),
        LoadOptions::default(),
    );
    assert_eq!(loaded.await.unwrap().name(), "x");
}
