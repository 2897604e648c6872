//! Reading what was printed: by bytes, and by what lines match.

use execgate_tests::Answer;
use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use super::place::Place;

/// One to four bytes a character.
const TEXT: &str = "aé€😀b\nzweite Zeile ü\n日本\n";

/// A session that has printed this and ended.
fn printed(place: &mut Place, output: impl AsRef<[u8]>) -> String {
    std::fs::write(place.scratch.workspace().join("output"), output)
        .expect("the workspace can be written");
    let session = place.start("cat output");
    place.await_end(&session);
    session
}

fn number(answer: &Answer, name: &str) -> u64 {
    answer.details()[name]
        .as_u64()
        .unwrap_or_else(|| panic!("no number `{name}`: {answer:?}"))
}

/// First byte, byte behind the last, and text of a page.
fn page(place: &mut Place, session: &str, range: &Value) -> (u64, u64, String) {
    let answer = place.act("read", session, range);
    let text = answer.details()["output"].as_str().unwrap_or_default();
    (
        number(&answer, "offset"),
        number(&answer, "nextOffset"),
        text.to_owned(),
    )
}

#[test]
fn a_search_shows_matching_lines_with_their_numbers_and_what_is_around_them() {
    let mut place = Place::new();
    let session = place.start("seq 1 30");
    place.await_end(&session);
    let search = json!({"pattern": "^1[05]$", "context": 2});
    let answer = place.act("search", &session, &search);
    let expected = "8-8\n9-9\n10:10\n11-11\n12-12\n--\n13-13\n14-14\n15:15\n16-16\n17-17";
    assert_eq!(answer.text(), expected);
    let details = answer.details();
    assert_eq!(
        json!([details["totalMatches"], details["matches"][1]]),
        json!([2, {"line": 15, "text": "15", "before": ["13", "14"], "after": ["16", "17"]}])
    );
}

#[test]
fn a_search_shows_no_more_than_its_limit_and_says_how_many_there_are() {
    let mut place = Place::new();
    let session = place.start("seq 1 30");
    place.await_end(&session);
    let answer = place.act("search", &session, &json!({"pattern": "5$", "limit": 2}));
    assert!(answer.text().starts_with("5:5\n15:15\n"), "{answer:?}");
    assert!(answer.text().contains("2 of 3"), "{answer:?}");
    assert_eq!(number(&answer, "totalMatches"), 3);
    let answer = place.act("search", &session, &json!({"pattern": "nothing"}));
    assert_eq!(
        (answer.is_error(), number(&answer, "totalMatches")),
        (false, 0)
    );
}

#[test]
fn searches_that_cannot_be_are_refused() {
    let mut place = Place::new();
    let session = printed(&mut place, "one\ntwo\n");
    let table = [
        (json!({}), "search needs a `pattern`"),
        (json!({"pattern": "("}), "pattern `(` cannot be used"),
        (json!({"pattern": "[z-a]"}), "cannot be used"),
        (json!({"pattern": "x{1000}{1000}"}), "cannot be used"),
        (json!({"pattern": 1}), "\"pattern\": expected string"),
        (
            json!({"pattern": "o", "context": "x"}),
            "\"context\": expected number",
        ),
        (
            json!({"pattern": "o", "limit": []}),
            "\"limit\": expected number",
        ),
    ];
    for (search, part) in table {
        let answer = place.act("search", &session, &search);
        assert!(answer.is_error(), "{search}: {answer:?}");
        assert!(answer.text().contains(part), "`{part}` in {answer:?}");
        assert_eq!(answer.text().lines().count(), 1, "one line: {answer:?}");
    }
    let answer = place.act("search", &session, &json!({"pattern": "tw"}));
    assert_eq!(answer.text(), "2:two");
}

/// More than there is of everything is no error.
#[test]
fn a_search_takes_any_size() {
    let mut place = Place::new();
    let session = printed(&mut place, "one\ntwo\n");
    for more in [json!({"context": 1e9}), json!({"limit": 1e9})] {
        let search = super::place::merged(json!({"pattern": "one"}), &more);
        let answer = place.act("search", &session, &search);
        assert_eq!(
            (answer.is_error(), number(&answer, "totalMatches")),
            (false, 1)
        );
    }
}

#[test]
fn a_read_shows_the_bytes_that_are_asked_for() {
    let mut place = Place::new();
    let session = printed(&mut place, "0123456789");
    let mut page = |range: Value| page(&mut place, &session, &range);
    let text = |text: &str| text.to_owned();
    assert_eq!(page(json!({})), (0, 10, text("0123456789")));
    assert_eq!(page(json!({"offset": 3})), (3, 10, text("3456789")));
    assert_eq!(page(json!({"limit": 4})), (6, 10, text("6789")));
    assert_eq!(page(json!({"offset": 3, "limit": 4})), (3, 7, text("3456")));
    assert_eq!(page(json!({"offset": 10})), (10, 10, text("")));
    assert_eq!(page(json!({"offset": 1e18})), (10, 10, text("")));
    assert_eq!(
        page(json!({"offset": 0, "limit": 1e18})),
        (0, 10, text("0123456789"))
    );
}

