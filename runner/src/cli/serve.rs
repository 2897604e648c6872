//! `execgate serve` and `execgate stop`: the daemon's beginning and end.

use std::io::Write as _;

use clap::Args;
use execgate::daemon::{Daemon, code};
use execgate::exit_code;
use serde_json::{Value, json};

use super::Setup;
use super::client::{Client, Remote};
use super::output::{escaped, line, note};

/// Run the daemon of this workspace in the foreground, until it is told to end
#[derive(Args)]
pub struct Serve {
    #[command(flatten)]
    setup: Setup,
    /// End the daemon that runs already first
    #[arg(long)]
    restart: bool,
    /// With `--restart`: end its sessions as well, in order
    #[arg(long, requires = "restart")]
    force: bool,
    /// Say `ready` on standard output once connections are taken
    #[arg(long, hide = true)]
    announce: bool,
}

impl Serve {
    /// Serves.
    pub fn execute(self) -> anyhow::Result<u8> {
        let config = self.setup.load(Vec::new())?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()?;
        let result = runtime.block_on(async {
            if self.restart && !self.end_other().await? {
                return Ok(exit_code::ODD);
            }
            let daemon = Daemon::start(&config).await?;
            let socket = daemon.endpoint().socket();
            if self.announce {
                let mut stdout = std::io::stdout();
                // Who started this may have gone; the daemon stays.
                let _ = stdout.write_all(b"ready\n").and_then(|()| stdout.flush());
            } else {
                note(&format!(
                    "listening on {}; end it with `execgate stop` or Ctrl-C",
                    socket.display()
                ));
            }
            daemon.serve(super::call::terminated()).await;
            Ok(exit_code::SUCCESS)
        });
        runtime.shutdown_background();
        result
    }

    async fn end_other(&self) -> anyhow::Result<bool> {
        match Client::if_running(&self.setup).await? {
            None => Ok(true),
            Some(client) => end(client, self.force).await,
        }
    }
}

/// End the daemon of this workspace
#[derive(Args)]
pub struct Stop {
    #[command(flatten)]
    setup: Setup,
    /// End its sessions as well, in order
    #[arg(long)]
    force: bool,
}

impl Stop {
    /// Ends it; answers 1 where sessions live.
    pub fn execute(self) -> anyhow::Result<u8> {
        super::block_on(async {
            let Some(client) = Client::if_running(&self.setup).await? else {
                note("no daemon runs for this workspace");
                return Ok(exit_code::SUCCESS);
            };
            match end(client, self.force).await? {
                true => Ok(exit_code::SUCCESS),
                false => Ok(exit_code::ODD),
            }
        })
    }
}

/// Ends a daemon and waits until it has gone; false where its sessions keep it.
async fn end(mut client: Client, force: bool) -> anyhow::Result<bool> {
    match client.request("shutdown", json!({"force": force})).await {
        Ok(ended) => {
            for id in ended["ended"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
            {
                line(&format!("ended {}", escaped(id)));
            }
            client.until_closed().await;
            Ok(true)
        }
        Err(Remote::Error(error)) if error.code == code::SESSIONS_LIVE => {
            note(&format!("{}: `--force` does", escaped(&error.message)));
            Ok(false)
        }
        Err(error) => Err(error.into()),
    }
}
