//! How characters look, in runs of equal ones.

use std::ops::Range;

use alacritty_terminal::term::cell::{Cell, Flags};
use alacritty_terminal::vte::ansi::{Color as CellColor, NamedColor};
use serde::{Serialize, Serializer};

/// A colour that a program chose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Color {
    /// One of the 256 of the palette; the first 16 are the named ones. Serialized as its number.
    Indexed(u8),
    /// Any colour. Serialized as `#rrggbb`.
    Rgb(Rgb),
}

/// Red, green and blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rgb(pub u8, pub u8, pub u8);

/// How characters look. What is not said is as the terminal's default.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Style {
    /// The colour of the characters, unless it is the default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub foreground: Option<Color>,
    /// The colour behind them, unless it is the default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub background: Option<Color>,
    /// Bold.
    #[serde(skip_serializing_if = "is_off")]
    pub bold: bool,
    /// Faint.
    #[serde(skip_serializing_if = "is_off")]
    pub dim: bool,
    /// Italic.
    #[serde(skip_serializing_if = "is_off")]
    pub italic: bool,
    /// Underlined in any way.
    #[serde(skip_serializing_if = "is_off")]
    pub underline: bool,
    /// Colours exchanged, as for what is selected.
    #[serde(skip_serializing_if = "is_off")]
    pub inverse: bool,
    /// Struck out.
    #[serde(skip_serializing_if = "is_off")]
    pub strikeout: bool,
}

/// Neighbouring cells of a row that look alike, and unlike the default.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Run {
    /// First column, and the one after the last.
    pub columns: Range<u16>,
    /// How they look.
    #[serde(flatten)]
    pub style: Style,
}

impl Serialize for Color {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Indexed(index) => serializer.serialize_u8(*index),
            Self::Rgb(Rgb(red, green, blue)) => {
                serializer.collect_str(&format_args!("#{red:02x}{green:02x}{blue:02x}"))
            }
        }
    }
}

impl Color {
    fn of(color: CellColor) -> Option<Self> {
        match color {
            CellColor::Indexed(index) => Some(Self::Indexed(index)),
            CellColor::Spec(color) => Some(Self::Rgb(Rgb(color.r, color.g, color.b))),
            CellColor::Named(name) if name <= NamedColor::BrightWhite => {
                Some(Self::Indexed(name as u8))
            }
            // The defaults; cells have no others.
            CellColor::Named(_) => None,
        }
    }
}

impl Style {
    pub(crate) fn of(cell: &Cell) -> Self {
        let has = |flag| cell.flags.intersects(flag);
        Self {
            foreground: Color::of(cell.fg),
            background: Color::of(cell.bg),
            bold: has(Flags::BOLD),
            dim: has(Flags::DIM),
            italic: has(Flags::ITALIC),
            underline: has(Flags::ALL_UNDERLINES),
            inverse: has(Flags::INVERSE),
            strikeout: has(Flags::STRIKEOUT),
        }
    }
}

fn is_off(is_on: &bool) -> bool {
    !is_on
}

/// Returns the runs of a row that do not look as the default.
pub(crate) fn runs(cells: &[Cell]) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for (column, cell) in (0_u16..).zip(cells) {
        let style = Style::of(cell);
        match runs.last_mut() {
            _ if style == Style::default() => {}
            Some(run) if run.style == style && run.columns.end == column => run.columns.end += 1,
            Some(_) | None => runs.push(Run {
                columns: column..column + 1,
                style,
            }),
        }
    }
    runs
}
