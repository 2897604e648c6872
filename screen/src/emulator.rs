//! The grid of cells: the emulator crate, and what it must be guarded against. No other file but `row.rs` and `style.rs` knows that crate.
//!
//! It is fed whole sequences only, and none that it would buffer, answer or keep beyond the grid: no control strings, titles, keyboard modes
//! and no repetitions.

use std::time::Duration;

use alacritty_terminal::event::VoidListener;
use alacritty_terminal::grid::Dimensions;
use alacritty_terminal::index::{Column, Line};
use alacritty_terminal::term::cell::{Cell, Flags};
use alacritty_terminal::term::{Config, MIN_COLUMNS, Term, TermMode};
use alacritty_terminal::vte::ansi::{CursorShape, CursorStyle, Processor, Timeout};
use unicode_width::UnicodeWidthChar;

use crate::size::Size;
use crate::snapshot::{Cursor, Shape};

/// Most characters without a width that one cell keeps. Scripts need up to five; the emulator itself has no bound.
const MOST_MARKS: usize = 8;

/// Most characters that one repetition writes. Programs repeat within a row; more would cost a large screen milliseconds for a few bytes.
const MOST_REPEATED: u16 = 4_096;

/// A grid of cells and its history.
pub(crate) struct Emulator {
    term: Term<VoidListener>,
    processor: Processor<Never>,
    size: Size,
    /// What a repetition repeats.
    last_printed: Option<char>,
}

impl Emulator {
    pub fn new(size: Size, scrollback_rows: usize) -> Self {
        let config = Config {
            scrolling_history: scrollback_rows,
            default_cursor_style: CursorStyle {
                shape: CursorShape::Block,
                blinking: false,
            },
            ..Config::default()
        };
        Self {
            term: Term::new(config, &Cells(size), VoidListener),
            processor: Processor::new(),
            size,
            last_printed: None,
        }
    }

    pub fn size(&self) -> Size {
        self.size
    }

    pub fn resize(&mut self, size: Size) {
        self.size = size;
        self.term.resize(Cells(size));
    }

    pub fn mode(&self) -> TermMode {
        *self.term.mode()
    }

    pub fn is_alternate(&self) -> bool {
        self.mode().contains(TermMode::ALT_SCREEN)
    }

    /// How many rows have scrolled off and are kept.
    pub fn history(&self) -> usize {
        self.term.history_size()
    }

    /// The cells of a row: from 0 on the screen, below 0 what has scrolled off.
    pub fn cells(&self, row: i32) -> &[Cell] {
        &self.term.grid()[Line(row)][..]
    }

    pub fn cursor(&self) -> Cursor {
        let point = self.term.grid().cursor.point;
        Cursor {
            row: u16::try_from(point.line.0).unwrap_or(0),
            column: u16::try_from(point.column.0).unwrap_or(u16::MAX),
            visible: self.mode().contains(TermMode::SHOW_CURSOR),
            shape: match self.term.cursor_style().shape {
                CursorShape::Underline => Shape::Underline,
                CursorShape::Beam => Shape::Bar,
                CursorShape::Block | CursorShape::HollowBlock | CursorShape::Hidden => Shape::Block,
            },
        }
    }

    /// Carries out whole sequences.
    pub fn feed(&mut self, sequences: &str) {
        self.processor.advance(&mut self.term, sequences.as_bytes());
    }

    /// Carries out a sequence in two parts, `ESC` or `ESC [` and the rest of it.
    pub fn feed_parts(&mut self, introducer: &str, body: &str) {
        self.feed(introducer);
        self.feed(body);
    }

    /// Writes plain text.
    pub fn print(&mut self, text: &str) {
        if text.is_ascii() {
            self.feed(text);
        } else {
            self.print_guarded(text);
        }
        let mut printed = text.chars().rev().filter(|next| next.width() > Some(0));
        self.last_printed = printed.next().or(self.last_printed);
    }

    /// Writes the last character again, at most once for each cell of the screen.
    pub fn repeat(&mut self, count: u16) {
        if let Some(character) = self.last_printed {
            let cells = self.size.rows().saturating_mul(self.size.columns());
            let count = count.min(cells).min(MOST_REPEATED);
            let text = String::from(character).repeat(usize::from(count));
            self.feed(&text);
        }
    }

