//! `execgate patch`: applies a patch, shows what it would change, or takes one back.

use std::io::Read as _;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use execgate::{Caller, Load, Outcome, PatchRequest, Runner, exit_code};
use serde_json::Value;

use super::ask::Terminal;
use super::output::{escaped, line, note};
use super::{Setup, block_on};

/// Apply a patch in the format of `apply_patch`: all of it, or nothing
#[derive(Args)]
pub struct Patch {
    #[command(flatten)]
    setup: Setup,
    /// Show the changes as a unified diff and change nothing
    #[arg(long, conflicts_with = "undo")]
    dry_run: bool,
    /// Take the patch with this id back, if its files are still as it left them
    #[arg(long, value_name = "ID", conflicts_with = "file")]
    undo: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// The patch; standard input without it, or as `-`
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
}

impl Patch {
    /// Does it, and answers 0, or 1 where the patch does not fit or was refused.
    pub fn execute(self) -> anyhow::Result<u8> {
        let config = self.setup.load(Vec::new())?;
        block_on(async {
            let runner = Runner::new(&config, Terminal::if_present(), Load::Single).await?;
            match &self.undo {
                Some(id) => self.take_back(&runner, id).await,
                None => self.apply(&runner).await,
            }
        })
    }

    async fn apply(&self, runner: &Runner) -> anyhow::Result<u8> {
        let request = PatchRequest {
            input: self.input()?,
            dry_run: self.dry_run,
            caller: Caller::local(),
        };
        let response = runner.patch(request).await;
        let code = match (response.is_error, response.outcome) {
            (false, _) => exit_code::SUCCESS,
            (true, Outcome::Refused) => exit_code::REFUSED,
            (true, _) => exit_code::ODD,
        };
        if self.json {
            line(&serde_json::to_string(&response)?);
        } else if response.is_error {
            note(&escaped(&response.text));
        } else {
            line(escaped(&response.text).trim_end_matches('\n'));
            if let Some(id) = response.details.get("undoId").and_then(Value::as_str) {
                note(&format!("`execgate patch --undo {id}` takes it back"));
            }
        }
        Ok(code)
    }

    async fn take_back(&self, runner: &Runner, id: &str) -> anyhow::Result<u8> {
        let undone = match runner.undo_patch(id).await {
            Ok(undone) => undone,
            Err(error) => {
                note(&escaped(&error.to_string()));
                return Ok(exit_code::ODD);
            }
        };
        if self.json {
            line(&serde_json::to_string(&undone)?);
            return Ok(exit_code::SUCCESS);
        }
        for file in &undone.files {
            let change = serde_json::to_value(file.change)?;
            line(&format!(
                "{} {}",
                change.as_str().unwrap_or_default(),
                escaped(&file.path)
            ));
        }
        Ok(exit_code::SUCCESS)
    }

    fn input(&self) -> anyhow::Result<String> {
        let file = self.file.as_ref().filter(|file| file.as_os_str() != "-");
        let mut text = Vec::new();
        match file {
            Some(file) => {
                text = std::fs::read(file)
                    .with_context(|| format!("cannot read the patch `{}`", file.display()))?;
            }
            None => {
                std::io::stdin()
                    .read_to_end(&mut text)
                    .context("cannot read the patch from standard input")?;
            }
        }
        String::from_utf8(text).context("the patch is not UTF-8 text")
    }
}
