//! `execgate schema`: the tools of a profile, as a model is told of them.

use clap::Args;
use execgate::{Profile, exit_code, tool};

use super::output::line;

/// Print the JSON Schemas of a profile's tools
#[derive(Args)]
pub struct Schema {
    /// System to stand in for
    #[arg(long, value_enum, default_value_t, env = "EXECGATE_PROFILE")]
    profile: Profile,
}

impl Schema {
    /// Prints the schemas.
    pub fn execute(self) -> anyhow::Result<u8> {
        line(&serde_json::to_string_pretty(&tool::schemas(
            self.profile,
            true,
            true,
        ))?);
        Ok(exit_code::SUCCESS)
    }
}
