//! What became of the rows of a table.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::{rows, text};

/// Counts rows, and keeps what is wrong with them.
#[derive(Debug)]
pub struct Tally {
    overrides: BTreeMap<String, Value>,
    /// Rows that were looked at.
    pub count: usize,
    /// Those among them for which a decision has another result.
    pub overridden: usize,
    /// What is wrong, a text for each row.
    pub wrong: Vec<String>,
}

impl Default for Tally {
    fn default() -> Self {
        Self::new()
    }
}

impl Tally {
    /// Counts from nothing, with the decisions of `overrides.jsonl`.
    ///
    /// # Panics
    /// The table of decisions is not there.
    pub fn new() -> Self {
        let by_id = |row: Value| (text(&row, "id").to_owned(), row["expected"].clone());
        Self {
            overrides: rows("overrides.jsonl").into_iter().map(by_id).collect(),
            count: 0,
            overridden: 0,
            wrong: Vec::new(),
        }
    }

    /// Counts a row whose result is the one observed, or the one that a decision puts in its place.
    ///
    /// # Panics
    /// The row has no id.
    pub fn compare(&mut self, row: &Value, observed: Value, found: &Value) {
        let expected = self.expected(row, observed);
        self.settle(row, &expected, found);
    }

    /// Counts a row that states properties, of which these do not hold.
    ///
    /// # Panics
    /// The row has no id.
    pub fn check(&mut self, row: &Value, problems: &[String]) {
        self.count += 1;
        let id = text(row, "id");
        self.wrong
            .extend(problems.iter().map(|problem| format!("{id}: {problem}")));
    }

    /// What is right for a row: the result observed, or the one that a decision puts in its place.
    ///
    /// # Panics
    /// The row has no id.
    pub fn expected(&mut self, row: &Value, observed: Value) -> Value {
        let id = text(row, "id");
        let Some(own) = self.overrides.get(id) else {
            return observed;
        };
        self.overridden += 1;
        if *own == observed {
            self.wrong.push(format!("{id} needs no override"));
        }
        own.clone()
    }

    /// Counts a row of which all that is right is known.
    ///
    /// # Panics
    /// The row has no id.
    pub fn settle(&mut self, row: &Value, expected: &Value, found: &Value) {
        self.count += 1;
        if found != expected {
            let id = text(row, "id");
            self.wrong
                .push(format!("{id}: {found}\n    expected {expected}"));
        }
    }

    /// Counts a row where objects that were found may hold more than is expected.
    ///
    /// # Panics
    /// The row has no id.
    pub fn settle_known(&mut self, row: &Value, expected: &Value, found: &Value) {
        self.settle(row, expected, &reduced(found, expected));
    }
}

/// Without what is not asked for: keys of objects that `asked` does not have.
fn reduced(found: &Value, asked: &Value) -> Value {
    match (found, asked) {
        (Value::Object(found), Value::Object(asked)) => {
            let keep = |(name, value): (&String, &Value)| {
                Some((name.clone(), reduced(value, asked.get(name)?)))
            };
            Value::Object(found.iter().filter_map(keep).collect::<Map<_, _>>())
        }
        (Value::Array(found), Value::Array(asked)) if found.len() == asked.len() => found
            .iter()
            .zip(asked)
            .map(|(found, asked)| reduced(found, asked))
            .collect(),
        _ => found.clone(),
    }
}
