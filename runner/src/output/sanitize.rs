//! Terminal output as text: control sequences removed, controls spelled, nothing hidden from the reader.

mod format;
mod overwritten;
#[cfg(test)]
mod tests;

pub use overwritten::overwritten;

use format::is_format;
use overwritten::{BACKSPACE, ERASE_TO_END, FORWARD};

const ESCAPE: char = '\u{1B}';
const BELL: char = '\u{07}';
const CANCEL: char = '\u{18}';
const SUBSTITUTE: char = '\u{1A}';
/// CSI and ST as single C1 characters.
const CSI: char = '\u{9B}';
const STRING_TERMINATOR: char = '\u{9C}';

/// Longest text of a CSI sequence in bytes. Real ones have a few dozen; what is longer is not one, and is shown from there on.
const LONGEST_CSI: usize = 256;

/// Longest text of a control string in bytes. A string that was never ended must not swallow the output after it: from there on it is shown.
/// A picture that a program draws in one string (sixel, iTerm) may be longer: its rest is shown too, which is ugly but loses nothing.
const LONGEST_STRING: usize = 64 * 1024;

/// Most intermediate characters of an escape sequence (`ESC $ ( C` has two).
const MOST_INTERMEDIATES: u8 = 3;

/// Most steps that one sequence moves the cursor within its line, so that a few bytes never become many.
const MOST_STEPS: usize = 32;

/// What becomes of the controls that move within a line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Motion {
    /// Backspace is spelled `\x08` as any control; the sequences are removed. The text is final.
    #[default]
    Spelled,
    /// Backspace, erasing to the end of the line and steps of the cursor stay as marks that only [`overwritten`] reads, and removes.
    Kept,
}

/// What becomes of controls that are no terminal's.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Controls {
    /// They are spelled `\xNN`.
    #[default]
    Spelled,
    /// They stay, as PicoClaw's clients know it.
    Kept,
}

/// Removes terminal control from a stream of text, whatever chunks it comes in. Remembers at most 256 bytes.
///
/// * Escape sequences go: CSI, OSC, DCS, SOS, PM, APC, `ESC k` titles, character sets and all others of two characters or with intermediates, introduced
///   by `ESC` or by a C1 character. CAN and SUB cancel one.
/// * A control inside a CSI or shorter sequence ends it and is taken for itself: what follows is text that a person can see.
/// * An OSC (and an `ESC k` title) ends at BEL, ST, any `ESC`, or **at the end of the line**, as no title has one; the other strings at ST or any `ESC`;
///   each of them after 64 KiB.
/// * Format characters (Unicode category Cf: bidi controls, zero-width characters, soft hyphens, byte order marks) go.
/// * Other controls except tab, LF and CR are spelled `\xNN`, unless they are to stay.
#[derive(Debug, Default)]
pub struct Sanitizer {
    state: State,
    motion: Motion,
    controls: Controls,
    /// Parameters and intermediates of the CSI sequence that has begun.
    parameters: String,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum State {
    #[default]
    Text,
    Escape {
        intermediates: u8,
    },
    Csi,
    String {
        kind: Kind,
        /// Bytes taken so far.
        length: usize,
    },
}

impl State {
    /// What a character after `ESC` and intermediates leads to; nothing if it is no part of the sequence.
    fn after(character: char, intermediates: u8) -> Option<Self> {
        match (character, string_kind(character)) {
            (_, Some(kind)) if intermediates == 0 => Some(Self::String { kind, length: 0 }),
            ('[', _) if intermediates == 0 => Some(Self::Csi),
            (' '..='/', _) if intermediates < MOST_INTERMEDIATES => Some(Self::Escape {
                intermediates: intermediates + 1,
            }),
            ('0'..='~' | CANCEL | SUBSTITUTE, _) => Some(Self::Text),
            _ => None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// OSC and titles: one line, which BEL may end.
    Title,
    /// DCS, SOS, PM, APC: any data.
    Data,
}

impl Sanitizer {
    /// Creates a sanitizer at the start of a stream.
    pub fn new(motion: Motion) -> Self {
        Self {
            motion,
            ..Self::default()
        }
    }

    /// Sets what becomes of controls that are no terminal's.
    #[must_use]
    pub fn with(self, controls: Controls) -> Self {
        Self { controls, ..self }
    }

    /// Appends to `out` what is left of `text`, and hands each CSI sequence that it ends to `csi`: parameters, intermediates and final character, such as
    /// `31m`, `?1h` or `6n`.
    ///
    /// A sequence that the stream ends in is dropped.
    pub fn push(&mut self, text: &str, out: &mut String, mut csi: impl FnMut(&str)) {
        let mut rest = text;
        while !rest.is_empty() {
            rest = match self.state {
                State::Text => self.text(rest, out),
                State::Escape { intermediates } => self.escape(rest, intermediates),
                State::Csi => self.csi(rest, out, &mut csi),
                State::String { kind, length } => self.string(rest, kind, length),
            };
        }
    }

    fn text<'a>(&mut self, text: &'a str, out: &mut String) -> &'a str {
        let end = text.find(is_special).unwrap_or(text.len());
        out.push_str(&text[..end]);
        let mut rest = text[end..].chars();
        match rest.next() {
            None => {}
            Some(ESCAPE) => self.state = State::Escape { intermediates: 0 },
            Some(CSI) => self.state = State::Csi,
            Some(BACKSPACE) if self.motion == Motion::Kept => out.push(BACKSPACE),
            Some(special) => match c1_string(special) {
                Some(kind) => self.state = State::String { kind, length: 0 },
                None if is_format(special) => {}
                None if self.controls == Controls::Kept && !is_mark(special) => out.push(special),
                None => spell(special, out),
            },
        }
        rest.as_str()
    }

