use pretty_assertions::assert_eq;
use serde_json::json;

use super::*;
use crate::modes::{CursorKeys, MouseEncoding, MouseTracking};
use crate::settings::KeyboardProtocol;
use crate::snapshot::{Cursor, Shape};

fn sized(rows: u16, columns: u16) -> Screen {
    Screen::new(&Settings {
        size: Size::new(rows, columns).unwrap(),
        ..Settings::default()
    })
}

fn shown(rows: u16, columns: u16, bytes: &str) -> Screen {
    let mut screen = sized(rows, columns);
    let _ = screen.push(bytes.as_bytes());
    screen
}

fn rows(bytes: &str) -> Vec<String> {
    shown(4, 10, bytes).snapshot(Styles::Omitted).rows
}

fn replies(bytes: &str) -> String {
    let replies = sized(4, 10).push(bytes.as_bytes());
    String::from_utf8(replies.into_bytes()).unwrap()
}

#[test]
fn a_screen_can_go_to_another_thread() {
    fn sent<T: Send>() {}
    sent::<Screen>();
}

#[test]
fn rows_are_what_a_person_sees() {
    let table: &[(&str, [&str; 4])] = &[
        ("a\r\nb\nc", ["a", "b", " c", ""]),
        ("10 %\r99", ["99 %", "", "", ""]),
        ("abc\x08\x08X", ["aXc", "", "", ""]),
        ("0123456789abc", ["0123456789", "abc", "", ""]),
        ("\x1b[?7l0123456789abc", ["012345678c", "", "", ""]),
        ("one\x1b[2;3Htwo\x1b[1;1H\x1b[K", ["", "  two", "", ""]),
        ("a\x1b[65535Zb\x1b[65535Ic", ["b        c", "", "", ""]),
        ("\x1b[3gab\x1b[65535Zc", ["abc", "", "", ""]),
        ("a\tb", ["a       b", "", "", ""]),
        ("\x1b(0lqqk\x1b(B q", ["┌──┐ q", "", "", ""]),
        ("\x0e\x1b)0x\x0fx", ["│x", "", "", ""]),
        ("abc\x1b[1G\x1b[4hX", ["Xabc", "", "", ""]),
        ("a\x1b[5bz", ["aaaaaaz", "", "", ""]),
        ("漢\x1b[2b", ["漢漢漢", "", "", ""]),
        ("漢字é", ["漢字é", "", "", ""]),
        ("e\u{301}x\u{30}\u{308}", ["e\u{301}x0\u{308}", "", "", ""]),
        ("สวัสดี", ["สวัสดี", "", "", ""]),
        ("👍🏽|", ["👍🏽|", "", "", ""]),
        ("❤\u{fe0f}", ["❤\u{fe0f}", "", "", ""]),
        ("012345678漢", ["012345678", "漢", "", ""]),
        ("漢\x1b[2Gx", [" x", "", "", ""]),
        ("a\x1b[8mhidden\x1b[mb", ["a      b", "", "", ""]),
        ("a\u{202e}b\u{200b}c\u{e0041}", ["abc", "", "", ""]),
        ("\x1b[31", ["", "", "", ""]),
        ("\x00a\x7fb\x05", ["ab", "", "", ""]),
        ("1\r\n2\r\n3\r\n4\r\n5", ["2", "3", "4", "5"]),
        ("\x1b[2;3r\x1b[3;1H1\r\n2\r\n3\x1b[rX", ["X", "2", "3", ""]),
        ("a\r\nb\x1b[1J", ["", "", "", ""]),
        ("a\r\nb\r\nc\x1b[1J", ["", "", "", ""]),
        ("x\x1b[2J", ["", "", "", ""]),
        ("x\x1b[3J\x1b[?3hy", ["xy", "", "", ""]),
        ("a\x1b7\x1b[3;3Hb\x1b8c", ["ac", "", "  b", ""]),
        ("\x1b[2;4r\x1b[?6h\x1b[2;2H\x1b[3Gx", ["", "", "  x", ""]),
        (
            "\x1b]8;;https://a.example\x1b\\link\x1b]8;;\x1b\\",
            ["link", "", "", ""],
        ),
        (
            "a\x1b_Gpicture\x1b\\b\x1bPq#0!9~\x1b\\c",
            ["abc", "", "", ""],
        ),
        ("a\u{9b}b\u{85}c", ["abc", "", "", ""]),
    ];
    for (bytes, expected) in table {
        assert_eq!(rows(bytes), *expected, "{bytes:?}");
    }
}

