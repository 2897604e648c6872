use std::time::Duration;

use pretty_assertions::assert_eq;
use serde_json::json;

use super::*;
use crate::request::{Attendance, TimeLimit};
use crate::session::action::{Act, Action};

fn request(profile: Profile, arguments: Value) -> Result<ExecRequest, String> {
    let Value::Object(arguments) = arguments else {
        panic!("arguments are an object")
    };
    match read(&surface(profile), "exec", arguments, Caller::local()) {
        Ok(Call::Exec(request)) => Ok(*request),
        Ok(other) => panic!("{other:?}"),
        Err(error) => Err(error.0),
    }
}

fn surface(profile: Profile) -> Surface {
    Surface {
        profile,
        continues: true,
        patches: true,
        yield_after: Duration::from_secs(10),
        longest_wait: Duration::from_secs(60),
        read_bytes: 50_000,
    }
}

fn act(profile: Profile, arguments: Value) -> Result<Act, String> {
    let Value::Object(arguments) = arguments else {
        panic!("arguments are an object")
    };
    let tool = match profile {
        Profile::Picoclaw => "exec",
        Profile::Default | Profile::Openclaw => "process",
    };
    match read(&surface(profile), tool, arguments, Caller::local()) {
        Ok(Call::Process(request)) => match request.action {
            Action::On { act, .. } => Ok(act),
            Action::List => panic!("a listing is on no session"),
        },
        Ok(other) => panic!("{other:?}"),
        Err(error) => Err(error.0),
    }
}

#[test]
fn picoclaw_refuses_arguments_of_the_wrong_shape() {
    let table = [
        (
            json!({"command": "x"}),
            "invalid arguments for tool \"exec\": missing required property \"action\"",
        ),
        (json!({"action": ""}), "action is required"),
        (json!({"action": "fly"}), "unknown action: fly"),
        (json!({"action": "run"}), "command is required"),
        (
            json!({"action": "run", "command": 5}),
            "invalid arguments for tool \"exec\": property \"command\": expected string, got number",
        ),
        (
            json!({"action": "run", "command": "x", "env": {}}),
            "invalid arguments for tool \"exec\": unexpected property \"env\"",
        ),
        (
            json!({"action": "run", "command": "x", "timeout": 1.5}),
            "invalid arguments for tool \"exec\": property \"timeout\": expected integer, got number with a fraction",
        ),
        (
            json!({"action": "run", "command": "x", "timeout": -1}),
            "timeout must be a whole number of seconds from 0 on; 0 means no limit",
        ),
    ];
    for (arguments, expected) in table {
        assert_eq!(
            request(Profile::Picoclaw, arguments.clone()).unwrap_err(),
            expected,
            "{arguments}"
        );
    }
}

#[test]
fn picoclaw_takes_booleans_and_their_names() {
    for value in [json!(false), json!("false")] {
        assert!(
            request(
                Profile::Picoclaw,
                json!({"action": "run", "command": "x", "background": value})
            )
            .is_ok()
        );
    }
    let error = request(
        Profile::Picoclaw,
        json!({"action": "run", "command": "x", "background": "true", "timeout": 5}),
    )
    .unwrap_err();
    assert!(
        error.starts_with("timeout cannot be combined with background"),
        "{error}"
    );
}

#[test]
fn picoclaw_timeouts() {
    let table = [
        (json!(0), TimeLimit::Unlimited),
        (json!(5), TimeLimit::After(Duration::from_secs(5))),
        (json!(5.0), TimeLimit::After(Duration::from_secs(5))),
    ];
    for (value, expected) in table {
        let request = request(
            Profile::Picoclaw,
            json!({"action": "run", "command": "x", "timeout": value}),
        )
        .unwrap();
        assert_eq!(request.timeout, expected);
    }
    assert_eq!(
        request(Profile::Picoclaw, json!({"action": "run", "command": "x"}))
            .unwrap()
            .timeout,
        TimeLimit::Configured
    );
}

#[test]
fn default_takes_both_names_of_the_timeout_but_not_at_once() {
    for name in ["timeout", "timeoutSeconds"] {
        let request = request(Profile::Default, json!({"command": "x", name: 0.5})).unwrap();
        assert_eq!(
            request.timeout,
            TimeLimit::After(Duration::from_millis(500))
        );
    }
    assert!(
        request(
            Profile::Default,
            json!({"command": "x", "timeout": 1, "timeoutSeconds": 1})
        )
        .is_err()
    );
    assert_eq!(
        request(
            Profile::Default,
            json!({"command": "x", "timeoutSeconds": 0})
        )
        .unwrap()
        .timeout,
        TimeLimit::Unlimited
    );
}

#[test]
fn default_fails_closed_where_a_place_is_missing() {
    for arguments in [
        json!({"command": "x", "host": "sandbox"}),
        json!({"command": "x", "host": "Node "}),
        json!({"command": "x", "host": "moon"}),
        json!({"command": "x", "elevated": true}),
    ] {
        assert!(
            request(Profile::Default, arguments.clone()).is_err(),
            "{arguments}"
        );
    }
    assert!(request(Profile::Default, json!({"command": "x", "host": " AUTO "})).is_ok());
}

