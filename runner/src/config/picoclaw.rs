//! PicoClaw's own settings: its JSON document and its variables.
//!
//! Keys that this program has no use for are left alone: the document serves
//! another program as well.

use std::path::Path;

use serde_json::Value as Json;
use toml::Value;

use super::layers::read;
use super::{Config, ConfigError, Origin, keys, value};

/// JSON pointer in PicoClaw's document, its variable, and the setting it fills.
const MAPPING: &[(&str, &str, &str)] = &[
    (
        "/tools/exec/enabled",
        "PICOCLAW_TOOLS_EXEC_ENABLED",
        "picoclaw.enabled",
    ),
    (
        "/tools/exec/enable_deny_patterns",
        "PICOCLAW_TOOLS_EXEC_ENABLE_DENY_PATTERNS",
        "picoclaw.enable-deny-patterns",
    ),
    (
        "/tools/exec/custom_deny_patterns",
        "PICOCLAW_TOOLS_EXEC_CUSTOM_DENY_PATTERNS",
        "picoclaw.custom-deny-patterns",
    ),
    (
        "/tools/exec/custom_allow_patterns",
        "PICOCLAW_TOOLS_EXEC_CUSTOM_ALLOW_PATTERNS",
        "picoclaw.custom-allow-patterns",
    ),
    (
        "/tools/exec/allow_remote",
        "PICOCLAW_TOOLS_EXEC_ALLOW_REMOTE",
        "picoclaw.allow-remote",
    ),
    (
        "/tools/exec/timeout_seconds",
        "PICOCLAW_TOOLS_EXEC_TIMEOUT_SECONDS",
        "exec.timeout-seconds",
    ),
    (
        "/tools/exec/max_output_chars",
        "PICOCLAW_TOOLS_EXEC_MAX_OUTPUT_CHARS",
        "exec.max-output-chars",
    ),
    (
        "/tools/max_inline_result_chars",
        "PICOCLAW_TOOLS_MAX_INLINE_RESULT_CHARS",
        "exec.max-inline-result-chars",
    ),
    (
        "/tools/allow_read_paths",
        "PICOCLAW_TOOLS_ALLOW_READ_PATHS",
        "picoclaw.allow-read-paths",
    ),
    (
        "/agents/defaults/restrict_to_workspace",
        "PICOCLAW_AGENTS_DEFAULTS_RESTRICT_TO_WORKSPACE",
        "picoclaw.restrict-to-workspace",
    ),
    (
        "/agents/defaults/workspace",
        "PICOCLAW_AGENTS_DEFAULTS_WORKSPACE",
        "workspace",
    ),
];

/// Reads PicoClaw's JSON document.
pub fn read_document(config: &mut Config, path: &Path) -> Result<(), ConfigError> {
    let text = read(path)?;
    let document: Json = serde_json::from_str(&text).map_err(|error| ConfigError::Syntax {
        path: path.to_owned(),
        message: error.to_string(),
    })?;
    for (pointer, _, name) in MAPPING {
        if let Some(found) = document.pointer(pointer).filter(|found| !found.is_null()) {
            let origin = Origin::File(path.to_owned());
            let value = convert(found).ok_or_else(|| ConfigError::Value {
                key: (*name).to_owned(),
                origin: origin.to_string(),
                message: format!("`{found}` at `{pointer}` is not a value this setting can take"),
            })?;
            config.set(name, value, origin)?;
        }
    }
    Ok(())
}

/// Reads PicoClaw's variables.
pub fn read_variables(config: &mut Config) -> Result<(), ConfigError> {
    for (_, variable, name) in MAPPING {
        if let Ok(text) = std::env::var(variable) {
            let origin = Origin::Variable((*variable).to_owned());
            let key = keys::find(name).expect("the mapping names settings that exist");
            config.set(name, value::parse_text(key, &text, &origin)?, origin)?;
        }
    }
    Ok(())
}

fn convert(json: &Json) -> Option<Value> {
    match json {
        Json::Bool(yes) => Some(Value::Boolean(*yes)),
        Json::Number(number) => number.as_i64().map(Value::Integer),
        Json::String(text) => Some(Value::String(text.clone())),
        Json::Array(items) => items
            .iter()
            .map(convert)
            .collect::<Option<Vec<_>>>()
            .map(Value::Array),
        Json::Null | Json::Object(_) => None,
    }
}
