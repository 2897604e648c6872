//! Writing to the terminal, in one place.

use std::io::Write as _;

/// Writes to standard output. A reader that went away ends the output, not the program.
pub fn out(text: &str) {
    let mut stdout = std::io::stdout().lock();
    let _ = stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush());
}

/// Writes bytes to standard output as they are.
pub fn raw(bytes: &[u8]) {
    let mut stdout = std::io::stdout().lock();
    let _ = stdout.write_all(bytes).and_then(|()| stdout.flush());
}

/// Writes a line to standard output.
pub fn line(text: &str) {
    out(&format!("{text}\n"));
}

/// Writes text with styles to standard output: they are left out where it is no terminal, and where `NO_COLOR` says so.
pub fn styled(text: &str) {
    let mut stdout = anstream::stdout().lock();
    let _ = stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush());
}

/// Writes a line to standard error.
pub fn note(text: &str) {
    let mut stderr = std::io::stderr().lock();
    let _ = writeln!(stderr, "{text}");
}

/// Writes an error to standard error.
pub fn error(text: &str) {
    note(&format!("error: {text}"));
}

/// Text with everything escaped that a terminal would act on or hide.
pub fn escaped(text: &str) -> String {
    let escape = |character: char| match character {
        '\n' | '\t' => character.to_string(),
        character if character.is_control() || is_invisible(character) => {
            character.escape_unicode().to_string()
        }
        character => character.to_string(),
    };
    text.chars().map(escape).collect()
}

/// Characters that change how others look: bidirectional controls, joiners, tags.
fn is_invisible(character: char) -> bool {
    matches!(character,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}
