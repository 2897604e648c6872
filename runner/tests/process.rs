//! Processes through the keeper: one file a behaviour.
#![expect(clippy::unwrap_used, reason = "a test ends where it cannot go on")]

mod process {
    mod support;

    mod completion;
    mod endings;
    mod environment;
    mod exit;
    mod keeper_loss;
    mod leaks;
    mod output;
    mod spawn_errors;
    mod stdin;
    mod terminal;
    mod text;
}
