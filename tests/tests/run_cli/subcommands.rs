//! `policy check`, `policy inspect`, `schema`, `doctor`, help.

use std::fs;

use execgate_tests::{Scratch, bad_policy, read_only_policy, text};
use pretty_assertions::assert_eq;
use serde_json::{Value, json};

#[test]
fn check_answers_with_verdicts_and_codes() {
    let scratch = Scratch::new();
    for (command, verdict, strict) in [
        ("ls", "allow", 0),
        ("git push", "ask", 10),
        ("rm -rf /", "deny", 11),
    ] {
        let plain = scratch.run(["policy", "check", command]);
        assert_eq!((plain.code, plain.stderr.as_str()), (0, ""));
        assert!(plain.stdout.starts_with(verdict), "{plain:?}");
        let report = scratch.run(["policy", "check", "--json", "--strict", command]);
        assert_eq!(report.code, strict);
        assert_eq!(report.json()["verdict"], verdict);
    }
}

#[test]
fn check_reports_segments_by_byte_offsets() {
    let scratch = Scratch::new();
    let command = "echo é && ls $X";
    let report = scratch.run(["policy", "check", "--json", command]).json();
    let segments = report["segments"].as_array().expect("it is a list");
    let texts: Vec<&str> = segments
        .iter()
        .map(|segment| {
            let offset = |index: usize| {
                let number = segment["span"][index].as_u64().expect("it is a number");
                usize::try_from(number).expect("it fits")
            };
            &command[offset(0)..offset(1)]
        })
        .collect();
    assert_eq!(texts, ["echo é", "ls $X"]);
    assert_eq!(segments[0]["argv"], json!(["echo", "é"]));
    assert_eq!(segments[1]["argv"], json!(["ls", null]));
}

/// A row that cannot be read is answered as such; the rows after it are judged.
#[test]
fn check_goes_on_after_a_bad_row() {
    let scratch = Scratch::new();
    let rows = "not json\n{\"id\": 7}\n[]\n{\"id\": 8, \"command\": \"ls\", \"shell\": \"fish\"}\n\n{\"id\": 9, \"command\": \"ls\"}";
    let finished = scratch.run_with_input(["policy", "check"], rows);
    assert_eq!(finished.code, 2);
    let answers = finished.json_lines();
    assert_eq!(answers.len(), 5);
    for answer in &answers[..4] {
        assert!(answer["error"].is_string(), "{answer}");
    }
    assert_eq!(answers[1]["id"], 7);
    assert!(text(&answers[3], "error").contains("`fish`"));
    assert_eq!(
        (&answers[4]["id"], &answers[4]["verdict"]),
        (&json!(9), &json!("allow"))
    );
}

#[test]
fn inspect_shows_what_a_component_is() {
    let scratch = Scratch::new();
    let path = read_only_policy();
    let path = path.to_string_lossy();
    let report = scratch.run(["policy", "inspect", "--json", &*path]).json();
    assert_eq!(report["roles"], json!(["policy"]));
    assert_eq!(
        report["bytes"],
        fs::metadata(&*path).expect("it is there").len()
    );
    let imports = report["imports"].as_array().expect("it is a list");
    let is_known = |import: &Value| {
        let name = import.as_str().unwrap_or_default();
        name.starts_with("execgate:policy/") || name.starts_with("wasi:")
    };
    assert!(
        !imports.is_empty() && imports.iter().all(is_known),
        "{imports:?}"
    );
    let plain = scratch.run(["policy", "inspect", &*path]);
    assert!(plain.stdout.contains(text(&report, "digest")), "{plain:?}");
}

#[test]
fn inspect_names_what_is_no_component() {
    let scratch = Scratch::new();
    let module = scratch.write("module.wasm", bad_policy("core_module"));
    let missing = scratch.root().join("missing.wasm");
    for path in [module, missing] {
        let finished = scratch.run(["policy".as_ref(), "inspect".as_ref(), path.as_os_str()]);
        assert_eq!((finished.code, finished.stdout.as_str()), (2, ""));
        let name = path.file_name().expect("it has one").to_string_lossy();
        assert!(finished.stderr.contains(&*name), "{finished:?}");
    }
}

#[test]
fn schemas_describe_each_tool() {
    let scratch = Scratch::new();
    for (profile, required) in [("default", "command"), ("picoclaw", "action")] {
        let tools = scratch.run(["schema", "--profile", profile]).json();
        for tool in tools.as_array().expect("it is a list") {
            let parameters = &tool["parameters"];
            assert_eq!(parameters["type"], "object");
            assert_eq!(parameters["additionalProperties"], false);
            assert!(tool["description"].is_string());
        }
        assert_eq!(tools[0]["name"], "exec");
        assert_eq!(tools[0]["parameters"]["required"], json!([required]));
    }
}

#[test]
fn the_doctor_finds_everything_or_says_what_is_missing() {
    let scratch = Scratch::new();
    let healthy = scratch.run(["doctor"]);
    assert_eq!(healthy.code, 0, "{healthy:?}");
    assert!(healthy.stdout.contains("commands   ok"), "{healthy:?}");
    let file = scratch.write("state-file", "");
    let ill = scratch.run(["doctor", "--state-dir", &*file.to_string_lossy()]);
    assert_eq!(ill.code, 125, "{ill:?}");
    assert!(ill.stdout.contains("state-file"), "{ill:?}");
}

#[test]
fn help_is_an_answer_and_a_wrong_word_an_error() {
    let scratch = Scratch::new();
    for arguments in [&["--help"][..], &["run", "--help"], &["--version"]] {
        let finished = scratch.run(arguments);
        assert_eq!(
            (finished.code, finished.stderr.as_str()),
            (0, ""),
            "{arguments:?}"
        );
    }
    let finished = scratch.run(["fly"]);
    assert_eq!((finished.code, finished.stdout.as_str()), (2, ""));
}
