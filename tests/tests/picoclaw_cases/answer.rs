//! An answer of the program in the terms in which rows are compared.

use execgate_tests::Answer;
use serde_json::{Value, json};

/// Where the header line ends and the body begins; no header where nothing was started.
pub fn split(text: &str) -> Option<(Value, &str)> {
    let (line, body) = text.strip_prefix("[exec] ")?.split_once('\n')?;
    Some((serde_json::from_str(line).ok()?, body))
}

/// A command that ended, whatever it took.
pub fn ended(code: &Value, body: &str, user: &str) -> Value {
    json!({"exitCode": code, "timedOut": false, "truncated": false, "error": false, "body": body, "user": user, "isError": *code != json!(0)})
}

/// A call that started nothing, by the first line of its text; a second one says what would pass.
pub fn refused(text: &str) -> Value {
    json!({"refused": text.lines().next()})
}

/// What the program answered. Of the header's `error`, whose wording is free, only that it is there.
pub fn found(answer: &Answer) -> Value {
    let Some((header, body)) = split(answer.text()) else {
        return match (answer.is_error(), answer.user_text()) {
            (true, "") => refused(answer.text()),
            _ => json!({"noHeader": answer.text(), "user": answer.user_text()}),
        };
    };
    json!({
        "exitCode": header["exitCode"],
        "timedOut": header["timedOut"],
        "truncated": header["truncated"],
        "error": header.get("error").is_some(),
        "body": body,
        "user": answer.user_text(),
        "isError": answer.is_error(),
    })
}
