//! Tool surfaces: what a model may call, by which names and arguments.

mod default;
mod picoclaw;

use serde_json::{Map, Value, json};

use crate::profile::Profile;
use crate::request::{BadArguments, Caller, ExecRequest};

/// Arguments of a call.
pub type Arguments = Map<String, Value>;

/// A call that a surface understood.
#[derive(Debug)]
pub enum Call {
    /// Run a command in the foreground.
    Exec(Box<ExecRequest>),
}

/// The type of an argument, for checks and schemas alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Text,
    Boolean,
    Integer,
    Number,
    Texts,
}

/// One argument of a tool.
#[derive(Clone, Copy, Debug)]
struct Argument {
    name: &'static str,
    shape: Shape,
    /// Values it must be one of; empty for any.
    one_of: &'static [&'static str],
    doc: &'static str,
}

const fn argument(name: &'static str, shape: Shape, doc: &'static str) -> Argument {
    Argument {
        name,
        shape,
        one_of: &[],
        doc,
    }
}

/// Reads a call of a tool by the surface of a profile.
///
/// # Errors
/// The tool does not exist there, or its arguments are of the wrong shape.
pub fn read(
    profile: Profile,
    tool: &str,
    arguments: Arguments,
    caller: Caller,
) -> Result<Call, BadArguments> {
    match (profile, tool) {
        (Profile::Default, "exec") => default::read(&arguments, caller),
        (Profile::Picoclaw, "exec") => picoclaw::read(arguments, caller),
        (_, "process" | "apply_patch") => Err(BadArguments(format!(
            "tool \"{tool}\" is not available in the {} profile; \"exec\" is",
            profile.name()
        ))),
        _ => Err(BadArguments(format!(
            "unknown tool \"{}\"; the {} profile has \"exec\"",
            tool.escape_debug(),
            profile.name()
        ))),
    }
}

/// JSON Schemas of a profile's tools, by name.
pub fn schemas(profile: Profile) -> Value {
    let (description, arguments, required) = match profile {
        Profile::Default => (default::DESCRIPTION, default::ARGUMENTS, "command"),
        Profile::Picoclaw => (picoclaw::DESCRIPTION, picoclaw::ARGUMENTS, "action"),
    };
    json!([{ "name": "exec", "description": description, "parameters": schema(arguments, required) }])
}

fn schema(arguments: &[Argument], required: &str) -> Value {
    let properties: Map<String, Value> = arguments
        .iter()
        .map(|one| (one.name.to_owned(), property(one)))
        .collect();
    json!({ "type": "object", "properties": properties, "required": [required], "additionalProperties": false })
}

fn property(argument: &Argument) -> Value {
    let mut property = match argument.shape {
        Shape::Text => json!({ "type": "string" }),
        Shape::Boolean => json!({ "type": "boolean" }),
        Shape::Integer => json!({ "type": "integer" }),
        Shape::Number => json!({ "type": "number" }),
        Shape::Texts => json!({ "type": "object", "additionalProperties": { "type": "string" } }),
    };
    property["description"] = argument.doc.into();
    if !argument.one_of.is_empty() {
        property["enum"] = json!(argument.one_of);
    }
    property
}

/// Checks every argument against the table.
fn check(table: &[Argument], arguments: &Arguments) -> Result<(), String> {
    for (name, value) in arguments {
        let Some(argument) = table.iter().find(|argument| argument.name == name) else {
            return Err(format!("unexpected property \"{}\"", name.escape_debug()));
        };
        check_shape(argument, value)?;
    }
    Ok(())
}

fn check_shape(argument: &Argument, value: &Value) -> Result<(), String> {
    let (fits, expected) = match argument.shape {
        Shape::Text => (value.is_string(), "string"),
        Shape::Boolean => (
            value.is_boolean() || matches!(value.as_str(), Some("true" | "false")),
            "boolean",
        ),
        Shape::Integer => (integer(value).is_some(), "integer"),
        Shape::Number => (value.is_number(), "number"),
        Shape::Texts => (
            value
                .as_object()
                .is_some_and(|map| map.values().all(Value::is_string)),
            "object of strings",
        ),
    };
    if !fits {
        return Err(format!(
            "property \"{}\": expected {expected}, got {}",
            argument.name,
            kind_of(value)
        ));
    }
    let listed = argument.one_of.is_empty()
        || value
            .as_str()
            .is_none_or(|text| argument.one_of.contains(&text));
    if !listed {
        return Err(format!(
            "property \"{}\": expected one of {}",
            argument.name,
            argument.one_of.join(", ")
        ));
    }
    Ok(())
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number with a fraction",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// A whole number, also when it is written as `5.0`.
fn integer(value: &Value) -> Option<i64> {
    let whole =
        |number: f64| (number.fract() == 0.0 && number.abs() < 9e15).then_some(number as i64);
    value.as_i64().or_else(|| value.as_f64().and_then(whole))
}

fn text<'a>(arguments: &'a Arguments, name: &str) -> Option<&'a str> {
    arguments.get(name).and_then(Value::as_str)
}

fn boolean(arguments: &Arguments, name: &str) -> bool {
    matches!(arguments.get(name), Some(Value::Bool(true))) || text(arguments, name) == Some("true")
}

#[cfg(test)]
mod tests;
