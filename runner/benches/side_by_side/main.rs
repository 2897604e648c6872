//! Side-by-side measurements: the same work by execgate and by the plainest program that does it, in one run.
//!
//! `cargo bench --bench side_by_side` prints a table of medians and ratios and
//! writes `target/bench/side_by_side.json`. Nothing is asserted: machines
//! differ, and the ratios of one run are what counts.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    missing_docs,
    reason = "a benchmark prints, and stops at the first thing that fails"
)]

mod capture;
mod command;
mod sessions;
mod start;
mod stats;
mod swap;
mod verdict;

use stats::Table;

fn main() {
    // `cargo test` builds and starts benches with `--test`: then there is nothing to measure.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let wanted: Vec<String> = std::env::args()
        .skip(1)
        .filter(|one| !one.starts_with("--"))
        .collect();
    let runs =
        |name: &str| wanted.is_empty() || wanted.iter().any(|one| name.contains(one.as_str()));
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    let mut table = Table::new();
    if runs("verdict") {
        runtime.block_on(verdict::measure(&mut table));
    }
    if runs("swap") {
        runtime.block_on(swap::measure(&mut table));
    }
    if runs("command") {
        runtime.block_on(command::measure(&mut table));
    }
    if runs("capture") {
        runtime.block_on(capture::measure(&mut table));
    }
    if runs("sessions") {
        runtime.block_on(sessions::measure(&mut table));
    }
    if runs("start") {
        start::measure(&mut table);
    }
    table.print();
    table.write();
}
