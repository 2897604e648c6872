//! A profile: a tool surface, a bundle of components, and defaults.

use serde_json::{Value, json};

use crate::config::Config;

/// One of the systems execgate can stand in for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
#[value(rename_all = "lowercase")]
pub enum Profile {
    /// Our own: OpenClaw's tool surface, our own policy.
    #[default]
    Default,
    /// PicoClaw's `exec`.
    Picoclaw,
}

impl Profile {
    /// Its name, as on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Picoclaw => "picoclaw",
        }
    }

    /// The settings its components are configured with.
    pub fn component_settings(self, config: &Config) -> Value {
        match self {
            Self::Default => json!({
                "mode": config.text("policy.mode").unwrap_or("ask"),
                "exempt": config.list("policy.exempt"),
                "max_output_chars": config.integer_or_default("exec.max-output-chars"),
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