#[test]
fn schemas_list_every_argument() {
    for profile in [Profile::Default, Profile::Picoclaw, Profile::Openclaw] {
        let schema = &schemas(profile, true, true)[0]["parameters"];
        assert_eq!(schema["additionalProperties"], json!(false));
        assert_eq!(schema["properties"]["command"]["type"], json!("string"));
    }
    let names = |profile, continues| -> Vec<String> {
        let schemas = schemas(profile, continues, true);
        let tools = schemas.as_array().unwrap().iter();
        tools
            .map(|tool| tool["name"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(names(Profile::Picoclaw, true), ["exec"]);
    assert_eq!(
        names(Profile::Openclaw, true),
        ["exec", "process", "apply_patch"]
    );
    assert_eq!(names(Profile::Default, false), ["exec", "apply_patch"]);
    let synchronous = &schemas(Profile::Default, false, true)[0]["parameters"]["properties"];
    assert!(synchronous.get("background").is_none() && synchronous.get("yieldMs").is_none());
}

#[test]
fn a_call_stays_with_its_command_as_long_as_it_says() {
    let second = Duration::from_secs(1);
    let table = [
        (json!({"command": "x"}), Attendance::Yield(10 * second)),
        (
            json!({"command": "x", "yieldMs": 1000}),
            Attendance::Yield(second),
        ),
        (
            json!({"command": "x", "yieldMs": 1}),
            Attendance::Yield(Duration::from_millis(10)),
        ),
        (
            json!({"command": "x", "yieldMs": 1e18}),
            Attendance::Yield(120 * second),
        ),
        (
            json!({"command": "x", "background": true}),
            Attendance::Background,
        ),
    ];
    for (arguments, expected) in table {
        let found = request(Profile::Default, arguments.clone()).unwrap();
        assert_eq!(found.attendance, expected, "{arguments}");
    }
}

#[test]
fn what_broken_model_output_leaves_behind_is_cut() {
    let command = |text: &str| {
        request(Profile::Openclaw, json!({ "command": text }))
            .unwrap()
            .command
    };
    assert_eq!(command("echo hi</arg_value>>"), "echo hi");
    assert_eq!(command("echo hi</arg_value>>>>"), "echo hi");
    assert_eq!(command("echo hi</arg_value>"), "echo hi</arg_value>");
    assert_eq!(command("cat >>"), "cat >>");
}

#[test]
fn actions_on_sessions_are_checked_before_anything_is_done() {
    let table = [
        (
            Profile::Openclaw,
            json!({"action": "wait"}),
            "Invalid process action. Expected one of: list, poll, log, write, send-keys, submit, paste, kill, clear, remove",
        ),
        (
            Profile::Default,
            json!({"action": "wait", "sessionId": "x", "pattern": "("}),
            "pattern `(` cannot be used: unclosed group",
        ),
        (
            Profile::Default,
            json!({"action": "wait", "sessionId": "x", "port": 0}),
            "port must be from 1 to 65535, not 0",
        ),
        (
            Profile::Default,
            json!({"action": "wait", "sessionId": "x", "timeout": "soon"}),
            "timeout must be a number of milliseconds from 0 on",
        ),
        (
            Profile::Default,
            json!({"action": "read", "sessionId": "x", "offset": -1}),
            "offset must be a whole number of bytes from 0 on, not -1",
        ),
        (
            Profile::Default,
            json!({"action": "signal", "sessionId": "x", "signal": "NOPE"}),
            "signal `NOPE` is not known; give a name such as INT or TERM, or its number",
        ),
        (
            Profile::Default,
            json!({"action": "search", "sessionId": "x"}),
            "search needs a `pattern`",
        ),
        (
            Profile::Picoclaw,
            json!({"action": "read", "sessionId": "x", "limit": 0}),
            "limit must be 1 or more",
        ),
        (
            Profile::Picoclaw,
            json!({"action": "wait", "sessionId": "x", "timeout": 0}),
            "timeout must be a whole number of seconds from 1 on",
        ),
        (
            Profile::Picoclaw,
            json!({"action": "poll"}),
            "sessionId is required",
        ),
        (
            Profile::Picoclaw,
            json!({"action": "write", "sessionId": "x"}),
            "data is required",
        ),
        (
            Profile::Picoclaw,
            json!({"action": "send-keys", "sessionId": "x", "keys": " , "}),
            "keys cannot be empty",
        ),
        (
            Profile::Picoclaw,
            json!({"action": "send-keys", "sessionId": "x", "keys": ["up"]}),
            "keys must be a string",
        ),
    ];
    for (profile, arguments, expected) in table {
        assert_eq!(
            act(profile, arguments.clone()).unwrap_err(),
            expected,
            "{arguments}"
        );
    }
}

#[test]
fn a_poll_waits_as_long_as_its_number_says_and_otherwise_not_at_all() {
    let table = [
        (json!(250), 250),
        (json!("250"), 250),
        (json!(1e9), 30_000),
        (json!(-5), 0),
        (json!("soon"), 0),
        (json!(true), 0),
    ];
    for (value, expected) in table {
        let arguments = json!({"action": "poll", "sessionId": "x", "timeout": value});
        let Act::Poll(wait) = act(Profile::Openclaw, arguments).unwrap() else {
            panic!("it is a poll")
        };
        assert_eq!(wait, Duration::from_millis(expected), "{value}");
    }
}
