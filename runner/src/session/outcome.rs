//! How a command ended and what it printed, as formatters see it.

use std::sync::Arc;

use execgate_host::{Artifact, CompletionFacts, Ending, OutputFacts, Survivor};

use super::{Ended, Session};
use crate::completion::{Completion, Outcome};
use crate::keeper::Status;
use crate::output::Capture;
use crate::output::mask::{CONTEXT, Secrets};
use crate::output::sanitize::rendered;
use crate::plan::ExecPlan;
use crate::profile::Style;

/// The longest UTF-8 sequence in bytes.
const LONGEST_SEQUENCE: usize = 4;

/// A command that did not start.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{reason}")]
pub(crate) struct NotStarted {
    /// A stable name: `directory`, `program`, `changed`, `sessions`, `terminal` or `system`.
    pub kind: &'static str,
    /// Why, in one sentence.
    pub reason: String,
}

/// How a permitted plan ended.
#[derive(Debug)]
pub(crate) enum End {
    /// It ran.
    Ran {
        /// As what.
        session: Arc<Session>,
        /// How it ended.
        ended: Arc<Ended>,
    },
    /// It did not start.
    NotStarted(NotStarted),
}

/// A command's end.
#[derive(Debug)]
pub(crate) struct EndFacts {
    plan: Arc<ExecPlan>,
    end: End,
}

impl EndFacts {
    /// The facts of one end.
    pub(crate) fn new(plan: Arc<ExecPlan>, end: End) -> Self {
        Self { plan, end }
    }

    fn ran(&self) -> Option<&Completion> {
        match &self.end {
            End::Ran { ended, .. } => Some(&ended.completion),
            End::NotStarted(_) => None,
        }
    }

    /// How it ended.
    pub(crate) fn end(&self) -> &End {
        &self.end
    }

    fn ran_out_of_memory(&self) -> bool {
        matches!(&self.end, End::Ran { ended, .. } if ended.out_of_memory)
    }
}

/// The stable form of an outcome.
pub(super) fn ending(outcome: Outcome) -> Ending {
    match outcome {
        Outcome::Exited(_) => Ending::Exited,
        Outcome::Signaled { .. } => Ending::Signaled,
        Outcome::TimedOut => Ending::TimedOut,
        Outcome::Cancelled => Ending::Cancelled,
        Outcome::Lost => Ending::Lost,
    }
}

/// The code of a command that exited by itself.
pub(super) fn exit_code(completion: &Completion) -> Option<i32> {
    match completion.outcome {
        Outcome::Exited(code) => Some(code),
        Outcome::Signaled { .. } | Outcome::TimedOut | Outcome::Cancelled | Outcome::Lost => None,
    }
}

/// The signal that ended the first process, whoever sent it.
pub(super) fn signal(completion: &Completion) -> Option<u32> {
    match completion.status? {
        Status::Signaled { signal, .. } => u32::try_from(signal).ok(),
        Status::Exited(_) => None,
    }
}

