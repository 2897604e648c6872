//! One call, straight down. Nothing else starts a process for an agent.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use execgate_screen::Size;
use tokio::time;

use crate::approvals::{self, Permit, Settled};
use crate::completion::{Limits, Observer};
use crate::environment;
use crate::judge::{Judgement, judge};
use crate::keeper::{Output, SpawnError, Stdin};
use crate::output::mask::Secrets;
use crate::output::{Capture, CaptureSettings, SpillTarget};
use crate::plan::ExecPlan;
use crate::record::Trace;
use crate::request::{Attendance, ExecRequest};
use crate::response::Response;
use crate::runner::Runner;
use crate::session::{
    Adoption, End, EndFacts, Follower, NotStarted, PrintedFacts, Session, Stop, Tape, started,
};
use crate::spawn::{self, Wiring};

/// How a call is tied to its caller while it runs.
pub struct Attachment<'a> {
    /// What the command reads, where the request does not ask for an input of its own.
    pub stdin: Stdin,
    /// One pipe for both streams, or one each.
    pub output: Output,
    /// Sees every chunk as it comes, raw and with every secret in it: for a person's own terminal.
    pub observer: Option<Box<Observer<'static>>>,
    /// Gets what follows the output as text, once the command runs.
    pub follow: Option<Box<dyn FnOnce(Follower) + Send>>,
    /// Completes when the caller takes the call back.
    pub cancel: Pin<Box<dyn Future<Output = ()> + Send + 'a>>,
}

impl Default for Attachment<'_> {
    /// Input at its end, one pipe, nobody watching, never taken back.
    fn default() -> Self {
        Self {
            stdin: Stdin::Eof,
            output: Output::Shared,
            observer: None,
            follow: None,
            cancel: Box::pin(std::future::pending()),
        }
    }
}

/// What became of a permitted plan while its call was with it.
enum Attended {
    /// It ended, or did not start.
    Ended(End),
    /// It goes on in the background.
    Running(Arc<Session>),
}

impl Runner {
    /// Runs one command: analysed, planned, judged, settled, checked again,
    /// started, captured, waited for, rendered and recorded.
    ///
    /// Dropping the future ends the command's whole tree, unless it has gone on in the background.
    pub async fn exec(&self, request: ExecRequest, attachment: Attachment<'_>) -> Response {
        if let Err(error) = request.check(self.settings.max_command_bytes) {
            return Response::bad_arguments(error.0);
        }
        // One generation of each component sees the whole call, whatever is swapped meanwhile.
        let policies = self.policies.pin();
        let judgement = judge(&policies, request, &self.surroundings, &self.floor).await;
        let mut trace =
            Trace::new(&judgement, &self.secrets).with_gap(self.profile().warning_gap());
        let Judgement { facts, verdict, .. } = judgement;
        let settled = approvals::settle(&facts, verdict, &policies, &*self.ask).await;
        let response = match settled {
            Settled::Refused { verdict, answer } => {
                let rendered = policies.render_refusal(facts, &verdict).await;
                trace.refused(answer, rendered)
            }
            Settled::Permitted { permit, answer } => {
                trace.answered(answer);
                match self.carry_out(permit, &trace, attachment).await {
                    Attended::Running(session) => {
                        let report = started(&session).to_json();
                        let rendered = policies.render_session(&report).await;
                        trace.running(&session, rendered)
                    }
                    Attended::Ended(end) => {
                        let printed = PrintedFacts::new(&end, self.profile().style());
                        let end = Arc::new(EndFacts::new(Arc::clone(facts.plan()), end));
                        let printed = Arc::new(printed);
                        let rendered = policies
                            .render(facts, Arc::clone(&end) as _, Arc::clone(&printed) as _)
                            .await;
                        trace.ended(&end, &printed, rendered)
                    }
                }
            }
        };
        self.record(trace, response).await
    }

    /// Starts a permitted plan and stays with it as long as its request says.
    async fn carry_out(
        &self,
        permit: Permit,
        trace: &Trace,
        attachment: Attachment<'_>,
    ) -> Attended {
        let Attachment {
            stdin,
            output,
            observer,
            follow,
            cancel,
        } = attachment;
        let attendance = permit.plan().request.attendance;
        let wiring = Wiring { stdin, output };
        match self.start(permit, trace.session(), wiring, observer).await {
            Err(why) => Attended::Ended(End::NotStarted(why)),
            Ok(session) => {
                if let Some(follow) = follow {
                    follow(Follower::new(&session));
                }
                self.attend(session, attendance, cancel).await
            }
        }
    }

