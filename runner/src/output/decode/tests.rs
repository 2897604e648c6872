use super::*;
use pretty_assertions::assert_eq;
use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, any, prop_oneof, proptest};

/// Bytes that are likely to be parts of characters.
fn byte() -> impl Strategy<Value = u8> {
    let parts = [
        0x61, 0x80, 0xBF, 0xC2, 0xE0, 0xE2, 0x89, 0xA4, 0xED, 0xA0, 0xF0, 0x9F, 0xF4, 0x90,
    ];
    prop_oneof![
        proptest::sample::select(parts.to_vec()),
        any::<u8>(),
        Just(0xFF)
    ]
}

fn decode(bytes: &[u8], size: usize) -> (String, u64, u64) {
    let mut decoder = Decoder::default();
    let mut text = String::new();
    for chunk in bytes.chunks(size) {
        decoder.push(chunk, |piece| text.push_str(piece));
    }
    decoder.finish(|piece| text.push_str(piece));
    (text, decoder.scalars(), decoder.invalid())
}

proptest! {
    #[test]
    fn any_chunking_equals_the_lossy_text_of_the_whole(bytes in vec(byte(), 0..60), size in 1..9_usize) {
        let whole = String::from_utf8_lossy(&bytes).into_owned();
        let (text, scalars, _) = decode(&bytes, size);
        assert_eq!((text, scalars), (whole.clone(), whole.chars().count() as u64));
        assert_eq!(decode(&bytes, size), decode(&bytes, bytes.len().max(1)));
    }
}

#[test]
fn a_character_split_over_three_reads_is_one_character() {
    assert_eq!(decode("≤".as_bytes(), 1), ("≤".to_owned(), 1, 0));
}

#[test]
fn invalid_sequences_are_counted_one_by_one() {
    let expected = ("ok\u{FFFD}\u{FFFD}end\u{FFFD}".to_owned(), 8, 3);
    assert_eq!(decode(b"ok\xff\xfeend\xe2\x89", 2), expected);
}
