//! OpenClaw's table: what was observed on its `exec` and `process` tools, asked of this program.

mod openclaw_cases {
    mod place;
    mod program;
    mod steps;

    use execgate_tests::{Tally, rows, text};
    use serde_json::Value;

    use place::Place;

    /// Areas that are about running commands and looking after them.
    const AREAS: &[&str] = &["background", "exec", "process"];

    /// Whether a row is about something that has suites of its own: places to run in, elevation, guarded variables and commands, and what
    /// only a formatter can be shown, such as a session's age.
    fn is_elsewhere(row: &Value) -> bool {
        !AREAS.contains(&text(row, "area"))
            || steps::of(row).iter().any(|step| match text(step, "op") {
                "exec" => {
                    let params = &step["input"]["params"];
                    let about_place = ["host", "elevated", "node"]
                        .iter()
                        .any(|name| params.get(name).is_some());
                    let command = params["command"].as_str().unwrap_or_default();
                    let threw = step["expected"]["result"]["threw"].as_str();
                    about_place
                        || command.starts_with('/')
                        || threw.is_some_and(|text| text.starts_with("Security Violation"))
                }
                "session" => {
                    let input = &step["input"];
                    input["backgrounded"] == false || input.get("ageMs").is_some()
                }
                _ => false,
            })
    }

    #[test]
    fn every_row_is_answered_as_observed_or_as_decided() {
        let (other, table): (Vec<Value>, Vec<Value>) =
            rows("openclaw.jsonl").into_iter().partition(is_elsewhere);
        let mut tally = Tally::new();
        for row in &table {
            let expected = tally.expected(row, steps::observed(row));
            let found = Place::new(row).run(row, &expected);
            tally.settle_known(row, &expected, &found);
        }
        println!(
            "openclaw: {} cases, {} overridden, {} wrong ({} rows about judgement, places, texts and keys left out)",
            tally.count,
            tally.overridden,
            tally.wrong.len(),
            other.len()
        );
        assert_eq!(tally.count, table.len(), "every row was looked at");
        assert!(tally.wrong.is_empty(), "{}", tally.wrong.join("\n"));
    }
}
