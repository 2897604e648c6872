//! The straight line of an action on sessions: whose session, may it be done, do it, report it.

use std::sync::Arc;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD as BASE64;
use execgate_host::{CommandLine, Decision, Opaque, Span};

use super::action::{Act, Action, Keys, ProcessRequest, Range, Wait};
use super::display::Look;
use super::input::{Bytes, NoInput};
use super::keys::{self, CursorKeys, openclaw, picoclaw};
use super::registry::Scope;
use super::report::{
    Found, Log, Match, NoticeView, Page, Printed, Problem, Sent, SessionReport, View,
};
use super::transcript::shown;
use super::typed::Runs;
use super::{Session, Stop, report, signals, wait};
use crate::approvals::{self, Settled};
use crate::facts::SupervisionFacts;
use crate::judge::{Judgement, judge_input};
use crate::output::lines::Lines;
use crate::output::sanitize::{Motion, Sanitizer, plain};
use crate::profile::Profile;
use crate::record::Trace;
use crate::request::{Caller, ExecRequest};
use crate::response::Response;
use crate::runner::Runner;
use crate::terminal::{Terminal, WindowSize};

/// Looks in a row that find nothing before the end is told unasked.
const EMPTY_LOOKS: u32 = 2;

/// Most bytes that one read gives.
const MAX_READ: u64 = 1 << 20;

/// Bytes before a page that tell what the terminal was in the middle of.
const BEFORE: u64 = 4096;

/// What an act did, or why not.
type Done = Result<SessionReport, Box<Refused>>;

/// Why an action was not carried out.
enum Refused {
    /// It cannot be.
    Problem(Problem),
    /// It may not be: the answer is a refusal of the policy's.
    Denied(Response),
}

impl Runner {
    /// Carries out an action on sessions.
    pub async fn process(&self, request: ProcessRequest) -> Response {
        let ProcessRequest { caller, action } = request;
        if let Some(refusal) = self.gate(&caller, &action).await {
            return refusal;
        }
        let name = action.name();
        let done = match action {
            Action::List => Ok(self.list(&caller).await),
            Action::On { session_id, act } => self.act(&caller, &session_id, act).await,
        };
        let report = match done {
            Ok(report) => SessionReport {
                action: name,
                ..report
            },
            Err(refused) => match *refused {
                Refused::Problem(problem) => self.refused(&caller, name, problem),
                Refused::Denied(response) => return response,
            },
        };
        report::respond(&self.policies, &report).await
    }

    /// Asks the policy, where the profile has it judge more than commands: PicoClaw's gate for channels covers every action.
    async fn gate(&self, caller: &Caller, action: &Action) -> Option<Response> {
        if self.profile() != Profile::Picoclaw {
            return None;
        }
        let policies = self.policies.pin();
        let facts = Arc::new(SupervisionFacts::new(
            caller.clone(),
            action.name(),
            &self.surroundings,
        ));
        let judged = policies.evaluate(Arc::clone(&facts) as _).await;
        if judged.verdict.decision == Decision::Allow {
            return None;
        }
        let rendered = policies.render_refusal(facts, &judged.verdict).await;
        Some(Response::refused(&judged.verdict, rendered.value))
    }

    async fn list(&self, caller: &Caller) -> SessionReport {
        let mut sessions = Vec::new();
        for session in self.sessions.list(&Scope::of(caller)) {
            sessions.push(self.view(&session).await);
        }
        SessionReport {
            sessions,
            ..SessionReport::default()
        }
    }

    async fn view(&self, session: &Session) -> View {
        let silence = self.sessions.settings().input_wait;
        session.view(session.waits_for_input(silence).await)
    }