    /// Moves the cursor to a column from 0, in its row. The emulator's own way counts the row from the margin again where origin mode is on.
    pub fn move_to_column(&mut self, column: u16) {
        self.feed("\r");
        if column > 0 {
            self.feed(&format!("\x1b[{column}C"));
        }
    }

    /// Moves over tab stops, forward (`I`) or backward (`Z`). The emulator looks through the row again for each, even if there is none.
    pub fn tab(&mut self, count: u16, last: char) {
        let count = count.min(self.size.columns());
        self.feed(&format!("\x1b[{count}{last}"));
    }

    /// Erases from the beginning of the screen up to the cursor. The emulator's own way leaves out the first row if the cursor is in the second.
    pub fn erase_above(&mut self) {
        if self.cursor().row == 1 {
            let blank = Cell::from(self.term.grid().cursor.template.bg);
            self.term.grid_mut()[Line(0)][..].fill(blank);
        }
        self.feed("\x1b[1J");
    }

    /// Resets modes, margins, colours and the saved cursor, and leaves the text and the place of the cursor as they are (DECSTR).
    pub fn reset_softly(&mut self) {
        let Cursor { row, column, .. } = self.cursor();
        self.feed(concat!(
            "\x1b[4;20l\x1b[?1;6;1000;1002;1003;1004;1005;1006;2004l",
            "\x1b[?7;25h\x1b>\x1b[0 q\x1b[m\x1b(B\x1b)B\x1b*B\x1b+B\x0f\x1b[r\x1b[H\x1b7",
        ));
        self.feed(&format!("\x1b[{};{}H", row + 1, column + 1));
    }

    /// Writes text whose characters may have no width: a cell keeps a few of those, and none that only hide.
    fn print_guarded(&mut self, text: &str) {
        let mut rest = text;
        while let Some(start) = rest.find(|next: char| next.width() == Some(0)) {
            let (plain, from) = rest.split_at(start);
            let end = from.chars().next().map_or(0, char::len_utf8);
            let (mark, after) = from.split_at(end);
            self.feed(plain);
            if !mark.contains(is_invisible) && self.marks_at_cursor() < MOST_MARKS {
                self.feed(mark);
            }
            rest = after;
        }
        self.feed(rest);
    }

    /// How many marks the cell has that the next one would go to.
    fn marks_at_cursor(&self) -> usize {
        let grid = self.term.grid();
        let (line, mut column) = (grid.cursor.point.line, grid.cursor.point.column.0);
        if !grid.cursor.input_needs_wrap {
            column = column.saturating_sub(1);
        }
        let is_second_half = |column| {
            let cell: &Cell = &grid[line][Column(column)];
            cell.flags.contains(Flags::WIDE_CHAR_SPACER)
        };
        if is_second_half(column) {
            column = column.saturating_sub(1);
        }
        grid[line][Column(column)]
            .zerowidth()
            .map_or(0, <[char]>::len)
    }
}

impl std::fmt::Debug for Emulator {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Emulator")
            .field("size", &self.size)
            .finish_non_exhaustive()
    }
}

/// Whether a character without a width is one that nobody sees, and that can carry hidden text: bidi controls, joiners of words, tags,
/// supplementary variation selectors. The joiners that scripts and emoji need stay.
fn is_invisible(character: char) -> bool {
    matches!(character,
        '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}'
        | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}')
}

/// A size as the emulator wants it, which indexes out of bounds with one column.
struct Cells(Size);

impl Dimensions for Cells {
    fn total_lines(&self) -> usize {
        self.screen_lines()
    }

    fn screen_lines(&self) -> usize {
        usize::from(self.0.rows())
    }

    fn columns(&self) -> usize {
        usize::from(self.0.columns()).max(MIN_COLUMNS)
    }
}

/// Keeps the emulator from holding back synchronized updates (mode 2026) until a time that nothing here waits for.
#[derive(Debug, Default)]
struct Never;

impl Timeout for Never {
    fn set_timeout(&mut self, _: Duration) {}

    fn clear_timeout(&mut self) {}

    fn pending_timeout(&self) -> bool {
        false
    }
}
