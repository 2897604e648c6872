//! Keys as OpenClaw's `send-keys` names them: `C-c`, `M-left`, `^d`, `kp0`.

use super::{BACK_TAB, Code, CursorKeys, ESCAPE, NAMED, control};

/// Keys that only this dialect knows.
#[rustfmt::skip]
const MORE: &[(&[&str], Code)] = &[
    (&["ppage"], Code::Edit(5)),
    (&["npage"], Code::Edit(6)),
    (&["kp0"], Code::Fixed("\x1bOp")),
    (&["kp1"], Code::Fixed("\x1bOq")),
    (&["kp2"], Code::Fixed("\x1bOr")),
    (&["kp3"], Code::Fixed("\x1bOs")),
    (&["kp4"], Code::Fixed("\x1bOt")),
    (&["kp5"], Code::Fixed("\x1bOu")),
    (&["kp6"], Code::Fixed("\x1bOv")),
    (&["kp7"], Code::Fixed("\x1bOw")),
    (&["kp8"], Code::Fixed("\x1bOx")),
    (&["kp9"], Code::Fixed("\x1bOy")),
    (&["kp."], Code::Fixed("\x1bOn")),
    (&["kp/"], Code::Fixed("\x1bOo")),
    (&["kp*"], Code::Fixed("\x1bOj")),
    (&["kp-"], Code::Fixed("\x1bOm")),
    (&["kp+"], Code::Fixed("\x1bOk")),
    (&["kpenter"], Code::Fixed("\x1bOM")),
];

/// What is to be sent, in this order.
#[derive(Debug, Clone, Copy, Default)]
pub struct Input<'a> {
    /// Text, as it is.
    pub literal: &'a str,
    /// Bytes: one or two hex digits, with or without `0x`.
    pub hex: &'a [String],
    /// Keys; what is no key is text.
    pub keys: &'a [String],
}

/// What is sent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Encoded {
    /// The bytes, at least one.
    pub bytes: Vec<u8>,
    /// What could not be understood, a sentence each.
    pub warnings: Vec<String>,
    /// Offsets in `bytes` right after an Escape key that more follows. A writer that pauses there keeps a program from reading Escape and the next key as
    /// one key with Alt.
    pub pauses: Vec<usize>,
}

/// Why nothing is sent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// No bytes came of the input. The text is what clients of OpenClaw know.
    #[error("No key data provided.")]
    NoData {
        /// What could not be understood.
        warnings: Vec<String>,
    },
    /// An arrow, Home or End without modifiers, and the program has not said what these keys send. The caller knows the session that has to be waited for.
    #[error("the cursor key mode is not known yet, which `{key}` depends on")]
    UnknownCursorKeys {
        /// The key as it was given.
        key: String,
    },
}

/// Encodes text, bytes and keys for a terminal in the given mode.
///
/// # Errors
/// There is nothing to send, or a cursor key is sent in an unknown mode.
pub fn encode(input: Input<'_>, cursor: CursorKeys) -> Result<Encoded, KeyError> {
    let mut encoded = Encoded {
        bytes: input.literal.as_bytes().to_vec(),
        ..Encoded::default()
    };
    for given in input.hex {
        match hex_byte(given.trim()) {
            Some(byte) => encoded.bytes.push(byte),
            None => encoded.warnings.push(format!("Invalid hex byte: {given}")),
        }
    }
    let mut escape_end = None;
    for given in input.keys {
        let sent = key(given.trim(), cursor, &mut encoded.warnings)?;
        if sent.is_empty() {
            continue;
        }
        encoded.pauses.extend(escape_end.take());
        encoded.bytes.extend(sent.bytes());
        escape_end = sent.ends_with(ESCAPE).then_some(encoded.bytes.len());
    }
    if encoded.bytes.is_empty() {
        let warnings = encoded.warnings;
        return Err(KeyError::NoData { warnings });
    }
    Ok(encoded)
}

fn hex_byte(text: &str) -> Option<u8> {
    let digits = text
        .strip_prefix("0x")
        .or_else(|| text.strip_prefix("0X"))
        .unwrap_or(text);
    let is_byte = matches!(digits.len(), 1 | 2) && digits.bytes().all(|b| b.is_ascii_hexdigit());
    is_byte
        .then(|| u8::from_str_radix(digits, 16).ok())
        .flatten()
}

/// Which of Shift, Alt and Ctrl are held.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Modifiers {
    shift: bool,
    alt: bool,
    ctrl: bool,
}

impl Modifiers {
    /// Takes `C-`, `M-` and `S-` off a key, in any order, as long as something is left.
    fn split(key: &str) -> (Self, &str) {
        let mut modifiers = Self::default();
        let mut base = key;
        while let Some((prefix, rest)) = base.split_once('-').filter(|(_, rest)| !rest.is_empty()) {
            match prefix {
                "C" | "c" => modifiers.ctrl = true,
                "M" | "m" => modifiers.alt = true,
                "S" | "s" => modifiers.shift = true,
                _ => break,
            }
            base = rest;
        }
        (modifiers, base)
    }

    fn any(self) -> bool {
        self != Self::default()
    }

    /// The parameter by which xterm sends them.
    fn parameter(self) -> u8 {
        1 + u8::from(self.shift) + 2 * u8::from(self.alt) + 4 * u8::from(self.ctrl)
    }

    fn apply_to_key(self, code: Code, cursor: CursorKeys) -> String {
        let parameter = self.parameter();
        match code {
            Code::Fixed("\t") if self.shift => BACK_TAB.to_owned(),
            // Other modifiers have no effect on these.
            Code::Fixed(text) if self.alt => format!("{ESCAPE}{text}"),
            Code::Arrow(last) if self.any() => format!("{ESCAPE}[1;{parameter}{last}"),
            Code::Corner(number, _) | Code::Edit(number) if self.any() => {
                format!("{ESCAPE}[{number};{parameter}~")
            }
            _ => code.plain(cursor),
        }
    }

    fn apply_to_character(self, character: char) -> String {
        let mut character = character;
        if self.shift {
            character = character.to_ascii_uppercase();
        }
        if self.ctrl {
            character = control(character).unwrap_or(character);
        }
        let alt = self.alt.then_some(ESCAPE);
        alt.into_iter().chain([character]).collect()
    }
}

/// What one key sends; nothing if it is empty.
fn key(key: &str, cursor: CursorKeys, warnings: &mut Vec<String>) -> Result<String, KeyError> {
    if let Some(code) = caret(key) {
        return Ok(code.into());
    }
    let (modifiers, base) = Modifiers::split(key);
    let name = base.to_lowercase();
    if let Some(code) = Code::named(NAMED, &name).or_else(|| Code::named(MORE, &name)) {
        let depends = matches!(code, Code::Arrow(_) | Code::Corner(..)) && !modifiers.any();
        if depends && cursor == CursorKeys::Unknown {
            let key = key.to_owned();
            return Err(KeyError::UnknownCursorKeys { key });
        }
        return Ok(modifiers.apply_to_key(code, cursor));
    }
    if let Some(character) = only(base) {
        return Ok(modifiers.apply_to_character(character));
    }
    if modifiers.any() {
        warnings.push(format!(
            "Unknown key \"{base}\" for modifiers; sending literal."
        ));
    }
    Ok(base.to_owned())
}

/// The control code that `^x` stands for.
fn caret(key: &str) -> Option<char> {
    control(only(key.strip_prefix('^')?)?)
}

/// The character that is all of a text.
fn only(text: &str) -> Option<char> {
    let mut characters = text.chars();
    characters.next().filter(|_| characters.as_str().is_empty())
}
