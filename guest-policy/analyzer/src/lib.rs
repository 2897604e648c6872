//! The analyzer component: the only place where hostile text is parsed.
//!
//! It takes no settings: `{}`. [`convert`] is public so that native programs get the very same analysis.

pub mod convert;

use execgate_guest::{Analyzer, CommandLine, Configure, Problem, Source};
use execgate_rules::Fields;

/// The analyzer of bash, POSIX sh, zsh, PowerShell and cmd texts.
#[derive(Debug)]
pub struct Shell;

impl Configure for Shell {
    fn configure(settings: &str) -> Result<Self, Vec<Problem>> {
        Fields::parse(settings).finish()?;
        Ok(Self)
    }
}

impl Analyzer for Shell {
    fn analyze(&self, source: &Source) -> CommandLine {
        convert::command_line(execgate_shell::analyze(&execgate_shell::Source {
            text: &source.text,
            dialect: convert::dialect(source.dialect),
            home: source.home.as_deref(),
            cwd: source.cwd.as_deref(),
            variables: &source.variables,
        }))
    }
}

execgate_guest::export_analyzer!(Shell);

#[cfg(test)]
mod tests;
