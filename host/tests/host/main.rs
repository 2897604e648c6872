//! The host with real components: good ones, and every bad one of `tests/guests/bad`.
#![expect(clippy::unwrap_used, reason = "helpers of tests are tests too")]

mod cache;
mod faults;
mod loading;
mod measure;
mod quarantine;
mod support;
mod swap;
