//! Any text is survived in every dialect, and what `bash -n` accepts has no syntax obstacle.
#![no_main]

use std::process::{Command, Stdio};

use execgate_knowledge::carriers::CARRIERS;
use execgate_shell::{Dialect, OpaqueReason, Source, Span, analyze};
use libfuzzer_sys::fuzz_target;

/// Forms whose inside bash reads only when it runs them.
const LATE: [&str; 8] = ["((", "$[", "<<", "`", "eval", "trap", "sh", "BASH_ENV"];

/// Shells with a language of their own, whose texts bash does not look into.
const WINDOWS: [&str; 3] = ["cmd", "powershell", "pwsh"];

fuzz_target!(|text: &str| {
    for dialect in [Dialect::Posix, Dialect::PowerShell, Dialect::Cmd] {
        survives(text, dialect);
    }
    let source = Source {
        text,
        ..Source::default()
    };
    let line = analyze(&source);
    let refused = line
        .opaque
        .iter()
        .find(|opaque| opaque.reason == OpaqueReason::Syntax);
    if let Some(obstacle) = refused
        && !is_read_later(text)
    {
        assert!(!bash_accepts(text), "bash accepts {text:?}: {obstacle:?}");
    }
});

/// Analyses, and looks at all spans.
fn survives(text: &str, dialect: Dialect) {
    let line = analyze(&Source {
        text,
        dialect,
        home: Some("/home/é"),
        cwd: Some("C:\\é"),
        ..Source::default()
    });
    let inside = |span: Span| text.get(span.start as usize..span.end as usize).is_some();
    for segment in &line.segments {
        let words = segment.words.iter().map(|word| word.span);
        let targets = segment.redirects.iter().map(|redirect| redirect.target.span);
        let spans = words.chain(targets).chain([segment.span]);
        spans.for_each(|span| assert!(inside(span), "{span:?} in {text:?} as {dialect:?}"));
    }
    assert!(line.opaque.iter().all(|opaque| inside(opaque.span)), "{text:?} as {dialect:?}");
}

/// Whether a part of the text may be one that bash reads only when it runs it, so that `-n` does not look at it.
fn is_read_later(text: &str) -> bool {
    let carries = |name: &&str| text.contains(name);
    let subscript = text
        .find('[')
        .is_some_and(|open| text[open..].contains("$("));
    text.starts_with(['-', '+'])
        || subscript
        || has_bad_substitution(text)
        || has_empty_condition(text)
        || LATE.iter().any(|form| text.contains(form))
        || WINDOWS.iter().any(|name| text.to_ascii_lowercase().contains(name))
        || CARRIERS
            .iter()
            .any(|carrier| carrier.names.iter().any(carries))
}

/// Whether an expansion may have an operator that there is not, with quotes somewhere behind it: bash finds its end by other rules than of any
/// that it would make, and makes none.
fn has_bad_substitution(text: &str) -> bool {
    text.match_indices("${").any(|(at, _)| {
        let rest = text[at + 2..].trim_start_matches(['#', '!']);
        let is_digits = rest.starts_with(|first: char| first.is_ascii_digit());
        let part = |letter: char| match is_digits {
            true => letter.is_ascii_digit(),
            false => letter.is_ascii_alphanumeric() || letter == '_',
        };
        let after = rest.trim_start_matches(part);
        let is_known = after.starts_with([':', '-', '=', '+', '?', '%', '/', '^', ',', '@', '}']);
        // Within double quotes the same is true of single quotes in a default, and everywhere of those in an offset.
        let has_default = after.starts_with(':')
            || after.starts_with(['-', '=', '+', '?']) && text[..at].contains('"');
        !is_known && after.contains(['\'', '"', '\\']) || has_default && after.contains('\'')
    })
}

/// Whether there is a `[[ ]]`: there `bash -n` stops without a word.
fn has_empty_condition(text: &str) -> bool {
    let mut conditions = text.match_indices("[[");
    conditions.any(|(at, _)| text[at + 2..].trim_start().starts_with("]]"))
}

fn bash_accepts(text: &str) -> bool {
    let bash = Command::new("bash")
        .args(["--norc", "-n", "-c", text])
        .stdin(Stdio::null())
        .output();
    bash.is_ok_and(|output| output.status.success() && output.stderr.is_empty())
}
