//! PicoClaw's table: what was observed on its program, or follows from its document, asked of this one.

mod picoclaw_cases {
    mod answer;
    mod derived;
    mod exec;
    mod guard;
    mod place;
    mod schema;
    mod session;
    mod session_rules;

    use execgate_tests::{Tally, rows, text};
    use serde_json::Value;

    /// Areas that need a sandbox, or a terminal that is watched more closely than a row does.
    const OTHER_AREAS: &[&str] = &["isolation", "pty"];

    /// Kinds that a pure function answers, or that need another program's registry, or Windows.
    const OTHER_KINDS: &[&str] = &[
        "keys",
        "keymode",
        "registry-sanitize",
        "guard-windows-patterns",
    ];

    fn is_other(row: &Value) -> bool {
        let area = row["area"].as_str().unwrap_or_default();
        OTHER_AREAS.contains(&area) || OTHER_KINDS.contains(&text(row, "kind"))
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
            if session::is_about_sessions(row) {
                session::check(row, &mut tally);
            } else {
                exec::check(row, &mut tally);
            }
        }
        for row in of_kind("derived") {
            if session_rules::AREAS.contains(&text(row, "area")) {
                session_rules::check(row, &mut tally);
            } else {
                derived::check(row, &mut tally);
            }
        }
        for row in of_kind("schema") {
            schema::check(row, &mut tally);
        }
        println!(
            "picoclaw: {} cases, {} overridden, {} wrong ({} rows about keys, terminals, sandboxes, another registry and Windows left out)",
            tally.count,
            tally.overridden,
            tally.wrong.len(),
            other.len()
        );
        assert_eq!(tally.count, table.len(), "every row was looked at");
        assert!(tally.wrong.is_empty(), "{}", tally.wrong.join("\n"));
    }
}