    /// Checks a permit again, starts its plan and makes it a session.
    async fn start(
        &self,
        permit: Permit,
        mark: &str,
        wiring: Wiring,
        observer: Option<Box<Observer<'static>>>,
    ) -> Result<Arc<Session>, NotStarted> {
        let not = |kind, reason: String| NotStarted { kind, reason };
        let permit = permit
            .recheck()
            .map_err(|stale| not("changed", stale.to_string()))?;
        let plan = Arc::clone(permit.plan());
        let place = self
            .sessions
            .reserve()
            .map_err(|many| not("sessions", many.to_string()))?;
        let keeper = self
            .keeper()
            .await
            .map_err(|error| not("system", format!("failed to {error}")))?;
        let secrets = self.secrets_of(&plan.request);
        let tape = tape(&plan, &secrets).map_err(|reason| not("system", reason))?;
        let (running, terminal) = spawn::start(&keeper, permit, mark, wiring)
            .await
            .map_err(|error| not(kind_of(&error), format!("failed to start command: {error}")))?;
        let session = self.sessions.adopt(Adoption {
            output: self.capture(&plan, mark, &secrets),
            limits: Limits {
                timeout: plan.timeout,
                ..self.settings.limits
            },
            notify: plan
                .request
                .notify
                .unwrap_or(self.sessions.settings().notify),
            running,
            terminal,
            plan,
            secrets,
            observer,
            tape,
        });
        drop(place);
        Ok(session)
    }

    /// Waits for a session as long as its call stays with it.
    async fn attend(
        &self,
        session: Arc<Session>,
        attendance: Attendance,
        mut cancel: Pin<Box<dyn Future<Output = ()> + Send + '_>>,
    ) -> Attended {
        let mut guard = StopOnDrop(Some(&session));
        let window = match attendance {
            Attendance::ToTheEnd => None,
            Attendance::Yield(window) => Some(window),
            Attendance::Background => Some(Duration::ZERO),
        };
        let ended = tokio::select! {
            biased;
            ended = session.ended(), if window != Some(Duration::ZERO) => Some(ended),
            () = &mut cancel => {
                session.stop(Stop::CallerLeft);
                Some(session.ended().await)
            }
            () = elapsed(window) => if session.leave() { None } else { session.end() },
        };
        guard.0 = None;
        drop(guard);
        match ended {
            Some(ended) => {
                self.sessions.forget(&session);
                Attended::Ended(End::Ran { session, ended })
            }
            None => Attended::Running(session),
        }
    }

    /// What is masked in what a request's command prints: with the values that the request itself brings.
    fn secrets_of(&self, request: &ExecRequest) -> Arc<Secrets> {
        if environment::brings_secrets(&request.env) {
            return Arc::new(environment::secrets(&request.env));
        }
        Arc::clone(&self.secrets)
    }

    fn capture(&self, plan: &ExecPlan, mark: &str, secrets: &Arc<Secrets>) -> Capture {
        let inline = usize::try_from(self.settings.inline_chars).unwrap_or(usize::MAX);
        let spill = self.settings.spill.then(|| SpillTarget {
            workspace: plan.workspace.clone(),
            name: format!("{mark}.log"),
            limit: SpillTarget::DEFAULT_LIMIT,
            quota: self.settings.artifact_quota,
        });
        Capture::new(CaptureSettings {
            // The tail of a full answer must fit, at four bytes a scalar.
            ring_bytes: self
                .settings
                .ring_bytes
                .max(inline.saturating_add(1).saturating_mul(4)),
            inline_scalars: inline,
            spill,
            secrets: Arc::clone(secrets),
        })
    }
}

/// The recording that a request wants.
fn tape(plan: &ExecPlan, secrets: &Arc<Secrets>) -> Result<Option<Tape>, String> {
    let Some(path) = &plan.request.record else {
        return Ok(None);
    };
    let made = Tape::create(path, plan, Size::default(), secrets);
    made.map(Some).map_err(|error| {
        format!(
            "cannot record into `{}`: {error}; name a file that is new",
            path.display()
        )
    })
}

/// Ends a session whose call is dropped while it stays with it.
struct StopOnDrop<'a>(Option<&'a Session>);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        if let Some(session) = self.0 {
            session.stop(Stop::CallerLeft);
        }
    }
}

async fn elapsed(window: Option<Duration>) {
    match window {
        Some(Duration::ZERO) => {}
        Some(window) => time::sleep(window).await,
        None => std::future::pending().await,
    }
}

/// The stable name of what kept a command from starting.
fn kind_of(error: &SpawnError) -> &'static str {
    match error {
        SpawnError::Directory { .. } => "directory",
        SpawnError::Program { .. } => "program",
        _ => "system",
    }
}
