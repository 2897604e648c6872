//! The command line: exit codes and streams of `run`, and what the other subcommands print.

mod run_cli {
    mod config;
    mod endings;
    mod rules;
    mod streams;
    mod subcommands;
    mod tree;
}
