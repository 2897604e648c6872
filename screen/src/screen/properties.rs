//! Whatever is pushed, however it is cut.

use proptest::prelude::*;

use super::*;
use crate::palette::Palette;
use crate::settings::KeyboardProtocol;

/// Sequences that move, erase, scroll, wrap, switch and ask, for others to be made of.
const SEEDS: &[&str] = &[
    "\x1b[2J",
    "\x1b[H",
    "\x1b[3;4H",
    "\x1b[K",
    "\x1b[1J",
    "\x1b[J",
    "\x1b[3J",
    "\x1b[5L",
    "\x1b[2M",
    "\x1b[4@",
    "\x1b[3P",
    "\x1b[7X",
    "\x1b[2S",
    "\x1b[2T",
    "\x1b[2;4r",
    "\x1b[r",
    "\x1b[?6h",
    "\x1b[?6l",
    "\x1b[?7l",
    "\x1b[?7h",
    "\x1b[4h",
    "\x1b[4l",
    "\x1b[20h",
    "\x1bM",
    "\x1bD",
    "\x1bE",
    "\x1b7",
    "\x1b8",
    "\x1b#8",
    "\x1bc",
    "\x1b[!p",
    "\x1b[?1049h",
    "\x1b[?1049l",
    "\x1b[?47h",
    "\x1b[?1048l",
    "\x1b[9b",
    "\x1b[65535b",
    "\x1b[99999999999999999999A",
    "\x1b[65535;65535H",
    "\x1b[65535C",
    "\x1b[65535D",
    "\x1b[65535B",
    "\x1b[65535S",
    "\x1b[65535T",
    "\x1b[65535L",
    "\x1b[65535M",
    "\x1b[65535P",
    "\x1b[65535@",
    "\x1b[65535X",
    "\x1b[65535I",
    "\x1b[65535Z",
    "\x1b[65535G",
    "\x1b[65535d",
    "\x1b[0;0r",
    "\x1b[9;2r",
    "\x1b[g",
    "\x1b[3g",
    "\x1bH",
    "\x1b[?5W",
    "\x1b[I",
    "\x1b[Z",
    "\x1b(0",
    "\x1b)0",
    "\x0e",
    "\x0f",
    "\x1b[6n",
    "\x1b[?6n",
    "\x1b[c",
    "\x1b[>q",
    "\x1b[?1$p",
    "\x1b[18t",
    "\x1b[22t",
    "\x1b[23t",
    "\x1b[>1u",
    "\x1b[<9u",
    "\x1b[=7;3u",
    "\x1b[?u",
    "\x1b]0;title\x07",
    "\x1b]11;?\x1b\\",
    "\x1b]4;1;?\x07",
    "\x1b]8;;a\x07",
    "\x1bP+q00\x1b\\",
    "\x1b_x\x1b\\",
    "\x1b]",
    "\x1bP",
    "\x1b[",
    "\x1b",
    "\x1b[?2026h",
    "\x1b[?2026l",
    "\x1b[?3h",
    "\x1b[38;5;1m",
    "\x1b[38:2::1:2:3m",
    "\x1b[4:3m",
    "\x1b[58;5;9m",
    "\x1b[8m",
    "\x1b[m",
    "\x1b[3 q",
    "\x1b[s",
    "\x1b[u",
    "\x1b[e",
    "\x1b[a",
    "\x1b[`",
    "\r",
    "\n",
    "\t",
    "\x08",
    "\x0b",
    "漢",
    "字",
    "👩\u{200d}👧",
    "e\u{301}",
    "\u{301}",
    "❤\u{fe0f}",
    "\u{202e}",
    "a",
    "hello world",
    "\u{9b}",
    "\u{fffd}",
    "\u{e0041}",
];

#[derive(Debug, Clone)]
enum Step {
    Push(Vec<u8>),
    Resize(u16, u16),
}

