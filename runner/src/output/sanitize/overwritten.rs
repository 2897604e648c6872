//! A line that was written over.

/// Moves the cursor back by one character, at most to the start of the line.
pub(super) const BACKSPACE: char = '\u{08}';

/// Erases from the cursor to the end of the line. These marks are controls that a sanitized text has no other use for: a program's own are spelled.
pub(super) const ERASE_TO_END: char = '\u{1C}';

/// Moves the cursor forward by one character, at most to the end of the line.
pub(super) const FORWARD: char = '\u{1D}';

/// Renders each line of a sanitized text as a terminal shows it in the end.
///
/// * `\r` moves to the start of the line, backspace one character back; what follows takes the place of what stood there, character by character (a wide
///   character counts as one), and a longer rest stays: `100%\r  5%` becomes `  5%`, and `abc\rX` becomes `Xbc`.
/// * A `\r` right before the line feed, or at the end of the text, ends the line and overwrites nothing. Before a line feed it stays, unless
///   `fold_line_ends`; no other `\r` is left, and no backspace.
/// * The marks of [`Motion::Kept`](super::Motion::Kept) are obeyed and removed.
///
/// The time is linear in the text, and the result is never longer. A text that ends between `\r` and `\n` loses the `\r`: hand over whole lines.
pub fn overwritten(text: &str, fold_line_ends: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut line = Line::default();
    for whole in text.split_inclusive('\n') {
        let (content, end) = match whole.strip_suffix('\n') {
            None => (whole, ""),
            Some(content) => match content.strip_suffix('\r') {
                Some(content) if fold_line_ends => (content, "\n"),
                Some(content) => (content, "\r\n"),
                None => (content, "\n"),
            },
        };
        line.render(content, &mut out);
        out.push_str(end);
    }
    out
}

/// The characters of one line and where the next one goes; the cursor is never past the end.
#[derive(Default)]
struct Line {
    characters: Vec<char>,
    cursor: usize,
}

impl Line {
    fn render(&mut self, content: &str, out: &mut String) {
        let Some(first) = content.find(['\r', BACKSPACE, ERASE_TO_END, FORWARD]) else {
            return out.push_str(content);
        };
        self.characters.clear();
        self.characters.extend(content[..first].chars());
        self.cursor = self.characters.len();
        for character in content[first..].chars() {
            self.put(character);
        }
        out.extend(&self.characters);
    }

    fn put(&mut self, character: char) {
        match character {
            '\r' => self.cursor = 0,
            BACKSPACE => self.cursor = self.cursor.saturating_sub(1),
            FORWARD => self.cursor = (self.cursor + 1).min(self.characters.len()),
            ERASE_TO_END => self.characters.truncate(self.cursor),
            _ => {
                match self.characters.get_mut(self.cursor) {
                    Some(place) => *place = character,
                    None => self.characters.push(character),
                }
                self.cursor += 1;
            }
        }
    }
}
