//! PicoClaw's table: what was observed on its program, or follows from its document, asked of this one.

mod picoclaw_cases {
    mod answer;
    mod derived;
    mod exec;
    mod guard;
    mod place;
    mod schema;

    use execgate_tests::{Tally, rows, text};
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
