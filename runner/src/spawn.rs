//! Starts what a permit is for. Nothing else starts agent text.

use std::ffi::OsString;
use std::sync::Arc;

use crate::approvals::Permit;
use crate::keeper::{Keeper, Launch, Output, OutputStreams, Running, SpawnError, Stdin, Streams};
use crate::plan::ExecPlan;
use crate::terminal::{Opened, Terminal, WindowSize};

/// How the command's streams are connected, where it does not run on a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wiring {
    /// What the command reads, unless its request wants an input that can be written to.
    pub stdin: Stdin,
    /// Where it prints.
    pub output: Output,
}

/// Starts the permit's plan: `SHELL -c TEXT` in its own session and process group.
///
/// The permit is used up, whether it starts or not.
///
/// # Errors
/// It could not be started; nothing is left of it.
pub async fn start(
    keeper: &Keeper,
    permit: Permit,
    mark: &str,
    wiring: Wiring,
) -> Result<(Running, Option<Terminal>), SpawnError> {
    let plan = permit.plan();
    let request = &plan.request;
    if !request.terminal {
        let stdin = if request.has_own_input() {
            Stdin::Pipe
        } else {
            wiring.stdin
        };
        let streams = Streams::Pipes {
            stdin,
            output: wiring.output,
        };
        let running = keeper.spawn(launch(plan, mark, streams)).await?;
        return Ok((running, None));
    }
    let Opened {
        terminal,
        output,
        input,
        slave,
    } = Terminal::open(WindowSize::default()).map_err(SpawnError::System)?;
    let mut running = keeper
        .spawn(launch(plan, mark, Streams::Terminal(slave)))
        .await?;
    running.stdin = Some(input);
    running.output = OutputStreams::Shared(output);
    Ok((running, Some(terminal)))
}

fn launch(plan: &Arc<ExecPlan>, mark: &str, streams: Streams) -> Launch {
    Launch {
        session: mark.to_owned(),
        program: plan.shell.program.clone(),
        name: plan.shell.name.clone(),
        arguments: plan.shell.arguments.clone(),
        directory: plan.cwd.clone(),
        environment: environment(plan),
        streams,
        text: Some(plan.request.command.clone().into_bytes()),
    }
}

/// The plan's environment, with the directory as shells know it.
fn environment(plan: &ExecPlan) -> Vec<(OsString, OsString)> {
    let mut environment = plan.environment.clone();
    environment.push(("PWD".into(), plan.cwd.clone().into_os_string()));
    environment
}