    async fn act(&self, caller: &Caller, id: &str, act: Act) -> Done {
        let session = self.find(caller, id, &act)?;
        let report = match act {
            Act::Poll(longest) => {
                session.wait_for_news(longest).await;
                self.look(&session, true)
            }
            Act::Wait(what) => self.wait(&session, &what).await?,
            Act::Log { offset, limit } => session.log(offset, limit),
            Act::Read(range) => session.read(range),
            Act::Search {
                pattern,
                context,
                limit,
            } => session.search(&pattern, context, limit),
            Act::Screen(look) => session.screen_report(look)?,
            Act::Resize(size) => self.resize_window(caller, &session, size)?,
            Act::Write { data, eof } => self.type_in(caller, &session, data, eof).await?,
            Act::Submit => {
                self.type_in(caller, &session, "\r".to_owned(), false)
                    .await?
            }
            Act::Paste { text, bracketed } => {
                let bracketed = bracketed
                    .or_else(|| session.wants_paste_marks())
                    .unwrap_or(true);
                self.paste(caller, &session, &text, bracketed).await?
            }
            Act::SendKeys(keys) => self.send_keys(caller, &session, &keys).await?,
            Act::Signal(number) => self.signal(&session, number).await?,
            Act::Kill => self.kill(&session).await,
            Act::Clear => {
                self.sessions.forget(&session);
                SessionReport::default()
            }
            Act::Remove => {
                if session.end().is_some() {
                    self.sessions.forget(&session);
                }
                session.hide();
                session.stop(Stop::Requested);
                SessionReport::default()
            }
        };
        Ok(SessionReport {
            session: Some(self.view(&session).await),
            ..report
        })
    }

    fn resize_window(&self, caller: &Caller, session: &Session, size: WindowSize) -> Done {
        let resized = self.resize(caller, session.id(), size);
        resized.map_err(|error| problem("bad-argument", session.id(), error.to_string()))?;
        session.screen_report(Look::default())
    }

    async fn wait(&self, session: &Session, what: &Wait) -> Done {
        let file = match &what.file {
            None => None,
            Some(file) => Some(wait::awaited_file(session, file).ok_or_else(|| {
                let message = format!(
                    "file `{}` lies outside the workspace; wait for one inside it",
                    file.display()
                );
                problem("bad-argument", session.id(), message)
            })?),
        };
        let waited = session.wait_for(what, file.as_deref()).await;
        let look = self.look(session, waited.met == "time");
        Ok(SessionReport {
            wait: Some(waited),
            ..look
        })
    }

    /// The session of an id, if this caller may do this with it.
    fn find(&self, caller: &Caller, id: &str, act: &Act) -> Result<Arc<Session>, Box<Refused>> {
        let refuse = |kind, message| Err(problem(kind, &shown_id(id), message));
        if id.is_empty() {
            return refuse(
                "session-id-required",
                "a session id is required; `list` names them".to_owned(),
            );
        }
        let shown = shown_id(id);
        let Some(session) = self.sessions.find(&Scope::of(caller), id) else {
            let kind = match act {
                Act::Clear => "unknown-finished-session",
                _ if act.needs_running() => "unknown-active-session",
                _ => "unknown-session",
            };
            return refuse(
                kind,
                format!("there is no session `{shown}`; `list` names them"),
            );
        };
        let has_ended = session.end().is_some();
        if !session.is_background() {
            return refuse(
                "not-backgrounded",
                format!("session {id} still belongs to the call that started it"),
            );
        }
        if act.needs_running() && has_ended {
            return refuse("already-exited", session.exited());
        }
        if matches!(act, Act::Clear) && !has_ended {
            return refuse(
                "unknown-finished-session",
                format!("session {id} still runs; kill or remove it"),
            );
        }
        Ok(session)
    }

    fn refused(&self, caller: &Caller, action: &'static str, problem: Problem) -> SessionReport {
        let session = self.sessions.find(&Scope::of(caller), &problem.session_id);
        SessionReport {
            session: session.map(|session| session.view(false)),
            ..SessionReport::refused(action, problem)
        }
    }