#[test]
fn invalid_text_is_replaced() {
    let mut screen = sized(1, 10);
    let _ = screen.push(b"a\xE2\x82");
    let _ = screen.push(b"(\xFFb");
    assert_eq!(
        screen.snapshot(Styles::Omitted).rows,
        ["a\u{FFFD}(\u{FFFD}b"]
    );
}

#[test]
fn queries_are_answered() {
    let version = concat!("\x1bP>|execgate ", env!("CARGO_PKG_VERSION"), "\x1b\\");
    let table = [
        ("\x1b[5n", "\x1b[0n"),
        ("\x1b[6n", "\x1b[1;1R"),
        ("a\r\nbc\x1b[6n\x1b[3;9H\x1b[?6n", "\x1b[2;3R\x1b[?3;9R"),
        ("0123456789\x1b[6n", "\x1b[1;10R"),
        ("\x1b[c", "\x1b[?62;22c"),
        ("\x1b[0c\x1bZ", "\x1b[?62;22c\x1b[?62;22c"),
        ("\x1b[>c", "\x1b[>0;276;0c"),
        ("\x1b[=c", "\x1bP!|00000000\x1b\\"),
        ("\x1b[>q", version),
        ("\x1b[>0q", version),
        (
            "\x1b[?2004$p\x1b[?2004h\x1b[?2004$p",
            "\x1b[?2004;2$y\x1b[?2004;1$y",
        ),
        (
            "\x1b[?2026$p\x1b[?1;2026h\x1b[?2026$p\x1b[?1$p",
            "\x1b[?2026;2$y\x1b[?2026;1$y\x1b[?1;1$y",
        ),
        (
            "\x1b[?9999$p\x1b[?3$p\x1b[4$p\x1b[7$p",
            "\x1b[?9999;0$y\x1b[?3;4$y\x1b[4;2$y\x1b[7;0$y",
        ),
        (
            "\x1b[?7$p\x1b[?25$p\x1b[?1049$p",
            "\x1b[?7;1$y\x1b[?25;1$y\x1b[?1049;2$y",
        ),
        ("\x1b[?u\x1b[>1u\x1b[?u", "\x1b[?0u\x1b[?1u"),
        (
            "\x1b[14t\x1b[16t\x1b[18t",
            "\x1b[4;80;100t\x1b[6;20;10t\x1b[8;4;10t",
        ),
        ("\x1b[?996n", "\x1b[?997;1n"),
        ("\x1b]10;?\x07", "\x1b]10;rgb:e5e5/e5e5/e5e5\x07"),
        ("\x1b]11;?\x1b\\", "\x1b]11;rgb:0000/0000/0000\x1b\\"),
        (
            "\x1b]11;#ffffff\x07\x1b]11;?\x07",
            "\x1b]11;rgb:0000/0000/0000\x07",
        ),
        (
            "\x1b]10;?;?\x07",
            "\x1b]10;rgb:e5e5/e5e5/e5e5\x07\x1b]11;rgb:0000/0000/0000\x07",
        ),
        (
            "\x1b]4;1;?;231;?;232;?;256;?\x07",
            "\x1b]4;1;rgb:cdcd/0000/0000\x07\x1b]4;231;rgb:ffff/ffff/ffff\x07\x1b]4;232;rgb:0808/0808/0808\x07",
        ),
        (
            "\x1bP$qm\x1b\\\x1bP+q544e\x1b\\",
            "\x1bP0$r\x1b\\\x1bP0+r\x1b\\",
        ),
    ];
    for (bytes, expected) in table {
        assert_eq!(replies(bytes), expected, "{bytes:?}");
    }
}

