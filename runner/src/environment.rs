//! The environment a command sees: an allow-list of the host's, then the call's overrides.
//!
//! Provider keys and tokens of the embedding program do not reach a command
//! unless its operator names them.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};

use crate::output::mask::Secrets;

/// Names that are passed on as they are.
const NAMES: &[&str] = &[
    "CI",
    "COLORTERM",
    "DBUS_SESSION_BUS_ADDRESS",
    "DISPLAY",
    "HOME",
    "LANG",
    "LANGUAGE",
    "LOGNAME",
    "PATH",
    "SHELL",
    "SSH_AUTH_SOCK",
    "TERM",
    "TMPDIR",
    "TZ",
    "USER",
    "VIRTUAL_ENV",
    "WAYLAND_DISPLAY",
];

/// Families that are passed on by how their names begin.
const PREFIXES: &[&str] = &["CONDA_", "LC_", "NVM_", "PYENV_", "XDG_"];

/// Families that are passed on by how their names end; proxies are spelt in both cases.
const SUFFIXES: &[&str] = &["_DIR", "_HOME", "_PROXY", "_ROOT", "_proxy"];

/// Parts that make a name look like a secret's, whatever family it belongs to.
const SECRET_PARTS: &[&str] = &[
    "APIKEY",
    "AUTH",
    "COOKIE",
    "CREDENTIAL",
    "KEY",
    "PASSWD",
    "PASSWORD",
    "SECRET",
    "TOKEN",
];

/// Pagers and editors would wait for a person who is not there.
const FORCED: &[(&str, &str)] = &[
    ("GIT_EDITOR", "true"),
    ("GIT_PAGER", "cat"),
    ("PAGER", "cat"),
];

/// What a terminal is called where nothing better is known, or what is known would keep programs from using it.
const TERMINAL: &str = "xterm-256color";

/// Bytes from which on a value is long enough to be a secret.
const SECRET_BYTES: usize = 8;

/// Whether a variable of the host's environment reaches commands by default.
pub fn is_inherited(name: &str) -> bool {
    if NAMES.contains(&name) {
        return true;
    }
    let family = PREFIXES.iter().any(|prefix| name.starts_with(prefix))
        || SUFFIXES.iter().any(|suffix| name.ends_with(suffix));
    family && !looks_secret(name)
}

/// Whether a name has the shape of a secret's: one of its `_`-separated parts says so.
fn looks_secret(name: &str) -> bool {
    let upper = name.to_ascii_uppercase();
    upper.split('_').any(|part| SECRET_PARTS.contains(&part))
}

/// What a command sees beyond what it inherits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Additions<'a> {
    /// What the profile gives to every command.
    pub profile: &'a [(&'a str, &'a str)],
    /// What the call sets; it wins.
    pub overrides: &'a [(String, String)],
    /// Whether it runs on a terminal.
    pub on_terminal: bool,
}

