//! The settings of the openclaw profile.

use execgate_guest::Problem;
use execgate_rules::Fields;

/// Whether commands run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Everything, as written.
    Full,
    /// Nothing.
    Deny,
}

/// Checked settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// `mode`: `full` when it is not given.
    pub mode: Mode,
    /// `max_output_chars`: text of an answer's output, in Unicode scalars; 200000 when it is not given.
    pub output_chars: u64,
    /// `process_tool`: whether commands can go on in the background; true when it is not given.
    pub process_tool: bool,
}

const DEFAULT_OUTPUT_CHARS: i64 = 200_000;

impl Settings {
    /// Reads a JSON object.
    ///
    /// # Errors
    /// Every setting that cannot be used.
    pub fn read(text: &str) -> Result<Self, Vec<Problem>> {
        let mut fields = Fields::parse(text);
        let mode = fields.choice("mode", &[("full", Mode::Full), ("deny", Mode::Deny)]);
        let chars = fields.integer("max_output_chars", DEFAULT_OUTPUT_CHARS);
        if chars < 1 {
            fields.problem("max_output_chars", "must be 1 or more");
        }
        let process_tool = fields.boolean("process_tool", true);
        fields.finish()?;
        Ok(Self {
            mode,
            output_chars: u64::try_from(chars).unwrap_or(1),
            process_tool,
        })
    }
}
