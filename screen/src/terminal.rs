//! Carries out what a program prints: the grid through the emulator, everything that is not the grid itself.

use alacritty_terminal::term::TermMode;

use crate::answer;
use crate::csi::Csi;
use crate::emulator::Emulator;
use crate::keyboard::Keyboard;
use crate::modes::{CursorKeys, Modes};
use crate::palette::Palette;
use crate::scanner::{End, Kind, Piece};
use crate::settings::{KeyboardProtocol, Settings};
use crate::size::Size;
use crate::snapshot::Cursor;
use crate::title::Title;

/// A terminal without a window.
#[derive(Debug)]
pub(crate) struct Terminal {
    pub emulator: Emulator,
    palette: Palette,
    protocol: KeyboardProtocol,
    /// Of the main screen.
    keyboard: Keyboard,
    alternate_keyboard: Keyboard,
    title: Title,
    /// Whether the program has said how the cursor keys are to be.
    has_set_cursor_keys: bool,
    is_synchronized: bool,
}

impl Terminal {
    pub fn new(settings: &Settings) -> Self {
        Self {
            emulator: Emulator::new(settings.size, settings.scrollback_rows),
            palette: settings.palette,
            protocol: settings.keyboard,
            keyboard: Keyboard::default(),
            alternate_keyboard: Keyboard::default(),
            title: Title::default(),
            has_set_cursor_keys: false,
            is_synchronized: false,
        }
    }

    pub fn size(&self) -> Size {
        self.emulator.size()
    }

    pub fn palette(&self) -> &Palette {
        &self.palette
    }

    pub fn title(&self) -> Option<&str> {
        self.title.get()
    }

    pub fn has(&self, flag: TermMode) -> bool {
        self.emulator.mode().contains(flag)
    }

    /// The cursor within the size, which the emulator's grid may exceed by a column.
    pub fn cursor(&self) -> Cursor {
        let cursor = self.emulator.cursor();
        let column = cursor.column.min(self.size().columns() - 1);
        Cursor { column, ..cursor }
    }

    pub fn modes(&self) -> Modes {
        let cursor_keys = match (self.has_set_cursor_keys, self.has(TermMode::APP_CURSOR)) {
            (false, _) => CursorKeys::Unknown,
            (true, false) => CursorKeys::Normal,
            (true, true) => CursorKeys::Application,
        };
        Modes {
            cursor_keys,
            synchronized_output: self.is_synchronized,
            keyboard_flags: self.keyboard().flags(),
            ..Modes::of(self.emulator.mode())
        }
    }

    /// The flags of the keyboard, if programs are to know of the protocol.
    pub fn told_keyboard(&self) -> Option<u8> {
        match self.protocol {
            KeyboardProtocol::Kitty => Some(self.keyboard().flags()),
            KeyboardProtocol::Legacy => None,
        }
    }

    /// Carries out one piece, and appends what the program is to be answered.
    pub fn take(&mut self, piece: Piece<'_>, replies: &mut Vec<u8>) {
        match piece {
            Piece::Text(text) => self.emulator.print(text),
            Piece::Escape(body) => self.escape(body, replies),
            Piece::Csi(body) => {
                if let Some(csi) = Csi::parse(body) {
                    self.csi(body, &csi, replies);
                }
            }
            Piece::String(Kind::Command, body, end) => self.command(body, end, replies),
            Piece::String(Kind::Device, body, _) => {
                replies.extend_from_slice(answer::device(body).unwrap_or_default().as_bytes());
            }
            Piece::String(Kind::Ignored, ..) => {}
        }
    }

    fn escape(&mut self, body: &str, replies: &mut Vec<u8>) {
        match body {
            "Z" => replies.extend_from_slice(answer::attributes().as_bytes()),
            "c" => {
                self.emulator.feed("\x1bc");
                self.title = Title::default();
                self.reset();
            }
            _ => self.emulator.feed_parts("\x1b", body),
        }
    }