/// A read takes nothing away and is no look: the next poll shows everything.
#[test]
fn a_read_leaves_everything_as_it_is() {
    let mut place = Place::full();
    let session = place.start("cat");
    place.write(&session, "news\n");
    place.await_output(&session, "news");
    for _ in 0..3 {
        let shown = page(&mut place, &session, &json!({"offset": 0}));
        assert_eq!(shown, (0, 5, "news\n".to_owned()));
    }
    let answer = place.poll(&session);
    assert!(answer.text().starts_with("news\n\n"), "{answer:?}");
}

/// Whoever follows `nextOffset` comes to the end, and sees every character once, whole, where a page has room for one.
#[test]
fn pages_of_any_size_join_to_the_whole_text() {
    let mut place = Place::new();
    let session = printed(&mut place, TEXT);
    for limit in 1..=TEXT.len() {
        let (mut offset, mut joined) = (0, String::new());
        loop {
            let range = json!({"offset": offset, "limit": limit});
            let answer = place.act("read", &session, &range);
            joined.push_str(answer.details()["output"].as_str().unwrap_or_default());
            let next = number(&answer, "nextOffset");
            if answer.details()["hasMore"] != true {
                break;
            }
            assert!(next > offset, "no progress at byte {offset}, limit {limit}");
            offset = next;
        }
        // What fits on no page is not shown whole.
        assert!(joined == TEXT || limit < 4, "limit {limit}: {joined}");
    }
}

/// Of a character that begins before a page, or ends behind it, nothing is shown where there is room for a whole one.
#[test]
fn the_last_page_begins_with_a_whole_character() {
    let mut place = Place::new();
    let session = printed(&mut place, "ab😀cd");
    let shown = page(&mut place, &session, &json!({"limit": 4}));
    assert!(!shown.2.contains('\u{fffd}'), "{shown:?}");
    assert!(shown.2.ends_with("cd"), "{shown:?}");
    let shown = page(&mut place, &session, &json!({"offset": 0, "limit": 4}));
    assert_eq!(shown, (0, 2, "ab".to_owned()));
}

#[test]
fn raw_bytes_keep_terminal_control_and_plain_text_has_none() {
    let mut place = Place::new();
    let session = printed(&mut place, "x\x1b[31mred\x1b[0my\n");
    let plain = page(&mut place, &session, &json!({}));
    assert_eq!(plain, (0, 15, "xredy\n".to_owned()));
    let raw = page(&mut place, &session, &json!({"raw": true}));
    assert_eq!(raw.2, "x\x1b[31mred\x1b[0my\n");
    // A page that begins within a sequence does not show the rest of it as text.
    let (_, _, text) = page(&mut place, &session, &json!({"offset": 3, "limit": 5}));
    assert_eq!(text, "re");
}

#[test]
fn what_is_no_text_is_replaced_and_stays_readable() {
    let mut place = Place::new();
    let session = printed(&mut place, b"ok \xff\xfe end\n");
    let (from, to, text) = page(&mut place, &session, &json!({}));
    assert_eq!((from, to), (0, 10));
    assert!(
        text.starts_with("ok \u{fffd}") && text.ends_with(" end\n"),
        "{text:?}"
    );
}

/// Bytes that the ring has dropped are told, not made up.
#[test]
fn what_is_no_longer_kept_is_skipped_and_counted() {
    let mut place = Place::with(&[
        ("EXECGATE_EXEC_MAX_OUTPUT_CHARS", "1000"),
        ("EXECGATE_EXEC_RING_BYTES", "8192"),
    ]);
    let output: String = (0..20_000).map(|line| format!("{line:07}\n")).collect();
    let session = printed(&mut place, &output);
    let answer = place.act("read", &session, &json!({"offset": 100, "limit": 50}));
    let details = answer.details();
    let dropped = number(&answer, "droppedBytes");
    assert!((1..160_000).contains(&dropped), "{answer:?}");
    assert_eq!(
        json!([
            details["offset"],
            details["skippedBytes"],
            details["totalBytes"],
            details["hasMore"]
        ]),
        json!([dropped, dropped - 100, 160_000, true])
    );
    let first = usize::try_from(dropped).expect("it fits");
    assert_eq!(details["output"], output[first..first + 50]);
}

#[test]
fn ranges_that_cannot_be_are_refused() {
    let mut place = Place::new();
    let session = printed(&mut place, "0123456789");
    let table = [
        (json!({"offset": -1}), "offset must be"),
        (json!({"offset": 1.5}), "offset must be"),
        (json!({"offset": "x"}), "\"offset\": expected number"),
        (json!({"offset": null}), "\"offset\": expected number"),
        (json!({"limit": -1}), "limit must be"),
        (json!({"limit": 0}), "limit must be"),
        (json!({"limit": 0.5}), "limit must be"),
        (json!({"limit": "x"}), "\"limit\": expected number"),
        (json!({"raw": "perhaps"}), "\"raw\": expected boolean"),
        (json!({"bytes": 5}), "unexpected property \"bytes\""),
    ];
    for (range, part) in table {
        let answer = place.act("read", &session, &range);
        assert!(answer.is_error(), "{range}: {answer:?}");
        assert!(answer.text().contains(part), "`{part}` in {answer:?}");
        assert_eq!(answer.text().lines().count(), 1, "one line: {answer:?}");
    }
    let whole = page(&mut place, &session, &json!({}));
    assert_eq!(whole, (0, 10, "0123456789".to_owned()));
}
