//! Any text: no panic, spans on character boundaries, plain quoting read back.

use execgate_shell::{Source, Span, analyze};
use proptest::prelude::*;

fn check(text: &str) {
    let line = analyze(&Source {
        text,
        ..Source::default()
    });
    let inside = |span: Span| text.get(span.start as usize..span.end as usize).is_some();
    for segment in &line.segments {
        assert!(inside(segment.span), "{:?} in {text:?}", segment.span);
        assert!(
            segment.words.iter().all(|word| inside(word.span)),
            "{text:?}"
        );
        assert!(
            segment
                .redirects
                .iter()
                .all(|redirect| inside(redirect.span) && inside(redirect.target.span)),
            "{text:?}"
        );
        assert!(
            segment
                .assignments
                .iter()
                .all(|assignment| inside(assignment.span)),
            "{text:?}"
        );
    }
    assert!(
        line.opaque.iter().all(|opaque| inside(opaque.span)),
        "{:?} in {text:?}",
        line.opaque
    );
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_texts_are_survived(text in any::<String>()) {
        check(&text);
    }

    #[test]
    fn texts_of_grammar_pieces_are_survived(pieces in prop::collection::vec(prop::sample::select(vec![
        "$(", ")", "((", "))", "${", "}", "\"", "'", "`", "\\", "\n", " ", ";", "&", "|", "<", ">", "<<E", "<<-E", "E", "{", "[[", "]]", "case", "in", "esac",
        "if", "then", "fi", "for", "do", "done", "x=", "$x", "a", "é", "$'", "[", "]", "=(", "*", "~", "#", "!", "eval ", "sh -c ", "xargs ", "find -exec ", "function ", "coproc ",
    ]), 0..40)) {
        check(&pieces.concat());
    }

    #[test]
    fn quoted_words_are_read_back(words in prop::collection::vec("[^\0']{0,12}", 1..6)) {
        let text = words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" ");
        let text = format!("echo {text}");
        let line = analyze(&Source { text: &text, ..Source::default() });
        let values: Vec<_> = line.segments[0].words.iter().skip(1).map(|word| word.value.clone()).collect();
        prop_assert_eq!(values, words.into_iter().map(Some).collect::<Vec<_>>());
    }
}
