//! Places that are not a project's.

/// Names below the home directory that hold secrets.
pub const HOME_SECRETS: &[&str] = &[
    ".ssh",
    ".gnupg",
    ".aws",
    ".azure",
    ".kube",
    ".netrc",
    ".git-credentials",
    ".pgpass",
    ".my.cnf",
    ".npmrc",
    ".pypirc",
    ".docker",
    ".config/gh",
    ".config/gcloud",
    ".config/op",
    ".config/rclone",
    ".cargo/credentials",
    ".cargo/credentials.toml",
    ".password-store",
    ".local/share/keyrings",
    ".mozilla",
    ".bash_history",
    ".zsh_history",
    ".python_history",
    ".psql_history",
    ".mysql_history",
    ".node_repl_history",
    ".terraform.d",
    ".vault-token",
    ".config/age",
    ".config/sops",
    "Library/Keychains",
];

/// Names below the home directory that run by themselves later.
pub const HOME_STARTUP: &[&str] = &[
    ".bashrc",
    ".bash_profile",
    ".bash_login",
    ".bash_logout",
    ".profile",
    ".zshrc",
    ".zshenv",
    ".zprofile",
    ".zlogin",
    ".inputrc",
    ".gitconfig",
    ".config/git",
    ".config/autostart",
    ".config/systemd",
    ".config/fish",
    ".vimrc",
    ".vim",
    ".config/nvim",
    ".emacs",
    ".emacs.d",
    ".tmux.conf",
    ".xinitrc",
    ".xprofile",
    ".pam_environment",
    "Library/LaunchAgents",
    ".pythonrc",
    ".Rprofile",
    ".irbrc",
    ".psqlrc",
    ".gdbinit",
    ".cargo/config.toml",
    ".config/execgate",
    ".openclaw",
    ".picoclaw",
    ".codex",
    ".claude",
    ".local/state/execgate",
    ".cache/execgate",
];

/// System paths that hold secrets, or the like of it.
pub const SYSTEM_SECRETS: &[&str] = &[
    "/etc/shadow",
    "/etc/gshadow",
    "/etc/passwd",
    "/etc/sudoers",
    "/etc/sudoers.d",
    "/etc/ssh",
    "/etc/ssl/private",
    "/etc/krb5.keytab",
    "/etc/security",
    "/etc/pam.d",
    "/root",
    "/var/log",
    "/var/lib",
    "/var/spool",
    "/var/mail",
    "/etc/NetworkManager",
    "/etc/wireguard",
    "/etc/openvpn",
    "/run/secrets",
    "/var/run/secrets",
];

/// System directories that anybody may read.
pub const READABLE: &[&str] = &[
    "/etc",
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib64",
    "/opt",
    "/sys",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/proc/loadavg",
    "/proc/version",
    "/proc/uptime",
    "/proc/stat",
    "/proc/mounts",
    "/proc/filesystems",
    "/proc/diskstats",
    "/proc/net",
];

/// Directories for files that do not last.
pub const TEMPORARY: &[&str] = &["/tmp", "/var/tmp", "/dev/shm"];

/// File names in a project that hold secrets; those with a word of `SAMPLES` do not.
pub const PROJECT_SECRETS: &[&str] = &[
    ".env",
    "id_rsa",
    "id_dsa",
    "id_ecdsa",
    "id_ed25519",
    ".npmrc",
    ".pypirc",
    ".netrc",
    ".htpasswd",
    "credentials.json",
    "secrets.yml",
    "secrets.yaml",
    "secrets.json",
];

/// Endings of such names.
pub const PROJECT_SECRET_ENDINGS: &[&str] =
    &[".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".kdbx"];

/// What an example of such a file has in its name.
pub const SAMPLES: &[&str] = &[
    "sample", "example", "template", "dist", "test", "fixture", "pub", "cert", "chain", "ca.pem",
];

/// Names in a project whose content runs by itself later, or steers tools.
pub const PROJECT_STARTUP: &[&str] = &[
    ".git",
    ".hg",
    ".svn",
    ".envrc",
    ".vscode",
    ".idea",
    ".husky",
    ".execgate",
];
