//! A thousand sessions at random: not a byte lost or doubled, and nothing left behind.
#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test stops at the first thing that is not as expected, and says what it counted"
)]

mod stress {
    mod leftovers;
    mod random;
    mod sessions;
}
