//! Starts what a permit is for. Nothing else starts agent text.

use std::ffi::OsString;
use std::sync::Arc;

use crate::approvals::Permit;
use crate::keeper::{Keeper, Launch, Output, Running, SpawnError, Stdin, Streams};
use crate::plan::ExecPlan;

/// How the command's streams are connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wiring {
    /// What the command reads.
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
    session: &str,
    wiring: Wiring,
) -> Result<Running, SpawnError> {
    let plan = Arc::clone(permit.plan());
    let launch = Launch {
        session: session.to_owned(),
        program: plan.shell.program.clone(),
        name: plan.shell.name.clone(),
        arguments: plan.shell.arguments.clone(),
        directory: plan.cwd.clone(),
        environment: environment(&plan),
        streams: Streams::Pipes {
            stdin: wiring.stdin,
            output: wiring.output,
        },
        text: Some(plan.request.command.clone().into_bytes()),
    };
    keeper.spawn(launch).await
}

/// The plan's environment, with the directory as shells know it.
fn environment(plan: &ExecPlan) -> Vec<(OsString, OsString)> {
    let mut environment = plan.environment.clone();
    environment.push(("PWD".into(), plan.cwd.clone().into_os_string()));
    environment
}