fn noise() -> impl Strategy<Value = Vec<u8>> {
    let seed = proptest::sample::select(SEEDS).prop_map(|seed| seed.as_bytes().to_vec());
    let mutated = (proptest::sample::select(SEEDS), any::<usize>(), any::<u8>()).prop_map(
        |(seed, at, byte)| {
            let mut bytes = seed.as_bytes().to_vec();
            let at = at % bytes.len();
            bytes[at] = byte;
            bytes
        },
    );
    let number = (proptest::sample::select(SEEDS), any::<u32>()).prop_map(|(seed, number)| {
        let digits = seed.replace(|next: char| next.is_ascii_digit(), &number.to_string());
        digits.into_bytes()
    });
    let bytes = proptest::collection::vec(any::<u8>(), 0..9);
    let piece = prop_oneof![6 => seed, 2 => mutated, 2 => number, 1 => bytes];
    proptest::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

fn size() -> impl Strategy<Value = (u16, u16)> {
    prop_oneof![4 => (1_u16..9, 1_u16..12), 1 => Just((1, 1)), 1 => (1_u16..60, 1_u16..200)]
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        3 => noise().prop_map(Step::Push),
        2 => size().prop_map(|(rows, columns)| Step::Resize(rows, columns)),
    ];
    proptest::collection::vec(step, 0..16)
}

fn screen((rows, columns): (u16, u16)) -> Screen {
    Screen::new(&Settings {
        size: Size::new(rows, columns).unwrap(),
        scrollback_rows: 20,
        palette: Palette::default(),
        keyboard: KeyboardProtocol::Kitty,
    })
}

/// All that can be asked of a screen.
fn everything(screen: &mut Screen) -> (Snapshot, Modes, Vec<String>, Vec<String>) {
    let mut seen = screen.snapshot(Styles::Included);
    seen.revision = 0;
    let lines = screen.lines_with(usize::MAX);
    (seen, screen.modes(), screen.scrollback(usize::MAX), lines)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn any_chunks_give_the_same_screen_and_replies(bytes in noise(), size in size(), chunk in 1_usize..7) {
        let (mut whole, mut cut) = (screen(size), screen(size));
        let replies = whole.push(&bytes).into_bytes();
        let parts: Vec<u8> = bytes.chunks(chunk).flat_map(|part| cut.push(part).into_bytes()).collect();
        prop_assert_eq!(parts, replies);
        prop_assert_eq!(everything(&mut cut), everything(&mut whole));
    }

    #[test]
    fn nothing_panics_and_all_bounds_hold(first in size(), steps in steps()) {
        let mut screen = screen(first);
        for step in steps {
            match step {
                Step::Push(bytes) => {
                    let replies = screen.push(&bytes);
                    prop_assert!(replies.as_bytes().len() <= 8 * (bytes.len() + 16));
                }
                Step::Resize(rows, columns) => screen.resize(Size::new(rows, columns).unwrap()),
            }
            let (seen, _, scrollback, _) = everything(&mut screen);
            prop_assert_eq!(seen.rows.len(), usize::from(seen.size.rows()));
            prop_assert!(seen.cursor.row < seen.size.rows() && seen.cursor.column < seen.size.columns());
            prop_assert!(scrollback.len() <= 20);
            let widest = usize::from(seen.size.columns()).max(2) * 9;
            prop_assert!(seen.rows.iter().all(|row| row.chars().count() <= widest));
        }
    }

    #[test]
    fn changes_bring_an_earlier_look_up_to_date(parts in proptest::collection::vec(noise(), 1..6), size in size()) {
        let mut screen = screen(size);
        let mut kept = screen.snapshot(Styles::Omitted);
        for part in parts {
            let _ = screen.push(&part);
            let changes = screen.changes_since(kept.revision, Styles::Omitted);
            for row in changes.rows {
                kept.rows[usize::from(row.index)] = row.text;
            }
            kept.revision = changes.revision;
            prop_assert_eq!(&kept.rows, &screen.snapshot(Styles::Omitted).rows);
        }
    }
}

#[test]
fn the_largest_screen_and_floods_of_strings_are_taken() {
    let mut screen = screen((Size::LARGEST, Size::LARGEST));
    let _ = screen.push(b"\x1b[65535;65535Hx\x1b[65535b\x1b[2J\x1b[?1049h\x1b#8");
    for _ in 0..1_000 {
        assert!(
            screen
                .push(b"\x1b]52;c;AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")
                .is_empty()
        );
    }
    screen.resize(Size::new(1, 1).unwrap());
    assert_eq!(screen.snapshot(Styles::Omitted).rows.len(), 1);
}
