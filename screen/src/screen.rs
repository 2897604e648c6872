//! The screen.

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;

use crate::decoder::Decoder;
use crate::look::Look;
use crate::modes::Modes;
use crate::row::{Row, join};
use crate::scanner::Scanner;
use crate::settings::Settings;
use crate::size::Size;
use crate::snapshot::{ChangedRow, Changes, Snapshot, Styles};
use crate::terminal::Terminal;

/// What a person would see who looked at a terminal.
///
/// Memory is bounded whatever is pushed: 24 bytes a cell of the two screens and of the scrollback, about 120 more for a cell of a hostile
/// program, and some kilobytes. So is the time a byte takes, by what it takes to erase the screen.
#[derive(Debug)]
pub struct Screen {
    decoder: Decoder,
    scanner: Scanner,
    terminal: Terminal,
    look: Look,
    /// Whether anything came since the last look.
    is_stale: bool,
}

/// What a program is to be answered, to be typed into its terminal at once and in order.
///
/// At most 8 bytes for each byte pushed. A program that asks without reading fills its terminal's buffer: do not wait for it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[must_use = "programs wait for what they asked"]
pub struct Replies(Vec<u8>);

impl Replies {
    /// Returns the bytes, none if nothing was asked.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Returns the bytes, none if nothing was asked.
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    /// Returns whether nothing was asked.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Screen {
    /// Creates an empty screen.
    pub fn new(settings: &Settings) -> Self {
        let scrollback_rows = settings.scrollback_rows.min(Settings::MOST_SCROLLBACK_ROWS);
        Self {
            decoder: Decoder::default(),
            scanner: Scanner::default(),
            terminal: Terminal::new(&Settings {
                scrollback_rows,
                ..*settings
            }),
            look: Look::default(),
            is_stale: true,
        }
    }

    /// Draws what a program printed, in chunks cut anywhere, and returns what it asked for an answer to.
    pub fn push(&mut self, bytes: &[u8]) -> Replies {
        let mut replies = Vec::new();
        let (scanner, terminal) = (&mut self.scanner, &mut self.terminal);
        self.decoder.push(bytes, |text| {
            scanner.push(text, |piece| terminal.take(piece, &mut replies));
        });
        self.is_stale = true;
        Replies(replies)
    }

    /// Changes the size as a terminal does: the main screen wraps its lines anew, the alternate one is cut.
    ///
    /// A screen of one column is drawn with two, since a wide character needs them.
    pub fn resize(&mut self, size: Size) {
        self.terminal.emulator.resize(size);
        self.is_stale = true;
    }

    /// Returns rows and columns.
    pub fn size(&self) -> Size {
        self.terminal.size()
    }

    /// Returns what the program has asked its terminal for.
    pub fn modes(&self) -> Modes {
        self.terminal.modes()
    }

    /// Looks at the screen.
    pub fn snapshot(&mut self, styles: Styles) -> Snapshot {
        self.refresh();
        let (terminal, look) = (&self.terminal, &self.look);
        Snapshot {
            revision: look.revision(),
            size: terminal.size(),
            rows: look.rows().map(|row| row.text.clone()).collect(),
            styles: match styles {
                Styles::Omitted => None,
                Styles::Included => Some(look.rows().map(|row| row.runs.clone()).collect()),
            },
            cursor: terminal.cursor(),
            title: terminal.title().map(str::to_owned),
            alternate_screen: terminal.emulator.is_alternate(),
            scrolled_off: terminal.emulator.history(),
        }
    }

    /// Looks at the screen, and returns what differs from an earlier look of that revision.
    ///
    /// All rows if the size has changed since, or if the revision is none of this screen. A row that changed and changed back between two
    /// looks may count as one that differs.
    pub fn changes_since(&mut self, revision: u64, styles: Styles) -> Changes {
        self.refresh();
        let (terminal, look) = (&self.terminal, &self.look);
        let changed = |(index, row): (u16, &Row)| ChangedRow {
            index,
            text: row.text.clone(),
            styles: match styles {
                Styles::Omitted => None,
                Styles::Included => Some(row.runs.clone()),
            },
        };
        Changes {
            revision: look.revision(),
            complete: !look.knows(revision),
            rows: look.rows_since(revision).map(changed).collect(),
            cursor: terminal.cursor(),
            title: terminal.title().map(str::to_owned),
            alternate_screen: terminal.emulator.is_alternate(),
            scrolled_off: terminal.emulator.history(),
        }
    }

    /// Returns the last rows that scrolled off, oldest first, at most `rows` of them. None while the alternate screen is shown.
    pub fn scrollback(&self, rows: usize) -> Vec<String> {
        let rows = rows.min(self.terminal.emulator.history());
        self.above(rows)
            .map(|row| Row::draw(self.terminal.emulator.cells(row)).text)
            .collect()
    }

    /// Returns what is on the screen in the lines that the program printed: rows that the terminal wrapped are joined. Blank lines at the
    /// end are left out.
    pub fn lines(&self) -> Vec<String> {
        self.lines_with(0)
    }

    /// Returns the lines of the screen as [`Screen::lines`], and before them those of the last rows that scrolled off, at most `rows`.
    pub fn lines_with(&self, rows: usize) -> Vec<String> {
        let rows = rows.min(self.terminal.emulator.history());
        let shown = 0..i32::from(self.size().rows());
        let cells = self
            .above(rows)
            .chain(shown)
            .map(|row| self.terminal.emulator.cells(row));
        let mut lines = join(cells);
        let end = lines.iter().rposition(|line| !line.is_empty());
        lines.truncate(end.map_or(0, |last| last + 1));
        lines
    }

    /// Returns whether a text is on the screen: in its rows, or in its lines where the terminal wrapped them. The text may span lines, with
    /// `\n` between them.
    pub fn contains(&mut self, text: &str) -> bool {
        self.refresh();
        let rows: Vec<&str> = self.look.rows().map(|row| row.text.as_str()).collect();
        rows.join("\n").contains(text) || self.lines().join("\n").contains(text)
    }

    /// The numbers of the last rows that scrolled off.
    fn above(&self, rows: usize) -> std::ops::Range<i32> {
        let rows = i32::try_from(rows).unwrap_or(i32::MAX);
        -rows..0
    }

    fn refresh(&mut self) {
        if self.is_stale {
            self.look.refresh(&self.terminal);
            self.is_stale = false;
        }
    }
}
