//! What an action on sessions came to, as a formatter gets it: one JSON object, described in docs/session-report.md.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use execgate_host::{Ending, Policies};
use serde::Serialize;
use serde_json::Value;

use super::transcript::shown;
use super::{Ended, Session, outcome};
use crate::response::{Outcome, Response};

/// Scalars of output that every answer about a session shows of its end.
const TAIL: usize = 2_000;

/// What an action on sessions came to.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SessionReport {
    pub action: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<Problem>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<View>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sessions: Vec<View>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub printed: Option<Printed>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log: Option<Log>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<Page>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<Sent>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wait: Option<Waited>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search: Option<Found>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub screen: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signal: Option<String>,
    pub notice: NoticeView,
    pub checks: u32,
    pub empty_checks: u32,
}

/// Why an action was not carried out.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Problem {
    /// A stable name.
    pub kind: &'static str,
    /// The id as it was given.
    pub session_id: String,
    /// In one sentence, with the remedy.
    pub message: String,
}

/// One session.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct View {
    id: String,
    running: bool,
    ending: Option<&'static str>,
    exit_code: Option<i32>,
    signal: Option<u32>,
    stop_requested: bool,
    out_of_memory: bool,
    command: String,
    name: Option<String>,
    cwd: String,
    pid: u32,
    started_at_ms: u64,
    ended_at_ms: Option<u64>,
    runtime_ms: u64,
    last_output_at_ms: Option<u64>,
    idle_ms: u64,
    timeout_ms: Option<u64>,
    tail: String,
    truncated: bool,
    total_bytes: u64,
    terminal: bool,
    stdin_writable: bool,
    waiting_for_input: bool,
    usage: Option<UsageView>,
    survivors: Vec<SurvivorView>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
struct UsageView {
    user_ms: u64,
    system_ms: u64,
    max_resident_bytes: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct SurvivorView {
    pid: u32,
    command: String,
}

/// What was printed since the last look.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Printed {
    pub text: String,
    pub retained: String,
    pub omitted: bool,
    pub lost: bool,
}

/// Lines of what is kept.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Log {
    pub text: String,
    pub total_lines: u64,
    pub total_chars: u64,
    pub last_only: Option<u64>,
    pub lost: bool,
}

/// Bytes of what is kept, as text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Page {
    pub text: String,
    /// The bytes themselves, in base64, where they were asked for and are no text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base64: Option<String>,
    pub offset: u64,
    pub next_offset: u64,
    pub total_bytes: u64,
    pub has_more: bool,
    pub dropped_bytes: u64,
    pub skipped_bytes: u64,
}

/// What was sent to the program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Sent {
    pub offered_bytes: u64,
    pub taken_bytes: u64,
    pub chars: u64,
    pub eof: bool,
    pub keys: Vec<String>,
    pub warnings: Vec<String>,
}

/// What a wait ended by.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Waited {
    pub met: &'static str,
    pub matched: Option<String>,
    pub waited_ms: u64,
}

/// Lines that were found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Found {
    pub matches: Vec<Match>,
    pub total_matches: u64,
}

/// One line that was found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Match {
    pub line: u64,
    pub text: String,
    pub before: Vec<String>,
    pub after: Vec<String>,
}

/// How the end of the session will be told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NoticeView {
    pub on: bool,
    pub switched_on: bool,
}

impl SessionReport {
    /// The report as its formatter gets it.
    pub(crate) fn to_json(&self) -> String {
        // Numbers, texts and lists of them can always be written.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The report of an action that was not carried out.
    pub(super) fn refused(action: &'static str, problem: Problem) -> Self {
        Self {
            action,
            problem: Some(problem),
            ..Self::default()
        }
    }
}

/// A command goes on in the background.
pub(crate) fn started(session: &Session) -> SessionReport {
    SessionReport {
        action: "start",
        session: Some(session.view(false)),
        ..SessionReport::default()
    }
}

/// A session in the background has ended.
pub(super) fn notice(session: &Session) -> SessionReport {
    let mut state = session.state();
    session.render(&mut state);
    let printed = Printed {
        retained: shown(state.transcript.kept(), false),
        lost: state.transcript.is_lossy(),
        ..Printed::default()
    };
    drop(state);
    SessionReport {
        action: "notice",
        session: Some(session.view(false)),
        printed: Some(printed),
        ..SessionReport::default()
    }
}

/// Has a report written by the formatter.
pub(crate) async fn respond(policies: &Policies, report: &SessionReport) -> Response {
    let rendered = policies.pin().render_session(&report.to_json()).await.value;
    Response::rendered(rendered, Outcome::Managed)
}

impl Session {
    /// Brings the transcript up to date.
    pub(super) fn render(&self, state: &mut super::State) {
        let has_ended = state.end.is_some();
        state
            .transcript
            .update(&state.output, &self.origin.secrets, has_ended);
    }

