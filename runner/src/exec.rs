//! One call, straight down. Nothing else starts a process for an agent.

use std::pin::Pin;
use std::sync::Arc;

use crate::approvals::{self, Permit, Settled};
use crate::completion::{self, Completion, Limits, Observer, Recording};
use crate::facts::{End, EndFacts, PrintedFacts};
use crate::judge::{Judgement, judge};
use crate::keeper::{Output, Stdin};
use crate::output::{Capture, CaptureSettings, SpillTarget};
use crate::plan::ExecPlan;
use crate::record::Trace;
use crate::request::ExecRequest;
use crate::response::Response;
use crate::runner::Runner;
use crate::spawn::{self, Wiring};

/// How a call is tied to its caller while it runs.
pub struct Attachment<'a> {
    /// What the command reads.
    pub stdin: Stdin,
    /// One pipe for both streams, or one each.
    pub output: Output,
    /// Sees every chunk as it comes.
    pub observer: Option<&'a mut Observer<'a>>,
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
            cancel: Box::pin(std::future::pending()),
        }
    }
}

impl Runner {
    /// Runs one command in the foreground: analysed, planned, judged, settled,
    /// checked again, started, captured, rendered and recorded.
    ///
    /// Dropping the future ends the command's whole tree.
    pub async fn exec(&self, request: ExecRequest, attachment: Attachment<'_>) -> Response {
        if let Err(error) = request.check(self.settings.max_command_bytes) {
            return Response::bad_arguments(error.0);
        }
        // One generation of each component sees the whole call, whatever is swapped meanwhile.
        let policies = self.policies.pin();
        let judgement = judge(&policies, request, &self.surroundings, &self.floor).await;
        let mut trace = Trace::new(&judgement);
        let Judgement { facts, verdict, .. } = judgement;
        let settled = approvals::settle(&facts, verdict, &policies, &*self.ask).await;
        let response = match settled {
            Settled::Refused { verdict, answer } => {
                let rendered = policies.render_refusal(facts, &verdict).await;
                trace.refused(answer, rendered)
            }
            Settled::Permitted { permit, answer } => {
                trace.answered(answer);
                let (end, output) = self.carry_out(permit, &trace, attachment).await;
                let (end, output) = (Arc::new(end), Arc::new(output));
                let rendered = policies
                    .render(facts, Arc::clone(&end) as _, Arc::clone(&output) as _)
                    .await;
                trace.ended(&end, &output, rendered)
            }
        };
        self.record(trace, response).await
    }

    /// Checks a permit again, starts its plan and follows it to its end.
    async fn carry_out(
        &self,
        permit: Permit,
        trace: &Trace,
        attachment: Attachment<'_>,
    ) -> (EndFacts, PrintedFacts) {
        let plan = Arc::clone(permit.plan());
        let mut capture = self.capture(&plan, trace.session());
        let Attachment {
            stdin,
            output,
            observer,
            cancel,
        } = attachment;
        let end = match self
            .start(permit, trace.session(), Wiring { stdin, output })
            .await
        {
            Err(reason) => End::NotStarted(reason),
            Ok(running) => {
                let limits = Limits {
                    timeout: plan.timeout,
                    ..self.settings.limits
                };
                let mut recording = Recording {
                    output: &mut capture,
                    error: None,
                    observer,
                };
                End::Ran(finish(
                    completion::complete(running, &mut recording, limits, cancel).await,
                ))
            }
        };
        let artifact = capture.artifact().map(|artifact| execgate_host::Artifact {
            path: artifact.path.to_string_lossy().into_owned(),
            bytes: artifact.bytes,
            complete: !artifact.stopped && artifact.problem.is_none(),
            problem: artifact.problem.clone(),
        });
        (
            EndFacts::new(plan, end, artifact),
            PrintedFacts::new(capture),
        )
    }

    async fn start(
        &self,
        permit: Permit,
        session: &str,
        wiring: Wiring,
    ) -> Result<crate::keeper::Running, String> {
        let permit = permit.recheck().map_err(|stale| stale.to_string())?;
        let keeper = self
            .keeper()
            .await
            .map_err(|error| format!("failed to {error}"))?;
        spawn::start(&keeper, permit, session, wiring)
            .await
            .map_err(|error| format!("failed to start command: {error}"))
    }

    fn capture(&self, plan: &ExecPlan, session: &str) -> Capture {
        let inline = usize::try_from(self.settings.inline_chars).unwrap_or(usize::MAX);
        let spill = self.settings.spill.then(|| SpillTarget {
            workspace: plan.workspace.clone(),
            name: format!("{session}.log"),
            limit: SpillTarget::DEFAULT_LIMIT,
        });
        Capture::new(CaptureSettings {
            // The tail of a full answer must fit, at four bytes a scalar.
            ring_bytes: self
                .settings
                .ring_bytes
                .max(inline.saturating_add(1).saturating_mul(4)),
            inline_scalars: inline,
            spill,
        })
    }
}

/// Lets survivors print on: a closed pipe would end them.
fn finish(mut completion: Completion) -> Completion {
    let rest = std::mem::replace(&mut completion.rest, crate::keeper::OutputStreams::None);
    tokio::spawn(completion::discard(rest));
    completion
}
