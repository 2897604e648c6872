//! What a program has asked its terminal for.

use alacritty_terminal::term::TermMode;
use serde::Serialize;

/// What arrows, Home and End send (DECCKM).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CursorKeys {
    /// The program has said nothing yet; terminals send the normal ones.
    #[default]
    Unknown,
    /// `ESC [ A` and so on.
    Normal,
    /// `ESC O A` and so on.
    Application,
}

/// What of the mouse a program wants to hear.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MouseTracking {
    /// Nothing.
    #[default]
    Off,
    /// Buttons (mode 1000).
    Buttons,
    /// Buttons, and moves while one is held (mode 1002).
    Drag,
    /// Buttons and all moves (mode 1003).
    Motion,
}

/// How the mouse is reported.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MouseEncoding {
    /// Bytes, up to column 223.
    #[default]
    Bytes,
    /// UTF-8 (mode 1005).
    Utf8,
    /// Numbers (mode 1006).
    Sgr,
}

/// What a program has asked its terminal for. `ESC c` and `ESC [ ! p` reset all of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Modes {
    /// What arrows, Home and End send.
    pub cursor_keys: CursorKeys,
    /// Whether the keypad sends `ESC O p` and so on (DECKPAM).
    pub application_keypad: bool,
    /// Whether pasted text goes between marks (mode 2004).
    pub bracketed_paste: bool,
    /// What of the mouse it wants to hear.
    pub mouse: MouseTracking,
    /// How the mouse is reported.
    pub mouse_encoding: MouseEncoding,
    /// Whether it wants to hear of focus (mode 1004).
    pub focus_events: bool,
    /// Whether text goes on in the next row (DECAWM).
    pub autowrap: bool,
    /// Whether it is in the middle of drawing, so that the screen is not one to look at (mode 2026).
    pub synchronized_output: bool,
    /// Flags of kitty's keyboard protocol, 0 to 31; 0 is the keyboard as it always was.
    pub keyboard_flags: u8,
}

impl Modes {
    /// Reads what the emulator knows; the rest is as at the start.
    pub(crate) fn of(mode: TermMode) -> Self {
        let has = |flag| mode.contains(flag);
        let mouse = match mode {
            _ if has(TermMode::MOUSE_MOTION) => MouseTracking::Motion,
            _ if has(TermMode::MOUSE_DRAG) => MouseTracking::Drag,
            _ if has(TermMode::MOUSE_REPORT_CLICK) => MouseTracking::Buttons,
            _ => MouseTracking::Off,
        };
        let mouse_encoding = match mode {
            _ if has(TermMode::SGR_MOUSE) => MouseEncoding::Sgr,
            _ if has(TermMode::UTF8_MOUSE) => MouseEncoding::Utf8,
            _ => MouseEncoding::Bytes,
        };
        Self {
            cursor_keys: CursorKeys::Unknown,
            application_keypad: has(TermMode::APP_KEYPAD),
            bracketed_paste: has(TermMode::BRACKETED_PASTE),
            mouse,
            mouse_encoding,
            focus_events: has(TermMode::FOCUS_IN_OUT),
            autowrap: has(TermMode::LINE_WRAP),
            synchronized_output: false,
            keyboard_flags: 0,
        }
    }
}

/// The emulator's flag of a private mode, by its number.
pub(crate) fn private(number: u16) -> Option<TermMode> {
    Some(match number {
        1 => TermMode::APP_CURSOR,
        6 => TermMode::ORIGIN,
        7 => TermMode::LINE_WRAP,
        25 => TermMode::SHOW_CURSOR,
        47 | 1047 | 1049 => TermMode::ALT_SCREEN,
        66 => TermMode::APP_KEYPAD,
        1000 => TermMode::MOUSE_REPORT_CLICK,
        1002 => TermMode::MOUSE_DRAG,
        1003 => TermMode::MOUSE_MOTION,
        1004 => TermMode::FOCUS_IN_OUT,
        1005 => TermMode::UTF8_MOUSE,
        1006 => TermMode::SGR_MOUSE,
        1007 => TermMode::ALTERNATE_SCROLL,
        2004 => TermMode::BRACKETED_PASTE,
        _ => return None,
    })
}

/// The emulator's flag of a public mode, by its number.
pub(crate) fn public(number: u16) -> Option<TermMode> {
    match number {
        4 => Some(TermMode::INSERT),
        20 => Some(TermMode::LINE_FEED_NEW_LINE),
        _ => None,
    }
}
