//! What a component imports and exports, checked by name before anything is linked.

use crate::load::{Grants, LoadError};

/// The package that this host speaks.
pub(crate) const PACKAGE: &str = "execgate:policy";
/// Its version.
pub(crate) const VERSION: &str = "1.0.0";
/// The interfaces of the package that need no grant.
const FREE: [&str; 7] = [
    "command", "log", "outcome", "patterns", "request", "settings", "verdict",
];
/// What the standard library of a bare guest imports. It meets an empty
/// context: no variables, no arguments, input at its end, output thrown away.
const WASI: [(&str, &[&str]); 3] = [
    (
        "wasi:cli",
        &[
            "environment",
            "exit",
            "stderr",
            "stdin",
            "stdout",
            "terminal-input",
            "terminal-output",
            "terminal-stderr",
            "terminal-stdin",
            "terminal-stdout",
        ],
    ),
    // `poll` is there for the type of a stream's `subscribe`; these streams are always ready.
    ("wasi:io", &["error", "poll", "streams"]),
    ("wasi:random", &["insecure-seed"]),
];

/// A name such as `wasi:io/streams@0.2.6`, taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Name<'a> {
    pub(crate) package: &'a str,
    pub(crate) interface: &'a str,
    pub(crate) version: &'a str,
}

impl<'a> Name<'a> {
    pub(crate) fn parse(name: &'a str) -> Option<Self> {
        let (path, version) = name.split_once('@').unwrap_or((name, ""));
        let (package, interface) = path.split_once('/')?;
        Some(Self {
            package,
            interface,
            version,
        })
    }

    /// Whether the version is one that this host serves: the same major, and no pre-release.
    pub(crate) fn is_served(&self) -> bool {
        let major = |version: &'a str| version.split('.').next();
        !self.version.contains('-') && major(self.version) == major(VERSION)
    }
}

/// Checks one import.
pub(crate) fn check_import(
    component: &str,
    import: &str,
    grants: &Grants,
) -> Result<(), LoadError> {
    let refused = |remedy: &str| {
        Err(LoadError::Import {
            name: component.to_owned(),
            import: import.to_owned(),
            remedy: remedy.to_owned(),
        })
    };
    let Some(name) = Name::parse(import) else {
        return refused("nothing grants it: components import interfaces only");
    };
    if name.package == PACKAGE {
        return check_own(component, import, name, grants);
    }
    let known = WASI.iter().find(|(package, _)| *package == name.package);
    if known.is_some_and(|(_, interfaces)| interfaces.contains(&name.interface)) {
        return if name.version.starts_with("0.2.") {
            Ok(())
        } else {
            version(component, import, name, "0.2.x")
        };
    }
    refused("nothing grants it: components get no files, clocks, sockets or randomness")
}

/// Checks an import of our own package.
fn check_own(
    component: &str,
    import: &str,
    name: Name<'_>,
    grants: &Grants,
) -> Result<(), LoadError> {
    let refused = |remedy: &str| {
        Err(LoadError::Import {
            name: component.to_owned(),
            import: import.to_owned(),
            remedy: remedy.to_owned(),
        })
    };
    if !name.is_served() {
        return version(component, import, name, VERSION);
    }
    match name.interface {
        "workspace" if grants.workspace.is_none() => refused("grant it with `workspace`"),
        "counters" if !grants.counters => refused("grant it with `counters`"),
        "workspace" | "counters" => Ok(()),
        free if FREE.contains(&free) => Ok(()),
        _ => refused("this host does not know the interface: use a newer host or an older SDK"),
    }
}

fn version(
    component: &str,
    item: &str,
    name: Name<'_>,
    offered: &'static str,
) -> Result<(), LoadError> {
    Err(LoadError::Version {
        name: component.to_owned(),
        item: item.to_owned(),
        package: name.package.to_owned(),
        wanted: name.version.to_owned(),
        offered,
    })
}

/// Checks that a role, if it is exported, is exported in a version that is served.
pub(crate) fn check_exports<'a>(
    component: &str,
    exports: impl Iterator<Item = &'a str>,
    roles: &[&str],
) -> Result<(), LoadError> {
    for export in exports {
        let Some(name) = Name::parse(export) else {
            continue;
        };
        let is_role = name.package == PACKAGE && roles.contains(&name.interface);
        if is_role && !name.is_served() {
            return version(component, export, name, VERSION);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn granted(import: &str) -> Result<(), String> {
        check_import("x", import, &Grants::default()).map_err(|error| error.to_string())
    }

    #[test]
    fn a_bare_guest_passes() {
        for import in [
            "execgate:policy/request@1.0.0",
            "execgate:policy/log@1.7.2",
            "wasi:io/streams@0.2.6",
            "wasi:cli/terminal-stdout@0.2.12",
        ] {
            assert_eq!(granted(import), Ok(()), "{import}");
        }
    }

    #[test]
    fn everything_else_is_refused_by_name() {
        for import in [
            "wasi:filesystem/types@0.2.6",
            "wasi:sockets/tcp@0.2.6",
            "wasi:clocks/monotonic-clock@0.2.6",
            "wasi:random/random@0.2.6",
            "wasi:cli/stdin@0.3.0",
            "execgate:policy/request@2.0.0",
            "execgate:policy/request@1.0.0-rc.1",
            "execgate:policy/counters@1.0.0",
            "execgate:policy/future@1.4.0",
            "free-function",
            "",
        ] {
            let message = granted(import).unwrap_err();
            assert!(message.contains(&format!("`{import}`")), "{message}");
        }
    }

    #[test]
    fn grants_open_their_import() {
        let grants = Grants {
            counters: true,
            ..Grants::default()
        };
        assert!(check_import("x", "execgate:policy/counters@1.0.0", &grants).is_ok());
        assert!(check_import("x", "execgate:policy/workspace@1.0.0", &grants).is_err());
    }
}
