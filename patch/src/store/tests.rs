use std::fs;

use pretty_assertions::assert_eq;

use super::{Record, Stage, Store};
use crate::steps::Steps;

fn record() -> Record {
    Record {
        root: "/ws".into(),
        entries: Vec::new(),
        made: vec!["a".into()],
        removed: Vec::new(),
        undoes: None,
    }
}

#[test]
fn a_patch_goes_through_its_stages() {
    let directory = tempfile::tempdir().expect("a scratch directory");
    let steps = Steps::default();
    let store = Store::lock(directory.path(), &steps).expect("it can be made");
    let id = store.next_id().expect("it can be read");
    store
        .begin(&id, &record(), &[None, Some(b"x")])
        .expect("it can be written");
    assert_eq!(
        store.all().expect("it can be read"),
        [(id.clone(), Stage::Open)]
    );
    assert_eq!(
        store.record(&id, Stage::Open).expect("it is there"),
        record()
    );
    assert_eq!(
        store.content(&id, Stage::Open, 1).expect("it is there"),
        b"x"
    );
    assert!(!store.has(&id));
    store
        .advance(&id, Stage::Open, Stage::Applied)
        .expect("it is open");
    assert!(store.has(&id));
    assert!(store.next_id().expect("it can be read") > id);
    store.discard(&id, Stage::Applied).expect("it is there");
    assert_eq!(store.all().expect("it can be read"), []);
}

#[test]
fn names_that_the_store_does_not_give_are_none_of_its_patches() {
    let directory = tempfile::tempdir().expect("a scratch directory");
    let steps = Steps::default();
    let store = Store::lock(directory.path(), &steps).expect("it can be made");
    let patches = directory.path().join("patches");
    fs::create_dir(patches.join("notes")).expect("it is new");
    assert_eq!(store.all().expect("it can be read"), []);
    for id in ["", ".", "..", "../patches", "notes", "000000000000000/"] {
        assert!(!store.has(id), "{id}");
    }
}

#[test]
fn the_oldest_patches_make_room_and_open_ones_stay() {
    let directory = tempfile::tempdir().expect("a scratch directory");
    let steps = Steps::default();
    let store = Store::lock(directory.path(), &steps).expect("it can be made");
    let mut ids = Vec::new();
    for _ in 0..4 {
        let id = store.next_id().expect("it can be read");
        store
            .begin(&id, &record(), &[Some(&[0; 1000])])
            .expect("it can be written");
        ids.push(id);
    }
    for id in &ids[..3] {
        store
            .advance(id, Stage::Open, Stage::Applied)
            .expect("it is open");
    }
    store.prune(2600).expect("it can be written");
    let left: Vec<(String, Stage)> = store.all().expect("it can be read");
    let expected = [
        (ids[1].clone(), Stage::Applied),
        (ids[2].clone(), Stage::Applied),
        (ids[3].clone(), Stage::Open),
    ];
    assert_eq!(left, expected);
    store.prune(0).expect("it can be written");
    assert_eq!(
        store.all().expect("it can be read"),
        [(ids[3].clone(), Stage::Open)]
    );
}
