//! The one table of settings: names, kinds, defaults, and how a workspace may tighten them.

/// What a value looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `true` or `false`.
    Boolean,
    /// A whole number from 0 on.
    Integer,
    /// Text.
    Text,
    /// A list of texts; in a variable, separated by commas.
    List,
    /// A list of tables; in a variable, as TOML writes a list of inline tables.
    Tables,
}

/// What an `execgate.toml` found in a workspace may do to a setting. An agent may have written it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tighten {
    /// Nothing: it is an error that names the key.
    Never,
    /// Only switch it off.
    Off,
    /// Only lower it.
    Lower,
    /// Only a mode that is at least as strict.
    Stricter,
    /// Only add to it.
    Add,
    /// Only add tables whose `decision` is `ask` or `deny`.
    AddStricter,
}

/// One setting.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Its name, table and key joined by a dot.
    pub name: &'static str,
    /// What its value looks like.
    pub kind: Kind,
    /// Its default as TOML; empty for none.
    pub default: &'static str,
    /// The picoclaw profile's default where it differs; else empty.
    pub picoclaw: &'static str,
    /// The openclaw profile's default where it differs; else empty.
    pub openclaw: &'static str,
    /// What a workspace may do to it.
    pub tighten: Tighten,
    /// What it means, with unit and bounds.
    pub doc: &'static str,
}

impl Key {
    /// The variable that sets it: `EXECGATE_EXEC_TIMEOUT_SECONDS` for `exec.timeout-seconds`.
    pub fn variable(&self) -> String {
        format!(
            "EXECGATE_{}",
            self.name.replace(['.', '-'], "_").to_ascii_uppercase()
        )
    }
}

/// Modes from loosest to strictest.
pub const MODES: &[&str] = &["full", "auto", "ask", "allowlist", "deny"];

const fn key(
    name: &'static str,
    kind: Kind,
    default: &'static str,
    tighten: Tighten,
    doc: &'static str,
) -> Key {
    Key {
        name,
        kind,
        default,
        picoclaw: "",
        openclaw: "",
        tighten,
        doc,
    }
}

const fn differing(key: Key, picoclaw: &'static str) -> Key {
    Key { picoclaw, ..key }
}

const fn openclaws(key: Key, openclaw: &'static str) -> Key {
    Key { openclaw, ..key }
}

