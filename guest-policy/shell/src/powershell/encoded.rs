//! Texts of `-EncodedCommand`: base64 of UTF-16, little-endian (`about_PowerShell_exe`).

/// Decodes a text; `None` where it is no base64 or no UTF-16.
pub(crate) fn decode(text: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut bits = 0_u32;
    let mut count = 0;
    let mut padding = 0;
    for byte in text.bytes().filter(|byte| !byte.is_ascii_whitespace()) {
        if byte == b'=' {
            padding += 1;
            continue;
        }
        if padding > 0 {
            return None;
        }
        bits = bits << 6 | value(byte)?;
        count += 1;
        if count == 4 {
            bytes.extend_from_slice(&bits.to_be_bytes()[1..]);
            bits = 0;
            count = 0;
        }
    }
    match (count, padding) {
        (0, 0) => {}
        (2, 2) => bytes.push((bits >> 4) as u8),
        (3, 1) => bytes.extend_from_slice(&[(bits >> 10) as u8, (bits >> 2) as u8]),
        _ => return None,
    }
    let units: Vec<u16> = bytes
        .chunks_exact(2)
        .map(|pair| u16::from_le_bytes([pair[0], pair[1]]))
        .collect();
    if bytes.len() % 2 != 0 {
        return None;
    }
    String::from_utf16(&units).ok()
}

fn value(byte: u8) -> Option<u32> {
    Some(u32::from(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    }))
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn only_whole_texts_are_decoded() {
        assert_eq!(decode("cgBtAA==").as_deref(), Some("rm"));
        assert_eq!(decode("ZABpAHIA").as_deref(), Some("dir"));
        assert_eq!(decode("bABz").as_deref(), None);
        assert_eq!(decode("cgBtAA="), None);
        assert_eq!(decode("cg=="), None);
        assert_eq!(decode("c$Bt"), None);
        assert_eq!(decode("").as_deref(), Some(""));
    }
}
