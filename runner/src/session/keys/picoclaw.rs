//! Keys as PicoClaw's `send-keys` names them: `ctrl-c`, `alt-x`, `up`, separated by commas, sent all or not at all.
//!
//! Where PicoClaw reads a key as another one it is refused here: `ctrl-up` is not Ctrl-U and `ctrl-cc` not Ctrl-C, and `ctrl-` alone is an error. `shift-tab`
//! is the back tab; Shift changes no other key, as there. Beyond it, Ctrl takes every character that has a control code, and `space`.

use super::{BACK_TAB, Code, CursorKeys, ESCAPE, NAMED, control};

/// What is sent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Encoded {
    /// The bytes, at least one.
    pub bytes: Vec<u8>,
    /// The keys as they were understood: trimmed, in lower case.
    pub keys: Vec<String>,
    /// Offsets in `bytes` right after an Escape key that more follows (see [`openclaw::Encoded`](super::openclaw::Encoded)).
    pub pauses: Vec<usize>,
}

/// Why nothing is sent. The texts are what clients of PicoClaw know.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// There is no key.
    #[error("keys cannot be empty")]
    Empty,
    /// Ctrl and what has no control code.
    #[error("invalid ctrl key: {0}")]
    Ctrl(String),
    /// Alt and what is not one byte.
    #[error("invalid alt key: {0}")]
    Alt(String),
    /// Shift and what has no name.
    #[error("unknown key with shift: {0}")]
    Shift(String),
    /// A key without a name.
    #[error("unknown key: {0} (use write action for text input)")]
    Unknown(String),
}

/// Encodes keys separated by commas; empty ones are passed over. [`CursorKeys::Unknown`] counts as normal.
///
/// # Errors
/// There is no key, or the first one that is unknown.
pub fn encode(keys: &str, cursor: CursorKeys) -> Result<Encoded, KeyError> {
    let mut encoded = Encoded::default();
    let mut escape_end = None;
    for given in keys.split(',') {
        let name = given.trim().to_lowercase();
        if name.is_empty() {
            continue;
        }
        let sent = key(&name, cursor)?;
        encoded.pauses.extend(escape_end.take());
        encoded.bytes.extend(sent.bytes());
        escape_end = sent.ends_with(ESCAPE).then_some(encoded.bytes.len());
        encoded.keys.push(name);
    }
    if encoded.keys.is_empty() {
        return Err(KeyError::Empty);
    }
    Ok(encoded)
}

/// A key that is held.
struct Modifier {
    prefixes: [&'static str; 2],
    /// What it makes of a key in a mode.
    apply: fn(&str, CursorKeys) -> Option<String>,
    /// What is wrong if it makes nothing of it.
    error: fn(String) -> KeyError,
}

#[rustfmt::skip]
const MODIFIERS: [Modifier; 3] = [
    Modifier { prefixes: ["ctrl-", "c-"], apply: ctrl, error: KeyError::Ctrl },
    Modifier { prefixes: ["alt-", "m-"], apply: alt, error: KeyError::Alt },
    Modifier { prefixes: ["shift-", "s-"], apply: shift, error: KeyError::Shift },
];

fn key(name: &str, cursor: CursorKeys) -> Result<String, KeyError> {
    for modifier in &MODIFIERS {
        let mut prefixes = modifier.prefixes.into_iter();
        if let Some(base) = prefixes.find_map(|prefix| name.strip_prefix(prefix)) {
            return (modifier.apply)(base, cursor).ok_or_else(|| (modifier.error)(name.to_owned()));
        }
    }
    match Code::named(NAMED, name) {
        Some(code) => Ok(code.plain(cursor)),
        None => Err(KeyError::Unknown(name.to_owned())),
    }
}

fn ctrl(base: &str, _cursor: CursorKeys) -> Option<String> {
    match base.as_bytes() {
        b"space" => Some('\0'.into()),
        [byte] => control(char::from(*byte)).map(Into::into),
        _ => None,
    }
}

fn alt(base: &str, _cursor: CursorKeys) -> Option<String> {
    (base.len() == 1).then(|| format!("{ESCAPE}{base}"))
}

fn shift(base: &str, cursor: CursorKeys) -> Option<String> {
    match base {
        "tab" => Some(BACK_TAB.to_owned()),
        _ => Code::named(NAMED, base).map(|code| code.plain(cursor)),
    }
}
