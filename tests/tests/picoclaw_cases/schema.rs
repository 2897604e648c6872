//! What the tool's schema takes.

use execgate_tests::{Tally, text};
use serde_json::Value;

use super::place::{Place, Settings};

const PREFIX: &str = "invalid arguments for tool \"exec\": ";

/// The observed messages end with the name of a type of the other program's language, which is left out.
pub fn check(row: &Value, tally: &mut Tally) {
    let answer = Place::new(&Settings::default())
        .call()
        .exec(row["input"].clone());
    let complaint = answer
        .text()
        .strip_prefix(PREFIX)
        .map(without_type)
        .unwrap_or_default();
    let observed = without_type(text(&row["result"], "error"));
    tally.compare(row, observed.into(), &complaint.into());
}

fn without_type(text: &str) -> &str {
    text.split(", got ").next().unwrap_or_default()
}