    fn csi(&mut self, body: &str, csi: &Csi<'_>, replies: &mut Vec<u8>) {
        if let Some(answer) = answer::csi(self, csi) {
            replies.extend_from_slice(answer.as_bytes());
            return;
        }
        match csi.function() {
            (Some('?'), "", 'h') => csi.parameters().for_each(|mode| self.set(mode)),
            (Some('?'), "", 'l') => csi.parameters().for_each(|mode| self.clear(mode)),
            (None, "!", 'p') => {
                self.emulator.reset_softly();
                self.reset();
            }
            (Some(how), "", 'u') => self.use_keyboard(how, csi),
            (None, "", 't') => self.use_titles(csi.parameter(0)),
            (None, "", 'b') => self.emulator.repeat(csi.count(0)),
            (None, "", 'G' | '`') => self.emulator.move_to_column(csi.count(0) - 1),
            (None, "", 'I' | 'Z') => self.emulator.tab(csi.count(0), csi.last),
            (None, "", 'J') if csi.parameter(0) == 1 => self.emulator.erase_above(),
            (None | Some('?'), _, _) => self.emulator.feed_parts("\x1b[", body),
            (Some(_), _, _) => {}
        }
    }

    fn set(&mut self, mode: u16) {
        match mode {
            1 => self.has_set_cursor_keys = true,
            2026 => self.is_synchronized = true,
            _ => {}
        }
        self.switch(mode, 'h');
    }

    fn clear(&mut self, mode: u16) {
        match mode {
            1 => self.has_set_cursor_keys = true,
            2026 => self.is_synchronized = false,
            _ => {}
        }
        self.switch(mode, 'l');
    }

    /// Hands a private mode to the emulator, which knows one of the alternate screens only.
    fn switch(&mut self, mode: u16, to: char) {
        match (mode, to) {
            // The screen is as wide as whoever reads it wants; the emulator would erase it here.
            (3, _) => {}
            (47 | 1047, _) => self.emulator.feed(&format!("\x1b[?1049{to}")),
            (1048, 'h') => self.emulator.feed("\x1b7"),
            (1048, _) => self.emulator.feed("\x1b8"),
            _ => self.emulator.feed(&format!("\x1b[?{mode}{to}")),
        }
    }

    fn use_keyboard(&mut self, how: char, csi: &Csi<'_>) {
        let keyboard = if self.emulator.is_alternate() {
            &mut self.alternate_keyboard
        } else {
            &mut self.keyboard
        };
        match (self.protocol, how) {
            (KeyboardProtocol::Kitty, '>') => keyboard.push(csi.parameter(0)),
            (KeyboardProtocol::Kitty, '<') => keyboard.pop(csi.count(0)),
            (KeyboardProtocol::Kitty, '=') => keyboard.set(csi.parameter(0), csi.parameter(1)),
            (KeyboardProtocol::Kitty | KeyboardProtocol::Legacy, _) => {}
        }
    }

    fn keyboard(&self) -> &Keyboard {
        if self.emulator.is_alternate() {
            &self.alternate_keyboard
        } else {
            &self.keyboard
        }
    }

    fn use_titles(&mut self, how: u16) {
        match how {
            22 => self.title.save(),
            23 => self.title.restore(),
            // Moving and resizing is up to whoever opened the terminal.
            _ => {}
        }
    }

    fn command(&mut self, body: &str, end: End, replies: &mut Vec<u8>) {
        match body.split_once(';') {
            Some(("0" | "2", title)) => self.title.set(title),
            _ => replies.extend_from_slice(answer::command(&self.palette, body, end).as_bytes()),
        }
    }

    /// Resets what the emulator does not know.
    fn reset(&mut self) {
        self.keyboard = Keyboard::default();
        self.alternate_keyboard = Keyboard::default();
        self.is_synchronized = false;
        // A reset is a word on the cursor keys: they are normal.
        self.has_set_cursor_keys = true;
    }
}
