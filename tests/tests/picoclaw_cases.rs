//! PicoClaw's table: what was observed on its program, or follows from its document, asked of this one.

mod picoclaw_cases {
    mod answer;
    mod derived;
    mod exec;
    mod guard;
    mod place;
    mod schema;

    use std::collections::BTreeMap;

    use execgate_tests::{rows, text};
    use serde_json::Value;

    /// Areas that need sessions, a terminal or a sandbox.
    const OTHER_AREAS: &[&str] = &[
        "session",
        "read",
        "wait",
        "notify",
        "kill",
        "pty",
        "isolation",
        "exitcode",
    ];

    /// Kinds that need sessions, another program's registry, or Windows.
    const OTHER_KINDS: &[&str] = &[
        "keys",
        "keymode",
        "registry-sanitize",
        "guard-windows-patterns",
    ];

    /// What became of the rows.
    #[derive(Default)]
    struct Tally {
        overrides: BTreeMap<String, Value>,
        count: usize,
        overridden: usize,
        wrong: Vec<String>,
    }

    impl Tally {
        fn new() -> Self {
            let by_id = |row: Value| (text(&row, "id").to_owned(), row["expected"].clone());
            Self {
                overrides: rows("overrides.jsonl").into_iter().map(by_id).collect(),
                ..Self::default()
            }
        }

        /// Counts a row whose result is the one observed, or the one that a decision puts in its place.
        fn compare(&mut self, row: &Value, observed: Value, found: &Value) {
            let id = text(row, "id");
            let expected = match self.overrides.get(id) {
                Some(own) => {
                    self.overridden += 1;
                    if *own == observed {
                        self.wrong.push(format!("{id} needs no override"));
                    }
                    own.clone()
                }
                None => observed,
            };
            self.count += 1;
            if *found != expected {
                self.wrong
                    .push(format!("{id}: {found}\n    expected {expected}"));
            }
        }

        /// Counts a row that states properties, of which these do not hold.
        fn check(&mut self, row: &Value, problems: &[String]) {
            self.count += 1;
            let id = text(row, "id");
            self.wrong
                .extend(problems.iter().map(|problem| format!("{id}: {problem}")));
        }
    }

    fn is_other(row: &Value) -> bool {
        let area = row["area"].as_str().unwrap_or_default();
        let is_session_row = OTHER_AREAS.contains(&area) && row["kind"] != "guard";
        is_session_row || OTHER_KINDS.contains(&text(row, "kind"))
    }

    #[test]
    fn every_row_is_answered_as_observed_or_as_decided() {
        let (other, table): (Vec<Value>, Vec<Value>) =
            rows("picoclaw.jsonl").into_iter().partition(is_other);
        let of_kind = |kind: &str| -> Vec<&Value> {
            table.iter().filter(|row| row["kind"] == kind).collect()
        };
        let mut tally = Tally::new();
        guard::check(&of_kind("guard"), &mut tally);
        for row in of_kind("exec") {
            exec::check(row, &mut tally);
        }
        for row in of_kind("derived") {
            derived::check(row, &mut tally);
        }
        for row in of_kind("schema") {
            schema::check(row, &mut tally);
        }
        println!(
            "picoclaw: {} cases, {} overridden, {} wrong ({} rows about sessions, terminals, sandboxes and Windows left out)",
            tally.count,
            tally.overridden,
            tally.wrong.len(),
            other.len()
        );
        assert_eq!(tally.count, table.len(), "every row was looked at");
        assert!(tally.wrong.is_empty(), "{}", tally.wrong.join("\n"));
    }
}
