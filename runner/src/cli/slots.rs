//! `execgate policy list`, `swap` and `rollback`: what is live in the daemon.

use std::path::PathBuf;

use clap::Args;
use execgate::exit_code;
use serde_json::{Value, json};

use super::client::Client;
use super::output::{escaped, line};
use super::{Setup, block_on};

/// List the components that are live in the daemon of this workspace
#[derive(Args)]
pub struct List {
    #[command(flatten)]
    setup: Setup,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl List {
    /// Lists them.
    pub fn execute(self) -> anyhow::Result<u8> {
        let slots = block_on(async {
            let mut client = Client::running(&self.setup).await?;
            Ok(client.request("policies", Value::Null).await?)
        })?;
        if self.json {
            line(&slots.to_string());
            return Ok(exit_code::SUCCESS);
        }
        for slot in slots.as_array().into_iter().flatten() {
            let live = &slot["live"];
            let text = |value: &Value| escaped(value.as_str().unwrap_or_default());
            line(&format!(
                "{:9}  {}  generation {}  sha256:{}",
                text(&slot["slot"]),
                text(&live["component"]),
                live["generation"],
                text(&live["digest"])
            ));
        }
        Ok(exit_code::SUCCESS)
    }
}

/// Make another component live in the daemon of this workspace; calls in flight end on the one before
#[derive(Args)]
pub struct Swap {
    #[command(flatten)]
    setup: Setup,
    /// analyzer, policy, approver or formatter
    #[arg(value_name = "SLOT")]
    slot: String,
    /// The component
    #[arg(value_name = "FILE.wasm")]
    file: PathBuf,
}

impl Swap {
    /// Swaps it.
    pub fn execute(self) -> anyhow::Result<u8> {
        // The daemon has another working directory.
        let path = std::path::absolute(&self.file)?;
        change(
            &self.setup,
            "swap",
            json!({"slot": self.slot, "path": path}),
        )
    }
}

/// Make the component live again that was before the last swap
#[derive(Args)]
pub struct Rollback {
    #[command(flatten)]
    setup: Setup,
    /// analyzer, policy, approver or formatter
    #[arg(value_name = "SLOT")]
    slot: String,
}

impl Rollback {
    /// Rolls back.
    pub fn execute(self) -> anyhow::Result<u8> {
        change(&self.setup, "rollback", json!({"slot": self.slot}))
    }
}

fn change(setup: &Setup, method: &str, params: Value) -> anyhow::Result<u8> {
    let changed = block_on(async {
        let mut client = Client::running(setup).await?;
        Ok(client.request(method, params).await?)
    })?;
    let text = |name: &str| escaped(changed[name].as_str().unwrap_or_default());
    line(&format!(
        "{}: {} -> {}",
        text("slot"),
        text("oldDigest"),
        text("newDigest")
    ));
    Ok(exit_code::SUCCESS)
}
