//! The operator's own rules: in settings, with examples, linted and explained.

use execgate_tests::{Finished, Running, Scratch, text};
use pretty_assertions::assert_eq;
use serde_json::{Value, json};

const RULES: &str = r#"
[[policy.rules]]
id = "plan"
decision = "allow"
program = "frob"
verb = ["plan", "state list"]
matches = ["frob plan -out=next", "cd infra && frob state list"]
spares = ["frob apply"]

[[policy.rules]]
id = "force-push"
decision = "deny"
program = "git"
verb = "push"
options = "-f|--force"
matches = "git push --force"
"#;

fn policy(scratch: &Scratch, settings: &str, arguments: &[&str]) -> Finished {
    let file = scratch.write("rules.toml", settings);
    let file = file.to_string_lossy().into_owned();
    let (verb, rest) = arguments.split_first().expect("a subcommand is named");
    scratch.run(["policy", verb, "--config", &file].iter().chain(rest))
}

fn verdict(scratch: &Scratch, settings: &str, command: &str) -> (String, String) {
    let report = policy(scratch, settings, &["check", "--json", command]).json();
    (
        text(&report, "verdict").to_owned(),
        text(&report, "rule").to_owned(),
    )
}

#[test]
fn rules_decide_what_they_are_about() {
    let scratch = Scratch::new();
    let expect = |command: &str, verdict_and_rule: (&str, &str)| {
        let (verdict, rule) = verdict(&scratch, RULES, command);
        assert_eq!(
            (verdict.as_str(), rule.as_str()),
            verdict_and_rule,
            "{command}"
        );
    };
    expect("frob plan", ("allow", "operator/plan"));
    expect("frob apply", ("ask", "program/unknown"));
    expect("bash -c 'git push -f'", ("deny", "operator/force-push"));
}

#[test]
fn an_example_that_is_decided_otherwise_stops_the_start() {
    let scratch = Scratch::new();
    let wrong = RULES.replace("frob apply", "frob plan");
    let finished = policy(&scratch, &wrong, &["check", "ls"]);
    assert_eq!(finished.code, 2);
    assert!(
        finished
            .stderr
            .contains("rule `plan` says that it spares `frob plan`"),
        "{}",
        finished.stderr
    );
    let wrong = RULES.replace("git push --force\"", "git push\"");
    let finished = policy(&scratch, &wrong, &["check", "ls"]);
    assert!(
        finished
            .stderr
            .contains("rule `force-push` says that it matches `git push`"),
        "{}",
        finished.stderr
    );
    let file = scratch.write("wrong.toml", &wrong);
    let finished = scratch.run(["run", "--config", &file.to_string_lossy(), "--", "echo hi"]);
    assert_eq!((finished.code, finished.stdout.as_str()), (125, ""));
}

#[test]
fn a_rule_that_cannot_be_read_is_named() {
    let scratch = Scratch::new();
    let finished = policy(
        &scratch,
        "[[policy.rules]]\nid = \"a\"\nprograms = \"x\"\n",
        &["check", "ls"],
    );
    assert_eq!(finished.code, 2);
    assert!(
        finished.stderr.contains("/rules/0/program"),
        "{}",
        finished.stderr
    );
}

#[test]
fn a_profile_without_such_rules_says_so() {
    let scratch = Scratch::new();
    let finished = policy(&scratch, RULES, &["check", "--profile", "picoclaw", "ls"]);
    assert_eq!(finished.code, 2);
    assert!(
        finished.stderr.contains("policy.deny"),
        "{}",
        finished.stderr
    );
}

#[test]
fn a_workspace_adds_only_rules_that_stop() {
    let scratch = Scratch::new();
    let run = |decision: &str| {
        let rule =
            format!("[[policy.rules]]\nid = \"w\"\ndecision = \"{decision}\"\nprogram = \"ls\"\n");
        std::fs::write(scratch.workspace().join("execgate.toml"), rule)
            .expect("the workspace can be written");
        scratch.run(["policy", "check", "--json", "ls"])
    };
    assert_eq!(run("deny").json()["rule"], json!("operator/w"));
    let finished = run("allow");
    assert_eq!(finished.code, 2);
    assert!(
        finished.stderr.contains("can only tighten"),
        "{}",
        finished.stderr
    );
}

