//! The import `counters`: the only memory a policy has. One set a slot, in memory only.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::bindings::execgate::policy::counters::Host;
use crate::fault::Raised;
use crate::state::State;

/// Names of a slot, as the contract says.
const NAMES: usize = 1024;
/// Bytes of a name.
const NAME: usize = 256;
/// Additions that are told apart; older ones are merged.
const ENTRIES: usize = 256;

/// The counters of one slot.
#[derive(Default)]
pub(crate) struct Counters(Mutex<HashMap<String, Counter>>);

#[derive(Default)]
struct Counter {
    entries: VecDeque<(Instant, u64)>,
    /// The longest window that was ever asked for: what is older can be forgotten.
    longest: Duration,
}

impl Counter {
    fn add(&mut self, amount: u32, now: Instant) {
        if self.entries.len() == ENTRIES {
            // The older of two counts as the younger: a limit holds for a
            // little longer then, never for less.
            let oldest = self.entries.pop_front().map_or(0, |(_, amount)| amount);
            if let Some((_, amount)) = self.entries.front_mut() {
                *amount = amount.saturating_add(oldest);
            }
        }
        self.entries.push_back((now, u64::from(amount)));
    }

    fn sum(&mut self, window: Duration, now: Instant) -> u64 {
        self.longest = self.longest.max(window);
        while self
            .entries
            .front()
            .is_some_and(|(at, _)| now.duration_since(*at) > self.longest)
        {
            self.entries.pop_front();
        }
        let within = |at: &Instant| now.duration_since(*at) <= window;
        let amounts = self.entries.iter().filter(|(at, _)| within(at));
        amounts.fold(0, |sum: u64, (_, amount)| sum.saturating_add(*amount))
    }

    fn is_over(&self, now: Instant) -> bool {
        let last = self.entries.back();
        last.is_none_or(|(at, _)| now.duration_since(*at) > self.longest)
    }
}

impl Counters {
    fn add(
        &self,
        name: String,
        amount: u32,
        window: Duration,
        now: Instant,
    ) -> Result<u64, String> {
        let mut counters = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if name.len() > NAME {
            return Err(format!(
                "the name has {} bytes, at most {NAME} are allowed",
                name.len()
            ));
        }
        if counters.len() >= NAMES && !counters.contains_key(&name) {
            counters.retain(|_, counter| !counter.is_over(now));
            if counters.len() >= NAMES {
                return Err(format!("{NAMES} counters are in use, no more are kept"));
            }
        }
        let counter = counters.entry(name).or_default();
        counter.add(amount, now);
        Ok(counter.sum(window, now))
    }

    fn sum(&self, name: &str, window: Duration, now: Instant) -> u64 {
        let mut counters = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let counter = counters.get_mut(name);
        counter.map_or(0, |counter| counter.sum(window, now))
    }
}

impl State {
    fn counters(&self) -> wasmtime::Result<Arc<Counters>> {
        let granted = self.services.counters.clone();
        granted.ok_or_else(|| Raised::Malformed("it was not granted `counters`".into()).into())
    }
}

impl Host for State {
    fn add(
        &mut self,
        name: String,
        amount: u32,
        window_ms: u64,
    ) -> wasmtime::Result<Result<u64, String>> {
        self.bill(name.len() + ENTRIES)?;
        let window = Duration::from_millis(window_ms);
        Ok(self.counters()?.add(name, amount, window, Instant::now()))
    }

    fn sum(&mut self, name: String, window_ms: u64) -> wasmtime::Result<u64> {
        self.bill(name.len() + ENTRIES)?;
        let window = Duration::from_millis(window_ms);
        Ok(self.counters()?.sum(&name, window, Instant::now()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn sums_cover_the_window_only() {
        let counters = Counters::default();
        let start = Instant::now();
        let add = |at: u32| {
            counters
                .add("a".into(), 1, 10 * SECOND, start + at * SECOND)
                .unwrap()
        };
        assert_eq!((add(0), add(5), add(10), add(11)), (1, 2, 3, 3));
        assert_eq!(counters.sum("a", SECOND, start + 11 * SECOND), 2);
        assert_eq!(counters.sum("b", SECOND, start), 0);
    }

    #[test]
    fn many_additions_lose_nothing_and_take_bounded_space() {
        let counters = Counters::default();
        let start = Instant::now();
        let mut sum = 0;
        for index in 0..10_000 {
            let now = start + Duration::from_micros(index);
            sum = counters.add("a".into(), 2, 60 * SECOND, now).unwrap();
        }
        assert_eq!(sum, 20_000);
        assert_eq!(counters.0.lock().unwrap()["a"].entries.len(), ENTRIES);
    }

    #[test]
    fn names_are_bounded_and_stale_ones_make_room() {
        let counters = Counters::default();
        let start = Instant::now();
        for index in 0..NAMES {
            counters.add(index.to_string(), 1, SECOND, start).unwrap();
        }
        assert!(counters.add("more".into(), 1, SECOND, start).is_err());
        assert_eq!(counters.add("0".into(), 1, SECOND, start), Ok(2));
        assert_eq!(
            counters.add("more".into(), 1, SECOND, start + 2 * SECOND),
            Ok(1)
        );
    }
}