    /// Shows what is new, and counts the looks that find nothing, unless they were not in vain.
    fn look(&self, session: &Session, may_be_vain: bool) -> SessionReport {
        let settings = self.sessions.settings();
        let keeps_line_ends = self.profile().style().keeps_line_ends;
        let mut state = session.state();
        session.render(&mut state);
        let total = state.transcript.total();
        let (new, is_broken) = state.transcript.since(state.looks.shown);
        let fresh = total - state.looks.shown.min(total);
        let excess = usize::try_from(fresh)
            .unwrap_or(usize::MAX)
            .saturating_sub(settings.pending_chars);
        let text: String = new.chars().skip(excess).collect();
        let printed = Printed {
            text: shown(&text, keeps_line_ends),
            retained: shown(state.transcript.kept(), keeps_line_ends),
            omitted: excess > 0 || is_broken,
            lost: state.transcript.is_lossy(),
        };
        let is_running = state.end.is_none();
        let looks = &mut state.looks;
        looks.shown = total;
        if fresh > 0 {
            looks.checks = 0;
            looks.empty = 0;
        } else if may_be_vain {
            looks.empty = looks.empty.saturating_add(1);
        }
        let (checks, empty_checks) = (looks.checks, looks.empty);
        looks.checks = looks.checks.saturating_add(1);
        let is_tired =
            is_running && empty_checks >= EMPTY_LOOKS && self.profile().tells_tired_pollers();
        let switched_on = is_tired && !state.notice.on;
        // Whoever is told that the end will be told is told it, whatever the end.
        state.notice.on |= is_tired;
        state.notice.is_wished |= is_tired;
        state.echoes.clear();
        SessionReport {
            printed: Some(printed),
            checks,
            empty_checks,
            notice: NoticeView {
                on: is_running && state.notice.on,
                switched_on,
            },
            ..SessionReport::default()
        }
    }

    async fn kill(&self, session: &Session) -> SessionReport {
        session.stop(Stop::Requested);
        if self.profile() == Profile::Picoclaw {
            // Its clients read the last output from this answer; the end is bounded by the grace and the drain.
            session.ended().await;
        }
        let mut state = session.state();
        session.render(&mut state);
        SessionReport {
            printed: Some(Printed {
                retained: shown(
                    state.transcript.kept(),
                    self.profile().style().keeps_line_ends,
                ),
                ..Printed::default()
            }),
            ..SessionReport::default()
        }
    }

    async fn signal(&self, session: &Session, number: i32) -> Done {
        let origin = session.origin();
        match origin.keeper.signal(&origin.mark, number).await {
            Ok(()) => Ok(SessionReport {
                signal: Some(signals::name(number)),
                ..SessionReport::default()
            }),
            Err(error) if session.end().is_none() => {
                Err(problem("bad-argument", session.id(), error.to_string()))
            }
            Err(_) => Err(problem("already-exited", session.id(), session.exited())),
        }
    }

    async fn paste(&self, caller: &Caller, session: &Session, text: &str, bracketed: bool) -> Done {
        if text.is_empty() && !bracketed {
            let message = "there is no text to paste; give `text`".to_owned();
            return Err(problem("no-paste-text", session.id(), message));
        }
        let input = Bytes::new(keys::paste(text, bracketed), false);
        let mut report = self.send(caller, session, input).await?;
        if let Some(sent) = &mut report.input {
            sent.chars = text.chars().count() as u64;
        }
        Ok(report)
    }

    async fn send_keys(&self, caller: &Caller, session: &Session, keys: &Keys) -> Done {
        let mode = session.cursor_keys();
        let encoded = Encoded::new(keys, mode)
            .map_err(|(kind, message)| problem(kind, session.id(), message))?;
        let input = Bytes {
            bytes: encoded.bytes,
            eof: false,
            pauses: encoded.pauses,
        };
        let mut report = self.send(caller, session, input).await?;
        if let Some(sent) = &mut report.input {
            sent.warnings = encoded.warnings;
            sent.keys = encoded.names;
        }
        Ok(report)
    }

    async fn type_in(&self, caller: &Caller, session: &Session, text: String, eof: bool) -> Done {
        let chars = text.chars().count() as u64;
        let input = Bytes::new(text.into_bytes(), eof);
        let mut report = self.send(caller, session, input).await?;
        if let Some(sent) = &mut report.input {
            sent.chars = chars;
        }
        Ok(report)
    }

