use super::*;
use crate::cases::rows;
use execgate_screen::{Screen, Settings};
use pretty_assertions::assert_eq;
use proptest::collection::vec;
use proptest::prelude::{any, proptest};
use proptest::sample::select;
use serde_json::{Value, json};

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn mode(name: &Value) -> CursorKeys {
    match name.as_str() {
        Some("application" | "ss3") => CursorKeys::Application,
        Some("normal" | "csi") => CursorKeys::Normal,
        _ => CursorKeys::Unknown,
    }
}

fn list(value: &Value) -> Vec<String> {
    let texts = value.as_array().into_iter().flatten();
    texts
        .map(|text| text.as_str().unwrap().to_owned())
        .collect()
}

/// What a row of the OpenClaw table expects of its encoder, which knows no error for nothing to send.
fn openclaw(input: &Value) -> Value {
    let (hex_bytes, keys) = (list(&input["hex"]), list(&input["keys"]));
    let input = openclaw::Input {
        literal: input["literal"].as_str().unwrap_or_default(),
        hex: &hex_bytes,
        keys: &keys,
    };
    match openclaw::encode(input, CursorKeys::Normal) {
        Ok(encoded) => json!({ "hex": hex(&encoded.bytes), "warnings": encoded.warnings }),
        Err(openclaw::KeyError::NoData { warnings }) => json!({ "hex": "", "warnings": warnings }),
        Err(error) => json!(error.to_string()),
    }
}

fn keys(keys: &[&str], cursor: CursorKeys) -> Result<openclaw::Encoded, openclaw::KeyError> {
    let keys: Vec<_> = keys.iter().map(|key| (*key).to_owned()).collect();
    let input = openclaw::Input {
        keys: &keys,
        ..openclaw::Input::default()
    };
    openclaw::encode(input, cursor)
}

#[test]
fn rows_of_the_openclaw_table_hold() {
    let rows = rows("openclaw.jsonl", "keys");
    assert!(rows.len() >= 73);
    for row in rows {
        let input = &row["input"];
        let actual = match mode(&input["cursorMode"]) {
            CursorKeys::Normal => openclaw(input),
            cursor => {
                let keys_of_row = list(&input["keys"]);
                let given: Vec<_> = keys_of_row.iter().map(String::as_str).collect();
                let encoded = keys(&given, cursor).unwrap_or_default();
                json!({ "hex": hex(&encoded.bytes), "warnings": encoded.warnings })
            }
        };
        assert_eq!(actual, row["expected"]["result"], "{}", row["id"]);
    }
}

#[test]
fn rows_of_the_openclaw_process_tool_hold() {
    use openclaw::KeyError;
    let sent = |given: &[&str], cursor| hex(&keys(given, cursor).unwrap().bytes);
    // process-014: the writes of a session in normal mode.
    assert_eq!(
        sent(&["C-c", "up", "f1"], CursorKeys::Normal),
        "031b5b411b4f50"
    );
    assert_eq!(
        openclaw(&json!({ "literal": "ls", "keys": ["enter"] }))["hex"],
        "6c730d"
    );
    assert_eq!(openclaw(&json!({ "hex": ["03"] }))["hex"], "03");
    let nothing = openclaw::encode(openclaw::Input::default(), CursorKeys::Normal);
    assert_eq!(nothing.unwrap_err().to_string(), "No key data provided.");
    let bogus = keys(&["C-bogus"], CursorKeys::Normal).unwrap();
    assert_eq!(bogus.bytes, b"bogus");
    assert_eq!(
        bogus.warnings,
        ["Unknown key \"bogus\" for modifiers; sending literal."]
    );
    // process-015: unknown mode.
    for key in ["up", "Down", "left", "right", "home", "END"] {
        let error = keys(&["a", key], CursorKeys::Unknown).unwrap_err();
        assert_eq!(
            error,
            KeyError::UnknownCursorKeys {
                key: key.to_owned()
            }
        );
    }
    assert_eq!(sent(&["C-up"], CursorKeys::Unknown), "1b5b313b3541");
    assert_eq!(sent(&["pgup"], CursorKeys::Unknown), "1b5b357e");
    // process-016: application mode.
    assert_eq!(
        sent(&["up", "end"], CursorKeys::Application),
        "1b4f411b4f46"
    );
}