    /// Takes one character after `ESC`, if it belongs to the sequence.
    fn escape<'a>(&mut self, text: &'a str, intermediates: u8) -> &'a str {
        let mut rest = text.chars();
        let next = rest
            .next()
            .and_then(|next| State::after(next, intermediates));
        self.state = next.unwrap_or_default();
        next.map_or(text, |_| rest.as_str())
    }

    fn csi<'a>(&mut self, text: &'a str, out: &mut String, csi: &mut impl FnMut(&str)) -> &'a str {
        let end = text
            .find(|character| !matches!(character, ' '..='?'))
            .unwrap_or(text.len());
        let room = LONGEST_CSI - self.parameters.len();
        let (taken, rest) = text.split_at(end.min(room));
        self.parameters.push_str(taken);
        match rest.chars().next() {
            None => return rest,
            Some(last @ '@'..='~') => {
                self.parameters.push(last);
                csi(&self.parameters);
                self.moved(out);
            }
            Some(_) => {}
        }
        self.parameters.clear();
        self.state = State::Text;
        rest.strip_prefix(|character| matches!(character, '@'..='~' | CANCEL | SUBSTITUTE))
            .unwrap_or(rest)
    }

    /// Marks what the CSI sequence just ended does within its line, if that is wanted.
    fn moved(&self, out: &mut String) {
        if self.motion == Motion::Spelled {
            return;
        }
        let steps = |count: &str| count.parse().unwrap_or(1).clamp(1, MOST_STEPS);
        match self.parameters.split_at(self.parameters.len() - 1) {
            // Erasing the rest of the screen begins with the rest of the line, and there is no screen here.
            ("" | "0", "K" | "J") => out.push(ERASE_TO_END),
            ("2", "K") => out.extend(['\r', ERASE_TO_END]),
            ("" | "1", "G") => out.push('\r'),
            (count, "D") => out.extend(std::iter::repeat_n(BACKSPACE, steps(count))),
            (count, "C") => out.extend(std::iter::repeat_n(FORWARD, steps(count))),
            _ => {}
        }
    }

    fn string<'a>(&mut self, text: &'a str, kind: Kind, length: usize) -> &'a str {
        let end = text.find(|character| ends_string(kind, character));
        let wanted = end.unwrap_or(text.len());
        let taken = text.floor_char_boundary(wanted.min(LONGEST_STRING - length));
        let rest = &text[taken..];
        self.state = if end.is_none() && taken == wanted {
            let length = length + taken;
            State::String { kind, length }
        } else {
            State::Text
        };
        if taken < wanted {
            return rest;
        }
        // `ESC` begins the two characters of ST, or another sequence; the end of a line belongs to the text.
        rest.strip_prefix([BELL, STRING_TERMINATOR, CANCEL, SUBSTITUTE])
            .unwrap_or(rest)
    }
}

/// Removes terminal control from a whole text (see [`Sanitizer`]). No control but tab, LF and CR is left.
pub fn plain(text: &str) -> String {
    sanitized(text, Sanitizer::default())
}

/// Shows a whole text as a terminal would: control sequences removed, lines overwritten by `\r`, backspaces and erasures (see [`overwritten`]).
pub fn rendered(text: &str, controls: Controls, fold_line_ends: bool) -> String {
    let sanitizer = Sanitizer::new(Motion::Kept).with(controls);
    overwritten(&sanitized(text, sanitizer), fold_line_ends)
}

fn sanitized(text: &str, mut sanitizer: Sanitizer) -> String {
    let mut out = String::with_capacity(text.len());
    sanitizer.push(text, &mut out, |_| {});
    out
}

/// Whether a character would be read as one of the marks of [`Motion::Kept`].
fn is_mark(character: char) -> bool {
    [BACKSPACE, ERASE_TO_END, FORWARD].contains(&character)
}

/// Whether a character may not stay as it is.
fn is_special(character: char) -> bool {
    match character {
        '\t' | '\n' | '\r' | ' '..='~' => false,
        '\0'..='\u{9F}' => true,
        _ => is_format(character),
    }
}

/// The string that a C1 character introduces.
fn c1_string(character: char) -> Option<Kind> {
    let after_escape = (character as u32).checked_sub(0x40)?;
    match character {
        '\u{80}'..='\u{9F}' => string_kind(char::from_u32(after_escape)?),
        _ => None,
    }
}

/// The string that `ESC` and a character introduce: OSC and title, DCS, SOS, PM, APC.
fn string_kind(character: char) -> Option<Kind> {
    match character {
        ']' | 'k' => Some(Kind::Title),
        'P' | 'X' | '^' | '_' => Some(Kind::Data),
        _ => None,
    }
}

fn ends_string(kind: Kind, character: char) -> bool {
    match character {
        ESCAPE | STRING_TERMINATOR | CANCEL | SUBSTITUTE => true,
        BELL | '\n' => kind == Kind::Title,
        _ => false,
    }
}

fn spell(control: char, out: &mut String) {
    let digit = |shift: u32| char::from_digit(control as u32 >> shift & 0xF, 16);
    out.push_str("\\x");
    out.extend(digit(4).into_iter().chain(digit(0)));
}
