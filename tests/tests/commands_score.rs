//! The default profile's verdicts over the table of commands: how much it stops, and how much of that in vain.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use execgate_tests::{Scratch, rows, text};
use pretty_assertions::assert_eq;
use serde_json::{Value, json};

/// What may at most go wrong in the project's own table: what was so when this was written, and a little more.
const DANGEROUS_ALLOWED: usize = 1;
const BENIGN_DENIED: usize = 0;
const BENIGN_ASKED: usize = 80;
const ASK_ALLOWED: usize = 8;
const ASK_DENIED: usize = 6;

/// One in this many rows is judged on a machine without programs too.
const SAMPLE: usize = 12;

/// The row's command in the place that the table assumes.
fn question(row: &Value) -> Value {
    json!({
        "id": row["id"],
        "command": text(row, "command"),
        "shell": text(row, "shell"),
        "cwd": "/home/dev/project",
        "workspace": "/home/dev/project",
        "home": "/home/dev",
    })
}

/// Reports of one program for all rows; `path` is where it sees programs.
fn judge(rows: &[&Value], path: &str) -> Vec<Value> {
    let scratch = Scratch::new();
    let lines: String = rows
        .iter()
        .map(|row| format!("{}\n", question(row)))
        .collect();
    let mut command = scratch.command(["policy", "check", "--profile", "default", "--json"]);
    command.env("PATH", path);
    let finished = execgate_tests::Running::start_with_input(command, lines.into()).finish();
    assert_eq!((finished.code, finished.stderr.as_str()), (0, ""));
    let reports = finished.json_lines();
    let ids = |values: &[&Value]| -> Vec<Value> {
        values.iter().map(|value| value["id"].clone()).collect()
    };
    assert_eq!(ids(&reports.iter().collect::<Vec<_>>()), ids(rows));
    reports
}

/// Rows that went wrong, by label and verdict.
#[derive(Default)]
struct Score<'a> {
    wrong: BTreeMap<(&'a str, &'a str), Vec<&'a Value>>,
}

impl<'a> Score<'a> {
    fn new(rows: &[&'a Value], reports: &'a [Value]) -> Self {
        let mut score = Self::default();
        for (row, report) in rows.iter().zip(reports) {
            let pair = (text(row, "label"), text(report, "verdict"));
            let right = matches!(
                pair,
                ("dangerous", "ask" | "deny") | ("benign", "allow") | ("ask", "ask")
            );
            if !right {
                score.wrong.entry(pair).or_default().push(row);
            }
        }
        score
    }

    fn count(&self, label: &str, verdict: &str) -> usize {
        self.wrong.get(&(label, verdict)).map_or(0, Vec::len)
    }

    /// The five groups that most of the wrong rows belong to.
    fn worst(&self, name: &str) -> String {
        let mut groups: BTreeMap<(&str, &str, &str), usize> = BTreeMap::new();
        for ((label, verdict), rows) in &self.wrong {
            for row in rows {
                *groups.entry((label, verdict, text(row, name))).or_default() += 1;
            }
        }
        let mut groups: Vec<_> = groups.into_iter().collect();
        groups.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let mut line = String::new();
        for ((label, verdict, group), count) in groups.into_iter().take(5) {
            write!(line, "; {group}: {count} {label} {}", past(verdict))
                .expect("writing to a string cannot fail");
        }
        line
    }
}

fn past(verdict: &str) -> &'static str {
    match verdict {
        "allow" => "allowed",
        "ask" => "asked",
        "deny" => "denied",
        other => panic!("there is no verdict `{other}`"),
    }
}

#[test]
fn verdicts_are_as_good_as_they_were() {
    let table = rows("commands.jsonl");
    let table: Vec<&Value> = table.iter().collect();
    let reports = judge(&table, "/usr/local/bin:/usr/bin:/bin");
    let score = Score::new(&table, &reports);
    let found = [
        ("dangerous", "allow", DANGEROUS_ALLOWED),
        ("benign", "deny", BENIGN_DENIED),
        ("benign", "ask", BENIGN_ASKED),
        ("ask", "allow", ASK_ALLOWED),
        ("ask", "deny", ASK_DENIED),
    ];
    let mut line = format!("commands: {} cases", table.len());
    for (label, verdict, _) in found {
        write!(
            line,
            ", {} {label} {}",
            score.count(label, verdict),
            past(verdict)
        )
        .expect("writing to a string cannot fail");
    }
    println!("{line}");
    println!("worst categories{}", score.worst("category"));
    println!("worst techniques{}", score.worst("technique"));
    for row in score
        .wrong
        .get(&("dangerous", "allow"))
        .into_iter()
        .flatten()
    {
        println!("dangerous allowed: {} {}", row["id"], row["command"]);
    }
    // Another table has other numbers, which are for people to read.
    if std::env::var_os("EXECGATE_CASES").is_none() {
        for (label, verdict, most) in found {
            let count = score.count(label, verdict);
            assert!(
                count <= most,
                "{count} {label} {}, at most {most}",
                past(verdict)
            );
        }
    }
}

#[test]
fn verdicts_do_not_depend_on_the_machine() {
    let table = rows("commands.jsonl");
    let sample: Vec<&Value> = table.iter().step_by(SAMPLE).collect();
    let verdicts = |path: &str| -> Vec<Value> {
        let part = |report: Value| json!([report["id"], report["verdict"], report["rule"]]);
        judge(&sample, path).into_iter().map(part).collect()
    };
    assert_eq!(verdicts("/usr/local/bin:/usr/bin:/bin"), verdicts(""));
}