#[test]
fn what_would_leak_or_be_typed_is_never_answered() {
    let table = [
        "\x1b]52;c;?\x07",
        "\x1b]52;c;aGk=\x07\x1b]52;c;?\x1b\\",
        "\x1b]0;rm -rf x\x07\x1b[20t\x1b[21t",
        "\x1b[1;1;1;1;1;1*y",
        "\x1bP$",
        "\x1bPé\x1b\\",
        "\x1b]4;?\x07\x1b]10\x07\x1b]99;?\x07",
    ];
    for bytes in table {
        assert_eq!(replies(bytes), "", "{bytes:?}");
    }
}

#[test]
fn a_query_may_be_cut_anywhere() {
    let mut screen = sized(4, 10);
    for byte in b"\x1b[?6" {
        assert!(screen.push(&[*byte]).is_empty());
    }
    assert_eq!(screen.push(b"n").as_bytes(), b"\x1b[?1;1R");
}

#[test]
fn modes_are_followed_across_chunks() {
    let mut screen = sized(4, 10);
    let before = screen.modes();
    assert_eq!(before.cursor_keys, CursorKeys::Unknown);
    assert!(before.autowrap);
    let all = "\x1b[?1;1002;1006;1004;2004;2026h\x1b=\x1b[?7l\x1b[=5u";
    for byte in all.as_bytes() {
        let _ = screen.push(&[*byte]);
    }
    let set = Modes {
        cursor_keys: CursorKeys::Application,
        application_keypad: true,
        bracketed_paste: true,
        mouse: MouseTracking::Drag,
        mouse_encoding: MouseEncoding::Sgr,
        focus_events: true,
        autowrap: false,
        synchronized_output: true,
        keyboard_flags: 5,
    };
    assert_eq!(screen.modes(), set);
    let reset = Modes {
        cursor_keys: CursorKeys::Normal,
        ..before
    };
    for sequence in ["\x1b[!p", "\x1bc"] {
        let mut screen = sized(4, 10);
        let _ = screen.push(all.as_bytes());
        let _ = screen.push(sequence.as_bytes());
        assert_eq!(screen.modes(), reset, "{sequence:?}");
    }
}

#[test]
fn a_soft_reset_leaves_the_text_and_the_cursor() {
    let mut screen = shown(
        4,
        10,
        "ab\r\ncd\x1b[31;4m\x1b[?25;6l\x1b[2;3r\x1b[2;2H\x1b(0\x1b[4h\x1b[!pq",
    );
    let seen = screen.snapshot(Styles::Included);
    assert_eq!(seen.rows, ["ab", "cq", "", ""]);
    assert_eq!(seen.styles, Some(vec![Vec::new(); 4]));
    assert!(seen.cursor.visible);
}

#[test]
fn each_screen_has_keyboard_flags_of_its_own() {
    let mut screen = sized(4, 10);
    let mut flags = |bytes: &str| {
        let _ = screen.push(bytes.as_bytes());
        screen.modes().keyboard_flags
    };
    assert_eq!(flags("\x1b[>1u\x1b[>3u"), 3);
    assert_eq!(flags("\x1b[=4;2u"), 7);
    assert_eq!(flags("\x1b[=1;3u"), 6);
    assert_eq!(flags("\x1b[?1049h"), 0);
    assert_eq!(flags("\x1b[>8u"), 8);
    assert_eq!(flags("\x1b[?1049l"), 6);
    assert_eq!(flags("\x1b[<u"), 1);
    assert_eq!(flags("\x1b[<99u"), 0);
    assert_eq!(flags(&"\x1b[>2u".repeat(5_000)), 2);
}

#[test]
fn programs_do_not_hear_of_a_protocol_that_nobody_types() {
    let mut screen = Screen::new(&Settings {
        keyboard: KeyboardProtocol::Legacy,
        ..Settings::default()
    });
    assert!(screen.push(b"\x1b[>1u\x1b[?u").is_empty());
    assert_eq!(screen.modes().keyboard_flags, 0);
}

