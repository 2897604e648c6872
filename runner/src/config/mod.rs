//! Settings: one table of keys, filled from defaults, files, variables and flags, each value with its source.
//!
//! Later layers win: default, user file, PicoClaw's file, variables, flags. A
//! workspace's `execgate.toml` comes last and can only tighten, because an
//! agent may have written it.

mod keys;
mod layers;
mod picoclaw;
mod reference;
mod value;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub use keys::{KEYS, Key, Kind, MODES, Tighten};
pub use layers::{Files, load};
pub use reference::reference;
use toml::Value;

use crate::profile::Profile;

/// A setting that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file could not be read.
    #[error(
        "cannot read the settings file `{path}`: {source}; check the path given with `--config`"
    )]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file is not what its name says.
    #[error("the settings file `{path}` is not valid: {message}")]
    Syntax {
        /// The file.
        path: PathBuf,
        /// What the parser says, with line and column.
        message: String,
    },
    /// A value does not fit its key.
    #[error("setting `{key}` from {origin}: {message}")]
    Value {
        /// The key's name.
        key: String,
        /// Where the value came from.
        origin: String,
        /// What is wrong, and what would be right.
        message: String,
    },
}

/// Where a value came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The table of keys.
    Default,
    /// The table of keys, for this profile.
    Profile,
    /// A settings file.
    File(PathBuf),
    /// A variable.
    Variable(String),
    /// A flag of the command line, or the embedding program.
    Flag,
    /// The file of a workspace, which can only tighten.
    Workspace(PathBuf),
}

impl std::fmt::Display for Origin {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Default => write!(formatter, "the defaults"),
            Self::Profile => write!(formatter, "the profile's defaults"),
            Self::File(path) => write!(formatter, "`{}`", path.display()),
            Self::Variable(name) => write!(formatter, "variable {name}"),
            Self::Flag => write!(formatter, "the command line"),
            Self::Workspace(path) => write!(formatter, "the workspace's `{}`", path.display()),
        }
    }
}

/// All settings of one runner, each with its origin.
#[derive(Clone, Debug)]
pub struct Config {
    profile: Profile,
    values: BTreeMap<&'static str, (Value, Origin)>,
}

impl Config {
    /// The defaults of a profile.
    pub fn new(profile: Profile) -> Self {
        let mut values = BTreeMap::new();
        for key in KEYS {
            let own = match profile {
                Profile::Default => "",
                Profile::Picoclaw => key.picoclaw,
                Profile::Openclaw => key.openclaw,
            };
            let (text, origin) = if own.is_empty() {
                (key.default, Origin::Default)
            } else {
                (own, Origin::Profile)
            };
            if let Some(value) = value::parse_default(text) {
                values.insert(key.name, (value, origin));
            }
        }
        Self { profile, values }
    }

    /// The profile these settings are for.
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// Sets a value.
    ///
    /// # Errors
    /// The key does not exist, or the value does not fit it.
    pub fn set(&mut self, name: &str, value: Value, origin: Origin) -> Result<(), ConfigError> {
        let key = keys::find(name).ok_or_else(|| value::unknown(name, &origin))?;
        let value = value::check(key, value, &origin)?;
        let value = match &origin {
            Origin::Workspace(_) => value::tighten(
                key,
                self.values.get(key.name).map(|(value, _)| value),
                value,
                &origin,
            )?,
            Origin::Default
            | Origin::Profile
            | Origin::File(_)
            | Origin::Variable(_)
            | Origin::Flag => Some(value),
        };
        if let Some(value) = value {
            self.values.insert(key.name, (value, origin));
        }
        Ok(())
    }

    /// Sets a list by hand. The key must be one of a list.
    pub(crate) fn set_list(&mut self, name: &'static str, items: impl Iterator<Item = String>) {
        debug_assert!(keys::find(name).is_some_and(|key| key.kind == Kind::List));
        self.values.insert(
            name,
            (
                Value::Array(items.map(Value::String).collect()),
                Origin::Flag,
            ),
        );
    }