#[test]
fn keys_of_the_openclaw_dialect_beyond_the_table() {
    for (key, expected) in [
        ("S-tab", "\x1b[Z"),
        ("M-S-tab", "\x1b[Z"),
        ("c-m-s-PgUp", "\x1b[5;8~"),
        ("M-f1", "\x1b\x1bOP"),
        ("C-f5", "\x1b[15~"),
        ("M-kp0", "\x1b\x1bOp"),
        ("C-space", " "),
        ("C-[", "\x1b"),
        ("C-_", "\x1f"),
        ("C--", "-"),
        ("C-1", "1"),
        ("S-1", "1"),
        ("C-S-a", "\x01"),
        ("M-S-x", "\x1bX"),
        ("M-😀", "\x1b😀"),
        ("^[", "\x1b"),
        ("^1", "^1"),
        ("^ab", "^ab"),
        ("-", "-"),
        ("x-y", "x-y"),
        (" UP ", "\x1b[A"),
    ] {
        let encoded = keys(&[key], CursorKeys::Normal).unwrap();
        assert_eq!(String::from_utf8(encoded.bytes).unwrap(), expected, "{key}");
        assert_eq!(encoded.warnings, [""; 0], "{key}");
    }
    for (byte, expected) in [("0x1B", "1b"), ("0XfF", "ff"), ("7", "07")] {
        assert_eq!(openclaw(&json!({ "hex": [byte] }))["hex"], expected);
    }
    for byte in ["0x", "0x100", "-1", "+1", "é", "0x0x1"] {
        let warnings = json!([format!("Invalid hex byte: {byte}")]);
        assert_eq!(
            openclaw(&json!({ "hex": [byte] })),
            json!({ "hex": "", "warnings": warnings })
        );
    }
}

#[test]
fn a_pause_follows_an_escape_key_and_no_other() {
    let pauses = |given: &[&str]| keys(given, CursorKeys::Normal).unwrap().pauses;
    assert_eq!(pauses(&["escape", "x", "M-y", "esc", "", "up"]), [1, 5]);
    assert_eq!(pauses(&["M-x", "C-["]), [0; 0]);
    let encoded = picoclaw::encode("escape,alt-x,esc", CursorKeys::Normal).unwrap();
    assert_eq!(
        (encoded.bytes, encoded.pauses),
        (b"\x1b\x1bx\x1b".to_vec(), vec![1])
    );
}

#[test]
fn rows_of_the_picoclaw_table_hold() {
    // Rows where PicoClaw crashes or reads a key as another one, and what is right instead.
    let different = [
        ("x135", Err("invalid ctrl key: ctrl-cc")),
        ("x136", Err("invalid ctrl key: ctrl-")),
        ("x137", Err("invalid ctrl key: c-")),
        ("x145", Ok("1b5b5a")),
        ("x151", Err("invalid ctrl key: ctrl-up")),
    ];
    let rows = rows("picoclaw.jsonl", "keys");
    assert!(rows.len() >= 40);
    for row in rows {
        let tokens = list(&row["input"]["tokens"]).join(",");
        let actual = match picoclaw::encode(&tokens, mode(&row["input"]["mode"])) {
            Ok(encoded) => Ok(hex(&encoded.bytes)),
            // The encoder of the table knows no error for nothing to send.
            Err(picoclaw::KeyError::Empty) => Ok(String::new()),
            Err(error) => Err(error.to_string()),
        };
        let decided = different.iter().find(|(id, _)| row["id"] == *id);
        let expected = match (decided, row["result"]["error"].as_str()) {
            (Some((_, decided)), _) => *decided,
            (None, Some("")) => Ok(row["result"]["hex"].as_str().unwrap()),
            (None, error) => Err(error.unwrap()),
        };
        let actual = actual.as_deref().map_err(String::as_str);
        assert_eq!(actual, expected, "{}", row["id"]);
    }
}

#[test]
fn keys_of_the_picoclaw_dialect_beyond_the_table() {
    let encode = |keys| picoclaw::encode(keys, CursorKeys::Unknown);
    for (keys, expected) in [
        ("ctrl-j,ctrl-m,ctrl-[,ctrl-space,ctrl-?", "\n\r\x1b\0\x7f"),
        ("C-C,Shift-Tab,shift-up,S-F1", "\x03\x1b[Z\x1b[A\x1bOP"),
        (" up ,, Down,", "\x1b[A\x1b[B"),
    ] {
        assert_eq!(
            String::from_utf8(encode(keys).unwrap().bytes).unwrap(),
            expected
        );
    }
    assert_eq!(encode(" Ctrl-C ,UP").unwrap().keys, ["ctrl-c", "up"]);
    for (keys, expected) in [
        ("", "keys cannot be empty"),
        (" , ", "keys cannot be empty"),
        ("up,ctrl-1", "invalid ctrl key: ctrl-1"),
        ("ctrl-shift-c", "invalid ctrl key: ctrl-shift-c"),
        ("ctrl-é", "invalid ctrl key: ctrl-é"),
        ("alt-", "invalid alt key: alt-"),
        ("m-up", "invalid alt key: m-up"),
        ("shift-a", "unknown key with shift: shift-a"),
        ("s-", "unknown key with shift: s-"),
        ("A", "unknown key: a (use write action for text input)"),
        ("kp0", "unknown key: kp0 (use write action for text input)"),
    ] {
        assert_eq!(encode(keys).unwrap_err().to_string(), expected);
    }
}