    /// Sends input, after the policy has seen what it would run.
    async fn send(&self, caller: &Caller, session: &Session, input: Bytes) -> Done {
        let closed = || {
            problem(
                "input-closed",
                session.id(),
                format!(
                    "the input of session {} is closed: it was started without one, was closed by eof, or its program closed it; start it with `stdin: \"open\"`",
                    session.id()
                ),
            )
        };
        if !session.is_writable() {
            return Err(closed());
        }
        let _turn = session.turn.lock().await;
        self.judge_typed(caller, session, &input).await?;
        session.expect_echo(&input.bytes);
        let offered = input.bytes.len() as u64;
        let taken = session.type_in(&input).await.map_err(|no| match no {
            NoInput::Closed | NoInput::Broken => closed(),
        })?;
        session.note_typed(&input.bytes[..taken.bytes], taken.eof);
        Ok(SessionReport {
            input: Some(Sent {
                offered_bytes: offered,
                taken_bytes: taken.bytes as u64,
                eof: taken.eof,
                ..Sent::default()
            }),
            ..SessionReport::default()
        })
    }

    /// Judges what input would run: all of it where another program reads it, the lines that end in it where a shell does.
    async fn judge_typed(
        &self,
        caller: &Caller,
        session: &Session,
        input: &Bytes,
    ) -> Result<(), Box<Refused>> {
        let text = String::from_utf8_lossy(&input.bytes);
        let reader = session.reader(&text).await;
        let runs = session.state().typed.clone().add(&text, input.eof);
        let (text, unread) = match (reader.is_shell, runs) {
            (false, _) => (text.into_owned(), Some(unread("input of a program"))),
            (true, None) => return Ok(()),
            (true, Some(Runs { text, is_edited })) => (
                text,
                is_edited.then(|| unread("the line was edited in the shell")),
            ),
        };
        let request = ExecRequest {
            command: text,
            cwd: Some(session.origin().plan.cwd.to_string_lossy().into_owned()),
            caller: caller.clone(),
            ..ExecRequest::default()
        };
        let terminal = session.origin().terminal.as_ref();
        let is_hidden = terminal.is_some_and(Terminal::hides_input);
        self.permit_input(request, reader.name, unread, is_hidden)
            .await
    }

    /// Step 4 to 6 of the straight line, for input.
    async fn permit_input(
        &self,
        request: ExecRequest,
        program: String,
        unread: Option<CommandLine>,
        is_hidden: bool,
    ) -> Result<(), Box<Refused>> {
        let policies = self.policies.pin();
        let judgement = judge_input(
            &policies,
            request,
            program,
            unread,
            &self.surroundings,
            &self.floor,
        )
        .await;
        let mut trace = Trace::new(&judgement, &self.secrets);
        if is_hidden {
            trace.hide_text();
        }
        let Judgement { facts, verdict, .. } = judgement;
        match approvals::settle(&facts, verdict, &policies, &*self.ask).await {
            Settled::Permitted { permit, answer } => {
                trace.answered(answer);
                let stale = permit.recheck().err().map(|stale| stale.to_string());
                trace.input(stale.is_none());
                self.record_only(trace).await;
                match stale {
                    None => Ok(()),
                    Some(message) => Err(problem("changed", "", message)),
                }
            }
            Settled::Refused { verdict, answer } => {
                let rendered = policies.render_refusal(facts, &verdict).await;
                let response = trace.refused(answer, rendered);
                Err(Box::new(Refused::Denied(
                    self.record(trace, response).await,
                )))
            }
        }
    }
}

impl Session {
    fn screen_report(&self, look: Look) -> Done {
        let screen = self.look_at_screen(look).ok_or_else(|| {
            let message = format!(
                "session {} runs on no terminal, so that there is no screen; start it with `pty: true`, or use log",
                self.id()
            );
            problem("no-terminal", self.id(), message)
        })?;
        Ok(SessionReport {
            screen: Some(screen),
            ..SessionReport::default()
        })
    }
}

