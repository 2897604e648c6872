//! The host with real components: good ones, and every bad one of `tests/guests/bad`.

mod cache;
mod faults;
mod loading;
mod measure;
mod quarantine;
mod support;
mod swap;
