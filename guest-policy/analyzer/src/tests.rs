use execgate_guest::{
    Analyzer, Configure, Context, Dialect, Join, Part, RedirectOperator, Relation, Source,
};
use pretty_assertions::assert_eq;

use super::Shell;

fn analyze(text: &str) -> execgate_guest::CommandLine {
    let shell = Shell::configure("{}").expect("no settings are needed");
    shell.analyze(&Source {
        text: text.into(),
        dialect: Dialect::Bash,
        home: Some("/home/dev".into()),
        cwd: Some("/work".into()),
        variables: Vec::new(),
        annotations: Vec::new(),
    })
}

#[test]
fn unknown_settings_are_problems() {
    let problems = Shell::configure(r#"{"depth": 3}"#).expect_err("no such setting");
    assert_eq!(problems[0].path, "/depth");
    assert!(Shell::configure("").is_err());
}

#[test]
fn a_pipeline_crosses_with_its_redirects_and_wrappers() {
    let line = analyze("A=1 env ls ~/x 2>&1 | cat <<<\"$U\" &");
    let names: Vec<&str> = line
        .segments
        .iter()
        .filter_map(|segment| segment.words[0].value.as_deref())
        .collect();
    assert_eq!(names, ["env", "ls", "cat"]);
    let wrapped = &line.segments[1];
    assert_eq!(
        (wrapped.relation, wrapped.parent),
        (Relation::Wrapped, Some(0))
    );
    assert_eq!(wrapped.words[1].value.as_deref(), Some("/home/dev/x"));
    let last = &line.segments[2];
    assert_eq!(last.join, Join::Pipe);
    assert!(
        last.context
            .contains(Context::BACKGROUND | Context::SUBSHELL)
    );
    assert_eq!(last.redirects[0].operator, RedirectOperator::HereString);
    assert_eq!(line.segments[0].assignments[0].name, "A");
    assert_eq!(
        line.segments[0].redirects[0].operator,
        RedirectOperator::DuplicateOutput
    );
}

#[test]
fn a_tilde_of_somebody_else_is_not_known() {
    let line = analyze("ls ~root/x");
    let word = &line.segments[0].words[1];
    assert_eq!(word.value, None);
    assert!(
        matches!(&word.parts[0], Part::Variable(name) if name.starts_with('~')),
        "{word:?}"
    );
}

#[test]
fn what_is_not_understood_keeps_its_stable_name() {
    let reasons: Vec<String> = analyze("eval \"$x\"; echo 'a")
        .opaque
        .into_iter()
        .map(|item| item.reason)
        .collect();
    assert!(reasons.contains(&"syntax".to_owned()), "{reasons:?}");
}
