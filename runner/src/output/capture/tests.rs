use super::*;
use pretty_assertions::assert_eq;
use proptest::collection::vec;
use proptest::prelude::{Strategy, any, prop_oneof, proptest};
use std::fs;
use std::path::Path;

fn settings(inline_scalars: usize, workspace: Option<&Path>) -> CaptureSettings {
    let spill = workspace.map(|workspace| SpillTarget {
        workspace: workspace.to_owned(),
        name: "one.log".to_owned(),
        limit: SpillTarget::DEFAULT_LIMIT,
        quota: SpillTarget::DEFAULT_QUOTA,
    });
    CaptureSettings {
        ring_bytes: 1 << 20,
        inline_scalars,
        spill,
        secrets: Default::default(),
    }
}

fn capture(bytes: &[u8], size: usize, settings: CaptureSettings) -> Capture {
    let mut capture = Capture::new(settings);
    bytes.chunks(size).for_each(|chunk| capture.push(chunk));
    capture.finish();
    capture
}

/// Whole characters of all lengths, and bytes that are parts of some.
fn stream() -> impl Strategy<Value = Vec<u8>> {
    let character = any::<char>().prop_map(|character| character.to_string().into_bytes());
    let parts = vec![0x80, 0xBF, 0xC2, 0xE2, 0x89, 0xF0, 0x9F, 0x98, 0xFF];
    let part = proptest::sample::select(parts).prop_map(|byte| vec![byte]);
    vec(prop_oneof![character, part], 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn head_and_tail_are_those_of_the_whole_text(bytes in stream(), size in 1..9_usize, max in 0..40_usize) {
        let whole: Vec<char> = String::from_utf8_lossy(&bytes).chars().collect();
        let capture = capture(&bytes, size, settings(40, None));
        let length = whole.len().min(max);
        assert_eq!(capture.head_text(max), String::from_iter(&whole[..length]));
        assert_eq!(capture.tail_text(max), String::from_iter(&whole[whole.len() - length..]));
        assert_eq!((capture.total_scalars(), capture.total_bytes()), (whole.len() as u64, bytes.len() as u64));
    }
}

proptest! {
    #![proptest_config(proptest::test_runner::Config::with_cases(64))]
    #[test]
    fn a_spilled_file_holds_every_byte_and_a_short_stream_has_none(
        bytes in stream(), size in 1..9_usize, cap in 0..60_usize,
    ) {
        let workspace = tempfile::tempdir().unwrap();
        let capture = capture(&bytes, size, settings(cap, Some(workspace.path())));
        let passed = String::from_utf8_lossy(&bytes).chars().count() > cap;
        let file = workspace.path().join(".artifacts/exec/one.log");
        assert_eq!(capture.artifact().is_some(), passed);
        assert_eq!(fs::read(file).ok(), passed.then_some(bytes));
    }
}

#[test]
fn the_bytes_so_far_are_complete_when_every_character_is_long() {
    let workspace = tempfile::tempdir().unwrap();
    let text = "😀".repeat(1001);
    let capture = capture(text.as_bytes(), 1, settings(1000, Some(workspace.path())));
    let artifact = capture.artifact().unwrap();
    assert_eq!((artifact.bytes, &artifact.problem), (4004, &None));
    assert_eq!(fs::read_to_string(&artifact.path).unwrap(), text);
}

#[test]
fn a_tail_that_begins_within_a_character_does_not_show_its_rest() {
    let settings = CaptureSettings {
        ring_bytes: 5,
        inline_scalars: 0,
        spill: None,
        secrets: Default::default(),
    };
    let capture = capture("a€€".as_bytes(), 7, settings);
    assert_eq!(capture.tail_text(10), "€");
}

#[test]
fn extreme_limits_do_not_overflow() {
    let settings = CaptureSettings {
        ring_bytes: usize::MAX,
        inline_scalars: usize::MAX,
        spill: None,
        secrets: Default::default(),
    };
    let capture = capture(b"abc", 1, settings);
    assert_eq!(
        (capture.head_text(usize::MAX), capture.tail_text(usize::MAX)),
        ("abc".into(), "abc".into())
    );
}
