//! Any text is survived, and what `bash -n` accepts has no syntax obstacle.
#![no_main]

use std::process::{Command, Stdio};

use execgate_knowledge::carriers::CARRIERS;
use execgate_shell::{OpaqueReason, Source, analyze};
use libfuzzer_sys::fuzz_target;

/// Forms whose inside bash reads only when it runs them.
const LATE: [&str; 8] = ["((", "$[", "<<", "`", "eval", "trap", "sh", "BASH_ENV"];

fuzz_target!(|text: &str| {
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

/// Whether a part of the text may be one that bash reads only when it runs it, so that `-n` does not look at it.
fn is_read_later(text: &str) -> bool {
    let carries = |name: &&str| text.contains(name);
    let subscript = text
        .find('[')
        .is_some_and(|open| text[open..].contains("$("));
    text.starts_with(['-', '+'])
        || subscript
        || LATE.iter().any(|form| text.contains(form))
        || CARRIERS
            .iter()
            .any(|carrier| carrier.names.iter().any(carries))
}

fn bash_accepts(text: &str) -> bool {
    let bash = Command::new("bash")
        .args(["--norc", "-n", "-c", text])
        .stdin(Stdio::null())
        .output();
    bash.is_ok_and(|output| output.status.success() && output.stderr.is_empty())
}
