use std::collections::BTreeMap;
use std::time::Duration;

use pretty_assertions::assert_eq;
use proptest::prelude::*;

use super::*;
use crate::size::Size;

fn milliseconds(count: u64) -> Duration {
    Duration::from_millis(count)
}

fn header() -> Header {
    Header::new(Size::new(24, 80).unwrap())
}

fn recorder(recording: Recording) -> Recorder<Vec<u8>> {
    Recorder::new(Vec::new(), &header(), recording).unwrap()
}

fn text(recorder: Recorder<Vec<u8>>) -> String {
    String::from_utf8(recorder.finish().unwrap()).unwrap()
}

fn played(file: &str, pace: Pace) -> Vec<Played> {
    let mut player = Player::new(file.as_bytes(), pace).unwrap();
    std::iter::from_fn(|| player.next_event().unwrap()).collect()
}

/// All errors of a file, in its order.
fn errors(file: &[u8]) -> Vec<String> {
    let mut player = match Player::new(file, Pace::default()) {
        Ok(player) => player,
        Err(error) => return vec![error.to_string()],
    };
    let mut errors = Vec::new();
    loop {
        match player.next_event() {
            Ok(Some(_)) => {}
            Ok(None) => return errors,
            Err(error) => errors.push(error.to_string()),
        }
    }
}

#[test]
fn a_recording_is_a_file_of_lines() {
    let header = Header {
        timestamp_s: Some(1_700_000_000),
        idle_limit: Some(milliseconds(2_500)),
        command: Some("make \"all\"".to_owned()),
        title: Some("a build".to_owned()),
        environment: BTreeMap::from([
            ("TERM".to_owned(), "xterm-256color".to_owned()),
            ("TOKEN".to_owned(), "secret".to_owned()),
        ]),
        ..header()
    };
    let mut recorder = Recorder::new(Vec::new(), &header, Recording::default()).unwrap();
    recorder
        .output(milliseconds(1), b"a\x1b[1m\"\xE6\xBC")
        .unwrap();
    recorder.input(milliseconds(2), b"secret\r").unwrap();
    recorder.output(milliseconds(3), b"\xA2\xFF").unwrap();
    recorder
        .resize(milliseconds(2_004), Size::new(30, 100).unwrap())
        .unwrap();
    recorder.mark(milliseconds(5), "here").unwrap();
    recorder.output(milliseconds(2_006), b"\xE6").unwrap();
    let expected = concat!(
        r#"{"command":"make \"all\"","env":{"TERM":"xterm-256color"},"height":24,"idle_time_limit":2.5,"timestamp":1700000000,"#,
        r#""title":"a build","version":2,"width":80}"#,
        "\n",
        r#"[0.001000, "o", "a\u001b[1m\""]"#,
        "\n",
        r#"[0.003000, "o", "漢�"]"#,
        "\n",
        r#"[2.004000, "r", "100x30"]"#,
        "\n",
        r#"[2.004000, "m", "here"]"#,
        "\n",
        r#"[2.004000, "o", "�"]"#,
        "\n",
    );
    let file = text(recorder);
    assert_eq!(file, expected);
    let player = Player::new(file.as_bytes(), Pace::default()).unwrap();
    let mut read = header;
    read.environment.remove("TOKEN");
    assert_eq!(*player.header(), read);
}

#[test]
fn input_is_recorded_if_it_is_asked_for() {
    let mut recorder = recorder(Recording {
        input: Input::Recorded,
        ..Recording::default()
    });
    recorder.input(milliseconds(0), b"ls\r").unwrap();
    assert!(text(recorder).ends_with("[0.000000, \"i\", \"ls\\r\"]\n"));
}

#[test]
fn a_recording_stops_at_its_quota_with_a_marker() {
    let quota_bytes = 300;
    let mut recorder = recorder(Recording {
        quota_bytes,
        ..Recording::default()
    });
    for second in 0..100 {
        recorder
            .output(milliseconds(second * 1_000), b"0123456789")
            .unwrap();
    }
    assert!(recorder.is_full());
    let file = text(recorder);
    assert!(file.len() as u64 <= quota_bytes, "{}", file.len());
    let events = played(&file, Pace::default());
    let marker = Event::Marker("recording stopped: its quota is used up".to_owned());
    assert_eq!(events.last().unwrap().event, marker);
    assert!(events.len() > 2);
}

#[test]
fn a_quota_without_room_for_the_header_is_refused() {
    let recording = Recording {
        quota_bytes: 20,
        ..Recording::default()
    };
    let error = Recorder::new(Vec::new(), &header(), recording).unwrap_err();
    let CastError::Quota { needed_bytes, .. } = error else {
        panic!("{error}");
    };
    let recording = Recording {
        quota_bytes: needed_bytes,
        ..recording
    };
    assert!(Recorder::new(Vec::new(), &header(), recording).is_ok());
}

#[test]
fn long_output_can_be_played() {
    let mut recorder = recorder(Recording::default());
    let output = vec![1; 300_000];
    recorder.output(milliseconds(0), &output).unwrap();
    let file = text(recorder);
    let mut printed = Vec::new();
    let mut player = Player::new(file.as_bytes(), Pace::default()).unwrap();
    player
        .play(&mut printed, |_| panic!("all is due at once"))
        .unwrap();
    assert!(printed == output);
}

