//! `execgate policy inspect`: what a component is.

use std::path::PathBuf;

use clap::Args;
use execgate::exit_code;
use serde_json::json;

use super::output::line;

/// Show what a component is, exports and imports
#[derive(Args)]
pub struct Inspect {
    /// The component
    #[arg(value_name = "FILE.wasm")]
    file: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Inspect {
    /// Loads the component with everything granted that can be, and shows it.
    pub fn execute(self) -> anyhow::Result<u8> {
        let report = execgate::inspect(&self.file)?;
        if self.json {
            line(&json!({"name": report.name, "digest": report.digest, "bytes": report.bytes, "roles": report.roles, "imports": report.imports}).to_string());
            return Ok(exit_code::SUCCESS);
        }
        line(&format!(
            "name     {}\ndigest   sha256:{}\nsize     {} bytes\nroles    {}",
            report.name,
            report.digest,
            report.bytes,
            report.roles.join(", ")
        ));
        line("imports");
        for import in &report.imports {
            line(&format!("  {import}"));
        }
        Ok(exit_code::SUCCESS)
    }
}
