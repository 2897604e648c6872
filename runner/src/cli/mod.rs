//! Arguments, and one file a subcommand.

mod allocator;
mod ask;
mod attach;
mod call;
mod check;
mod client;
mod config;
mod doctor;
mod explain;
mod inspect;
mod lint;
mod manual;
mod output;
mod patch;
mod replay;
mod run;
mod schema;
mod serve;
mod sessions;
mod slots;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Args, Parser, Subcommand};
use execgate::config::{Config, Files};
use execgate::{Profile, exit_code, in_full};

/// Run shell commands under policies that can be swapped without recompiling
#[derive(Parser)]
#[command(
    name = "execgate",
    version,
    arg_required_else_help = true,
    subcommand_required = true
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run one command in the foreground, or in the background
    Run(run::Run),
    /// List what runs, or ran, in the background
    Ps(sessions::Ps),
    /// Show what a session has printed
    Logs(sessions::Logs),
    /// Show a session at this terminal and type into it
    Attach(attach::Attach),
    /// Show what a session's terminal shows
    Screen(sessions::Screen),
    /// Send text or keys to a session
    Send(sessions::Send),
    /// Wait until a session ends, or for a condition
    Wait(sessions::Wait),
    /// End sessions, or send them a signal
    Kill(sessions::Kill),
    /// Play a recording at this terminal
    Replay(replay::Replay),
    /// Run the daemon of this workspace, which sessions live in; it starts by itself where it is needed
    Serve(serve::Serve),
    /// End the daemon of this workspace
    Stop(serve::Stop),
    /// Answer tool calls, one JSON object a line, from standard input to standard output
    Call(call::Call),
    /// Apply a patch to files, show what it would change, or take one back
    Patch(patch::Patch),
    /// Ask and look into policies; nothing runs
    #[command(subcommand)]
    Policy(Policy),
    /// Print the JSON Schemas of a profile's tools
    Schema(schema::Schema),
    /// Look at the settings
    #[command(subcommand)]
    Config(config::ConfigCommand),
    /// Check that everything execgate needs is there
    Doctor(doctor::Doctor),
    /// Print the completions for a shell
    Completion(manual::Completion),
    /// Print the manual page, or write all pages into a directory
    Man(manual::Man),
}

#[derive(Subcommand)]
enum Policy {
    /// Say what would happen to commands
    Check(check::Check),
    /// Show how a verdict comes about; nothing runs
    Explain(explain::Explain),
    /// List the components that are live in the daemon
    List(slots::List),
    /// Make another component live in the daemon
    Swap(slots::Swap),
    /// Make the component live again in the daemon that was before
    Rollback(slots::Rollback),
    /// Look for rules of the settings that are too broad, shadowed, dead or untested
    Lint(lint::Lint),
    /// Show what a component is, exports and imports
    Inspect(inspect::Inspect),
}

/// Where settings come from.
#[derive(Args, Clone)]
struct Setup {
    /// System to stand in for
    #[arg(long, value_enum, default_value_t, env = "EXECGATE_PROFILE")]
    profile: Profile,
    /// Settings file: TOML, or PicoClaw's own JSON
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Directory that commands may change [default: the working directory]
    #[arg(long, value_name = "DIR")]
    workspace: Option<PathBuf>,
    /// Directory of the store
    #[arg(long, value_name = "DIR")]
    state_dir: Option<PathBuf>,
}

impl Setup {
    /// The same as arguments of another command.
    fn arguments(&self) -> Vec<OsString> {
        let mut arguments = vec!["--profile".into(), self.profile.name().into()];
        let paths = [
            ("--config", &self.config),
            ("--workspace", &self.workspace),
            ("--state-dir", &self.state_dir),
        ];
        for (name, path) in paths {
            if let Some(path) = path {
                arguments.extend([name.into(), path.clone().into_os_string()]);
            }
        }
        arguments
    }

    /// Reads all layers; `more` are settings from flags of a subcommand.
    fn load(&self, more: Vec<(&'static str, String)>) -> anyhow::Result<Config> {
        let mut flags = more;
        for (name, path) in [
            ("workspace", &self.workspace),
            ("state-dir", &self.state_dir),
        ] {
            if let Some(path) = path {
                flags.push((
                    name,
                    path.to_str()
                        .with_context(|| format!("`{}` is not UTF-8", path.display()))?
                        .to_owned(),
                ));
            }
        }
        let here = std::env::current_dir()
            .context("cannot tell the working directory; change into one that exists")?;
        let directory = self
            .workspace
            .as_ref()
            .map_or_else(|| here.clone(), |workspace| here.join(workspace));
        let files = Files {
            config: self.config.clone(),
            directory,
        };
        Ok(execgate::config::load(self.profile, &files, &flags)?)
    }
}

/// Runs the command line.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are answers, everything else is a usage error; the streams are clap's to choose.
            let code = if error.use_stderr() {
                exit_code::USAGE
            } else {
                exit_code::SUCCESS
            };
            let _ = error.print();
            return ExitCode::from(code);
        }
    };
    log_to_stderr();
    allocator::give_back_large_blocks();
    if matches!(
        cli.command,
        Command::Run(_) | Command::Call(_) | Command::Serve(_)
    ) {
        hide_environment();
    }
    let failure = match cli.command {
        Command::Run(_) => exit_code::FAILURE,
        _ => exit_code::USAGE,
    };
    let result = match cli.command {
        Command::Run(run) => run.execute(),
        Command::Call(call) => call.execute(),
        Command::Ps(ps) => ps.execute(),
        Command::Logs(logs) => logs.execute(),
        Command::Attach(attach) => attach.execute(),
        Command::Screen(screen) => screen.execute(),
        Command::Send(send) => send.execute(),
        Command::Wait(wait) => wait.execute(),
        Command::Kill(kill) => kill.execute(),
        Command::Replay(replay) => replay.execute(),
        Command::Completion(completion) => completion.execute(),
        Command::Man(man) => man.execute(),
        Command::Serve(serve) => serve.execute(),
        Command::Stop(stop) => stop.execute(),
        Command::Policy(Policy::List(list)) => list.execute(),
        Command::Policy(Policy::Swap(swap)) => swap.execute(),
        Command::Policy(Policy::Rollback(rollback)) => rollback.execute(),
        Command::Patch(patch) => patch.execute(),
        Command::Policy(Policy::Check(check)) => check.execute(),
        Command::Policy(Policy::Explain(explain)) => explain.execute(),
        Command::Policy(Policy::Lint(lint)) => lint.execute(),
        Command::Policy(Policy::Inspect(inspect)) => inspect.execute(),
        Command::Schema(schema) => schema.execute(),
        Command::Config(config) => config.execute(),
        Command::Doctor(doctor) => doctor.execute(),
    };
    match result {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            output::error(&in_full(error.as_ref()));
            ExitCode::from(failure)
        }
    }
}

/// Keeps the commands that this program runs from reading its own environment through /proc: it may hold keys that they do not get.
/// Where this is refused, or the commands run as root, they still can.
fn hide_environment() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable);
}

fn log_to_stderr() {
    use tracing_subscriber::EnvFilter;
    let filter = EnvFilter::try_from_env("EXECGATE_LOG").unwrap_or_else(|_| EnvFilter::new("warn"));
    // Only the first subscriber of a process counts; there is none before this one.
    let _ = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .try_init();
}

/// Runs what waits for others, on this thread.
fn block_on<T>(work: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let result = runtime.block_on(work);
    // A reader of standard input blocks a thread until its next line, which may never come.
    runtime.shutdown_background();
    result
}
