//! JSON-RPC 2.0 (jsonrpc.org/specification), one object a line.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Error codes, of the specification and our own.
pub mod code {
    /// The line is not JSON.
    pub const PARSE: i32 = -32700;
    /// The object is no request.
    pub const REQUEST: i32 = -32600;
    /// There is no such method.
    pub const METHOD: i32 = -32601;
    /// The parameters do not fit the method.
    pub const PARAMETERS: i32 = -32602;
    /// It could not be done; the message says why.
    pub const FAILED: i32 = -32000;
    /// The peer may not ask for that.
    pub const UNWELCOME: i32 = -32001;
    /// Sessions live; `data` names them.
    pub const SESSIONS_LIVE: i32 = -32002;
}

/// A request, or a notification where it has no id.
#[derive(Clone, Debug, Deserialize)]
pub struct Request {
    /// Comes back in the response.
    #[serde(default)]
    pub id: Value,
    /// What for.
    pub method: String,
    /// With what.
    #[serde(default)]
    pub params: Value,
}

/// What went wrong.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct ErrorObject {
    /// One of [`code`].
    pub code: i32,
    /// For people.
    pub message: String,
    /// For programs.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub data: Value,
}

impl ErrorObject {
    /// An error without data.
    pub fn new(code: i32, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            data: Value::Null,
        }
    }
}

/// What a client reads.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Incoming {
    /// Something that was not asked for.
    Notification {
        /// Its name.
        method: String,
        /// What it tells.
        #[serde(default)]
        params: Value,
    },
    /// What was asked for.
    Result {
        /// The request's.
        id: Value,
        /// The answer.
        result: Value,
    },
    /// Why there is no answer.
    Error {
        /// The request's, if it could be read.
        #[serde(default)]
        id: Value,
        /// What went wrong.
        error: ErrorObject,
    },
}

/// Reads one line.
pub(super) fn read(line: &[u8]) -> Result<Request, ErrorObject> {
    let value: Value = serde_json::from_slice(line)
        .map_err(|error| ErrorObject::new(code::PARSE, format!("the line is not JSON: {error}")))?;
    serde_json::from_value(value).map_err(|error| {
        let message = format!("the line is no request: {error}; give `method` and `params`");
        ErrorObject::new(code::REQUEST, message)
    })
}

/// The response to a request.
pub(super) fn response(id: &Value, result: Result<Value, ErrorObject>) -> Value {
    match result {
        Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
        Err(error) => json!({"jsonrpc": "2.0", "id": id, "error": error}),
    }
}

/// Something that is told unasked.
pub(super) fn notification(method: &str, params: &Value) -> Value {
    json!({"jsonrpc": "2.0", "method": method, "params": params})
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    #[test]
    fn what_is_no_request_is_named() {
        let code_of = |line: &str| read(line.as_bytes()).unwrap_err().code;
        assert_eq!(code_of("{"), code::PARSE);
        assert_eq!(code_of("[]"), code::REQUEST);
        assert_eq!(code_of(r#"{"id": 1}"#), code::REQUEST);
        let request = read(br#"{"jsonrpc": "2.0", "id": 7, "method": "status"}"#).unwrap();
        assert_eq!((request.id, request.params), (json!(7), Value::Null));
    }

    #[test]
    fn a_client_tells_answers_errors_and_notifications_apart() {
        let read = |value: Value| serde_json::from_value::<Incoming>(value).unwrap();
        assert!(matches!(
            read(response(&json!(1), Ok(json!({})))),
            Incoming::Result { .. }
        ));
        let error = ErrorObject::new(code::FAILED, "no");
        assert!(matches!(
            read(response(&json!(1), Err(error))),
            Incoming::Error { .. }
        ));
        assert!(matches!(
            read(notification("output", &json!({}))),
            Incoming::Notification { .. }
        ));
    }
}
