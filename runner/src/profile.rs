//! A profile: a tool surface, a bundle of components, and defaults.

use serde_json::{Value, json};

use crate::config::Config;
use crate::output::sanitize::Controls;
use crate::rules;

/// How what was printed is written out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// Whether a terminal's CR LF stay as they are, as OpenClaw's clients know it.
    pub keeps_line_ends: bool,
    /// What becomes of controls that are no terminal's.
    pub controls: Controls,
}

/// One of the systems execgate can stand in for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
#[value(rename_all = "lowercase")]
pub enum Profile {
    /// Our own: OpenClaw's tool surface, our own policy.
    #[default]
    Default,
    /// PicoClaw's `exec`.
    Picoclaw,
    /// OpenClaw's `exec` and `process`.
    Openclaw,
}

impl Profile {
    /// Its name, as on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Picoclaw => "picoclaw",
            Self::Openclaw => "openclaw",
        }
    }

    /// How what was printed is written out.
    pub(crate) fn style(self) -> Style {
        Style {
            keeps_line_ends: self == Self::Openclaw,
            controls: match self {
                Self::Picoclaw => Controls::Kept,
                Self::Default | Self::Openclaw => Controls::Spelled,
            },
        }
    }

    /// Whether somebody who looks at a session again and again is told of its end unasked from then on.
    pub(crate) fn tells_tired_pollers(self) -> bool {
        self != Self::Openclaw
    }

    /// What stands between warnings and an answer.
    pub(crate) fn warning_gap(self) -> &'static str {
        match self {
            Self::Openclaw => "\n\n\n\n",
            Self::Default | Self::Picoclaw => "\n\n",
        }
    }

    /// Variables that every command gets.
    pub(crate) fn environment(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Openclaw => &[("OPENCLAW_CLI", "1"), ("OPENCLAW_SHELL", "exec")],
            Self::Default | Self::Picoclaw => &[],
        }
    }

    /// The shell that the settings name. OpenClaw takes the user's own, unless it runs nothing or reads another language.
    pub(crate) fn shell(self, config: &Config) -> Option<String> {
        let named = config.text("exec.shell").filter(|name| !name.is_empty());
        if self != Self::Openclaw || named.is_some() {
            return named.map(str::to_owned);
        }
        let own = std::env::var("SHELL").ok()?;
        let base = own.rsplit('/').next().unwrap_or_default();
        let usable = !matches!(base, "false" | "nologin" | "fish" | "");
        usable.then_some(own)
    }

    /// The settings its components are configured with.
    pub fn component_settings(self, config: &Config) -> Value {
        match self {
            Self::Default => json!({
                "mode": config.text("policy.mode").unwrap_or("ask"),
                "exempt": config.list("policy.exempt"),
                "rules": rules::for_component(&config.tables("policy.rules")),
                "max_output_chars": config.integer_or_default("exec.max-output-chars"),
            }),
            Self::Openclaw => json!({
                "mode": config.text("policy.mode").unwrap_or("full"),
                "max_output_chars": config.integer_or_default("exec.max-output-chars"),
                "process_tool": config.boolean("sessions.enabled"),
            }),
            Self::Picoclaw => json!({
                "enable_deny_patterns": config.boolean("picoclaw.enable-deny-patterns"),
                "custom_deny_patterns": config.list("picoclaw.custom-deny-patterns"),
                "custom_allow_patterns": config.list("picoclaw.custom-allow-patterns"),
                "allow_remote": config.boolean("picoclaw.allow-remote"),
                "restrict_to_workspace": config.boolean("picoclaw.restrict-to-workspace"),
                "allowlist": config.list("picoclaw.allowlist"),
                "allow_read_paths": config.list("picoclaw.allow-read-paths"),
                "exempt": config.list("policy.exempt"),
                "max_output_chars": config.integer_or_default("exec.max-output-chars"),
                "max_inline_result_chars": config.integer("exec.max-inline-result-chars"),
            }),
        }
    }

    /// Output that fits into one answer, in Unicode scalars: what passes it goes to a file.
    pub fn inline_cap(self, config: &Config) -> u64 {
        let output = config.integer_or_default("exec.max-output-chars");
        match config.integer("exec.max-inline-result-chars") {
            0 => output,
            inline => inline.min(output),
        }
    }
}