impl CompletionFacts for EndFacts {
    fn ending(&self) -> Ending {
        self.ran()
            .map_or(Ending::NotStarted, |completion| ending(completion.outcome))
    }
    fn exit_code(&self) -> Option<i32> {
        exit_code(self.ran()?)
    }
    fn signal(&self) -> Option<u32> {
        signal(self.ran()?)
    }
    fn error(&self) -> Option<String> {
        match &self.end {
            End::NotStarted(why) => Some(why.reason.clone()),
            End::Ran { .. } => None,
        }
    }
    fn duration_ms(&self) -> u64 {
        self.ran().map_or(0, |completion| {
            u64::try_from(completion.duration.as_millis()).unwrap_or(u64::MAX)
        })
    }
    fn timeout_ms(&self) -> Option<u64> {
        self.plan
            .timeout
            .map(|timeout| u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX))
    }
    fn cwd(&self) -> String {
        self.plan.cwd.to_string_lossy().into_owned()
    }
    fn user_time_us(&self) -> u64 {
        self.ran().map_or(0, |completion| completion.usage.user_us)
    }
    fn system_time_us(&self) -> u64 {
        self.ran()
            .map_or(0, |completion| completion.usage.system_us)
    }
    fn max_resident(&self) -> u64 {
        self.ran().map_or(0, |completion| {
            completion.usage.maximum_resident_kib.saturating_mul(1024)
        })
    }
    fn artifact(&self) -> Option<Artifact> {
        let End::Ran { session, .. } = &self.end else {
            return None;
        };
        let artifact = session.artifact()?;
        Some(Artifact {
            path: artifact.path.to_string_lossy().into_owned(),
            bytes: artifact.bytes,
            complete: !artifact.stopped && artifact.problem.is_none(),
            problem: artifact.problem,
        })
    }
    fn survivors(&self) -> Vec<Survivor> {
        let survivor = |one: &crate::keeper::Survivor| Survivor {
            pid: one.pid,
            command: one.command.clone(),
        };
        self.ran()
            .map(|completion| completion.survivors.iter().map(survivor).collect())
            .unwrap_or_default()
    }
    fn annotation(&self, name: &str) -> Option<String> {
        match (name, &self.end) {
            ("not-started", End::NotStarted(why)) => Some(why.kind.to_owned()),
            ("out-of-memory", _) => self.ran_out_of_memory().then(|| "true".to_owned()),
            _ => None,
        }
    }
}

/// What a command printed, masked and without terminal control; nothing where it did not start.
#[derive(Debug)]
pub(crate) struct PrintedFacts {
    session: Option<Arc<Session>>,
    style: Style,
}

impl PrintedFacts {
    /// What the command of an end printed.
    pub(crate) fn new(end: &End, style: Style) -> Self {
        let session = match end {
            End::Ran { session, .. } => Some(Arc::clone(session)),
            End::NotStarted(_) => None,
        };
        Self { session, style }
    }

    fn with<T: Default>(&self, read: impl FnOnce(&Capture, &Secrets) -> T) -> T {
        let Some(session) = &self.session else {
            return T::default();
        };
        read(&session.state().output, &session.origin.secrets)
    }

    fn text(&self, bytes: &[u8]) -> String {
        let text = String::from_utf8_lossy(bytes);
        rendered(&text, self.style.controls, !self.style.keeps_line_ends)
    }
}

/// Bytes that surely hold so many scalars, and what stands around a secret at their edge.
fn window(scalars: u32) -> usize {
    let scalars = usize::try_from(scalars).unwrap_or(usize::MAX);
    scalars
        .saturating_add(1)
        .saturating_mul(LONGEST_SEQUENCE)
        .saturating_add(CONTEXT)
}

impl OutputFacts for PrintedFacts {
    fn total_bytes(&self) -> u64 {
        self.with(|output, _| output.total_bytes())
    }
    fn total_chars(&self) -> u64 {
        self.with(|output, _| output.total_scalars())
    }
    fn invalid_sequences(&self) -> u64 {
        self.with(|output, _| output.invalid_sequences())
    }
    fn retained(&self) -> (u64, u64) {
        self.with(|output, _| (output.start(), output.total_bytes()))
    }
    fn read(&self, offset: u64, max: u32) -> Vec<u8> {
        let max = usize::try_from(max).unwrap_or(usize::MAX);
        self.with(|output, secrets| output.masked(offset, max, secrets))
    }
    fn head(&self, max: u32) -> String {
        let bytes = self.with(|output, secrets| {
            let mut head = output.head().to_vec();
            head.truncate(window(max));
            secrets.mask(&mut head);
            head
        });
        let text = self.text(&bytes);
        // Written out, a control takes more than it took: a whole output is not cut for that.
        if u64::from(max) >= self.total_chars() {
            return text;
        }
        text.chars()
            .take(usize::try_from(max).unwrap_or(usize::MAX))
            .collect()
    }
    fn tail(&self, max: u32) -> String {
        let bytes = self.with(|output, secrets| {
            let from = output.total_bytes().saturating_sub(window(max) as u64);
            output.masked(output.character_start(from), usize::MAX, secrets)
        });
        let text = self.text(&bytes);
        let skipped = text
            .chars()
            .count()
            .saturating_sub(usize::try_from(max).unwrap_or(usize::MAX));
        text.chars().skip(skipped).collect()
    }
}
