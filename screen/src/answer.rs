//! What a terminal answers to the programs that ask it something.
//!
//! Never answered, since the answer would type what a program chose or what is nobody's business: titles, the clipboard (OSC 52), the
//! contents of the screen.

use alacritty_terminal::term::TermMode;

use crate::csi::Csi;
use crate::modes;
use crate::palette::{Palette, indexed};
use crate::scanner::End;
use crate::snapshot::Cursor;
use crate::style::Rgb;
use crate::terminal::Terminal;

/// A VT220 with colours: what common terminals say, and enough for programs that wait for it.
const PRIMARY_ATTRIBUTES: &str = "\x1b[?62;22c";

/// The answer of xterm 276, as other terminals give it: programs look for a version of xterm in it.
const SECONDARY_ATTRIBUTES: &str = "\x1b[>0;276;0c";

/// A unit number, which no terminal of today has.
const TERTIARY_ATTRIBUTES: &str = "\x1bP!|00000000\x1b\\";

const NAME_AND_VERSION: &str = concat!("\x1bP>|execgate ", env!("CARGO_PKG_VERSION"), "\x1b\\");

/// Rows and columns of a cell in pixels. Nothing is drawn; programs that scale pictures want some number.
const CELL: (u32, u32) = (20, 10);

/// How a terminal tells of a mode.
#[derive(Clone, Copy)]
enum State {
    Unknown = 0,
    Set = 1,
    Reset = 2,
    NeverSet = 4,
}

/// Returns what `ESC Z` and `ESC [ c` are answered.
pub(crate) fn attributes() -> &'static str {
    PRIMARY_ATTRIBUTES
}

/// Answers a control sequence, if it is a query.
pub(crate) fn csi(terminal: &Terminal, csi: &Csi<'_>) -> Option<String> {
    let parameter = csi.parameter(0);
    match csi.function() {
        (None, "", 'c') if parameter == 0 => Some(PRIMARY_ATTRIBUTES.to_owned()),
        (Some('>'), "", 'c') if parameter == 0 => Some(SECONDARY_ATTRIBUTES.to_owned()),
        (Some('='), "", 'c') if parameter == 0 => Some(TERTIARY_ATTRIBUTES.to_owned()),
        (Some('>'), "", 'q') if parameter == 0 => Some(NAME_AND_VERSION.to_owned()),
        (None, "", 'n') => status(terminal, parameter, ""),
        (Some('?'), "", 'n') => status(terminal, parameter, "?"),
        (None, "$", 'p') => Some(mode(parameter, "", public(terminal, parameter))),
        (Some('?'), "$", 'p') => Some(mode(parameter, "?", private(terminal, parameter))),
        (Some('?'), "", 'u') => terminal
            .told_keyboard()
            .map(|flags| format!("\x1b[?{flags}u")),
        (None, "", 't') => window(terminal, parameter),
        _ => None,
    }
}

fn status(terminal: &Terminal, what: u16, prefix: &str) -> Option<String> {
    match (prefix, what) {
        ("", 5) => Some("\x1b[0n".to_owned()),
        (_, 6) => {
            let Cursor { row, column, .. } = terminal.cursor();
            Some(format!("\x1b[{prefix}{};{}R", row + 1, column + 1))
        }
        ("?", 996) => {
            let theme = if terminal.palette().is_dark() { 1 } else { 2 };
            Some(format!("\x1b[?997;{theme}n"))
        }
        _ => None,
    }
}

fn mode(number: u16, prefix: &str, state: State) -> String {
    format!("\x1b[{prefix}{number};{}$y", state as u8)
}

fn public(terminal: &Terminal, number: u16) -> State {
    let flag = modes::public(number);
    flag.map_or(State::Unknown, |flag| of_flag(terminal, flag))
}

fn private(terminal: &Terminal, number: u16) -> State {
    match (number, modes::private(number)) {
        (3, _) => State::NeverSet,
        (2026, _) if terminal.modes().synchronized_output => State::Set,
        (2026, _) => State::Reset,
        (_, Some(flag)) => of_flag(terminal, flag),
        (_, None) => State::Unknown,
    }
}

fn of_flag(terminal: &Terminal, flag: TermMode) -> State {
    if terminal.has(flag) {
        State::Set
    } else {
        State::Reset
    }
}

/// Reports of the window: it is open, at the top left, and as large as its cells.
fn window(terminal: &Terminal, what: u16) -> Option<String> {
    let size = terminal.size();
    let (rows, columns) = (u32::from(size.rows()), u32::from(size.columns()));
    let (height, width) = CELL;
    match what {
        11 => Some("\x1b[1t".to_owned()),
        13 => Some("\x1b[3;0;0t".to_owned()),
        14 => Some(format!("\x1b[4;{};{}t", rows * height, columns * width)),
        15 => Some(format!("\x1b[5;{};{}t", rows * height, columns * width)),
        16 => Some(format!("\x1b[6;{height};{width}t")),
        18 => Some(format!("\x1b[8;{rows};{columns}t")),
        19 => Some(format!("\x1b[9;{rows};{columns}t")),
        _ => None,
    }
}

/// Answers a command (OSC), if it asks for colours. The answer ends as the query did.
pub(crate) fn command(palette: &Palette, body: &str, end: End) -> String {
    let end = match end {
        End::Bell => "\x07",
        End::Terminator => "\x1b\\",
    };
    let Some((number, rest)) = body.split_once(';') else {
        return String::new();
    };
    let tell = |(what, color): (String, Rgb)| {
        let Rgb(red, green, blue) = color;
        format!(
            "\x1b]{what};rgb:{red:02x}{red:02x}/{green:02x}{green:02x}/{blue:02x}{blue:02x}{end}"
        )
    };
    match number {
        "4" => asked_of_palette(rest).map(tell).collect(),
        "10" | "11" | "12" => asked_of_screen(palette, number, rest).map(tell).collect(),
        _ => String::new(),
    }
}

/// Pairs of an index and `?`.
fn asked_of_palette(list: &str) -> impl Iterator<Item = (String, Rgb)> {
    let mut parts = list.split(';');
    let pairs = std::iter::from_fn(move || Some((parts.next()?, parts.next()?)));
    pairs
        .filter(|&(_, what)| what == "?")
        .filter_map(|(index, _)| index.parse().ok())
        .map(|index: u8| (format!("4;{index}"), indexed(index)))
}

/// A list of `?` counts on from its number.
fn asked_of_screen<'a>(
    palette: &'a Palette,
    number: &str,
    list: &'a str,
) -> impl Iterator<Item = (String, Rgb)> + 'a {
    let first: u8 = number.parse().unwrap_or(10);
    let asked = (first..=12).zip(list.split(';'));
    asked.filter(|&(_, what)| what == "?").map(|(number, _)| {
        let is_background = number == 11;
        let color = if is_background {
            palette.background
        } else {
            palette.foreground
        };
        (number.to_string(), color)
    })
}

/// Answers a device string (DCS): settings and capabilities are asked for there, and none is told, which programs understand.
pub(crate) fn device(body: &str) -> Option<&'static str> {
    match body.get(..2) {
        Some("$q") => Some("\x1bP0$r\x1b\\"),
        Some("+q") => Some("\x1bP0+r\x1b\\"),
        _ => None,
    }
}
