//! A row of cells as text.

use alacritty_terminal::term::cell::{Cell, Flags};

use crate::style::{Run, runs};

/// A row as it was drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Row {
    /// Without blanks at the end.
    pub text: String,
    pub runs: Vec<Run>,
}

impl Row {
    pub fn draw(cells: &[Cell]) -> Self {
        let mut text = String::with_capacity(cells.len());
        write(cells, &mut text);
        text.truncate(text.trim_end_matches(' ').len());
        Self {
            text,
            runs: runs(cells),
        }
    }
}

/// Appends rows to lines: a row that the terminal wrapped goes on in the next one.
pub(crate) fn join<'a>(rows: impl IntoIterator<Item = &'a [Cell]>) -> Vec<String> {
    let (mut lines, mut line) = (Vec::new(), String::new());
    for cells in rows {
        write(cells, &mut line);
        if !is_wrapped(cells) {
            line.truncate(line.trim_end_matches(' ').len());
            lines.push(std::mem::take(&mut line));
        }
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}

fn is_wrapped(cells: &[Cell]) -> bool {
    cells
        .last()
        .is_some_and(|cell| cell.flags.contains(Flags::WRAPLINE))
}

/// Appends the characters of a row. Concealed ones are blank, as a person sees them.
fn write(cells: &[Cell], text: &mut String) {
    /// The second half of a wide character, and a last cell that one did not fit into.
    const NOTHING: Flags = Flags::WIDE_CHAR_SPACER.union(Flags::LEADING_WIDE_CHAR_SPACER);
    for cell in cells {
        if cell.flags.intersects(NOTHING) {
            continue;
        }
        if cell.flags.contains(Flags::HIDDEN) {
            let is_wide = cell.flags.contains(Flags::WIDE_CHAR);
            text.push_str(if is_wide { "  " } else { " " });
            continue;
        }
        // The emulator keeps a tab in the cell where it began.
        text.push(if cell.c == '\t' { ' ' } else { cell.c });
        text.extend(cell.zerowidth().into_iter().flatten());
    }
}
