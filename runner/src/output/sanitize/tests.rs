use super::*;
use crate::cases::rows;
use pretty_assertions::assert_eq;
use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, any, prop_oneof, proptest};
use serde_json::json;

/// What each chunk gives, and all CSI sequences.
fn sanitize_chunks(chunks: &[&str], motion: Motion) -> (Vec<String>, Vec<String>) {
    let mut sanitizer = Sanitizer::new(motion);
    let mut sequences = Vec::new();
    let outs = chunks.iter().map(|chunk| {
        let mut out = String::new();
        sanitizer.push(chunk, &mut out, |csi| sequences.push(csi.to_owned()));
        assert!(sanitizer.parameters.capacity() <= 2 * LONGEST_CSI);
        out
    });
    (outs.collect(), sequences)
}

#[test]
fn rows_of_the_openclaw_table_hold() {
    let rows = rows("openclaw.jsonl", "sanitize");
    assert!(rows.len() >= 8);
    for row in rows {
        let chunks = row["input"]["chunks"].as_array().unwrap();
        let chunks: Vec<_> = chunks.iter().map(|chunk| chunk.as_str().unwrap()).collect();
        let (out, csi) = sanitize_chunks(&chunks, Motion::Spelled);
        assert_eq!(
            json!({ "out": out, "csi": csi }),
            row["expected"]["result"],
            "{}",
            row["id"]
        );
    }
}

#[test]
fn sequences_of_every_kind_go() {
    for (text, expected) in [
        // CSI, in 7 and 8 bits, with intermediates and private markers.
        (
            "a\x1b[1;31mb\u{9b}0mc\x1b[0 qd\x1b[>4;2me\x1b[?25lf",
            "abcdef",
        ),
        ("\x1b[38:2::1:2:3mx\x1b[mx", "xx"),
        // OSC, ended in every way there is.
        (
            "a\x1b]0;t\x07b\x1b]0;t\x1b\\c\u{9d}0;t\u{9c}d\x1b]0;t\u{9c}e",
            "abcde",
        ),
        ("\x1bktitle\x1b\\$ ", "$ "),
        // DCS, SOS, PM and APC; BEL ends none of them, and they may have lines.
        ("a\x1bP1$r\x07\n0m\x1b\\b\u{90}q\u{9c}c", "abc"),
        ("a\x1bXs\x1b\\b\x1b^p\x1b\\c\x1b_a\x1b\\d", "abcd"),
        ("a\u{98}s\u{9c}b\u{9e}p\u{9c}c\u{9f}a\u{9c}d", "abcd"),
        // The pass-through of tmux doubles each ESC within.
        ("\x1bPtmux;\x1b\x1b]52;c;QQ==\x07\x1b\\x", "x"),
        // Two characters and more.
        ("a\x1b7b\x1b8c\x1b=d\x1bce\x1bMf\x1b\\g", "abcdefg"),
        (
            "a\x1b(Bb\x1b)0c\x1b%Gd\x1b#8e\x1b Ff\x1b$(Cg\x1bNxh",
            "abcdefgxh",
        ),
        // Cancelled ones.
        ("a\x1b[3\x18b\x1b]0;t\x1ac\x1bPq\x18d\x1b\x18e", "abcde"),
    ] {
        assert_eq!(plain(text), expected, "{text:?}");
    }
}

#[test]
fn a_sequence_that_is_none_swallows_no_text() {
    for (text, expected) in [
        ("\x1b[3\nnext", "\nnext"),
        ("\x1b[12é", "é"),
        ("\x1b\tx\x1bé", "\txé"),
        ("\x1b\x1b[1mx", "x"),
        ("\x1b[1\x1b[2mx", "x"),
        ("\x1b(\x1b[2mx", "x"),
        ("\x1b[\u{9b}2mx\u{9c}", "x\\x9c"),
        ("\x1b[\x07x", "\\x07x"),
        ("\x1b!!!!x", "!x"),
        // An OSC that was never ended takes its line, no more.
        ("\x1b]0;title\nnext\r\n", "\nnext\r\n"),
        ("\x1b]0;title\x1b[1mx", "x"),
    ] {
        assert_eq!(plain(text), expected, "{text:?}");
    }
}

#[test]
fn a_string_without_end_is_cut_off() {
    let data = "é".repeat(LONGEST_STRING);
    for start in ["\x1bP", "\x1b_", "\x1b]", "\u{90}"] {
        let shown = plain(&format!("{start}x{data}end"));
        // One byte before the characters of two bytes: the limit falls into one, which is shown.
        assert_eq!(shown.len(), LONGEST_STRING + 2 + "end".len(), "{start:?}");
        assert_eq!(
            plain(&format!("{start}{data}\u{9c}end")).len(),
            LONGEST_STRING + 4 + "end".len()
        );
        let longest = "x".repeat(LONGEST_STRING);
        assert_eq!(plain(&format!("{start}{longest}\x1b\\end")), "end");
    }
    let digits = "1".repeat(LONGEST_CSI);
    assert_eq!(plain(&format!("\x1b[{digits}mx")), "x");
    assert_eq!(plain(&format!("\x1b[{digits}1mx")), "1mx");
}

#[test]
fn controls_are_spelled_and_format_characters_go() {
    assert_eq!(
        plain("\0\x01\t\x08\x0b\x0c\r\n\x1f\x7f\u{80}\u{8e}\u{9a}\u{a0}"),
        "\\x00\\x01\t\\x08\\x0b\\x0c\r\n\\x1f\\x7f\\x80\\x8e\\x9a\u{a0}"
    );
    assert_eq!(
        plain("a\u{ad}b\u{200d}c\u{202e}d\u{feff}e\u{e0041}f\u{2028}g"),
        "abcdef\u{2028}g"
    );
}

