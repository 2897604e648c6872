//! Named keys and pasted text as the bytes that a terminal sends.
//!
//! Two dialects share one table: [`openclaw`] and [`picoclaw`]. Nothing here writes to a session or knows one.

pub mod openclaw;
pub mod picoclaw;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

const ESCAPE: char = '\u{1B}';
const PASTE_START: &str = "\u{1B}[200~";
const PASTE_END: &str = "\u{1B}[201~";

/// What arrows, Home and End send, as the program in the terminal asked for (DECCKM).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CursorKeys {
    /// `ESC [ A` and so on.
    Normal,
    /// `ESC O A` and so on.
    Application,
    /// The program has said nothing yet.
    Unknown,
}

impl From<execgate_screen::CursorKeys> for CursorKeys {
    fn from(keys: execgate_screen::CursorKeys) -> Self {
        match keys {
            execgate_screen::CursorKeys::Unknown => Self::Unknown,
            execgate_screen::CursorKeys::Normal => Self::Normal,
            execgate_screen::CursorKeys::Application => Self::Application,
        }
    }
}

/// Returns what a terminal sends for pasted text, between the marks of a bracketed paste if `bracketed`.
///
/// The end mark within the text would end the paste, and what follows it would be typed: it is left out (see [`without_paste_end`]).
pub fn paste(text: &str, bracketed: bool) -> Vec<u8> {
    if bracketed {
        [PASTE_START, &without_paste_end(text), PASTE_END]
            .concat()
            .into_bytes()
    } else {
        text.as_bytes().to_vec()
    }
}

/// Returns the text without any `ESC [ 201 ~`, also none that comes of leaving out another; borrowed if it has none.
pub fn without_paste_end(text: &str) -> Cow<'_, str> {
    if !text.contains(PASTE_END) {
        return Cow::Borrowed(text);
    }
    let mut kept = String::with_capacity(text.len());
    for character in text.chars() {
        kept.push(character);
        if kept.ends_with(PASTE_END) {
            kept.truncate(kept.len() - PASTE_END.len());
        }
    }
    Cow::Owned(kept)
}

/// What a named key sends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Code {
    /// Always the same.
    Fixed(&'static str),
    /// An arrow, by its final character.
    Arrow(char),
    /// Home or End: its number, and its final character in application mode.
    Corner(u8, char),
    /// A key of the editing block, by its number.
    Edit(u8),
}

/// Keys of both dialects, by all their names. What xterm sends; Home and End as in `TERM=screen`, which programs know as well.
#[rustfmt::skip]
const NAMED: &[(&[&str], Code)] = &[
    (&["enter", "return"], Code::Fixed("\r")),
    (&["tab"], Code::Fixed("\t")),
    (&["escape", "esc"], Code::Fixed("\x1b")),
    (&["space"], Code::Fixed(" ")),
    (&["backspace", "bspace"], Code::Fixed("\x7f")),
    (&["btab"], Code::Fixed(BACK_TAB)),
    (&["up"], Code::Arrow('A')),
    (&["down"], Code::Arrow('B')),
    (&["right"], Code::Arrow('C')),
    (&["left"], Code::Arrow('D')),
    (&["home"], Code::Corner(1, 'H')),
    (&["end"], Code::Corner(4, 'F')),
    (&["insert", "ic"], Code::Edit(2)),
    (&["delete", "del", "dc"], Code::Edit(3)),
    (&["pageup", "pgup"], Code::Edit(5)),
    (&["pagedown", "pgdn"], Code::Edit(6)),
    (&["f1"], Code::Fixed("\x1bOP")),
    (&["f2"], Code::Fixed("\x1bOQ")),
    (&["f3"], Code::Fixed("\x1bOR")),
    (&["f4"], Code::Fixed("\x1bOS")),
    (&["f5"], Code::Fixed("\x1b[15~")),
    (&["f6"], Code::Fixed("\x1b[17~")),
    (&["f7"], Code::Fixed("\x1b[18~")),
    (&["f8"], Code::Fixed("\x1b[19~")),
    (&["f9"], Code::Fixed("\x1b[20~")),
    (&["f10"], Code::Fixed("\x1b[21~")),
    (&["f11"], Code::Fixed("\x1b[23~")),
    (&["f12"], Code::Fixed("\x1b[24~")),
];

const BACK_TAB: &str = "\x1b[Z";

impl Code {
    /// Finds a key in a table by its name, in lower case.
    fn named(table: &[(&[&str], Self)], name: &str) -> Option<Self> {
        let row = table.iter().find(|(names, _)| names.contains(&name));
        row.map(|&(_, code)| code)
    }

    /// What the key sends without modifiers; [`CursorKeys::Unknown`] counts as normal.
    fn plain(self, cursor: CursorKeys) -> String {
        match (self, cursor) {
            (Self::Fixed(text), _) => text.to_owned(),
            (Self::Arrow(last) | Self::Corner(_, last), CursorKeys::Application) => {
                format!("{ESCAPE}O{last}")
            }
            (Self::Arrow(last), _) => format!("{ESCAPE}[{last}"),
            (Self::Corner(number, _) | Self::Edit(number), _) => format!("{ESCAPE}[{number}~"),
        }
    }
}

/// The control code of a character: `@ A`–`Z [ \ ] ^ _` are 0 to 1F, `?` is 7F.
fn control(character: char) -> Option<char> {
    match character.to_ascii_uppercase() {
        '?' => Some('\u{7F}'),
        upper @ '@'..='_' => char::from_u32(u32::from(upper) & 0x1F),
        _ => None,
    }
}
