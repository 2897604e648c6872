//! How fast bytes are drawn and looked at, and what a screen takes: prints a table, asserts nothing.

#![expect(clippy::print_stdout, reason = "the table is what it is for")]

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use execgate_screen::{Screen, Settings, Size, Styles};

const ROUNDS: usize = 7;

/// Bytes of one round.
const BYTES: usize = 4 * 1024 * 1024;

/// Bytes of one push, as they are read from a terminal.
const CHUNK: usize = 4096;

fn main() {
    println!("| 30 x 120, chunks of {CHUNK} bytes | MB/s |");
    println!("|---|---|");
    let cases: [(&str, String); 8] = [
        ("plain text, lines of 80", lines()),
        ("heavy SGR: a colour for each word", colors()),
        (
            "a full-screen program: moves, colours, short texts",
            moves(),
        ),
        ("Chinese text", "\u{6f22}\u{5b57}".repeat(1000) + "\r\n"),
        (
            "text with combining marks",
            "e\u{301}a\u{300}o\u{302}".repeat(100) + "\r\n",
        ),
        ("hostile: erase the screen", "\x1b[2J".to_owned()),
        (
            "hostile: go back over 65,535 tab stops that are not there",
            "\x1b[3g\x1b[120G\x1b[65535Z".to_owned(),
        ),
        (
            "hostile: repeat a character 65,535 times",
            "a\x1b[65535b".to_owned(),
        ),
    ];
    for (name, unit) in cases {
        // What is slow has less of it.
        let bytes = if name.starts_with("hostile") {
            BYTES / 64
        } else {
            BYTES
        };
        let text = unit.repeat(bytes / unit.len());
        let fastest = (0..ROUNDS)
            .map(|_| pushed(text.as_bytes()))
            .min()
            .unwrap_or_default();
        println!(
            "| {name} | {:.2} |",
            text.len() as f64 / 1e6 / fastest.as_secs_f64()
        );
    }
    looks();
    memory();
}

fn lines() -> String {
    "the quick brown fox jumps over the lazy dog and runs into the woods, 12345678901\r\n"
        .to_owned()
}

fn colors() -> String {
    let mut text = String::new();
    for index in 0..200 {
        let _ = write!(text, "\x1b[1;38;5;{index};48;2;{index};20;30mword\x1b[0m ");
    }
    text + "\r\n"
}

fn moves() -> String {
    let mut text = String::new();
    for index in 0..200 {
        let (row, column) = (index % 30 + 1, index * 7 % 110 + 1);
        let _ = write!(
            text,
            "\x1b[{row};{column}H\x1b[3{}mitem {index}\x1b[K",
            index % 8
        );
    }
    text
}

fn pushed(bytes: &[u8]) -> Duration {
    let mut screen = Screen::new(&Settings::default());
    let begin = Instant::now();
    for chunk in bytes.chunks(CHUNK) {
        let _ = screen.push(chunk);
    }
    begin.elapsed()
}

/// A full screen of colours, changed a little before each look.
fn looks() {
    let mut screen = Screen::new(&Settings::default());
    let _ = screen.push(colors().repeat(20).as_bytes());
    println!("\n| a look at 30 x 120, colours everywhere | us |");
    println!("|---|---|");
    let mut time = |name: &str, look: fn(&mut Screen)| {
        let fastest = (0..1_000).map(|round| {
            let _ = screen.push(format!("\x1b[1;1H{round}").as_bytes());
            let begin = Instant::now();
            look(&mut screen);
            begin.elapsed()
        });
        let fastest = fastest.min().unwrap_or_default();
        println!("| {name} | {:.1} |", fastest.as_secs_f64() * 1e6);
    };
    time("snapshot", |screen| drop(screen.snapshot(Styles::Omitted)));
    time("snapshot with styles", |screen| {
        drop(screen.snapshot(Styles::Included))
    });
    time("changes since the last look", |screen| {
        drop(screen.changes_since(1, Styles::Omitted))
    });
    time("contains", |screen| {
        screen.contains("nowhere");
    });
}

/// Resident memory of many screens, if the system tells.
fn memory() {
    println!("\n| memory of a screen | MB |");
    println!("|---|---|");
    let row = "0123456789".repeat(12) + "\r\n";
    let cases = [
        ("30 x 120, new", Size::default(), String::new(), 50),
        (
            "30 x 120, scrollback full",
            Size::default(),
            row.repeat(2_000),
            50,
        ),
        (
            "30 x 120, marks on every cell",
            Size::default(),
            ("e".to_owned() + &"\u{301}".repeat(9)).repeat(200_000),
            5,
        ),
        (
            "1,000 x 1,000, scrollback full",
            Size::new(1_000, 1_000).unwrap_or_default(),
            "x".repeat(3_000_000),
            3,
        ),
    ];
    for (name, size, text, count) in cases {
        let settings = Settings {
            size,
            ..Settings::default()
        };
        let before = resident();
        let screens: Vec<Screen> = (0..count)
            .map(|_| {
                let mut screen = Screen::new(&settings);
                let _ = screen.push(text.as_bytes());
                screen
            })
            .collect();
        let after = resident();
        println!(
            "| {name} | {:.2} |",
            (after - before) / 1e6 / screens.len() as f64
        );
    }
}

fn resident() -> f64 {
    let status = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = status
        .split(' ')
        .nth(1)
        .and_then(|pages| pages.parse::<f64>().ok());
    pages.unwrap_or_default() * 4096.0
}
