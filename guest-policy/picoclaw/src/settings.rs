//! The settings of the picoclaw profile.

use execgate_guest::{Problem, patterns};
use execgate_rules::{Fields, deny};

/// What is cut at when `max_output_chars` is 0 or not given, in Unicode scalars.
const DEFAULT_OUTPUT_CHARS: u64 = 50_000;

/// Rules of this profile beyond the shared ones, which `exempt` may name.
pub(crate) const OWN_RULES: &[&str] = &["substitution/expansion", "dynamic/program"];

/// The one rule family that nothing takes out.
const FIXED_CATEGORY: &str = "self";

/// Checked settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Whether deny rules, built-in and custom, hold at all.
    pub deny: bool,
    /// The operator's deny patterns; empty when `deny` is false.
    pub custom_deny: Vec<String>,
    /// The operator's allow patterns: they widen the allowlist, and lift no deny rule.
    pub custom_allow: Vec<String>,
    /// Whether channels other than the internal ones may call.
    pub allow_remote: bool,
    /// Whether paths must lie in the call's directory.
    pub restrict: bool,
    /// Patterns of paths outside that may be used.
    pub allowed_paths: Vec<String>,
    /// If not empty, a command must match one of these, or of `custom_allow`.
    pub allowlist: Vec<String>,
    /// Rules and categories that are taken out.
    pub exempt: Vec<String>,
    /// What output is cut at, in Unicode scalars.
    pub output_chars: u64,
}

impl Settings {
    /// Reads a JSON object.
    ///
    /// # Errors
    /// Every setting that cannot be used; an invalid pattern is named, never dropped.
    pub fn read(text: &str) -> Result<Self, Vec<Problem>> {
        let mut fields = Fields::parse(text);
        let deny = fields.boolean("enable_deny_patterns", true);
        let custom_deny = fields.texts("custom_deny_patterns");
        let settings = Self {
            deny,
            custom_deny: if deny { custom_deny } else { Vec::new() },
            custom_allow: fields.texts("custom_allow_patterns"),
            allow_remote: fields.boolean("allow_remote", false),
            restrict: fields.boolean("restrict_to_workspace", true),
            allowed_paths: fields.texts("allow_read_paths"),
            allowlist: fields.texts("allowlist"),
            exempt: fields.texts("exempt"),
            output_chars: output_chars(&mut fields),
        };
        settings.check(&mut fields);
        fields.finish()?;
        Ok(settings)
    }

    fn check(&self, fields: &mut Fields) {
        let lists = [
            (
                "custom_deny_patterns",
                "custom deny pattern",
                &self.custom_deny,
            ),
            (
                "custom_allow_patterns",
                "custom allow pattern",
                &self.custom_allow,
            ),
            ("allow_read_paths", "path pattern", &self.allowed_paths),
            ("allowlist", "allowlist pattern", &self.allowlist),
        ];
        for (name, kind, list) in lists {
            for (index, pattern) in list.iter().enumerate() {
                if let Err(error) = patterns::check(pattern) {
                    fields.problem(
                        &format!("{name}/{index}"),
                        &format!("invalid {kind} `{pattern}`: {}", in_one_line(&error)),
                    );
                }
            }
        }
        for (index, name) in self.exempt.iter().enumerate() {
            if let Err(message) = check_exempt(name) {
                fields.problem(&format!("exempt/{index}"), &message);
            }
        }
    }
}

/// What is wrong with a pattern. The lines before the last one draw where, which the pattern's name says well enough.
fn in_one_line(error: &str) -> &str {
    let last = error.lines().last().unwrap_or_default();
    last.strip_prefix("error: ").unwrap_or(last)
}

/// The smaller of the positive caps.
fn output_chars(fields: &mut Fields) -> u64 {
    let output = fields.integer("max_output_chars", 0);
    if output < 0 {
        fields.problem("max_output_chars", "must be 0 (for 50000) or more");
    }
    let inline = fields.integer("max_inline_result_chars", 0);
    let output = u64::try_from(output)
        .ok()
        .filter(|cap| *cap > 0)
        .unwrap_or(DEFAULT_OUTPUT_CHARS);
    match u64::try_from(inline) {
        Ok(inline) if inline > 0 => output.min(inline),
        Ok(_) | Err(_) => output,
    }
}

fn check_exempt(name: &str) -> Result<(), String> {
    let rules = deny::RULES.iter().chain(OWN_RULES);
    let known = rules
        .clone()
        .any(|rule| *rule == name || rule.split('/').next() == Some(name));
    if !known {
        let all: Vec<&str> = rules.copied().collect();
        return Err(format!(
            "no rule or category `{name}`; the rules are {}",
            all.join(", ")
        ));
    }
    if name.split('/').next() == Some(FIXED_CATEGORY) {
        return Err(format!(
            "`{name}` cannot be taken out: agents never turn their own controls"
        ));
    }
    Ok(())
}