#[test]
fn lint_names_what_is_odd() {
    let scratch = Scratch::new();
    assert_eq!(policy(&scratch, RULES, &["lint"]).code, 0);
    let odd = format!(
        "{RULES}\n[[policy.rules]]\nid = \"py\"\ndecision = \"allow\"\nprogram = \"python3\"\nmatches = \"python3 --version\"\n\
         [[policy.rules]]\nid = \"push\"\ndecision = \"allow\"\nprogram = \"git\"\nverb = \"push\"\noptions = \"-f|--force\"\n"
    );
    let finished = policy(&scratch, &odd, &["lint", "--json"]);
    assert_eq!(finished.code, 1);
    let oddities = finished.json();
    let oddities = oddities.as_array().expect("a list");
    let names: Vec<(&str, &str)> = oddities
        .iter()
        .map(|oddity| (text(oddity, "rule"), text(oddity, "kind")))
        .collect();
    assert_eq!(
        names,
        [
            ("py", "broad"),
            ("py", "dead"),
            ("push", "shadowed"),
            ("push", "untested")
        ]
    );
}

#[test]
fn explain_shows_commands_values_flows_and_everything_considered() {
    let scratch = Scratch::new();
    let command = "X=abc; env A=1 frob plan \"$X\" | tee out.txt && git push -f";
    let start = command.find("git push").expect("it is there");
    let explained = policy(&scratch, RULES, &["explain", "--json", command]).json();
    assert_eq!(
        (&explained["verdict"], &explained["spans"]),
        (&json!("deny"), &json!([[start, start + 11]]))
    );
    let commands = explained["commands"].as_array().expect("a list");
    let find = |name: &str| {
        let is_it = |one: &&Value| one["words"][0]["value"] == json!(name);
        commands.iter().find(is_it).expect("the command is found")
    };
    assert_eq!(
        (
            &find("frob")["relation"],
            &find("frob")["words"][2]["value"]
        ),
        (&json!("wrapped"), &json!("abc"))
    );
    assert_eq!(
        (&find("tee")["join"], find("tee")["fedBy"].is_null()),
        (&json!("|"), false)
    );
    let considered = explained["considered"].as_array().expect("a list");
    let rules: Vec<(&str, bool)> = considered
        .iter()
        .map(|one| (text(one, "rule"), one["lifted"] == json!(true)))
        .collect();
    assert!(rules.contains(&("operator/force-push", false)), "{rules:?}");
    assert!(rules.contains(&("git/push", false)), "{rules:?}");

    let shown = policy(&scratch, RULES, &["explain", command]);
    for part in [
        "deny  operator/force-push",
        "^^^^^^^^^^^",
        "run by",
        "X = abc",
        "flows",
        "considered",
    ] {
        assert!(
            shown.stdout.contains(part),
            "{part} is not in\n{}",
            shown.stdout
        );
    }
    assert!(
        !shown.stdout.contains('\u{1b}'),
        "no colours where there is no terminal"
    );
}

/// Colours are asked for on terminals; what the text holds reaches none unescaped.
#[test]
fn explain_escapes_what_a_terminal_would_act_on() {
    let scratch = Scratch::new();
    let mut command = scratch.command(["policy", "explain", "echo '\u{1b}[31m\u{202e}'"]);
    command.env("CLICOLOR_FORCE", "1");
    let shown = Running::start(command).finish();
    assert!(shown.stdout.contains("\u{1b}[1m"), "{}", shown.stdout);
    assert!(
        !shown.stdout.contains("\u{1b}[31m") && !shown.stdout.contains('\u{202e}'),
        "{}",
        shown.stdout
    );
}
