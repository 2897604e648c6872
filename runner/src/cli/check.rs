//! `execgate policy check`: verdicts only, nothing runs.

use std::io::BufRead as _;
use std::path::PathBuf;

use clap::Args;
use execgate::check::{Checker, Report, Row};
use execgate::exit_code;

use super::Setup;
use super::output::{escaped, line};

/// Say what would happen to commands
#[derive(Args)]
pub struct Check {
    #[command(flatten)]
    setup: Setup,
    /// Component to ask in place of the profile's policy; may be repeated, the strictest answer wins
    #[arg(long = "policy", value_name = "FILE.wasm")]
    policies: Vec<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Exit with 10 for ask and 11 for deny, the strictest of all
    #[arg(long)]
    strict: bool,
    /// Command to judge; without it, JSON lines with `command` are read from standard input
    #[arg(value_name = "COMMAND")]
    command: Option<String>,
}

impl Check {
    /// Judges and prints.
    pub fn execute(self) -> anyhow::Result<u8> {
        let config = self.setup.load(Vec::new())?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        runtime.block_on(self.check(&config))
    }

    async fn check(self, config: &execgate::config::Config) -> anyhow::Result<u8> {
        let mut checker = Checker::new(config, &self.policies).await?;
        let Some(command) = self.command else {
            return check_lines(&mut checker, self.strict).await;
        };
        let report = checker
            .check(Row {
                command,
                ..Row::default()
            })
            .await?;
        if self.json {
            line(&serde_json::to_string(&report)?);
        } else {
            show(&report);
        }
        Ok(if self.strict {
            strict_code(report.verdict)
        } else {
            exit_code::SUCCESS
        })
    }
}

/// Reads rows to the end; a row that cannot be read is answered as an error and the rest goes on.
async fn check_lines(checker: &mut Checker, strict: bool) -> anyhow::Result<u8> {
    let mut worst = exit_code::SUCCESS;
    let mut bad = false;
    let mut bytes = Vec::new();
    let mut stdin = std::io::stdin().lock();
    loop {
        bytes.clear();
        if stdin.read_until(b'\n', &mut bytes)? == 0 {
            break;
        }
        if bytes.trim_ascii().is_empty() {
            continue;
        }
        let answer = match serde_json::from_slice::<Row>(&bytes) {
            Ok(row) => {
                let id = row.id.clone();
                checker
                    .check(row)
                    .await
                    .map_err(|error| (id, error.to_string()))
            }
            Err(error) => Err((
                serde_json::Value::Null,
                format!("not a row: {error}; give an object with a string `command`"),
            )),
        };
        match answer {
            Ok(report) => {
                worst = worst.max(strict_code(report.verdict));
                line(&serde_json::to_string(&report)?);
            }
            Err((id, error)) => {
                bad = true;
                line(&serde_json::json!({"id": id, "error": error}).to_string());
            }
        }
    }
    Ok(match (bad, strict) {
        (true, _) => exit_code::USAGE,
        (false, true) => worst,
        (false, false) => exit_code::SUCCESS,
    })
}

fn strict_code(verdict: &str) -> u8 {
    match verdict {
        "allow" => exit_code::SUCCESS,
        "ask" => exit_code::VERDICT_ASK,
        _ => exit_code::VERDICT_DENY,
    }
}

fn show(report: &Report) {
    line(&format!("{}  {}", report.verdict, escaped(&report.rule)));
    line(&format!("  {}", escaped(&report.reason)));
    if let Some(remedy) = &report.remedy {
        line(&format!("  {}", escaped(remedy)));
    }
    if let Some(opaque) = &report.opaque {
        line(&format!("  not understood: {}", escaped(opaque)));
    }
    for segment in &report.segments {
        let words: Vec<&str> = segment
            .argv
            .iter()
            .map(|word| word.as_deref().unwrap_or("(unknown)"))
            .collect();
        line(&format!(
            "  {}-{}  {}",
            segment.span[0],
            segment.span[1],
            escaped(&words.join(" "))
        ));
    }
}
