//! Percentiles, and the table they end up in.

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

/// Times of one kind of work.
#[derive(Default)]
pub struct Times(Vec<Duration>);

impl Times {
    pub fn add(&mut self, time: Duration) {
        self.0.push(time);
    }

    /// The time that a share of all do not exceed.
    pub fn percentile(&mut self, share: f64) -> Duration {
        self.0.sort_unstable();
        let last = self.0.len() - 1;
        self.0[((last as f64) * share).round() as usize]
    }

    pub fn micros(&mut self, share: f64) -> f64 {
        self.percentile(share).as_secs_f64() * 1e6
    }
}

/// Rows of name, execgate's figure, the baseline's, and their ratio.
#[derive(Default)]
pub struct Table {
    rows: Vec<Row>,
}

struct Row {
    name: String,
    unit: &'static str,
    ours: f64,
    baseline: Option<f64>,
    budget: &'static str,
}

impl Table {
    pub fn new() -> Self {
        Self::default()
    }

    /// A figure beside the same work done by a plain program.
    pub fn compare(
        &mut self,
        name: &str,
        unit: &'static str,
        (ours, baseline): (f64, f64),
        budget: &'static str,
    ) {
        self.rows.push(Row {
            name: name.to_owned(),
            unit,
            ours,
            baseline: Some(baseline),
            budget,
        });
    }

    /// A figure without a counterpart.
    pub fn report(&mut self, name: &str, unit: &'static str, ours: f64, budget: &'static str) {
        self.rows.push(Row {
            name: name.to_owned(),
            unit,
            ours,
            baseline: None,
            budget,
        });
    }

    pub fn print(&self) {
        println!("| what | unit | execgate | baseline | ratio | budget |");
        println!("|---|---|---|---|---|---|");
        for Row {
            name,
            unit,
            ours,
            baseline,
            budget,
        } in &self.rows
        {
            let (base, ratio) = match baseline {
                Some(base) => (format!("{base:.1}"), format!("{:.2}", ours / base)),
                None => (String::new(), String::new()),
            };
            println!("| {name} | {unit} | {ours:.1} | {base} | {ratio} | {budget} |");
        }
    }

    pub fn write(&self) {
        let rows: Vec<Value> = self
            .rows
            .iter()
            .map(|row| {
                json!({"name": row.name, "unit": row.unit, "execgate": row.ours, "baseline": row.baseline,
                       "ratio": row.baseline.map(|base| row.ours / base), "budget": row.budget})
            })
            .collect();
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/bench");
        std::fs::create_dir_all(&directory).unwrap();
        std::fs::write(
            directory.join("side_by_side.json"),
            serde_json::to_string_pretty(&rows).unwrap(),
        )
        .unwrap();
    }
}