/// Every setting, sorted by name.
pub const KEYS: &[Key] = &[
    key(
        "analyzer.component",
        Kind::Text,
        "",
        Tighten::Never,
        "Path of the component that reads command texts; the built-in one if absent.",
    ),
    key(
        "approver.component",
        Kind::Text,
        "",
        Tighten::Never,
        "Path of the component that decides what is asked of people; the profile's if absent.",
    ),
    key(
        "cache-dir",
        Kind::Text,
        "",
        Tighten::Never,
        "Directory of compiled components; `execgate` in the XDG cache directory if absent.",
    ),
    key(
        "exec.artifact-quota-bytes",
        Kind::Integer,
        "500000000",
        Tighten::Lower,
        "What all output files of a workspace may take together, in bytes; the oldest make room. 0 means the default.",
    ),
    key(
        "exec.drain-limit-ms",
        Kind::Integer,
        "1000",
        Tighten::Lower,
        "How long output is awaited at most after a command's end, in milliseconds.",
    ),
    key(
        "exec.drain-quiet-ms",
        Kind::Integer,
        "250",
        Tighten::Lower,
        "After how long a silence the output of an ended command counts as complete while others hold its pipe, in milliseconds.",
    ),
    openclaws(
        key(
            "exec.grace-ms",
            Kind::Integer,
            "2000",
            Tighten::Lower,
            "Time between SIGTERM and SIGKILL when a command is stopped, in milliseconds.",
        ),
        "5000",
    ),
    key(
        "exec.keep-environment",
        Kind::List,
        "[]",
        Tighten::Never,
        "Names of variables that commands see beyond the allow-list.",
    ),
    key(
        "exec.max-command-bytes",
        Kind::Integer,
        "1048576",
        Tighten::Lower,
        "Longest command text, in bytes; longer ones are refused before anything starts.",
    ),
    key(
        "exec.max-inline-result-chars",
        Kind::Integer,
        "0",
        Tighten::Lower,
        "A second cap on output in an answer, in Unicode scalars; 0 means none.",
    ),
    differing(
        key(
            "exec.max-output-chars",
            Kind::Integer,
            "200000",
            Tighten::Lower,
            "Longest output in an answer, in Unicode scalars; 0 means the default.",
        ),
        "50000",
    ),
    key(
        "exec.ring-bytes",
        Kind::Integer,
        "1048576",
        Tighten::Lower,
        "Output kept in memory per command, in bytes.",
    ),
    differing(
        key(
            "exec.shell",
            Kind::Text,
            "",
            Tighten::Never,
            "Shell that runs commands; `bash` from PATH, else `sh`, if absent.",
        ),
        "\"sh\"",
    ),
    openclaws(
        key(
            "exec.spill",
            Kind::Boolean,
            "true",
            Tighten::Never,
            "Whether output beyond the cap goes to a file in the workspace.",
        ),
        "false",
    ),
    differing(
        key(
            "exec.timeout-seconds",
            Kind::Integer,
            "1800",
            Tighten::Lower,
            "Limit of a command that names none, in seconds; 0 means the default.",
        ),
        "60",
    ),
    key(
        "formatter.component",
        Kind::Text,
        "",
        Tighten::Never,
        "Path of the component that writes answers; the profile's if absent.",
    ),
    key(
        "grants",
        Kind::List,
        "[]",
        Tighten::Never,
        "What components named in these settings may import beyond logs and patterns: `workspace`, `counters`.",
    ),
    key(
        "limits.fuel",
        Kind::Integer,
        "500000000",
        Tighten::Lower,
        "Instructions that one call of a component may take.",
    ),
    key(
        "limits.memory-bytes",
        Kind::Integer,
        "67108864",
        Tighten::Lower,
        "Memory that one instance of a component may take, in bytes.",
    ),
    key(
        "limits.wall-clock-ms",
        Kind::Integer,
        "5000",
        Tighten::Lower,
        "Time that one call of a component may take, in milliseconds; a backstop behind the fuel.",
    ),
    key(
        "patch.allow-models",
        Kind::List,
        "[]",
        Tighten::Never,
        "Models that may apply patches, alone or as `provider/model` (`applyPatch.allowModels`); all if empty.",
    ),
    key(
        "patch.enabled",
        Kind::Boolean,
        "true",
        Tighten::Off,
        "Whether the tool `apply_patch` exists (`applyPatch.enabled`).",
    ),
    key(
        "patch.undo-quota-bytes",
        Kind::Integer,
        "100000000",
        Tighten::Never,
        "What the earlier contents of patched files may take, in bytes; the oldest make room. 0 means the default.",
    ),
    key(
        "patch.workspace-only",
        Kind::Boolean,
        "true",
        Tighten::Never,
        "Whether patches change files of the workspace alone (`applyPatch.workspaceOnly`).",
    ),
    key(
        "picoclaw.allow-read-paths",
        Kind::List,
        "[]",
        Tighten::Never,
        "Patterns of paths outside the workspace that commands may use (`tools.allow_read_paths`).",
    ),
    key(
        "picoclaw.allow-remote",
        Kind::Boolean,
        "false",
        Tighten::Never,
        "Whether channels other than cli, system and subagent may run commands (`allow_remote`).",
    ),
    key(
        "picoclaw.allowlist",
        Kind::List,
        "[]",
        Tighten::Never,
        "Patterns of which a command must match one, after the deny rules; no list if empty.",
    ),
    key(
        "picoclaw.custom-allow-patterns",
        Kind::List,
        "[]",
        Tighten::Never,
        "Patterns that an allow-list accepts as well (`custom_allow_patterns`); they never lift a deny.",
    ),
    key(
        "picoclaw.custom-deny-patterns",
        Kind::List,
        "[]",
        Tighten::Add,
        "Patterns that deny a command (`custom_deny_patterns`).",
    ),
    key(
        "picoclaw.enable-deny-patterns",
        Kind::Boolean,
        "true",
        Tighten::Never,
        "Whether the deny rules apply, the custom ones included (`enable_deny_patterns`).",
    ),
    key(
        "picoclaw.enabled",
        Kind::Boolean,
        "true",
        Tighten::Never,
        "Whether the tool exists at all (`enabled`).",
    ),
    key(
        "picoclaw.restrict-to-workspace",
        Kind::Boolean,
        "true",
        Tighten::Never,
        "Whether paths outside the call's directory are refused (`agents.defaults.restrict_to_workspace`).",
    ),
    key(
        "policy.components",
        Kind::List,
        "[]",
        Tighten::Never,
        "Paths of the policies to ask, the strictest answer wins; the profile's own if empty.",
    ),
    key(
        "policy.deny",
        Kind::List,
        "[]",
        Tighten::Add,
        "Programs, or programs with a verb such as `git push`, that are always denied, whatever a component says.",
    ),
    key(
        "policy.exempt",
        Kind::List,
        "[]",
        Tighten::Never,
        "Rule ids or categories of the profile's own rules that do not apply.",
    ),
    openclaws(
        key(
            "policy.mode",
            Kind::Text,
            "\"ask\"",
            Tighten::Stricter,
            "`deny`, `allowlist`, `ask`, `auto` or `full`.",
        ),
        "\"full\"",
    ),
    key(
        "policy.rules",
        Kind::Tables,
        "[]",
        Tighten::AddStricter,
        "The operator's own rules on parsed commands, `[[policy.rules]]` tables; see rules.md. The default profile's policy knows them.",
    ),
    key(
        "sessions.enabled",
        Kind::Boolean,
        "true",
        Tighten::Never,
        "Whether commands may go on in the background; without, they run to their end and the process tool does not exist.",
    ),
    key(
        "sessions.input-wait-ms",
        Kind::Integer,
        "15000",
        Tighten::Never,
        "Silence after which a program that can be written to seems to wait for input, in milliseconds; 0 means the default.",
    ),
    key(
        "sessions.keep-bytes",
        Kind::Integer,
        "67108864",
        Tighten::Lower,
        "Memory that the output of ended sessions may take, in bytes; the oldest are dropped. 0 means the default.",
    ),
    key(
        "sessions.keep-ended",
        Kind::Integer,
        "50",
        Tighten::Lower,
        "How many ended sessions are kept; 0 means the default.",
    ),
    key(
        "sessions.keep-seconds",
        Kind::Integer,
        "1800",
        Tighten::Lower,
        "How long ended sessions are kept, in seconds from their end; 0 means the default.",
    ),
    key(
        "sessions.kept-chars",
        Kind::Integer,
        "200000",
        Tighten::Lower,
        "Text that is kept of each session for polls, logs and searches, in Unicode scalars; 0 means the default.",
    ),
    key(
        "sessions.max-live",
        Kind::Integer,
        "1024",
        Tighten::Lower,
        "How many commands may run at the same time; 0 means the default.",
    ),
    key(
        "sessions.notify-on-empty-success",
        Kind::Boolean,
        "false",
        Tighten::Never,
        "Whether the end of a background command is told too when it ended well and printed nothing.",
    ),
    differing(
        key(
            "sessions.notify-on-exit",
            Kind::Boolean,
            "true",
            Tighten::Never,
            "Whether the end of a background command is told unasked, unless its call says otherwise.",
        ),
        "false",
    ),
    key(
        "sessions.pending-chars",
        Kind::Integer,
        "30000",
        Tighten::Lower,
        "New text that one poll shows, in Unicode scalars; 0 means the default.",
    ),
    key(
        "sessions.yield-ms",
        Kind::Integer,
        "10000",
        Tighten::Never,
        "How long a call stays with its command before that goes on in the background, in milliseconds; 10 to 120000, 0 means the default.",
    ),
    key(
        "state-dir",
        Kind::Text,
        "",
        Tighten::Never,
        "Directory of the store; `execgate` in the XDG state directory if absent.",
    ),
    key(
        "workspace",
        Kind::Text,
        "",
        Tighten::Never,
        "Directory that commands may change; the working directory if absent.",
    ),
];

/// The setting of a name.
pub fn find(name: &str) -> Option<&'static Key> {
    KEYS.iter().find(|key| key.name == name)
}
