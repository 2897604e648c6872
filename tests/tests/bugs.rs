//! Faults that users of such tools have reported publicly: small inputs, and what a correct runtime does with them.
//!
//! A row that says how it is run (`auto`) is run from the table. A row that says it in prose, or asks for more than its recipe does, has a
//! test of its own in the file of its kind.

// The rows look into `/proc` and use GNU programs.
#![cfg(target_os = "linux")]

mod bugs {
    mod auto;
    mod bytes;
    mod exit;
    mod hang_pipe;
    mod kill_tree;
    mod limits;
    mod processes;
    mod session;
    mod spawn_env;
    mod stdin;

    use std::collections::{BTreeMap, BTreeSet};

    use execgate_tests::{Answer, Caller, Scratch, rows, text};
    use pretty_assertions::assert_eq;
    use serde_json::{Value, json};

    /// Kinds of rows that are tests here.
    const KINDS: &[&str] = &[
        "hang-pipe",
        "kill-tree",
        "stdin",
        "bytes",
        "limits",
        "exit",
        "spawn-env",
        "session",
    ];

    /// Tests of a kind's own, each with the row that it shows.
    type Rows = &'static [(&'static str, fn())];

    /// Rows with a test of their own.
    const OWN: &[Rows] = &[
        hang_pipe::ROWS,
        kill_tree::ROWS,
        stdin::ROWS,
        bytes::ROWS,
        limits::ROWS,
        exit::ROWS,
        spawn_env::ROWS,
        session::ROWS,
    ];

    /// How long a session that ends by itself is waited for, in milliseconds.
    const LONG: u64 = 100_000;

    /// OpenClaw's profile, in which everything runs as written.
    fn openclaw(scratch: &Scratch, variables: &[(&str, &str)]) -> Caller {
        scratch.call_with(&["--profile", "openclaw"], variables)
    }

    /// The default profile, in a mode in which everything runs as written.
    fn extended(scratch: &Scratch, variables: &[(&str, &str)]) -> Caller {
        let variables = [&[("EXECGATE_POLICY_MODE", "full")], variables].concat();
        scratch.call_with(&[], &variables)
    }

    /// Starts a command in the background and gives its session's id.
    fn background(caller: &mut Caller, command: &str) -> String {
        start(caller, json!({"command": command, "background": true}))
    }

    /// Starts a command that goes on in the background, and gives its session's id.
    fn start(caller: &mut Caller, arguments: Value) -> String {
        let answer = caller.exec(arguments);
        assert_eq!(answer.details()["status"], "running", "{answer:?}");
        text(answer.details(), "sessionId").to_owned()
    }

    /// An action on a session that needs nothing but its id.
    fn act(caller: &mut Caller, action: &str, id: &str) -> Answer {
        caller.process(json!({"action": action, "sessionId": id}))
    }

    /// Waits until a session has printed a text, by the default profile's action.
    fn await_text(caller: &mut Caller, id: &str, text: &str) {
        let wait = json!({"action": "wait", "sessionId": id, "text": text, "timeout": LONG});
        let answer = caller.process(wait);
        assert_eq!(answer.details()["wait"]["met"], "text", "{answer:?}");
    }

    /// Waits until a session has ended, by the default profile's action.
    fn await_end(caller: &mut Caller, id: &str) -> Answer {
        let wait = json!({"action": "wait", "sessionId": id, "timeout": LONG});
        let answer = caller.process(wait);
        assert_eq!(answer.details()["wait"]["met"], "exit", "{answer:?}");
        answer
    }

    /// Polls a session until it has ended, as OpenClaw's clients do.
    fn poll_to_the_end(caller: &mut Caller, id: &str) -> Answer {
        let poll = json!({"action": "poll", "sessionId": id, "timeout": 30_000});
        loop {
            let answer = caller.process(poll.clone());
            if answer.details()["status"] != "running" {
                return answer;
            }
        }
    }

    /// What a command printed, without what the answer says of its end.
    fn printed(answer: &Answer) -> &str {
        let whole = text(answer.details(), "aggregated");
        let code = answer.details()["exitCode"].as_i64().unwrap_or(0);
        let remark = format!("(Command exited with code {code})");
        match whole.strip_suffix(&remark).unwrap_or(whole).trim_end() {
            "(no output)" => "",
            printed => printed,
        }
    }

    /// How many bytes a command printed.
    fn printed_bytes(answer: &Answer) -> &Value {
        &answer.details()["usage"]["outputBytes"]
    }

    /// Names of the processes that a command has left behind.
    fn survivors(answer: &Answer) -> Vec<&str> {
        let list = answer.details()["survivors"].as_array();
        let name = |one| text(one, "command");
        list.into_iter().flatten().map(name).collect()
    }

    fn table() -> Vec<Value> {
        let mut table = rows("bugs.jsonl");
        table.retain(|row| KINDS.contains(&text(row, "kind")));
        table
    }

    /// What rows expect instead where a decision says so, by id.
    fn overrides() -> BTreeMap<String, Value> {
        let by_id = |row: Value| (text(&row, "id").to_owned(), row["expected"].clone());
        rows("overrides.jsonl").into_iter().map(by_id).collect()
    }

    #[test]
    fn rows_that_say_how_they_are_run_come_out_as_they_say() {
        let (table, overrides) = (table(), overrides());
        let recipes: Vec<(&str, &Value)> = table
            .iter()
            .filter_map(|row| Some((text(row, "id"), auto::recipe(row, &overrides)?)))
            .collect();
        let wrong = auto::run(&recipes);
        println!("bugs: {} recipes, {} wrong", recipes.len(), wrong.len());
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn every_row_is_a_test() {
        let (table, overrides) = (table(), overrides());
        let all: BTreeSet<&str> = table.iter().map(|row| text(row, "id")).collect();
        let own: BTreeSet<&str> = OWN.concat().iter().map(|(id, _)| *id).collect();
        let has_recipe = |row: &&Value| auto::recipe(row, &overrides).is_some();
        let run = table.iter().filter(has_recipe).map(|row| text(row, "id"));
        let covered: BTreeSet<&str> = run.chain(own.intersection(&all).copied()).collect();
        println!(
            "bugs: {} rows, {} covered, {} overridden",
            all.len(),
            covered.len(),
            all.iter().filter(|id| overrides.contains_key(**id)).count()
        );
        // Another table may have rows in prose that nobody has written a test for yet.
        if std::env::var_os("EXECGATE_CASES").is_none() {
            assert_eq!(covered, all, "every row is covered");
            assert!(own.is_subset(&all), "tests of rows that are not there");
        }
    }
}
