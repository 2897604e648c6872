//! `execgate completion` and `execgate man`: what shells and man(1) are given.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::{Args, CommandFactory as _};
use clap_complete::Shell;
use execgate::exit_code;

use super::Cli;
use super::output::raw;

/// Print the completions for a shell, to be put where it looks for them
#[derive(Args)]
pub struct Completion {
    /// bash, zsh, fish, elvish or powershell
    #[arg(value_enum)]
    shell: Shell,
}

impl Completion {
    /// Prints them.
    pub fn execute(self) -> anyhow::Result<u8> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "execgate", &mut script);
        raw(&script);
        Ok(exit_code::SUCCESS)
    }
}

/// Print the manual page, or write a page for each subcommand into a directory
#[derive(Args)]
pub struct Man {
    /// Directory to write all pages into
    #[arg(value_name = "DIR")]
    directory: Option<PathBuf>,
}

impl Man {
    /// Prints or writes them.
    pub fn execute(self) -> anyhow::Result<u8> {
        match self.directory {
            Some(directory) => {
                let written = clap_mangen::generate_to(Cli::command(), &directory);
                written.with_context(|| format!("cannot write into `{}`", directory.display()))?;
            }
            None => {
                let mut page = Vec::new();
                clap_mangen::Man::new(Cli::command()).render(&mut page)?;
                raw(&page);
            }
        }
        Ok(exit_code::SUCCESS)
    }
}
