use super::*;
use pretty_assertions::assert_eq;
use proptest::collection::vec;
use proptest::prelude::{any, proptest};

proptest! {
    #[test]
    fn any_chunking_gives_the_same_bytes_and_counts(
        chunks in vec(vec(any::<u8>(), 0..40), 0..12),
        cap in 0..100_usize,
        offset in 0..500_u64,
        max in 0..120_usize,
    ) {
        let whole = chunks.concat();
        let mut ring = Ring::new(cap);
        for chunk in &chunks {
            ring.push(chunk);
            assert!(ring.capacity() <= cap);
        }
        let start = whole.len().saturating_sub(cap);
        assert_eq!((ring.total(), ring.start()), (whole.len() as u64, start as u64));
        let from = (offset as usize).clamp(start, whole.len());
        let to = (from + max).min(whole.len());
        assert_eq!(ring.read(offset, max), Slice { offset: from as u64, bytes: whole[from..to].to_vec() });
    }
}

#[test]
fn memory_grows_with_what_is_used() {
    let mut ring = Ring::default();
    assert_eq!(ring.capacity(), 0);
    ring.push(&[1; 100]);
    assert!(ring.capacity() < 1000);
    for _ in 0..100 {
        ring.push(&[2; 100_000]);
    }
    assert_eq!(ring.capacity(), Ring::DEFAULT_CAP);
    assert_eq!(ring.total(), 10_000_100);
}

#[test]
fn offsets_at_the_edge_of_their_type_are_clamped() {
    let mut ring = Ring::new(4);
    ring.push(b"abcdef");
    assert_eq!(
        ring.read(u64::MAX, usize::MAX),
        Slice {
            offset: 6,
            bytes: Vec::new()
        }
    );
    assert_eq!(
        ring.read(0, usize::MAX),
        Slice {
            offset: 2,
            bytes: b"cdef".to_vec()
        }
    );
}
