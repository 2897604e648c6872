//! Checking and combining single values.

use toml::Value;

use super::keys::{self, KEYS, Key, Kind, MODES, Tighten};
use super::{ConfigError, Origin};

/// Reads a default of the table of keys; none for the empty text.
pub fn parse_default(text: &str) -> Option<Value> {
    if text.is_empty() {
        return None;
    }
    let table: toml::Table = format!("value = {text}")
        .parse()
        .expect("the defaults are valid TOML");
    table.get("value").cloned()
}

/// Reads the text of a variable or flag as the kind its key wants.
pub fn parse_text(key: &Key, text: &str, origin: &Origin) -> Result<Value, ConfigError> {
    let trimmed = text.trim();
    match key.kind {
        Kind::Text => Ok(Value::String(text.to_owned())),
        Kind::List => {
            let items = trimmed
                .split(',')
                .map(str::trim)
                .filter(|item| !item.is_empty());
            Ok(Value::Array(
                items.map(|item| Value::String(item.to_owned())).collect(),
            ))
        }
        Kind::Tables => {
            let table: Result<toml::Table, _> = format!("value = {trimmed}").parse();
            let value = table.ok().and_then(|mut table| table.remove("value"));
            value.ok_or_else(|| {
                refuse(
                    key,
                    origin,
                    format!("`{trimmed}` is not a list of inline tables"),
                )
            })
        }
        Kind::Boolean => match trimmed {
            "true" | "1" | "yes" | "on" => Ok(Value::Boolean(true)),
            "false" | "0" | "no" | "off" => Ok(Value::Boolean(false)),
            other => Err(refuse(
                key,
                origin,
                format!("`{other}` is not `true` or `false`"),
            )),
        },
        Kind::Integer => {
            let number = trimmed.parse::<u32>().map_err(|_| {
                refuse(
                    key,
                    origin,
                    format!("`{trimmed}` is not a whole number from 0 to {}", u32::MAX),
                )
            })?;
            Ok(Value::Integer(i64::from(number)))
        }
    }
}

/// Checks that a value fits its key.
pub fn check(key: &Key, value: Value, origin: &Origin) -> Result<Value, ConfigError> {
    let fits = match (key.kind, &value) {
        (Kind::Boolean, Value::Boolean(_)) | (Kind::Text, Value::String(_)) => true,
        (Kind::Integer, Value::Integer(number)) => *number >= 0,
        (Kind::List, Value::Array(items)) => items.iter().all(Value::is_str),
        (Kind::Tables, Value::Array(items)) => items.iter().all(Value::is_table),
        (Kind::Boolean | Kind::Text | Kind::Integer | Kind::List | Kind::Tables, _) => false,
    };
    if !fits {
        let wanted = match key.kind {
            Kind::Boolean => "true or false",
            Kind::Integer => "a whole number from 0 on",
            Kind::Text => "text in quotes",
            Kind::List => "a list of texts",
            Kind::Tables => "a list of tables",
        };
        return Err(refuse(key, origin, format!("`{value}` is not {wanted}")));
    }
    if key.name == "policy.mode" && !value.as_str().is_some_and(|mode| MODES.contains(&mode)) {
        return Err(refuse(
            key,
            origin,
            format!("{value} is not one of {}", MODES.join(", ")),
        ));
    }
    Ok(value)
}

/// What a workspace's value makes of the one in force: `None` where that is tighter already.
pub fn tighten(
    key: &Key,
    current: Option<&Value>,
    value: Value,
    origin: &Origin,
) -> Result<Option<Value>, ConfigError> {
    let loosens = || {
        refuse(
            key,
            origin,
            "a workspace's file can only tighten; put this into the user's settings file"
                .to_owned(),
        )
    };
    match key.tighten {
        Tighten::Never => Err(loosens()),
        Tighten::Off => match value.as_bool() {
            Some(false) => Ok(Some(value)),
            Some(true) | None => Err(loosens()),
        },
        Tighten::Lower => {
            // 0 stands for a default or for "none" and is never lower.
            let lower = |a: &Value, b: &Value| matches!((a.as_integer(), b.as_integer()), (Some(a), Some(b)) if a > 0 && (b == 0 || a < b));
            Ok(current
                .is_none_or(|current| lower(&value, current))
                .then_some(value))
        }
        Tighten::Stricter => {
            let rank =
                |mode: Option<&str>| MODES.iter().position(|one| Some(*one) == mode).unwrap_or(0);
            Ok((rank(value.as_str()) > rank(current.and_then(Value::as_str))).then_some(value))
        }
        Tighten::AddStricter
            if value
                .as_array()
                .is_some_and(|tables| !tables.iter().all(is_strict)) =>
        {
            Err(loosens())
        }
        Tighten::Add | Tighten::AddStricter => {
            let mut items = current
                .and_then(Value::as_array)
                .cloned()
                .unwrap_or_default();
            items.extend(value.as_array().into_iter().flatten().cloned());
            Ok(Some(Value::Array(items)))
        }
    }
}

/// Whether a rule can only stop what would run without it.
fn is_strict(rule: &Value) -> bool {
    let decision = rule.get("decision").and_then(Value::as_str);
    matches!(decision, Some("ask" | "deny"))
}

/// The error for a key that does not exist, with the nearest one that does.
pub fn unknown(name: &str, origin: &Origin) -> ConfigError {
    let last = name.rsplit('.').next().unwrap_or(name);
    let near = KEYS
        .iter()
        .find(|key| key.name.ends_with(last) || key.name.replace('-', "_") == name);
    let hint = near.map_or_else(
        || "`execgate config show` lists all settings".to_owned(),
        |key| format!("did you mean `{}`?", key.name),
    );
    ConfigError::Value {
        key: name.to_owned(),
        origin: origin.to_string(),
        message: format!("there is no such setting; {hint}"),
    }
}

fn refuse(key: &Key, origin: &Origin, message: String) -> ConfigError {
    debug_assert!(keys::find(key.name).is_some());
    ConfigError::Value {
        key: key.name.to_owned(),
        origin: origin.to_string(),
        message,
    }
}