#[test]
fn a_line_is_shown_as_it_was_written_over() {
    for (text, kept, folded) in [
        ("100%\r  5%", "  5%", "  5%"),
        ("loading\rdone", "doneing", "doneing"),
        ("a\r\nb\r\r\nc\r", "a\r\nb\r\nc", "a\nb\nc"),
        ("\r\r1\r2\r\n", "2\r\n", "2\n"),
        (
            "one\ntwo\rT\n\nthree",
            "one\nTwo\n\nthree",
            "one\nTwo\n\nthree",
        ),
        ("|\u{8}/\u{8}-\u{8}\\\u{8} done", " done", " done"),
        ("N\u{8}NA\u{8}A _\u{8}x", "NA x", "NA x"),
        ("\u{8}\u{8}ab\u{8}\u{8}\u{8}\u{8}c", "cb", "cb"),
        ("äöü\r€", "€öü", "€öü"),
        ("no end", "no end", "no end"),
        ("", "", ""),
    ] {
        assert_eq!(overwritten(text, false), kept, "{text:?}");
        assert_eq!(overwritten(text, true), folded, "{text:?}");
    }
}

#[test]
fn progress_bars_show_their_last_state() {
    let frames: String = (1..=100).map(|n| format!("\rloading {n}%")).collect();
    assert_eq!(
        rendered(&format!("{frames}\n"), Controls::Spelled, false),
        "loading 100%\n"
    );
    for (text, expected) in [
        ("Building 10/20: foo\r\x1b[KFinished\n", "Finished\n"),
        ("\x1b[2K\x1b[1Gresolving packages\x1b[2K\x1b[1Gdone", "done"),
        ("\x1b[1Gnpm info\x1b[0K\x1b[1G\x1b[0Kok", "ok"),
        ("⠋ wait\x1b[6D⠙\x1b[Kx", "⠙x"),
        ("12345\x1b[3D\x1b[1Cx\x1b[99Cy", "123x5y"),
        ("prompt> lx\u{8}\u{1b}[Ks", "prompt> ls"),
        ("a\x1b[100000000Db\x1b[0Dc", "c"),
        // A program's own controls are no marks.
        ("abc\x1c\x1d", "abc\\x1c\\x1d"),
        ("\x1b[2Jab\x1b[1Kc\x1b[5Gd\x1b[J", "abcd"),
    ] {
        assert_eq!(
            rendered(text, Controls::Spelled, false),
            expected,
            "{text:?}"
        );
    }
    assert_eq!(plain("ab\x1b[K\x1b[1Gc\u{8}"), "abc\\x08");
}

/// A terminal line as simple as can be: the reference for [`overwritten`].
fn reference(line: &str) -> String {
    let mut cells = Vec::new();
    let mut column = 0;
    for character in line.chars() {
        match character {
            '\r' => column = 0,
            BACKSPACE => column = usize::max(column, 1) - 1,
            _ if column < cells.len() => {
                cells[column] = character;
                column += 1;
            }
            _ => {
                cells.push(character);
                column += 1;
            }
        }
    }
    cells.into_iter().collect()
}

/// Pieces of which terminal output is made, whole and broken.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("\x1b"),
        Just("\x1b["),
        Just("\x1b]0;"),
        Just("\x1bP"),
        Just("\x1b("),
        Just("\x1bk"),
        Just("\x1b\\"),
        Just("\u{9b}"),
        Just("\u{9d}"),
        Just("\u{9c}"),
        Just("\u{9f}"),
        Just("\x07"),
        Just("\x18"),
        Just("\r"),
        Just("\n"),
        Just("\u{8}"),
        Just("1;3"),
        Just("?1h"),
        Just("2K"),
        Just("m"),
        Just("D"),
        Just(" "),
        Just("é"),
        Just("\u{200b}"),
        Just("text"),
    ];
    vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_split_gives_the_same_text_and_sequences(
        text in pieces(),
        kept in any::<bool>(),
        chars_of_chunks in vec(1..6_usize, 40),
    ) {
        let motion = if kept { Motion::Kept } else { Motion::Spelled };
        let mut chunks = Vec::new();
        let mut rest = text.as_str();
        for count in chars_of_chunks {
            let end = rest.char_indices().nth(count).map_or(rest.len(), |(at, _)| at);
            let (chunk, left) = rest.split_at(end);
            chunks.push(chunk);
            rest = left;
        }
        chunks.push(rest);
        let (whole, sequences) = sanitize_chunks(&[&text], motion);
        let (parts, same) = sanitize_chunks(&chunks, motion);
        assert_eq!((parts.concat(), same), (whole.concat(), sequences));
    }

    #[test]
    fn no_control_is_left_in_any_text(text in any::<String>(), odd in pieces()) {
        for text in [&text, &odd] {
            let out = plain(text);
            assert!(!out.chars().any(is_special), "{out:?}");
            let shown = rendered(text, Controls::Spelled, true);
            assert!(!shown.contains('\r') && !shown.chars().any(is_special), "{shown:?}");
            let lines = |text: &str| text.matches('\n').count();
            assert_eq!(lines(&shown), lines(&out));
        }
    }

    #[test]
    fn any_line_is_rendered_as_by_the_simplest_terminal(line in "[ab\r\u{8}é]{0,30}[ab]") {
        assert_eq!(overwritten(&format!("{line}\n"), false), reference(&line) + "\n");
    }
}
