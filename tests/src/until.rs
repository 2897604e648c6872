//! Waiting for what nobody announces.

use std::thread;
use std::time::{Duration, Instant};

use crate::DEADLINE;

/// Time between two looks: leaves the processor to what is waited for.
const PAUSE: Duration = Duration::from_millis(2);

/// Looks again and again until something is so. Answers whether it is, at the latest when the deadline passes.
pub fn comes_true(mut condition: impl FnMut() -> bool) -> bool {
    let end = Instant::now() + DEADLINE;
    loop {
        if condition() {
            return true;
        }
        if Instant::now() >= end {
            return false;
        }
        thread::sleep(PAUSE);
    }
}
