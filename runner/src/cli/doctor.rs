//! `execgate doctor`: is everything there that a first command needs?

use clap::Args;
use execgate::{Attachment, ExecRequest, Load, Outcome, Runner, exit_code};

use super::Setup;
use super::output::line;

/// Check that everything execgate needs is there
#[derive(Args)]
pub struct Doctor {
    #[command(flatten)]
    setup: Setup,
}

impl Doctor {
    /// Makes a runner and runs `true` through all of it.
    pub fn execute(self) -> anyhow::Result<u8> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        runtime.block_on(self.examine())
    }

    async fn examine(self) -> anyhow::Result<u8> {
        let config = self.setup.load(Vec::new())?;
        line(&format!(
            "settings   ok    profile {}",
            config.profile().name()
        ));
        line(&format!("state      {}", config.state_dir().display()));
        line(&format!("cache      {}", config.cache_dir().display()));
        let runner = match Runner::new(&config, None, Load::Single).await {
            Ok(runner) => runner,
            Err(error) => {
                line(&format!("runner     fails {error}"));
                return Ok(exit_code::FAILURE);
            }
        };
        line("components ok");
        line(&format!("shell      {}", runner.shell().display()));
        line(&format!("workspace  {}", runner.workspace().display()));
        let response = runner
            .exec(ExecRequest::new("true"), Attachment::default())
            .await;
        runner.shutdown().await;
        match response.outcome {
            Outcome::Exited(0) => line("commands   ok"),
            Outcome::Refused => line("commands   ok    `true` was judged and refused"),
            _ => {
                line(&format!("commands   fail  {}", response.text));
                return Ok(exit_code::FAILURE);
            }
        }
        Ok(exit_code::SUCCESS)
    }
}
