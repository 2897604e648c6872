//! Package managers that change the system or the user's account.

/// One manager and its verbs that install or remove.
#[derive(Debug)]
pub struct Manager {
    /// Program name.
    pub name: &'static str,
    /// Verbs, as operands or as option words.
    pub verbs: &'static [&'static str],
}

const fn manager(name: &'static str, verbs: &'static [&'static str]) -> Manager {
    Manager { name, verbs }
}

const APT: &[&str] = &[
    "install",
    "remove",
    "purge",
    "reinstall",
    "autoremove",
    "full-upgrade",
    "dist-upgrade",
    "build-dep",
];
const RPM: &[&str] = &[
    "install",
    "remove",
    "erase",
    "reinstall",
    "autoremove",
    "localinstall",
    "groupinstall",
    "swap",
];

/// Managers of the system.
pub const SYSTEM: &[Manager] = &[
    manager("apt", APT),
    manager("apt-get", APT),
    manager("aptitude", APT),
    manager("nala", APT),
    manager("yum", RPM),
    manager("dnf", RPM),
    manager("dnf5", RPM),
    manager("microdnf", RPM),
    manager(
        "zypper",
        &["install", "in", "remove", "rm", "dup", "dist-upgrade"],
    ),
    manager("apk", &["add", "del", "fix"]),
    manager(
        "brew",
        &["install", "uninstall", "remove", "rm", "reinstall", "tap"],
    ),
    manager("port", &["install", "uninstall"]),
    manager("snap", &["install", "remove"]),
    manager("flatpak", &["install", "uninstall", "remove"]),
    manager("pkg", &["install", "delete", "remove"]),
    manager("emerge", &["@world", "@system"]),
    manager("choco", &["install", "uninstall"]),
    manager("winget", &["install", "uninstall"]),
    manager("scoop", &["install", "uninstall"]),
    manager("dpkg", &["--install", "--remove", "--purge"]),
    manager("rpm", &["--install", "--erase", "--upgrade"]),
    manager("nix-env", &["--install", "--uninstall"]),
    manager("easy_install", &[]),
];

/// Managers whose verbs are letters of an option cluster: `pacman -Syu`, `dpkg -i`.
pub const SYSTEM_LETTERS: &[(&str, &str)] = &[
    ("pacman", "SRU"),
    ("yay", "SRU"),
    ("paru", "SRU"),
    ("dpkg", "irP"),
    ("rpm", "iUeF"),
    ("nix-env", "ieu"),
];

/// Managers of JavaScript packages; `-g` makes them install for the user's account.
pub const JAVASCRIPT: &[&str] = &["npm", "pnpm", "yarn", "bun", "cnpm"];

/// Verbs of those that install or remove.
pub const JAVASCRIPT_VERBS: &[&str] = &[
    "install",
    "i",
    "in",
    "ins",
    "inst",
    "add",
    "isntall",
    "uninstall",
    "un",
    "remove",
    "rm",
    "r",
    "update",
    "up",
    "upgrade",
    "link",
    "ln",
    "global",
    "ci",
];

/// Managers of Python packages; `--user` makes them install for the user's account.
pub const PYTHON: &[&str] = &["pip", "pip3"];
