use std::time::Duration;

use pretty_assertions::assert_eq;
use serde_json::json;

use super::*;
use crate::request::TimeLimit;

fn request(profile: Profile, arguments: Value) -> Result<ExecRequest, String> {
    let Value::Object(arguments) = arguments else {
        panic!("arguments are an object")
    };
    let Call::Exec(request) =
        read(profile, "exec", arguments, Caller::local()).map_err(|error| error.0)?;
    Ok(*request)
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
        json!({"command": "x", "pty": true}),
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
    for profile in [Profile::Default, Profile::Picoclaw] {
        let schema = &schemas(profile)[0]["parameters"];
        assert_eq!(schema["additionalProperties"], json!(false));
        assert_eq!(schema["properties"]["command"]["type"], json!("string"));
    }
}
