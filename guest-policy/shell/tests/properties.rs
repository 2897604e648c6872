//! Any text: no panic, spans on character boundaries, plain quoting read back.

use execgate_shell::{Dialect, Source, Span, analyze};
use proptest::prelude::*;

fn check(text: &str) {
    for dialect in [
        Dialect::Bash,
        Dialect::Posix,
        Dialect::PowerShell,
        Dialect::Cmd,
    ] {
        check_as(text, dialect);
    }
}

fn check_as(text: &str, dialect: Dialect) {
    let line = analyze(&Source {
        text,
        dialect,
        home: Some("C:\\Users\\é"),
        cwd: Some("C:\\Users\\é\\p"),
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
    fn texts_of_pieces_of_windows_shells_are_survived(pieces in prop::collection::vec(prop::sample::select(vec![
        "$(", "@(", "@{", "(", ")", "{", "}", "[", "]", "\"", "'", "`", "^", "\n", "\r\n", " ", ";", "&", "|", "&&", "||", "<", ">", ">>", "2>&1", "*>", "@'\n", "\n'@", "@\"\n", "\n\"@",
        "<#", "#>", "#", "$x", "${x}", "$env:x", "$x.y", "$x::y", "[int]", ".y()", "=", "+=", ",", "-not", "-eq", "-f", "\u{2013}", "\u{201c}", "\u{2019}", "é", "a", "1", "1.5", "%", "%a", "%a%",
        "%%", "%~dp0", "!a!", "if", "else", "elseif", "for", "foreach", "in", "do", "while", "until", "switch", "try", "catch", "finally", "function f", "param", "return", "rem ", "set x=", "echo ",
        "call ", "start ", "if exist a ", "if a==b ", "for %i in (", ") do ", "for /f %i in ('", "iex ", "& ", ". ", "cmd /c ", "powershell -c ", "powershell -e YQA= ", "bash -c ", "wsl ", "--% ", ":", "\\",
    ]), 0..40)) {
        check(&pieces.concat());
    }

    #[test]
    fn quoted_words_of_powershell_are_read_back(words in prop::collection::vec("[^\0'\u{2018}-\u{201b}]{0,12}", 1..6)) {
        let text = words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" ");
        let text = format!("echo {text}");
        let line = analyze(&Source { text: &text, dialect: Dialect::PowerShell, ..Source::default() });
        let values: Vec<_> = line.segments[0].words.iter().skip(1).map(|word| word.value.clone()).collect();
        prop_assert_eq!(values, words.into_iter().map(Some).collect::<Vec<_>>());
    }

    #[test]
    fn quoted_words_of_cmd_are_read_back(words in prop::collection::vec("[a-zA-Z0-9 &|<>()^;,=.:é-]{0,12}", 1..6)) {
        let text = words.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(" ");
        let text = format!("prog {text}");
        let line = analyze(&Source { text: &text, dialect: Dialect::Cmd, ..Source::default() });
        let values: Vec<_> = line.segments[0].words.iter().skip(1).map(|word| word.value.clone()).collect();
        prop_assert_eq!(values, words.into_iter().map(Some).collect::<Vec<_>>());
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
