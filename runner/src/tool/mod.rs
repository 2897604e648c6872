//! Tool surfaces: what a model may call, by which names and arguments.

mod openclaw;
mod patch;
mod picoclaw;
mod process;

use std::time::Duration;

use serde_json::{Map, Value, json};

use crate::exec::Attachment;
use crate::patch::PatchRequest;
use crate::profile::Profile;
use crate::request::{BadArguments, Caller, ExecRequest};
use crate::response::Response;
use crate::runner::Runner;
use crate::session::action::ProcessRequest;

/// Arguments of a call.
pub type Arguments = Map<String, Value>;

/// A call that a surface understood.
#[derive(Debug)]
pub enum Call {
    /// Run a command.
    Exec(Box<ExecRequest>),
    /// Do something with sessions.
    Process(Box<ProcessRequest>),
    /// Change files.
    Patch(Box<PatchRequest>),
}

/// A tool surface, and what the settings say about it.
#[derive(Clone, Copy, Debug)]
pub struct Surface {
    /// The profile that it is of.
    pub profile: Profile,
    /// Whether commands may go on in the background.
    pub continues: bool,
    /// Whether files may be patched.
    pub patches: bool,
    /// How long a call stays with its command where it does not say.
    pub yield_after: Duration,
    /// The longest wait of PicoClaw's `wait`, and its default.
    pub longest_wait: Duration,
    /// Bytes of a read that names no limit.
    pub read_bytes: u64,
}

/// The type of an argument, for checks and schemas alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Text,
    Boolean,
    Integer,
    Number,
    /// An object with texts as values.
    Texts,
    /// A list of texts.
    TextList,
    /// Anything: who reads it decides.
    Any,
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

/// Reads a call of a tool.
///
/// # Errors
/// The tool does not exist there, or its arguments are of the wrong shape.
pub fn read(
    surface: &Surface,
    tool: &str,
    arguments: Arguments,
    caller: Caller,
) -> Result<Call, BadArguments> {
    match (surface.profile, tool) {
        (Profile::Picoclaw, "exec") => picoclaw::read(surface, arguments, caller),
        (Profile::Default | Profile::Openclaw, "exec") => {
            openclaw::read(surface, arguments, caller)
        }
        (Profile::Default | Profile::Openclaw, "process") if surface.continues => {
            process::read(surface, &arguments, caller)
        }
        (Profile::Default | Profile::Openclaw, "apply_patch") if surface.patches => {
            patch::read(surface, &arguments, caller)
        }
        (profile, _) => {
            let names: Vec<&str> = tools(profile, surface.continues, surface.patches)
                .iter()
                .map(|tool| tool.name)
                .collect();
            Err(BadArguments(format!(
                "unknown tool \"{}\"; the {} profile has {}",
                tool.escape_debug(),
                profile.name(),
                names.join(" and ")
            )))
        }
    }
}

impl Runner {
    /// Answers a call of a tool with arguments as a model wrote them. `attach` sees a command before it is judged, and ties it to its caller.
    pub async fn call(
        &self,
        tool: &str,
        arguments: Arguments,
        caller: Caller,
        attach: impl FnOnce(&mut ExecRequest) -> Attachment<'static>,
    ) -> Response {
        match read(&self.surface(), tool, arguments, caller) {
            Ok(Call::Exec(mut request)) => {
                let attachment = attach(&mut request);
                self.exec(*request, attachment).await
            }
            Ok(Call::Process(request)) => self.process(*request).await,
            Ok(Call::Patch(request)) => self.patch(*request).await,
            Err(error) if tool == "process" => Response::bad_action(error.0),
            Err(error) => Response::bad_arguments(error.0),
        }
    }
}

/// A tool, as a model is told of it.
struct Tool {
    name: &'static str,
    description: &'static str,
    arguments: Vec<Argument>,
    required: &'static str,
}

fn tools(profile: Profile, continues: bool, patches: bool) -> Vec<Tool> {
    let exec = match profile {
        Profile::Picoclaw => Tool {
            name: "exec",
            description: picoclaw::DESCRIPTION,
            arguments: picoclaw::ARGUMENTS.to_vec(),
            required: "action",
        },
        Profile::Default | Profile::Openclaw => Tool {
            name: "exec",
            description: openclaw::DESCRIPTION,
            arguments: openclaw::arguments(continues),
            required: "command",
        },
    };
    let process = (profile != Profile::Picoclaw && continues).then(|| Tool {
        name: "process",
        description: process::DESCRIPTION,
        arguments: process::arguments(profile),
        required: "action",
    });
    let patch = (profile != Profile::Picoclaw && patches).then(|| Tool {
        name: "apply_patch",
        description: patch::DESCRIPTION,
        arguments: patch::arguments(profile),
        required: "input",
    });
    [exec].into_iter().chain(process).chain(patch).collect()
}

/// JSON Schemas of a profile's tools. Without sessions there is nothing about going on in the background.
pub fn schemas(profile: Profile, continues: bool, patches: bool) -> Value {
    tools(profile, continues, patches)
        .into_iter()
        .map(|tool| {
            json!({
                "name": tool.name,
                "description": tool.description,
                "parameters": schema(&tool.arguments, tool.required),
            })
        })
        .collect()
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
        Shape::TextList => json!({ "type": "array", "items": { "type": "string" } }),
        Shape::Any => json!({ "type": ["number", "string"] }),
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
        Shape::TextList => (
            value
                .as_array()
                .is_some_and(|list| list.iter().all(Value::is_string)),
            "list of strings",
        ),
        Shape::Any => (true, "anything"),
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

fn list(arguments: &Arguments, name: &str) -> Vec<String> {
    let items = arguments.get(name).and_then(Value::as_array);
    let texts = items.into_iter().flatten().filter_map(Value::as_str);
    texts.map(str::to_owned).collect()
}

fn boolean(arguments: &Arguments, name: &str) -> bool {
    matches!(arguments.get(name), Some(Value::Bool(true))) || text(arguments, name) == Some("true")
}

#[cfg(test)]
mod tests;
