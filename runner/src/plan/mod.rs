//! What exactly would run: text, place, environment, programs. Immutable once made.
//!
//! The plan is the one thing that policy, question, record and spawn see; what
//! it says of the disk is looked at again right before the command starts.

mod executable;
mod place;
mod shell;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use execgate_host::{CommandLine, Dialect, Place};
use execgate_patch::Intent;
use sha2::{Digest as _, Sha256};

pub use executable::Program;
pub use place::Places;
pub use shell::{NoShell, Shell};

use crate::environment;
use crate::request::{ExecRequest, TimeLimit};

/// Identity of a plan: a digest of everything that decides what runs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlanId(String);

impl std::fmt::Display for PlanId {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// The place a command is judged for and runs in.
#[derive(Clone, Debug)]
pub struct Surroundings {
    /// Absolute path of the directory that commands may change.
    pub workspace: PathBuf,
    /// Home directory of the user.
    pub home: Option<PathBuf>,
    /// The shell that runs commands.
    pub shell: Shell,
    /// Names of variables that commands see beyond the allow-list.
    pub keep_environment: Vec<String>,
    /// Variables that the profile gives to every command.
    pub environment: &'static [(&'static str, &'static str)],
    /// Limit of a command that names none.
    pub timeout: Duration,
}

/// What a text is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A command.
    Command,
    /// Input of a running program, whose name this is.
    Input(String),
    /// A patch, and what it means to do.
    Patch(Vec<Intent>),
}

/// Everything that decides what a call does.
#[derive(Debug)]
pub struct ExecPlan {
    /// Its identity.
    pub id: PlanId,
    /// The request it was made from.
    pub request: ExecRequest,
    /// What the text is.
    pub subject: Subject,
    /// What the analysis says of the text.
    pub command_line: CommandLine,
    /// The shell that would run it.
    pub shell: Shell,
    /// Absolute directory it would run in, as asked for.
    pub cwd: PathBuf,
    /// The workspace.
    pub workspace: PathBuf,
    /// Home directory of the user.
    pub home: Option<PathBuf>,
    /// Everything the command would see, sorted by name.
    pub environment: Vec<(OsString, OsString)>,
    /// Limit in force.
    pub timeout: Option<Duration>,
    /// The program of each segment, where its name is known.
    pub programs: Vec<Option<Program>>,
    /// Paths that were looked up while the plan was judged.
    pub places: Places,
    digests: Mutex<BTreeMap<usize, Option<String>>>,
}

/// The absolute directory a request wants to run in, by names alone.
pub fn directory(request: &ExecRequest, workspace: &Path) -> PathBuf {
    let joined = request
        .cwd
        .as_ref()
        .map_or_else(|| workspace.to_owned(), |cwd| workspace.join(cwd));
    place::normalize(&joined)
}

/// The environment a request's command would see.
pub fn environment(
    request: &ExecRequest,
    surroundings: &Surroundings,
) -> Vec<(OsString, OsString)> {
    environment::build(
        std::env::vars_os(),
        &surroundings.keep_environment,
        &environment::Additions {
            profile: surroundings.environment,
            overrides: &request.env,
            on_terminal: request.terminal,
        },
    )
}

/// Makes the plan of a request whose text was analysed: finds every program and
/// notes what it is, so that a change can be seen before it runs.
pub fn prepare(
    request: ExecRequest,
    subject: Subject,
    command_line: CommandLine,
    surroundings: &Surroundings,
) -> ExecPlan {
    let cwd = directory(&request, &surroundings.workspace);
    let environment = environment(&request, surroundings);
    let programs = executable::find_all(&command_line, &cwd, &environment);
    let timeout = match request.timeout {
        TimeLimit::Configured => Some(surroundings.timeout),
        TimeLimit::Unlimited => None,
        TimeLimit::After(limit) => Some(limit),
    };
    let mut plan = ExecPlan {
        id: PlanId(String::new()),
        places: Places::new(&cwd, &surroundings.workspace),
        shell: surroundings.shell.clone(),
        workspace: surroundings.workspace.clone(),
        home: surroundings.home.clone(),
        digests: Mutex::default(),
        subject,
        request,
        command_line,
        cwd,
        environment,
        timeout,
        programs,
    };
    plan.id = identify(&plan);
    plan
}

/// Hashes every part with its length, so that no two plans share a preimage.
fn identify(plan: &ExecPlan) -> PlanId {
    let mut hasher = Sha256::new();
    let mut part = |bytes: &[u8]| {
        hasher.update(u64::try_from(bytes.len()).unwrap_or(u64::MAX).to_le_bytes());
        hasher.update(bytes);
    };
    part(plan.request.command.as_bytes());
    part(plan.shell.program.as_os_str().as_encoded_bytes());
    part(plan.cwd.as_os_str().as_encoded_bytes());
    part(plan.request.caller.agent.as_bytes());
    part(&[u8::from(plan.request.terminal)]);
    part(match &plan.subject {
        Subject::Command => b"",
        Subject::Input(program) => program.as_bytes(),
        Subject::Patch(_) => b"\0patch",
    });
    for (name, value) in &plan.environment {
        part(name.as_encoded_bytes());
        part(value.as_encoded_bytes());
    }
    for program in plan.programs.iter().flatten() {
        part(
            program
                .real_path
                .as_deref()
                .map_or(&[][..], |path| path.as_os_str().as_encoded_bytes()),
        );
    }
    PlanId(hex::encode(hasher.finalize()))
}

impl ExecPlan {
    /// The language the text is read as.
    pub fn dialect(&self) -> Dialect {
        self.shell.dialect
    }

    /// Where the working directory really is.
    pub fn cwd_place(&self) -> Place {
        self.places.look_up(&self.cwd.to_string_lossy())
    }

    /// SHA-256 of a segment's program in hex, where somebody who is not trusted can write it.
    pub fn digest(&self, segment: usize) -> Option<String> {
        let program = self.programs.get(segment)?.as_ref()?;
        if !program.is_mutable(&self.workspace) {
            return None;
        }
        let mut digests = self.digests.lock().expect("no holder of the lock panics");
        digests
            .entry(segment)
            .or_insert_with(|| program.digest())
            .clone()
    }

    /// Looks again at everything the judgement rests on.
    ///
    /// # Errors
    /// What changed since.
    pub fn recheck(&self) -> Result<(), String> {
        for program in self.programs.iter().flatten() {
            program.recheck(&self.cwd, &self.environment)?;
        }
        let digests = self.digests.lock().expect("no holder of the lock panics");
        for (segment, digest) in digests.iter() {
            let program = self.programs.get(*segment).and_then(Option::as_ref);
            if program.is_some_and(|program| program.digest() != *digest) {
                return Err(format!(
                    "the contents of program `{}` changed",
                    program.map_or("", |program| &program.name)
                ));
            }
        }
        drop(digests);
        self.places.recheck()
    }
}

#[cfg(test)]
mod tests;
