//! Reads the layers of settings in their order.

use std::path::{Path, PathBuf};

use toml::Value;

use super::keys::KEYS;
use super::{Config, ConfigError, Origin, picoclaw, user_file, value, workspace_file};
use crate::profile::Profile;

/// Where settings are looked for.
#[derive(Clone, Debug, Default)]
pub struct Files {
    /// The settings file, in place of the user's own. A name that ends in
    /// `.json` is PicoClaw's document.
    pub config: Option<PathBuf>,
    /// The directory from which a workspace's file is looked for upward.
    pub directory: PathBuf,
}

/// Reads all layers for a profile; `flags` are names and values given by hand.
///
/// # Errors
/// The first value that cannot be used, with its key and origin.
pub fn load(
    profile: Profile,
    files: &Files,
    flags: &[(&str, String)],
) -> Result<Config, ConfigError> {
    let mut config = Config::new(profile);
    let user = read_user_file(&mut config, files)?;
    if profile == Profile::Picoclaw {
        picoclaw::read_variables(&mut config)?;
    }
    read_variables(&mut config)?;
    for (name, text) in flags {
        let key = KEYS
            .iter()
            .find(|key| key.name == *name)
            .ok_or_else(|| value::unknown(name, &Origin::Flag))?;
        config.set(
            name,
            value::parse_text(key, text, &Origin::Flag)?,
            Origin::Flag,
        )?;
    }
    if let Some(path) = workspace_file(&files.directory).filter(|path| user.as_ref() != Some(path))
    {
        read_toml(&mut config, &path, &Origin::Workspace(path.clone()))?;
    }
    Ok(config)
}

fn read_user_file(config: &mut Config, files: &Files) -> Result<Option<PathBuf>, ConfigError> {
    let Some(path) = &files.config else {
        let path = user_file();
        if path.is_file() {
            read_toml(config, &path, &Origin::File(path.clone()))?;
        }
        return Ok(Some(path));
    };
    if path
        .extension()
        .is_some_and(|extension| extension == "json")
    {
        picoclaw::read_document(config, path)?;
    } else {
        read_toml(config, path, &Origin::File(path.clone()))?;
    }
    Ok(Some(path.clone()))
}

fn read_toml(config: &mut Config, path: &Path, origin: &Origin) -> Result<(), ConfigError> {
    let text = read(path)?;
    let table: toml::Table =
        text.parse()
            .map_err(|error: toml::de::Error| ConfigError::Syntax {
                path: path.to_owned(),
                message: error.to_string(),
            })?;
    flatten(config, "", Value::Table(table), origin)
}

/// Sets each leaf of a table under its dotted name.
fn flatten(
    config: &mut Config,
    name: &str,
    value: Value,
    origin: &Origin,
) -> Result<(), ConfigError> {
    let Value::Table(table) = value else {
        return config.set(name, value, origin.clone());
    };
    for (key, value) in table {
        let name = if name.is_empty() {
            key
        } else {
            format!("{name}.{key}")
        };
        flatten(config, &name, value, origin)?;
    }
    Ok(())
}

fn read_variables(config: &mut Config) -> Result<(), ConfigError> {
    for key in KEYS {
        let name = key.variable();
        if let Ok(text) = std::env::var(&name) {
            let origin = Origin::Variable(name);
            config.set(key.name, value::parse_text(key, &text, &origin)?, origin)?;
        }
    }
    Ok(())
}

pub(super) fn read(path: &Path) -> Result<String, ConfigError> {
    std::fs::read_to_string(path).map_err(|source| ConfigError::Read {
        path: path.to_owned(),
        source,
    })
}
