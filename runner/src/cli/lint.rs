//! `execgate policy lint`: what is odd about the operator's own rules.

use clap::Args;
use execgate::check::Checker;
use execgate::exit_code;

use super::output::{escaped, line};
use super::{Setup, block_on};

/// Look for rules that are too broad, shadowed, dead or untested
#[derive(Args)]
pub struct Lint {
    #[command(flatten)]
    setup: Setup,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Lint {
    /// Looks and prints; exits with 1 where something is odd.
    pub fn execute(self) -> anyhow::Result<u8> {
        let config = self.setup.load(Vec::new())?;
        let oddities = block_on(async { Ok(Checker::lint(&config).await?) })?;
        if self.json {
            line(&serde_json::to_string(&oddities)?);
        } else {
            for oddity in &oddities {
                line(&format!(
                    "{}  {}  {}",
                    escaped(&oddity.rule),
                    oddity.kind,
                    escaped(&oddity.message)
                ));
            }
        }
        Ok(if oddities.is_empty() {
            exit_code::SUCCESS
        } else {
            exit_code::ODD
        })
    }
}
