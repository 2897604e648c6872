//! How many rows and columns a screen has.

use serde::Serialize;

/// Rows and columns of a screen, each from 1 to [`Size::LARGEST`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Size {
    rows: u16,
    columns: u16,
}

/// A number of rows or columns that no screen has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "a screen cannot have {rows} rows and {columns} columns: each is from 1 to {}",
    Size::LARGEST
)]
pub struct SizeError {
    /// Rows asked for.
    pub rows: u16,
    /// Columns asked for.
    pub columns: u16,
}

impl Size {
    /// Most rows, and most columns: a screen of that size takes 24 MB, as much again for the alternate one, and nobody has a larger one.
    pub const LARGEST: u16 = 1_000;

    /// Creates a size.
    ///
    /// # Errors
    /// One of the two is 0 or above [`Size::LARGEST`].
    pub fn new(rows: u16, columns: u16) -> Result<Self, SizeError> {
        let allowed = 1..=Self::LARGEST;
        if allowed.contains(&rows) && allowed.contains(&columns) {
            Ok(Self { rows, columns })
        } else {
            Err(SizeError { rows, columns })
        }
    }

    /// Returns the number of rows.
    pub fn rows(self) -> u16 {
        self.rows
    }

    /// Returns the number of columns; a wide character takes two.
    pub fn columns(self) -> u16 {
        self.columns
    }
}

impl Default for Size {
    /// 30 rows of 120 columns, as the runner's terminals.
    fn default() -> Self {
        Self {
            rows: 30,
            columns: 120,
        }
    }
}