#[test]
fn the_main_screen_comes_back_after_a_full_screen_program() {
    for mode in ["47", "1047", "1049"] {
        let mut screen = shown(3, 10, "before\r\n");
        let _ = screen.push(format!("\x1b[?{mode}h\x1b[2J\x1b[Hfull").as_bytes());
        let seen = screen.snapshot(Styles::Omitted);
        assert!(seen.alternate_screen);
        assert_eq!(seen.rows, ["full", "", ""]);
        let _ = screen.push(format!("\x1b[?{mode}lafter").as_bytes());
        let seen = screen.snapshot(Styles::Omitted);
        assert!(!seen.alternate_screen);
        assert_eq!(seen.rows, ["before", "after", ""]);
    }
}

#[test]
fn rows_that_scroll_off_can_be_read_up_to_the_bound() {
    let mut screen = Screen::new(&Settings {
        size: Size::new(2, 10).unwrap(),
        scrollback_rows: 3,
        ..Settings::default()
    });
    let _ = screen.push(b"1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7");
    assert_eq!(screen.snapshot(Styles::Omitted).scrolled_off, 3);
    assert_eq!(screen.scrollback(9), ["3", "4", "5"]);
    assert_eq!(screen.scrollback(2), ["4", "5"]);
    assert_eq!(screen.lines_with(1), ["5", "6", "7"]);
    let _ = screen.push(b"\x1b[?1049h");
    assert!(screen.scrollback(9).is_empty());
    let _ = screen.push(b"\x1b[?1049l\x1b[3J");
    assert!(screen.scrollback(9).is_empty());
}

#[test]
fn wrapped_rows_are_one_line() {
    let mut screen = shown(6, 5, "ab cd efg\r\n1234漢\r\n");
    assert_eq!(screen.lines(), ["ab cd efg", "1234漢"]);
    let _ = screen.push(b"\x1b[H");
    for text in ["cd efg", "d efg\n1234", "34漢", "fg"] {
        assert!(screen.contains(text), "{text:?}");
    }
    assert!(screen.contains("ab cd\n efg"));
    assert!(!screen.contains("ab  cd"));
}

#[test]
fn lines_wrap_anew_when_the_size_changes() {
    let mut screen = shown(3, 4, "abcdefg");
    screen.resize(Size::new(3, 7).unwrap());
    let seen = screen.snapshot(Styles::Omitted);
    assert_eq!(seen.rows, ["abcdefg", "", ""]);
    screen.resize(Size::new(4, 3).unwrap());
    assert_eq!(screen.lines_with(usize::MAX), ["abcdefg"]);
    assert_eq!(screen.push(b"\x1b[18t").as_bytes(), b"\x1b[8;4;3t");
}

#[test]
fn one_column_is_drawn_with_two() {
    let mut screen = shown(2, 1, "a漢b\x1b[6n");
    let seen = screen.snapshot(Styles::Omitted);
    assert_eq!(seen.size, Size::new(2, 1).unwrap());
    assert_eq!(seen.rows, ["漢", "b"]);
    assert_eq!(seen.cursor.column, 0);
}

#[test]
fn looks_say_what_differs() {
    let mut screen = shown(3, 10, "one\r\ntwo");
    let first = screen.snapshot(Styles::Omitted).revision;
    assert_eq!(screen.snapshot(Styles::Omitted).revision, first);
    let _ = screen.push(b"\x1b[H\x1b[1;1H");
    let _ = screen.push(b"\x1b[2;4H");
    assert_eq!(
        screen.snapshot(Styles::Omitted).revision,
        first,
        "nothing is new"
    );
    let _ = screen.push(b"!\r\n");
    let changes = screen.changes_since(first, Styles::Omitted);
    assert!(!changes.complete);
    let changed = |index, text: &str| ChangedRow {
        index,
        text: text.to_owned(),
        styles: None,
    };
    assert_eq!(changes.rows, [changed(1, "two!")]);
    assert!(changes.revision > first);
    assert!(
        screen
            .changes_since(changes.revision, Styles::Omitted)
            .rows
            .is_empty()
    );
    let _ = screen.push(b"\x1b[1;1H\x1b[7mone");
    let rows = screen.changes_since(changes.revision, Styles::Omitted).rows;
    assert_eq!(rows, [changed(0, "one")], "it looks different");
}