    /// Every key with its value, if it has one, and where that came from.
    pub fn entries(&self) -> impl Iterator<Item = (&'static Key, Option<&(Value, Origin)>)> {
        KEYS.iter().map(|key| (key, self.values.get(key.name)))
    }

    fn value(&self, name: &str) -> Option<&Value> {
        debug_assert!(keys::find(name).is_some(), "`{name}` is not a setting");
        self.values.get(name).map(|(value, _)| value)
    }

    /// A text setting.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.value(name).and_then(Value::as_str)
    }

    /// A number setting; 0 where it has no value.
    pub fn integer(&self, name: &str) -> u64 {
        self.value(name)
            .and_then(Value::as_integer)
            .and_then(|number| u64::try_from(number).ok())
            .unwrap_or(0)
    }

    /// A number setting, with its default in place of 0.
    pub fn integer_or_default(&self, name: &str) -> u64 {
        match self.integer(name) {
            0 => Self::new(self.profile).integer(name),
            number => number,
        }
    }

    /// A yes-or-no setting.
    pub fn boolean(&self, name: &str) -> bool {
        self.value(name).and_then(Value::as_bool).unwrap_or(false)
    }

    /// A list setting.
    pub fn list(&self, name: &str) -> Vec<String> {
        let items = self.value(name).and_then(Value::as_array);
        items
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect()
    }

    /// A setting that is a list of tables.
    pub fn tables(&self, name: &str) -> Vec<toml::Table> {
        let items = self.value(name).and_then(Value::as_array);
        let tables = items.into_iter().flatten().filter_map(Value::as_table);
        tables.cloned().collect()
    }

    /// Sets tables by hand. The key must be one of tables.
    pub(crate) fn set_tables(&mut self, name: &'static str, tables: Vec<toml::Table>) {
        debug_assert!(keys::find(name).is_some_and(|key| key.kind == Kind::Tables));
        let tables = tables.into_iter().map(Value::Table).collect();
        self.values
            .insert(name, (Value::Array(tables), Origin::Flag));
    }

    /// A duration setting in milliseconds.
    pub fn milliseconds(&self, name: &str) -> Duration {
        Duration::from_millis(self.integer(name))
    }

    /// A path setting.
    pub fn path(&self, name: &str) -> Option<PathBuf> {
        self.text(name)
            .filter(|text| !text.is_empty())
            .map(PathBuf::from)
    }

    /// Directory of the store.
    pub fn state_dir(&self) -> PathBuf {
        self.path("state-dir")
            .unwrap_or_else(|| base_dir(BaseDir::State))
    }

    /// Directory of compiled components.
    pub fn cache_dir(&self) -> PathBuf {
        self.path("cache-dir")
            .unwrap_or_else(|| base_dir(BaseDir::Cache))
    }

    /// Limit of a command that names none.
    pub fn timeout(&self) -> Duration {
        Duration::from_secs(self.integer_or_default("exec.timeout-seconds"))
    }
}

#[derive(Clone, Copy)]
enum BaseDir {
    State,
    Cache,
    Config,
}

/// `execgate` in one of the XDG base directories; below the temporary directory
/// of this user where there is no home.
fn base_dir(kind: BaseDir) -> PathBuf {
    use etcetera::BaseStrategy as _;
    let Ok(base) = etcetera::choose_base_strategy() else {
        return std::env::temp_dir().join("execgate");
    };
    let directory = match kind {
        BaseDir::State => base.state_dir().unwrap_or_else(|| base.data_dir()),
        BaseDir::Cache => base.cache_dir(),
        BaseDir::Config => base.config_dir(),
    };
    directory.join("execgate")
}

/// The user's settings file, whether it exists or not.
pub fn user_file() -> PathBuf {
    base_dir(BaseDir::Config).join("execgate.toml")
}

/// The nearest `execgate.toml` from a directory upward.
pub fn workspace_file(directory: &Path) -> Option<PathBuf> {
    directory
        .ancestors()
        .map(|ancestor| ancestor.join("execgate.toml"))
        .find(|file| file.is_file())
}

#[cfg(test)]
mod tests;
