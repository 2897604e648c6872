//! Any text is survived, and what `bash -n` accepts has no syntax obstacle.
#![no_main]

use std::process::{Command, Stdio};

use execgate_shell::{OpaqueReason, Source, analyze};
use libfuzzer_sys::fuzz_target;

/// Forms that bash looks into only when it runs them.
const LATE: [&str; 6] = ["((", "<<", "`", "eval", "trap", "sh"];

fuzz_target!(|text: &str| {
    let line = analyze(&Source { text, ..Source::default() });
    let refused = line.opaque.iter().any(|opaque| opaque.reason == OpaqueReason::Syntax);
    if refused && !text.starts_with(['-', '+']) && !LATE.iter().any(|form| text.contains(form)) {
        let bash = Command::new("bash").args(["--norc", "-n", "-c", text]).stdin(Stdio::null()).output();
        let accepted = bash.is_ok_and(|output| output.status.success() && output.stderr.is_empty());
        assert!(!accepted, "bash accepts {text:?}: {:?}", line.opaque);
    }
});