const PAUSES: &str = concat!(
    "{\"version\":2,\"width\":80,\"height\":24,\"idle_time_limit\":4}\n",
    "[1, \"o\", \"a\"]\n[11.0, \"o\", \"b\"]\n\n[11.5, \"x\", \"0\"]\n[5, \"m\", \"c\"]\n[12, \"o\", \"d\"]\n",
);

#[test]
fn the_pace_says_when_events_are_due() {
    let due = |speed, idle_limit| {
        let events = played(PAUSES, Pace { speed, idle_limit });
        events
            .iter()
            .map(|played| played.play_at.as_millis())
            .collect::<Vec<_>>()
    };
    assert_eq!(due(1.0, None), [1_000, 5_000, 5_000, 6_000]);
    assert_eq!(due(2.0, Some(milliseconds(500))), [250, 500, 500, 750]);
    assert_eq!(
        due(0.5, Some(milliseconds(60_000))),
        [2_000, 22_000, 22_000, 24_000]
    );
    assert_eq!(due(f64::MIN_POSITIVE, None).len(), 4);
    let recorded: Vec<_> = played(PAUSES, Pace::default())
        .iter()
        .map(|played| played.recorded_at.as_secs())
        .collect();
    assert_eq!(recorded, [1, 11, 11, 12]);
}

#[test]
fn playing_waits_before_what_is_due_later() {
    let (mut printed, mut waits) = (Vec::new(), Vec::new());
    let mut player = Player::new(PAUSES.as_bytes(), Pace::default()).unwrap();
    player
        .play(&mut printed, |pause| waits.push(pause.as_secs()))
        .unwrap();
    assert_eq!(printed, b"abd");
    assert_eq!(waits, [1, 4, 1]);
}

#[test]
fn speeds_that_are_none_are_refused() {
    for speed in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let pace = Pace {
            speed,
            ..Pace::default()
        };
        assert!(
            matches!(
                Player::new(PAUSES.as_bytes(), pace),
                Err(CastError::Speed(_))
            ),
            "{speed}"
        );
    }
}

#[test]
fn files_of_other_kinds_are_refused() {
    let table = [
        (
            "",
            "line 1: no header of an asciicast: EOF while parsing a value at line 1 column 0",
        ),
        ("[]\n", "line 1: no header of an asciicast: it is no object"),
        (
            "{}\n",
            "line 1: no header of an asciicast: it has no version",
        ),
        (
            "{\"version\":3,\"term\":{\"cols\":80,\"rows\":24}}\n[0.1,\"o\",\"a\"]\n",
            "line 1: this is asciicast version 3, only version 2 is supported: convert it with `asciinema convert`",
        ),
        (
            "{\"version\":1,\"width\":80,\"height\":24,\"stdout\":[]}",
            "line 1: this is asciicast version 1, only version 2 is supported: convert it with `asciinema convert`",
        ),
        (
            "{\"version\":2,\"width\":80}",
            "line 1: no header of an asciicast: `height` is no number",
        ),
        (
            "{\"version\":2,\"width\":0,\"height\":99999}",
            "line 1: no header of an asciicast: a screen cannot have 65535 rows and 0 columns: each is from 1 to 1000",
        ),
    ];
    for (file, error) in table {
        assert_eq!(errors(file.as_bytes()), [error], "{file}");
    }
}

#[test]
fn lines_that_are_no_events_are_named_and_passed() {
    let mut file = b"{\"version\":2,\"width\":80,\"height\":24}\n[0,\"o\",\"a\"]\n[\"o\",\"a\"]\n[-1,\"o\",\"a\"]\n[1,\"r\",\"80\"]\n".to_vec();
    file.extend_from_slice(b"[1,\"r\",\"80x0\"]\n\xFF\n");
    file.extend(vec![b'['; 3 * 1024 * 1024]);
    file.extend_from_slice(b"\n[1,\"o\",\"a\"]\n[1,\"o\",\"to");
    let expected = [
        "line 3: no event of an asciicast: invalid type: string \"o\", expected f64 at line 1 column 4",
        "line 4: no event of an asciicast: the time `-1` is none",
        "line 5: no event of an asciicast: the size `80` is none",
        "line 6: no event of an asciicast: a screen cannot have 0 rows and 80 columns: each is from 1 to 1000",
        "line 7: no event of an asciicast: it is no UTF-8",
        "line 8: longer than 1048576 bytes",
        "line 10: no event of an asciicast: EOF while parsing a string at line 1 column 10",
    ];
    assert_eq!(errors(&file), expected);
}

proptest! {
    #[test]
    fn what_was_recorded_is_played(bytes: Vec<u8>, size in 1_usize..20) {
        let mut recorder = recorder(Recording::default());
        for (time, chunk) in (0..).zip(bytes.chunks(size)) {
            recorder.output(milliseconds(time), chunk).unwrap();
        }
        let file = text(recorder);
        let mut printed = Vec::new();
        Player::new(file.as_bytes(), Pace::default()).unwrap().play(&mut printed, |_| ()).unwrap();
        prop_assert_eq!(String::from_utf8(printed).unwrap(), String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn no_file_panics(file in r#"(\{"version":2,"width":80,"height":24\}\n)?([\[\]{}",:0-9eE+.\-orimx\n \\u]|\[1e9, "o", "a"\]\n|\[1e300, "o", ""\]\n){0,60}"#) {
        let _ = errors(file.as_bytes());
    }
}
