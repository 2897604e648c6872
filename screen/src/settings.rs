//! What a screen is created with.

use crate::palette::Palette;
use crate::size::Size;

/// Whether programs may use kitty's keyboard protocol.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum KeyboardProtocol {
    /// Programs that ask are told that it is there, and their flags are kept. For whoever types keys as [`Modes`](crate::Modes) says.
    #[default]
    Kitty,
    /// Programs that ask get no answer, so that they read keys as they always were.
    Legacy,
}

/// What a screen is created with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// Rows and columns.
    pub size: Size,
    /// Most rows that are kept after they scrolled off, at most [`Settings::MOST_SCROLLBACK_ROWS`].
    pub scrollback_rows: usize,
    /// What programs are told of colours.
    pub palette: Palette,
    /// Whether programs may use kitty's keyboard protocol.
    pub keyboard: KeyboardProtocol,
}

impl Settings {
    /// The bound of [`Settings::scrollback_rows`]. A row takes 24 bytes a cell.
    pub const MOST_SCROLLBACK_ROWS: usize = 100_000;
}

impl Default for Settings {
    /// 30 × 120, 1,000 rows of scrollback, light on dark.
    fn default() -> Self {
        Self {
            size: Size::default(),
            scrollback_rows: 1_000,
            palette: Palette::default(),
            keyboard: KeyboardProtocol::default(),
        }
    }
}