    /// How it stands; whether it waits for input is for the caller to find out.
    pub(super) fn view(&self, waits_for_input: bool) -> View {
        let origin = &self.origin;
        let idle = self.idle();
        let is_writable = self.is_writable();
        let mut state = self.state();
        self.render(&mut state);
        let end = state.end.clone();
        let (started, started_at) = origin.started;
        let mut view = View {
            id: origin.id.clone(),
            running: end.is_none(),
            command: origin
                .secrets
                .mask_text(&origin.plan.request.command)
                .into_owned(),
            name: origin.name.clone(),
            cwd: origin.plan.cwd.to_string_lossy().into_owned(),
            pid: origin.pid,
            started_at_ms: since_epoch(started_at),
            runtime_ms: milliseconds(started.elapsed()),
            last_output_at_ms: state.printed.map(|(_, at)| since_epoch(at)),
            idle_ms: milliseconds(idle),
            timeout_ms: origin.plan.timeout.map(milliseconds),
            tail: shown(state.transcript.tail(TAIL), false),
            truncated: state.transcript.is_lossy(),
            total_bytes: state.output.total_bytes(),
            terminal: origin.terminal.is_some(),
            stdin_writable: is_writable,
            waiting_for_input: is_writable && waits_for_input,
            stop_requested: self.stopping().is_some(),
            ..View::default()
        };
        drop(state);
        if let Some(end) = end {
            view.add_end(&end);
        }
        view
    }

    /// Bytes printed so far.
    pub(super) fn total_bytes(&self) -> u64 {
        self.state().output.total_bytes()
    }

    /// Whether its end is to be told unasked; says so once.
    pub(super) fn wants_notice(&self, even_empty: bool) -> bool {
        let mut state = self.state();
        let Some(end) = state.end.clone() else {
            return false;
        };
        let said_nothing =
            state.output.total_bytes() == 0 && outcome::exit_code(&end.completion) == Some(0);
        let wanted = state.notice.on
            && !state.notice.sent
            && end.stopped.is_none()
            && (even_empty || state.notice.is_wished || !said_nothing);
        state.notice.sent |= wanted;
        wanted
    }
}

impl View {
    fn add_end(&mut self, end: &Ended) {
        let completion = &end.completion;
        self.ending = Some(match outcome::ending(completion.outcome) {
            Ending::Exited => "exited",
            Ending::Signaled => "signaled",
            Ending::TimedOut => "timed-out",
            Ending::Cancelled => "cancelled",
            Ending::NotStarted | Ending::Lost => "lost",
        });
        self.exit_code = outcome::exit_code(completion);
        self.signal = outcome::signal(completion);
        self.out_of_memory = end.out_of_memory;
        self.ended_at_ms = Some(since_epoch(end.at));
        self.runtime_ms = milliseconds(completion.duration);
        self.usage = Some(UsageView {
            user_ms: completion.usage.user_us / 1000,
            system_ms: completion.usage.system_us / 1000,
            max_resident_bytes: completion.usage.maximum_resident_kib.saturating_mul(1024),
        });
        let survivors = completion.survivors.iter();
        self.survivors = survivors
            .map(|one| SurvivorView {
                pid: one.pid,
                command: one.command.clone(),
            })
            .collect();
    }
}

fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

fn since_epoch(time: SystemTime) -> u64 {
    milliseconds(time.duration_since(UNIX_EPOCH).unwrap_or_default())
}
