//! Settings that are refused, and those that are filled in.

use pretty_assertions::assert_eq;

use crate::Settings;

fn problems(text: &str) -> Vec<(String, String)> {
    let problems = Settings::read(text).expect_err("it is refused");
    problems
        .into_iter()
        .map(|problem| (problem.path, problem.message))
        .collect()
}

#[test]
fn defaults_are_the_safe_ones() {
    let settings = Settings::read("{}").expect("nothing is required");
    let expected = Settings {
        deny: true,
        custom_deny: Vec::new(),
        custom_allow: Vec::new(),
        allow_remote: false,
        restrict: true,
        allowed_paths: Vec::new(),
        allowlist: Vec::new(),
        exempt: Vec::new(),
        output_chars: 50_000,
    };
    assert_eq!(settings, expected);
}

#[test]
fn an_invalid_pattern_is_named_and_refused() {
    let lists = [
        "custom_deny_patterns",
        "custom_allow_patterns",
        "allow_read_paths",
        "allowlist",
    ];
    for name in lists {
        let found = problems(&format!(r#"{{"{name}": ["a", "("]}}"#));
        assert_eq!(found[0].0, format!("/{name}/1"));
        assert!(found[0].1.contains("pattern `(`"), "{found:?}");
    }
    let unused = r#"{"enable_deny_patterns": false, "custom_deny_patterns": ["("]}"#;
    assert!(
        Settings::read(unused).is_ok(),
        "patterns that do not hold are not compiled"
    );
}

#[test]
fn unknown_keys_types_and_exemptions_are_refused() {
    assert_eq!(problems(r#"{"timeout": 1}"#)[0].0, "/timeout");
    assert_eq!(
        problems(r#"{"allow_remote": "true"}"#)[0].0,
        "/allow_remote"
    );
    assert_eq!(
        problems(r#"{"max_output_chars": -1}"#)[0].0,
        "/max_output_chars"
    );
    assert_eq!(problems(r#"{"exempt": ["nothing"]}"#)[0].0, "/exempt/0");
    assert_eq!(problems(r#"{"exempt": ["self"]}"#)[0].0, "/exempt/0");
    assert_eq!(problems("[]")[0].0, "");
}

#[test]
fn the_cap_is_the_smaller_of_the_positive_ones() {
    let cap = |text: &str| Settings::read(text).expect("it is valid").output_chars;
    assert_eq!(cap(r#"{"max_output_chars": 0}"#), 50_000);
    assert_eq!(
        cap(r#"{"max_output_chars": 50000, "max_inline_result_chars": 20000}"#),
        20_000
    );
    assert_eq!(
        cap(r#"{"max_output_chars": 10, "max_inline_result_chars": -1}"#),
        10
    );
}