fn problem(kind: &'static str, id: &str, message: String) -> Box<Refused> {
    Box::new(Refused::Problem(Problem {
        kind,
        session_id: id.to_owned(),
        message,
    }))
}

/// An id as it was given, controls spelled.
fn shown_id(id: &str) -> String {
    plain(id)
}

/// The analysis of a text that is not analysed, and why.
fn unread(detail: &str) -> CommandLine {
    CommandLine {
        segments: Vec::new(),
        opaque: vec![Opaque {
            reason: "not-read".to_owned(),
            detail: detail.to_owned(),
            span: Span { start: 0, end: 0 },
        }],
        annotations: Vec::new(),
    }
}

/// Keys as bytes.
struct Encoded {
    bytes: Vec<u8>,
    /// What was not clear about them.
    warnings: Vec<String>,
    /// Their names.
    names: Vec<String>,
    /// Offsets behind an Escape key, which the next key must not follow at once.
    pauses: Vec<usize>,
}

impl Encoded {
    /// # Errors
    /// The kind of the problem, and a sentence.
    fn new(keys: &Keys, mode: CursorKeys) -> Result<Self, (&'static str, String)> {
        match keys {
            Keys::Openclaw(data) => {
                let input = openclaw::Input {
                    literal: &data.literal,
                    hex: &data.hex,
                    keys: &data.keys,
                };
                let encoded = openclaw::encode(input, mode).map_err(|error| {
                    let kind = match &error {
                        openclaw::KeyError::NoData { .. } => "no-key-data",
                        openclaw::KeyError::UnknownCursorKeys { .. } => "cursor-keys-unknown",
                    };
                    (kind, error.to_string())
                })?;
                Ok(Self {
                    bytes: encoded.bytes,
                    warnings: encoded.warnings,
                    names: data.keys.clone(),
                    pauses: encoded.pauses,
                })
            }
            Keys::Picoclaw(text) => {
                let encoded = picoclaw::encode(text, mode)
                    .map_err(|error| ("bad-argument", format!("invalid key: {error}")))?;
                Ok(Self {
                    bytes: encoded.bytes,
                    warnings: Vec::new(),
                    names: encoded.keys,
                    pauses: encoded.pauses,
                })
            }
        }
    }
}

impl Session {
    /// What became of it, in one sentence.
    fn exited(&self) -> String {
        let Some(end) = self.end() else {
            return format!("Session {} still runs.", self.id());
        };
        let how = match super::outcome::exit_code(&end.completion) {
            Some(code) => format!("with code {code}"),
            None => match super::outcome::signal(&end.completion) {
                Some(signal) => format!("by {}", signals::name(signal.cast_signed())),
                None => "in an unknown way".to_owned(),
            },
        };
        format!(
            "Session {} has already exited {how}; nothing was sent to it. Its output can still be read.",
            self.id()
        )
    }

    fn log(&self, offset: Option<f64>, limit: Option<f64>) -> SessionReport {
        let mut state = self.state();
        self.render(&mut state);
        let text = shown(state.transcript.kept(), false);
        let lines = Lines::new(&text);
        let slice = lines.slice(offset, limit);
        SessionReport {
            log: Some(Log {
                total_lines: lines.total() as u64,
                total_chars: lines.scalars() as u64,
                last_only: slice.left_out.then_some(slice.count as u64),
                text: slice.text,
                lost: state.transcript.is_lossy(),
            }),
            ..SessionReport::default()
        }
    }

    fn search(&self, pattern: &regex::Regex, context: usize, limit: usize) -> SessionReport {
        let mut state = self.state();
        self.render(&mut state);
        let text = shown(state.transcript.kept(), false);
        drop(state);
        let found = Lines::new(&text).search(pattern, context, limit);
        let owned = |lines: Vec<&str>| lines.into_iter().map(str::to_owned).collect();
        let matches = found.matches.into_iter();
        SessionReport {
            search: Some(Found {
                total_matches: found.total as u64,
                matches: matches
                    .map(|one| Match {
                        line: one.number as u64,
                        text: one.line.to_owned(),
                        before: owned(one.before),
                        after: owned(one.after),
                    })
                    .collect(),
            }),
            ..SessionReport::default()
        }
    }

