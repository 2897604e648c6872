//! What a person would see, as values to hand on.

use serde::Serialize;

use crate::size::Size;
use crate::style::Run;

/// Whether to say how characters look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Styles {
    /// Text alone.
    Omitted,
    /// Runs of colours, bold and so on, beside the text.
    Included,
}

/// The shape of a cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// It covers a cell; what terminals begin with.
    Block,
    /// A line below.
    Underline,
    /// A line before.
    Bar,
}

/// Where the next character goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Cursor {
    /// From 0: an index into the rows.
    pub row: u16,
    /// From 0, in cells: wide characters before it count twice.
    pub column: u16,
    /// Whether the program shows it.
    pub visible: bool,
    /// How it looks.
    pub shape: Shape,
}

/// All that a screen shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Snapshot {
    /// Grows whenever a look finds something else than the look before; for [`Screen::changes_since`](crate::Screen::changes_since).
    pub revision: u64,
    /// Rows and columns.
    pub size: Size,
    /// The text of each row, blanks at the end left out. As many as the size says.
    pub rows: Vec<String>,
    /// For each row how it looks, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub styles: Option<Vec<Vec<Run>>>,
    /// Where the next character goes.
    pub cursor: Cursor,
    /// What the program calls its window, at most 1 KiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Whether this is the screen of a full-screen program, after which the main one comes back.
    pub alternate_screen: bool,
    /// How many rows have scrolled off and can be read. The alternate screen has none.
    pub scrolled_off: usize,
}

/// A row that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ChangedRow {
    /// Which row, from 0.
    pub index: u16,
    /// Its text now, blanks at the end left out.
    pub text: String,
    /// How it looks now, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub styles: Option<Vec<Run>>,
}

/// What differs from an earlier look.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Changes {
    /// What to ask with the next time.
    pub revision: u64,
    /// Whether these are all rows, since the earlier look was at a screen of another size, or at none of this screen.
    pub complete: bool,
    /// Rows whose text or look differs from the earlier one, from the top.
    pub rows: Vec<ChangedRow>,
    /// Where the next character goes.
    pub cursor: Cursor,
    /// What the program calls its window.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Whether this is the screen of a full-screen program.
    pub alternate_screen: bool,
    /// How many rows have scrolled off and can be read.
    pub scrolled_off: usize,
}