#[test]
fn all_rows_differ_from_a_look_that_is_unknown_or_of_another_size() {
    let mut screen = shown(3, 10, "one");
    let first = screen.snapshot(Styles::Omitted).revision;
    for unknown in [0, first + 1, u64::MAX] {
        let changes = screen.changes_since(unknown, Styles::Omitted);
        assert_eq!(
            (changes.complete, changes.rows.len()),
            (true, 3),
            "{unknown}"
        );
    }
    screen.resize(Size::new(3, 11).unwrap());
    let changes = screen.changes_since(first, Styles::Omitted);
    assert_eq!((changes.complete, changes.rows.len()), (true, 3));
}

#[test]
fn titles_are_kept_saved_and_bounded() {
    let mut screen = sized(1, 10);
    let mut title = |bytes: &str| {
        let _ = screen.push(bytes.as_bytes());
        screen.snapshot(Styles::Omitted).title
    };
    assert_eq!(title("\x1b]2;one\x07"), Some("one".to_owned()));
    assert_eq!(
        title("\x1b[22;0t\x1b]0;two;\u{85}three\x1b\\"),
        Some("two;three".to_owned())
    );
    assert_eq!(title("\x1b[23;0t\x1b[23t"), Some("one".to_owned()));
    assert_eq!(title("\x1b]1;icon\x07\x1b]0;\x07"), None);
    let long = format!("\x1b]2;{}\x07", "é".repeat(9_000));
    assert_eq!(title(&long).unwrap().len(), 1024);
    assert_eq!(title("\x1bc"), None);
}

#[test]
fn the_cursor_has_a_place_and_a_shape() {
    let mut screen = shown(4, 10, "漢\x1b[?25l\x1b[6 q");
    let cursor = Cursor {
        row: 0,
        column: 2,
        visible: false,
        shape: Shape::Bar,
    };
    assert_eq!(screen.snapshot(Styles::Omitted).cursor, cursor);
    let _ = screen.push(b"\x1b[3 q");
    assert_eq!(
        screen.snapshot(Styles::Omitted).cursor.shape,
        Shape::Underline
    );
}

#[test]
fn a_snapshot_is_serialized_with_its_styles() {
    let mut screen = shown(
        2,
        6,
        "a\x1b[1;31mbc\x1b[m \x1b[7;38;2;1;2;255;48;5;200mx\x1b[m\x1b]2;t\x07",
    );
    let seen = serde_json::to_value(screen.snapshot(Styles::Included)).unwrap();
    let expected = json!({
        "revision": 1,
        "size": {"rows": 2, "columns": 6},
        "rows": ["abc x", ""],
        "styles": [[
            {"columns": {"start": 1, "end": 3}, "foreground": 1, "bold": true},
            {"columns": {"start": 4, "end": 5}, "foreground": "#0102ff", "background": 200, "inverse": true},
        ], []],
        "cursor": {"row": 0, "column": 5, "visible": true, "shape": "block"},
        "title": "t",
        "alternate_screen": false,
        "scrolled_off": 0,
    });
    assert_eq!(seen, expected);
}

#[test]
fn sizes_out_of_bounds_are_refused() {
    for (rows, columns) in [(0, 1), (1, 0), (1_001, 1), (1, 1_001), (u16::MAX, u16::MAX)] {
        let error = Size::new(rows, columns).unwrap_err();
        let text = format!(
            "a screen cannot have {rows} rows and {columns} columns: each is from 1 to 1000"
        );
        assert_eq!(error.to_string(), text);
    }
}

#[test]
fn marks_on_one_cell_are_bounded_however_they_come() {
    let flood = "e".to_owned()
        + &"\u{301}".repeat(1_000)
        + &"\x08\x1b[C\u{301}".repeat(1_000)
        + "\x1b[65535b";
    let text = &rows(&flood)[0];
    assert!(
        text.chars().filter(|next| *next == '\u{301}').count() <= 8,
        "{text:?}"
    );
}
