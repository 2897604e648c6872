//! `execgate config`: every setting, its value and where it came from.

use clap::{Args, Subcommand};
use execgate::exit_code;
use serde_json::{Map, json};

use super::Setup;
use super::output::{line, out};

#[derive(Subcommand)]
pub enum ConfigCommand {
    /// Print every setting, its value and where it came from
    Show(Show),
    /// Print the reference of all settings, in Markdown
    Reference,
}

#[derive(Args)]
pub struct Show {
    #[command(flatten)]
    setup: Setup,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl ConfigCommand {
    /// Runs the subcommand.
    pub fn execute(self) -> anyhow::Result<u8> {
        match self {
            Self::Show(show) => show.execute(),
            Self::Reference => {
                out(&execgate::config::reference());
                Ok(exit_code::SUCCESS)
            }
        }
    }
}

impl Show {
    fn execute(self) -> anyhow::Result<u8> {
        let config = self.setup.load(Vec::new())?;
        if self.json {
            let mut object = Map::new();
            for (key, entry) in config.entries() {
                let (value, origin) = match entry {
                    Some((value, origin)) => (serde_json::to_value(value)?, origin.to_string()),
                    None => (serde_json::Value::Null, "not set".to_owned()),
                };
                object.insert(
                    key.name.to_owned(),
                    json!({"value": value, "origin": origin}),
                );
            }
            line(&serde_json::to_string_pretty(&object)?);
            return Ok(exit_code::SUCCESS);
        }
        let mut text = String::new();
        for (key, entry) in config.entries() {
            let (value, origin) = match entry {
                Some((value, origin)) => (value.to_string(), origin.to_string()),
                None => ("(not set)".to_owned(), "nowhere".to_owned()),
            };
            text.push_str(&format!(
                "{} = {value}\n    {}\n    from {origin}; variable {}\n",
                key.name,
                key.doc,
                key.variable()
            ));
        }
        out(&text);
        Ok(exit_code::SUCCESS)
    }
}