    /// Bytes of what is kept. A character at the end of a page that goes on is left for the next one.
    fn read(&self, range: Range) -> SessionReport {
        let state = self.state();
        let (output, secrets) = (&state.output, &self.origin.secrets);
        let (start, total) = (output.start(), output.total_bytes());
        let limit = range.limit.min(MAX_READ);
        let from = match range.offset {
            Some(offset) => offset.clamp(start, total),
            None => output.character_start(total.saturating_sub(limit).max(start)),
        };
        let max = usize::try_from(limit).unwrap_or(usize::MAX);
        let mut bytes = output.masked(from, max, secrets);
        let has_ended = state.end.is_some();
        let is_last = from + bytes.len() as u64 == total;
        let whole = whole_characters(&bytes);
        // A page too small for one character gives a part of it: reading goes on in any case.
        if whole > 0 && !(is_last && has_ended) || whole == 0 && is_last && !has_ended {
            bytes.truncate(whole);
        }
        if !has_ended {
            let held = secrets.unsettled(&bytes);
            bytes.truncate(bytes.len() - held);
        }
        let next = from + bytes.len() as u64;
        let is_text = std::str::from_utf8(&bytes).is_ok();
        let base64 = (range.raw && !is_text).then(|| BASE64.encode(&bytes));
        let decoded = String::from_utf8_lossy(&bytes);
        let text = if range.raw {
            decoded.into_owned()
        } else {
            // What began before the page, such as half a control sequence, must not show as text.
            let context = from - from.saturating_sub(BEFORE).max(start);
            let before = output.masked(
                from - context,
                usize::try_from(context).unwrap_or(0),
                secrets,
            );
            let rendered = plain_after(&String::from_utf8_lossy(&before), &decoded);
            shown(&rendered, false)
        };
        SessionReport {
            page: Some(Page {
                text,
                base64,
                offset: from,
                next_offset: next,
                total_bytes: total,
                has_more: next < total,
                dropped_bytes: start,
                skipped_bytes: range
                    .offset
                    .map_or(0, |offset| start.saturating_sub(offset)),
            }),
            ..SessionReport::default()
        }
    }

    /// Notes what was really typed: a program that does not read may have taken less than was judged.
    pub(super) fn note_typed(&self, bytes: &[u8], eof: bool) {
        let text = String::from_utf8_lossy(bytes);
        // What it runs was judged before it was sent.
        let _ = self.state().typed.add(&text, eof);
    }

    /// Notes what a terminal will echo.
    fn expect_echo(&self, bytes: &[u8]) {
        if self.origin.terminal.is_none() {
            return;
        }
        let echo = plain(&String::from_utf8_lossy(bytes));
        let echo = echo.trim_end_matches(['\r', '\n']);
        if !echo.is_empty() {
            self.state().echoes.push(echo.to_owned());
        }
    }
}

/// The text without terminal control, where `before` came right before it.
fn plain_after(before: &str, text: &str) -> String {
    let mut sanitizer = Sanitizer::new(Motion::Kept);
    let mut out = String::new();
    sanitizer.push(before, &mut out, |_| {});
    out.clear();
    sanitizer.push(text, &mut out, |_| {});
    out
}

/// How many bytes there are before a character that is not whole, at the end.
fn whole_characters(bytes: &[u8]) -> usize {
    let last = bytes
        .iter()
        .rev()
        .take(4)
        .position(|byte| !(0x80..0xC0).contains(byte));
    let Some(start) = last.map(|back| bytes.len() - 1 - back) else {
        return bytes.len();
    };
    match std::str::from_utf8(&bytes[start..]) {
        Err(error) if error.error_len().is_none() => start,
        Ok(_) | Err(_) => bytes.len(),
    }
}
