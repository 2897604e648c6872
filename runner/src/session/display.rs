//! What a session's terminal shows.

use execgate_screen::{Changes, Screen, Settings, Size, Snapshot, Styles};
use serde_json::{Value, json};

use super::Session;
use super::keys::CursorKeys;
use crate::output::mask::Secrets;
use crate::terminal::WindowSize;

/// A look at a screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// Revision of an earlier look: only rows that differ from it are wanted.
    pub since: Option<u64>,
    /// Whether colours and the like are wanted.
    pub styles: bool,
}

/// The screen of a terminal that was just opened. Rows that scroll off are not kept: the transcript has them.
pub(super) fn new(size: WindowSize) -> Box<Screen> {
    Box::new(Screen::new(&Settings {
        size: within(size),
        scrollback_rows: 0,
        // Keys are sent as they always were.
        keyboard: execgate_screen::KeyboardProtocol::Legacy,
        ..Settings::default()
    }))
}

/// The nearest size that a screen can have.
fn within(size: WindowSize) -> Size {
    let rows = size.rows.clamp(1, WindowSize::MOST);
    let columns = size.columns.clamp(1, WindowSize::MOST);
    Size::new(rows, columns).unwrap_or_default()
}

impl Session {
    /// Looks at the screen; `None` where there is no terminal.
    pub(super) fn look_at_screen(&self, look: Look) -> Option<Value> {
        let styles = match look.styles {
            true => Styles::Included,
            false => Styles::Omitted,
        };
        let mut state = self.state();
        let screen = state.screen.as_mut()?;
        let columns = usize::from(screen.size().columns());
        let size = json!({"rows": screen.size().rows(), "columns": columns});
        // All of it: a secret may stand in rows that have not changed.
        let snapshot = screen.snapshot(styles);
        let changes = look
            .since
            .map(|revision| screen.changes_since(revision, styles));
        drop(state);
        let covered = covered(&self.origin.secrets, &snapshot.rows, columns);
        Some(match changes {
            Some(changes) if !changes.complete => described(&changes, &covered, size),
            Some(_) | None => whole(snapshot, covered, size),
        })
    }

    /// The screen as one text, rows under each other; `None` where there is no terminal, or while it is drawn.
    pub(super) fn screen_text(&self) -> Option<String> {
        let mut state = self.state();
        let screen = state.screen.as_mut()?;
        if screen.modes().synchronized_output {
            return None;
        }
        let Snapshot {
            mut rows, cursor, ..
        } = screen.snapshot(Styles::Omitted);
        // A prompt ends in a blank, which only the cursor behind it tells of.
        if let Some(row) = rows.get_mut(usize::from(cursor.row)) {
            let missing = usize::from(cursor.column).saturating_sub(row.chars().count());
            row.extend(std::iter::repeat_n(' ', missing));
        }
        Some(rows.join("\n"))
    }

    /// Gives the screen the size of its window.
    pub(super) fn resize_screen(&self, size: WindowSize) {
        let size = within(size);
        let mut state = self.state();
        if let Some(screen) = &mut state.screen {
            screen.resize(size);
        }
        if let Some(tape) = &mut state.tape {
            tape.resize(size);
        }
        drop(state);
        self.touch();
    }

    /// What arrows, Home and End send. Without a terminal nobody asks for anything.
    pub(super) fn cursor_keys(&self) -> CursorKeys {
        let state = self.state();
        let screen = state.screen.as_ref();
        screen.map_or(CursorKeys::Normal, |screen| {
            screen.modes().cursor_keys.into()
        })
    }

    /// Whether the program wants to be told of pasted text; `None` where there is no terminal.
    pub(super) fn wants_paste_marks(&self) -> Option<bool> {
        let state = self.state();
        state
            .screen
            .as_ref()
            .map(|screen| screen.modes().bracketed_paste)
    }
}

fn whole(snapshot: Snapshot, rows: Vec<String>, size: Value) -> Value {
    json!({
        "revision": snapshot.revision, "size": size, "complete": true, "rows": rows, "styles": snapshot.styles,
        "cursor": snapshot.cursor, "title": snapshot.title, "alternateScreen": snapshot.alternate_screen,
    })
}

fn described(changes: &Changes, covered: &[String], size: Value) -> Value {
    let row = |row: &execgate_screen::ChangedRow| {
        let text = covered
            .get(usize::from(row.index))
            .cloned()
            .unwrap_or_default();
        json!({"index": row.index, "text": text, "styles": row.styles})
    };
    json!({
        "revision": changes.revision, "size": size, "complete": false,
        "changed": changes.rows.iter().map(row).collect::<Vec<_>>(),
        "cursor": changes.cursor, "title": changes.title, "alternateScreen": changes.alternate_screen,
    })
}

/// The rows with secrets covered, also such as the terminal has wrapped: rows that are full go on in the next one.
fn covered(secrets: &Secrets, rows: &[String], columns: usize) -> Vec<String> {
    let mut text = String::new();
    for row in rows {
        text.push_str(row);
        if row.chars().count() < columns {
            text.push('\n');
        }
    }
    let masked = secrets.mask_text(&text);
    // Each character has one in its place.
    let mut masked = masked.chars();
    let mut take = |row: &String| {
        let length = row.chars().count();
        let covered: String = masked.by_ref().take(length).collect();
        if length < columns {
            masked.next();
        }
        covered
    };
    rows.iter().map(&mut take).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    #[test]
    fn a_secret_that_the_terminal_wrapped_is_covered() {
        let secrets = Secrets::new([b"correct horse battery".to_vec()]);
        let rows = ["it is correct horse", " battery.", "", "ok"].map(str::to_owned);
        assert_eq!(
            covered(&secrets, &rows, 19),
            ["it is *************", "********.", "", "ok"]
        );
        assert_eq!(covered(&secrets, &rows, 80), rows);
    }
}
