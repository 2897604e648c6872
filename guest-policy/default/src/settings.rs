//! The settings of the default profile.

use execgate_guest::Problem;
use execgate_rules::operator::OperatorRule;
use execgate_rules::{Fields, deny};

use crate::rules;

/// What becomes of a judgement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// As judged: what is not known is asked.
    Ask,
    /// Nothing runs.
    Deny,
    /// What would be asked is denied.
    Allowlist,
    /// As `Ask`; the runner may have a reviewer answer in a person's place.
    Auto,
    /// Everything runs, but for the runtime's own controls.
    Full,
}

/// Checked settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// `mode`: `ask` when it is not given.
    pub mode: Mode,
    /// `exempt`: rules and categories that are taken out.
    pub exempt: Vec<String>,
    /// `rules`: the operator's own.
    pub rules: Vec<OperatorRule>,
    /// `max_output_chars`: what output is cut at, in Unicode scalars; 200000 when it is not given.
    pub output_chars: u64,
}

const DEFAULT_OUTPUT_CHARS: i64 = 200_000;

impl Settings {
    /// Reads a JSON object.
    ///
    /// # Errors
    /// Every setting that cannot be used.
    pub fn read(text: &str) -> Result<Self, Vec<Problem>> {
        let mut fields = Fields::parse(text);
        let modes = [
            ("ask", Mode::Ask),
            ("deny", Mode::Deny),
            ("allowlist", Mode::Allowlist),
            ("auto", Mode::Auto),
            ("full", Mode::Full),
        ];
        let mode = fields.choice("mode", &modes);
        let exempt = fields.texts("exempt");
        let chars = fields.integer("max_output_chars", DEFAULT_OUTPUT_CHARS);
        if chars < 1 {
            fields.problem("max_output_chars", "must be 1 or more");
        }
        let rules = fields.objects("rules", OperatorRule::read);
        check_ids(&mut fields, &rules);
        for (index, name) in exempt.iter().enumerate() {
            check_exempt(&mut fields, index, name);
        }
        fields.finish()?;
        Ok(Self {
            mode,
            exempt,
            rules,
            output_chars: u64::try_from(chars).unwrap_or(1),
        })
    }

    /// Whether the operator took a rule, or its whole category, out.
    pub fn is_exempt(&self, rule: &str) -> bool {
        self.exempt
            .iter()
            .any(|name| name == rule || rule.split('/').next() == Some(name))
    }
}

/// A verdict names its rule by the id, so that one id means one rule.
fn check_ids(fields: &mut Fields, rules: &[OperatorRule]) {
    for (index, rule) in rules.iter().enumerate() {
        if rules[..index].iter().any(|earlier| earlier.id == rule.id) {
            let message = format!("another rule has the id `{}` too", rule.id);
            fields.problem(&format!("rules/{index}/id"), &message);
        }
    }
}

fn check_exempt(fields: &mut Fields, index: usize, name: &str) {
    let all: Vec<&str> = deny::RULES.iter().chain(rules::NAMES).copied().collect();
    let place = format!("exempt/{index}");
    if name.split('/').next() == Some("self") {
        fields.problem(
            &place,
            &format!("`{name}` cannot be taken out: agents never turn their own controls"),
        );
    } else if !all
        .iter()
        .any(|rule| *rule == name || rule.split('/').next() == Some(name))
    {
        fields.problem(
            &place,
            &format!(
                "no rule or category `{name}`; the rules are {}",
                all.join(", ")
            ),
        );
    }
}
