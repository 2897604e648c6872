//! Rules of the operator's.

use execgate_guest::Decision::{self, Allow, Ask, Deny};
use execgate_guest::{Configure, Verdict};
use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use super::commands::judge;
use crate::{DefaultPolicy, Settings};

fn with(rules: &Value, text: &str) -> Verdict {
    let settings = json!({"rules": rules}).to_string();
    let policy = DefaultPolicy::configure(&settings).expect("the settings are valid");
    judge(&policy, text, "bash")
}

#[track_caller]
fn all(rules: &Value, rows: &[(&str, Decision, &str)]) {
    for (text, decision, rule) in rows {
        let verdict = with(rules, text);
        assert_eq!(
            (verdict.decision, verdict.rule.as_str()),
            (*decision, *rule),
            "{text}"
        );
    }
}

#[test]
fn an_allowance_is_about_its_program_verb_and_options_and_about_nothing_else() {
    let rules = json!([{
        "id": "plan", "decision": "allow", "program": "frob", "verb": ["plan", "state list"],
        "options": "-q|--quiet", "without": ["-auto-approve", "--force"],
    }]);
    all(
        &rules,
        &[
            ("frob plan -q", Allow, "operator/plan"),
            ("frob --quiet state list x", Allow, "operator/plan"),
            (
                "cd src && frob plan --quiet | head -3",
                Allow,
                "operator/plan",
            ),
            ("bash -c 'frob plan -q'", Allow, "operator/plan"),
            ("frob plan", Ask, "program/unknown"),
            ("frob apply -q", Ask, "program/unknown"),
            ("frob state -q", Ask, "program/unknown"),
            ("frob plan -q -auto-approve", Ask, "program/unknown"),
            ("frob plan -q -auto-approve=yes", Ask, "program/unknown"),
            ("frob plan -q --for", Ask, "program/unknown"),
            ("/tmp/frob plan -q", Ask, "path/outside"),
            ("frob plan -q $X", Ask, "program/unknown"),
            ("FROB_PLUGIN=./x frob plan -q", Ask, "program/unknown"),
            ("frob plan -q; other", Ask, "program/unknown"),
            ("frob plan -q > /etc/passwd", Deny, "path/protected"),
            ("frob() { other; }; frob plan -q", Ask, "program/unknown"),
            ("frob plan -q <(other)", Ask, "program/unknown"),
        ],
    );
}

#[test]
fn paths_are_judged_as_ever_unless_the_rule_names_them() {
    let rule = |more: Value| {
        let mut rule = json!({"id": "sync", "decision": "allow", "program": "cp"});
        rule.as_object_mut()
            .expect("an object")
            .extend(more.as_object().expect("an object").clone());
        json!([rule])
    };
    let silent = rule(json!({}));
    let shared = rule(json!({"paths": [".", "/srv/shared", "~/notes"]}));
    let rows = [
        ("cp a.txt /srv/shared/a.txt", Ask, Allow),
        ("cp a.txt ~/notes/a.txt", Ask, Allow),
        ("cp /srv/shared/../other/a a.txt", Ask, Ask),
        ("cp a.txt /srv/shared-too/a.txt", Ask, Ask),
        ("cp a.txt \"$TARGET\"", Ask, Ask),
    ];
    for (text, unnamed, named) in rows {
        let decided = [&silent, &shared].map(|rules| with(rules, text).decision);
        let unnamed = if decided[0] == Allow { Allow } else { unnamed };
        assert_eq!(decided, [unnamed, named], "{text}");
    }
    let keys = rule(json!({"paths": ["~"]}));
    assert_ne!(with(&keys, "cp ~/.ssh/id_rsa a").decision, Allow);
}

#[test]
fn a_stricter_rule_holds_in_every_spelling_and_mode() {
    let rules = json!([
        {"id": "no-apply", "decision": "deny", "program": "terraform", "verb": "apply", "reason": "the pipeline does that"},
        {"id": "push", "program": "git", "verb": "push", "options": "-f|--force"},
        {"id": "mine", "decision": "deny", "program": ["cat", "ls"], "paths": ["/srv/private"]},
    ]);
    all(
        &rules,
        &[
            ("terraform apply", Deny, "operator/no-apply"),
            ("'terra'form -chdir=x ap\\ply", Deny, "operator/no-apply"),
            ("terraform -chdir x apply", Deny, "operator/no-apply"),
            (
                "ls && env A=b timeout 5 /usr/bin/terraform $VERB",
                Deny,
                "operator/no-apply",
            ),
            ("cat /srv/private/a", Deny, "operator/mine"),
            ("cat < /srv/private/a", Deny, "operator/mine"),
            ("ls /srv/../srv/private", Deny, "operator/mine"),
            ("ls src", Allow, "default/harmless"),
        ],
    );
    let verdict = with(&rules, "git push --forc origin main");
    assert_eq!(
        (verdict.decision, verdict.reason.as_str()),
        (Ask, "the operator's rules want to be asked")
    );
    let settings = json!({"mode": "full", "rules": rules}).to_string();
    let policy = DefaultPolicy::configure(&settings).expect("the settings are valid");
    assert_eq!(
        judge(&policy, "terraform apply", "bash").reason,
        "the pipeline does that"
    );
    assert_eq!(judge(&policy, "rm -rf /", "bash").decision, Allow);
}

#[test]
fn an_exact_text_is_the_whole_text() {
    let rules = json!([
        {"id": "deploy", "decision": "allow", "exact": "sudo ./deploy.sh --now"},
        {"id": "weird", "decision": "allow", "exact": "echo 'a"},
        {"id": "own", "decision": "allow", "exact": "execgate approve 1"},
        {"id": "no", "decision": "deny", "exact": "make deploy"},
    ]);
    all(
        &rules,
        &[
            (" sudo ./deploy.sh --now\n", Allow, "operator/deploy"),
            ("sudo ./deploy.sh --now; sudo reboot", Deny, "power/stop"),
            ("make 'deploy' && ls", Deny, "operator/no"),
        ],
    );
    for text in [
        "sudo ./deploy.sh --now --then",
        "echo 'a",
        "execgate approve 1",
    ] {
        assert_ne!(with(&rules, text).decision, Allow, "{text}");
    }
}

#[test]
fn rules_that_cannot_be_used_are_named() {
    let problem = |rule: Value| {
        let settings = json!({"rules": [{"id": "a", "program": "x"}, rule]}).to_string();
        Settings::read(&settings).expect_err("it is refused")[0]
            .path
            .clone()
    };
    assert_eq!(problem(json!({"program": "x"})), "/rules/1/id");
    assert_eq!(problem(json!({"id": "a", "program": "x"})), "/rules/1/id");
    assert_eq!(problem(json!({"id": "b"})), "/rules/1/program");
    assert_eq!(
        problem(json!({"id": "b", "program": "git push"})),
        "/rules/1/program"
    );
    assert_eq!(
        problem(json!({"id": "b", "program": "./x"})),
        "/rules/1/program"
    );
    assert_eq!(
        problem(json!({"id": "b", "program": "x", "options": ["force"]})),
        "/rules/1/options"
    );
    assert_eq!(
        problem(json!({"id": "b", "program": "x", "exact": "x"})),
        "/rules/1/exact"
    );
    assert_eq!(
        problem(json!({"id": "b", "program": "x", "decision": "maybe"})),
        "/rules/1/decision"
    );
    assert_eq!(
        problem(json!({"id": "b", "program": "x", "verbs": []})),
        "/rules/1/verbs"
    );
    assert_eq!(problem(json!("x")), "/rules/1");
}
