//! The escapes of `$'…'`, which `echo -e` and `printf` share for the most part.

use std::iter::Peekable;
use std::str::Chars;

/// Decodes the inside of `$'…'`. Bytes above 127 that do not form UTF-8 are replaced; a NUL ends the text, as in the shell.
pub(crate) fn decode(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        if character == '\\' {
            if !escape(&mut characters, &mut bytes) {
                break;
            }
        } else {
            push(&mut bytes, character);
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Decodes one escape after its backslash; `false` ends the text.
fn escape(characters: &mut Peekable<Chars<'_>>, bytes: &mut Vec<u8>) -> bool {
    let Some(kind) = characters.next() else {
        bytes.push(b'\\');
        return true;
    };
    let byte = match kind {
        'a' => 7,
        'b' => 8,
        'e' | 'E' => 27,
        'f' => 12,
        'n' => b'\n',
        'r' => b'\r',
        't' => b'\t',
        'v' => 11,
        '\\' | '\'' | '"' | '?' => kind as u8,
        '0'..='7' => octal(kind, characters),
        'x' => return hexadecimal(characters, bytes),
        'u' => return unicode(characters, bytes, 4, 'u'),
        'U' => return unicode(characters, bytes, 8, 'U'),
        'c' => match characters.next() {
            Some(control) => (control as u32 as u8).to_ascii_uppercase() & 0x1f,
            None => return true,
        },
        other => {
            bytes.push(b'\\');
            push(bytes, other);
            return true;
        }
    };
    bytes.push(byte);
    byte != 0
}

fn octal(first: char, characters: &mut Peekable<Chars<'_>>) -> u8 {
    let mut value = first as u32 - '0' as u32;
    for _ in 0..2 {
        match characters.peek().and_then(|digit| digit.to_digit(8)) {
            Some(digit) => value = value * 8 + digit,
            None => break,
        }
        characters.next();
    }
    value as u8
}

fn digits(characters: &mut Peekable<Chars<'_>>, most: usize) -> Option<u32> {
    let mut value = None;
    for _ in 0..most {
        let Some(digit) = characters.peek().and_then(|digit| digit.to_digit(16)) else {
            break;
        };
        value = Some(value.unwrap_or(0) * 16 + digit);
        characters.next();
    }
    value
}

fn hexadecimal(characters: &mut Peekable<Chars<'_>>, bytes: &mut Vec<u8>) -> bool {
    let braced = characters.peek() == Some(&'{');
    if braced {
        characters.next();
    }
    let value = digits(characters, if braced { 8 } else { 2 });
    if braced && characters.peek() == Some(&'}') {
        characters.next();
    }
    match value {
        Some(value) => {
            bytes.push(value as u8);
            value as u8 != 0
        }
        None => {
            bytes.extend(b"\\x");
            true
        }
    }
}

fn unicode(
    characters: &mut Peekable<Chars<'_>>,
    bytes: &mut Vec<u8>,
    most: usize,
    kind: char,
) -> bool {
    match digits(characters, most) {
        Some(value) => {
            push(
                bytes,
                char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER),
            );
            value != 0
        }
        None => {
            bytes.push(b'\\');
            push(bytes, kind);
            true
        }
    }
}

fn push(bytes: &mut Vec<u8>, character: char) {
    let mut buffer = [0; 4];
    bytes.extend(character.encode_utf8(&mut buffer).bytes());
}
