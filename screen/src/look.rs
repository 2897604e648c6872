//! What was seen at the last look, so that the next one can say what is new.

use crate::row::Row;
use crate::snapshot::Cursor;
use crate::terminal::Terminal;

/// The rows of the last look, each with the revision that it was first seen so.
#[derive(Debug, Default)]
pub(crate) struct Look {
    revision: u64,
    /// The first look at a screen of this size.
    oldest: u64,
    rows: Vec<(Row, u64)>,
    columns: u16,
    around: Option<Around>,
}

/// What belongs to a look beside the rows.
#[derive(Debug, PartialEq, Eq)]
struct Around {
    cursor: Cursor,
    title: Option<String>,
    is_alternate: bool,
    history: usize,
}

impl Look {
    pub fn revision(&self) -> u64 {
        self.revision
    }

    pub fn rows(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().map(|(row, _)| row)
    }

    /// Whether a revision is one of this size, so that rows can be compared with it.
    pub fn knows(&self, revision: u64) -> bool {
        (self.oldest..=self.revision).contains(&revision)
    }

    /// Rows that were seen otherwise at an earlier revision, with their indices.
    pub fn rows_since(&self, revision: u64) -> impl Iterator<Item = (u16, &Row)> {
        let all = !self.knows(revision);
        let rows = (0..).zip(&self.rows);
        rows.filter(move |(_, (_, since))| all || *since > revision)
            .map(|(index, (row, _))| (index, row))
    }

    /// Looks again.
    pub fn refresh(&mut self, terminal: &Terminal) {
        let next = self.revision + 1;
        let size = terminal.size();
        let mut is_new = false;
        if (self.rows.len(), self.columns) != (usize::from(size.rows()), size.columns()) {
            self.rows.clear();
            self.columns = size.columns();
            self.oldest = next;
        }
        for index in 0..size.rows() {
            let row = Row::draw(terminal.emulator.cells(i32::from(index)));
            match self.rows.get_mut(usize::from(index)) {
                Some((seen, _)) if *seen == row => continue,
                Some(seen) => *seen = (row, next),
                None => self.rows.push((row, next)),
            }
            is_new = true;
        }
        let around = Some(Around::of(terminal));
        if is_new || around != self.around {
            self.around = around;
            self.revision = next;
        }
    }
}

impl Around {
    fn of(terminal: &Terminal) -> Self {
        Self {
            cursor: terminal.cursor(),
            title: terminal.title().map(str::to_owned),
            is_alternate: terminal.emulator.is_alternate(),
            history: terminal.emulator.history(),
        }
    }
}