#[test]
fn rows_of_the_picoclaw_key_mode_hold() {
    // Combined parameters set the mode too, whatever PicoClaw sees.
    let different = [("x158", CursorKeys::Application)];
    for row in rows("picoclaw.jsonl", "keymode") {
        let input = row["input"].as_str().unwrap().as_bytes();
        let bytes = input
            .chunks(2)
            .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap());
        let text = String::from_utf8(bytes.collect()).unwrap();
        let decided = different.iter().find(|(id, _)| row["id"] == *id);
        let expected = decided.map_or(mode(&row["result"]["mode"]), |(_, mode)| *mode);
        assert_eq!(printed(&[&text]), expected, "{}", row["id"]);
    }
}

/// The mode after output in chunks.
fn printed(chunks: &[&str]) -> CursorKeys {
    let mut screen = Screen::new(&Settings::default());
    for chunk in chunks {
        let _ = screen.push(chunk.as_bytes());
    }
    screen.modes().cursor_keys.into()
}

#[test]
fn the_mode_is_what_was_printed_last() {
    for (chunks, expected) in [
        (vec!["\x1b[?", "1h"], CursorKeys::Application),
        (vec!["\x1b[?1h\x1b[?1l"], CursorKeys::Normal),
        (vec!["\x1b[?25;1h"], CursorKeys::Application),
        (vec!["\x1b[?1h\x1b[!p"], CursorKeys::Normal),
        (
            vec!["\x1b[?1h\x1b[?25l\x1b[1l\x1b[?12h\x1b[?1$p"],
            CursorKeys::Application,
        ),
        (vec!["\x1b[?1049h"], CursorKeys::Unknown),
    ] {
        assert_eq!(printed(&chunks), expected, "{chunks:?}");
    }
}

#[test]
fn rows_of_the_paste_table_hold() {
    // The end mark within a text is not sent.
    let different = [("paste-005", "1b5b3230307e78791b5b3230317e")];
    let rows = rows("openclaw.jsonl", "paste");
    assert!(rows.len() >= 3);
    for row in rows {
        let input = &row["input"];
        let bracketed = input["bracketed"].as_bool().unwrap_or(true);
        let bytes = paste(input["text"].as_str().unwrap(), bracketed);
        let decided = different.iter().find(|(id, _)| row["id"] == *id);
        let expected = row["expected"]["result"]["hex"].as_str().unwrap();
        let expected = decided.map_or(expected, |(_, decided)| *decided);
        assert_eq!(hex(&bytes), expected, "{}", row["id"]);
    }
}

#[test]
fn a_long_paste_takes_linear_time() {
    let text = "\x1b[201\x1b[201~~".repeat(100_000);
    assert_eq!(without_paste_end(&text), "");
}

proptest! {
    #[test]
    fn no_text_ends_its_paste(
        pieces in vec(select(vec!["\x1b", "[", "20", "1", "~", "\x1b[201~", "\x1b[20", "a"]), 0..30),
    ) {
        let text = pieces.concat();
        let pasted = String::from_utf8(paste(&text, true)).unwrap();
        let (inside, after) = pasted[PASTE_START.len()..].split_once(PASTE_END).unwrap();
        assert_eq!(after, "");
        if !text.contains(PASTE_END) {
            assert_eq!(inside, text);
        }
        assert_eq!(paste(&text, false), text.as_bytes());
    }

    #[test]
    fn any_keys_are_encoded_or_refused(given in vec(any::<String>(), 0..4), text in any::<String>()) {
        let input = openclaw::Input { literal: &text, hex: &given, keys: &given };
        let _ = openclaw::encode(input, CursorKeys::Unknown);
        let _ = picoclaw::encode(&text, CursorKeys::Unknown);
    }
}