/// Builds the environment of one command: what is inherited of `host`, the names
/// in `extra` whatever they look like, and the additions. Sorted by name.
pub fn build<I>(host: I, extra: &[String], additions: &Additions<'_>) -> Vec<(OsString, OsString)>
where
    I: IntoIterator<Item = (OsString, OsString)>,
{
    let mut environment: BTreeMap<OsString, OsString> = host
        .into_iter()
        .filter(|(name, _)| {
            name.to_str()
                .is_some_and(|name| is_inherited(name) || extra.iter().any(|one| one == name))
        })
        .collect();
    for (name, value) in FORCED {
        environment
            .entry(OsString::from(name))
            .or_insert_with(|| OsString::from(value));
    }
    for (name, value) in additions.profile {
        environment.insert(OsString::from(name), OsString::from(value));
    }
    if additions.on_terminal {
        let term = environment.entry(OsString::from("TERM")).or_default();
        if term.is_empty() || term == "dumb" {
            *term = OsString::from(TERMINAL);
        }
    }
    for (name, value) in additions.overrides {
        environment.insert(OsString::from(name), OsString::from(value));
    }
    environment.into_iter().collect()
}

/// Names of the host's variables that commands do not see, sorted and separated by commas.
pub fn withheld(extra: &[String]) -> String {
    let mut names: Vec<String> = std::env::vars_os()
        .map(|(name, _)| name.to_string_lossy().into_owned())
        .filter(|name| !is_inherited(name) && !extra.contains(name))
        .collect();
    names.sort_unstable();
    names.join(",")
}

/// The secrets of this program's environment and of a call's own variables: what must not get out by a command's output.
///
/// They are told by their names. Short values would cover ordinary words, and a path is no secret.
pub fn secrets(overrides: &[(String, String)]) -> Secrets {
    let own = std::env::vars_os().filter_map(|(name, value)| {
        let value = value.into_encoded_bytes();
        is_secret(name.to_str()?, &value).then_some(value)
    });
    let brought = overrides
        .iter()
        .filter(|(name, value)| is_secret(name, value.as_bytes()))
        .map(|(_, value)| value.clone().into_bytes());
    Secrets::new(own.chain(brought))
}

/// Whether one of a call's own variables holds a secret.
pub fn brings_secrets(overrides: &[(String, String)]) -> bool {
    overrides
        .iter()
        .any(|(name, value)| is_secret(name, value.as_bytes()))
}

fn is_secret(name: &str, value: &[u8]) -> bool {
    looks_secret(name) && value.len() >= SECRET_BYTES && !value.starts_with(b"/")
}

/// The value of a variable in a built environment.
pub fn get<'a>(environment: &'a [(OsString, OsString)], name: &str) -> Option<&'a OsStr> {
    environment
        .iter()
        .find(|(one, _)| one == name)
        .map(|(_, value)| value.as_os_str())
}

/// Checks an override: a name that execve can carry, and no NUL in the value.
///
/// # Errors
/// A sentence that names the variable.
pub fn check_override(name: &str, value: &str) -> Result<(), String> {
    if name.is_empty() || name.contains(['=', '\0']) {
        return Err(format!(
            "environment variable name `{}` is not valid: it must not be empty nor contain `=` or NUL",
            name.escape_debug()
        ));
    }
    if value.contains('\0') {
        return Err(format!(
            "the value of environment variable `{name}` contains a NUL byte"
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_allow_list_are_inherited() {
        for name in [
            "PATH",
            "HOME",
            "LC_ALL",
            "XDG_CACHE_HOME",
            "CARGO_HOME",
            "https_proxy",
            "HTTPS_PROXY",
            "JAVA_HOME",
            "CONDA_PREFIX",
        ] {
            assert!(is_inherited(name), "{name}");
        }
    }

    #[test]
    fn secrets_are_not_inherited_even_in_a_listed_family() {
        for name in [
            "OPENAI_API_KEY",
            "GITHUB_TOKEN",
            "AWS_SECRET_ACCESS_KEY",
            "XDG_TOKEN",
            "CONDA_AUTH_TOKEN",
            "SECRET_DIR",
            "DATABASE_URL",
            "LD_PRELOAD",
            "BASH_ENV",
        ] {
            assert!(!is_inherited(name), "{name}");
        }
    }

    #[test]
    fn overrides_win_and_extra_names_pass() {
        let host = [("PATH", "/bin"), ("MY_TOKEN", "t"), ("OTHER", "o")]
            .map(|(name, value)| (name.into(), value.into()));
        let built = build(
            host,
            &["MY_TOKEN".into()],
            &Additions {
                overrides: &[("PATH".into(), "/usr/bin".into())],
                ..Additions::default()
            },
        );
        let expected: Vec<(OsString, OsString)> = [
            ("GIT_EDITOR", "true"),
            ("GIT_PAGER", "cat"),
            ("MY_TOKEN", "t"),
            ("PAGER", "cat"),
            ("PATH", "/usr/bin"),
        ]
        .map(|(name, value)| (name.into(), value.into()))
        .to_vec();
        assert_eq!(built, expected);
    }

    #[test]
    fn overrides_that_execve_cannot_carry_are_refused() {
        assert!(check_override("A=B", "x").is_err());
        assert!(check_override("", "x").is_err());
        assert!(check_override("A", "x\0y").is_err());
        assert!(check_override("A", "x").is_ok());
    }
}
