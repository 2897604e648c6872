//! What went wrong with a component during a call.

use std::fmt;

use serde::Serialize;
use wasmtime::Trap;

use crate::state::State;
use crate::wire::Problem;

/// A call that gave no answer of its own.
///
/// It is reported beside the answer that stands in for it, so that it can be recorded.
#[derive(Clone, Debug, PartialEq, Serialize, thiserror::Error)]
#[error("component `{component}` {kind}: {message}")]
pub struct Fault {
    /// What kind of failure.
    pub kind: FaultKind,
    /// Name of the component or, when there is none, of its slot.
    pub component: String,
    /// Details in one line, with the remedy when there is one.
    pub message: String,
    /// What the component said of its settings, for [`FaultKind::Configure`].
    #[serde(skip)]
    pub problems: Vec<Problem>,
}

/// The kinds of [`Fault`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    /// No component is published in the slot.
    Missing,
    /// The component failed too often and failed its self-check too.
    Quarantined,
    /// A component was called from within a host call of a component.
    Reentrant,
    /// It trapped, panicked or exited.
    Trap,
    /// It used up its fuel.
    Fuel,
    /// It ran or blocked for too long.
    WallClock,
    /// It needed more memory or table space than it may have.
    Memory,
    /// It handed over, or had the host read, more bytes than it may.
    Size,
    /// It answered something that the contract does not allow.
    Malformed,
    /// It refused its settings.
    Configure,
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Missing => "is missing",
            Self::Quarantined => "is quarantined",
            Self::Reentrant => "was called re-entrantly",
            Self::Trap => "trapped",
            Self::Fuel => "ran out of fuel",
            Self::WallClock => "ran out of time",
            Self::Memory => "ran out of memory",
            Self::Size => "moved too much data",
            Self::Malformed => "gave a malformed answer",
            Self::Configure => "refused its settings",
        })
    }
}

/// Failures that the host itself raises inside a call; the rest are traps of the runtime.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Raised {
    #[error("it ran for more than {0} ms; raise `wall-clock` if it needs more")]
    WallClock(u128),
    #[error("components cannot be called from within a host call")]
    Reentrant,
    #[error("host functions read more than {0} bytes for it; raise `host-work` if it needs more")]
    HostWork(u64),
    #[error("{}", list(.0))]
    Configure(Vec<Problem>),
    #[error("{0}")]
    Malformed(String),
}

/// Problems with settings in one line.
pub(crate) fn list(problems: &[Problem]) -> String {
    if problems.is_empty() {
        return "it named no problem".into();
    }
    let lines: Vec<String> = problems
        .iter()
        .map(|problem| format!("`{}`: {}", problem.path, problem.message))
        .collect();
    lines.join("; ")
}

impl Fault {
    pub(crate) fn new(kind: FaultKind, component: &str, message: impl Into<String>) -> Self {
        Self {
            kind,
            component: component.to_owned(),
            message: message.into(),
            problems: Vec::new(),
        }
    }

    /// Reads an error of a call together with what the store remembers of it.
    pub(crate) fn from_call(error: &wasmtime::Error, state: &State) -> Self {
        let kind = kind_of(error, state);
        let message = match kind {
            FaultKind::Fuel => format!(
                "it used up its {} units; raise `fuel` if it needs more",
                state.limits.fuel
            ),
            FaultKind::Memory => memory_message(state),
            FaultKind::Size if error.downcast_ref::<Raised>().is_none() => format!(
                "it handed over more than {} bytes; raise `result` if it needs more",
                state.limits.result
            ),
            FaultKind::Trap | FaultKind::Malformed => with_stderr(cause(error), state),
            FaultKind::Missing
            | FaultKind::Quarantined
            | FaultKind::Reentrant
            | FaultKind::WallClock
            | FaultKind::Size
            | FaultKind::Configure => cause(error),
        };
        let problems = match error.downcast_ref() {
            Some(Raised::Configure(problems)) => problems.clone(),
            Some(_) | None => Vec::new(),
        };
        Self {
            problems,
            ..Self::new(kind, &state.component, message)
        }
    }
}

fn kind_of(error: &wasmtime::Error, state: &State) -> FaultKind {
    if let Some(raised) = error.downcast_ref::<Raised>() {
        return match raised {
            Raised::WallClock(_) => FaultKind::WallClock,
            Raised::Reentrant => FaultKind::Reentrant,
            Raised::HostWork(_) => FaultKind::Size,
            Raised::Configure(_) => FaultKind::Configure,
            Raised::Malformed(_) => FaultKind::Malformed,
        };
    }
    if error.downcast_ref::<Trap>() == Some(&Trap::OutOfFuel) {
        return FaultKind::Fuel;
    }
    if state.growth.refused_memory.is_some() || state.growth.refused_elements.is_some() {
        return FaultKind::Memory;
    }
    // The runtime keeps the type of this error to itself.
    if error
        .chain()
        .any(|cause| cause.to_string().contains("too much data is being copied"))
    {
        return FaultKind::Size;
    }
    if error.is::<Trap>() || error.is::<wasmtime_wasi::I32Exit>() {
        return FaultKind::Trap;
    }
    FaultKind::Malformed
}

fn memory_message(state: &State) -> String {
    match (state.growth.refused_memory, state.growth.refused_elements) {
        (Some(needed), _) => format!(
            "it needs {needed} bytes, its limit is {}; raise `memory` if it needs more",
            state.limits.memory
        ),
        (None, Some(needed)) => format!(
            "it needs {needed} table elements, its limit is {}; raise `table-elements` if it needs more",
            state.limits.table_elements
        ),
        (None, None) => "its limit was reached".into(),
    }
}

/// The innermost cause: the outer ones hold backtraces of many lines.
fn cause(error: &wasmtime::Error) -> String {
    error.root_cause().to_string()
}

/// Panic messages of guests stand on their stderr only.
fn with_stderr(message: String, state: &State) -> String {
    let tail = state.stderr.tail();
    if tail.is_empty() {
        return message;
    }
    format!("{message}; its stderr ends with: {tail}")
}
