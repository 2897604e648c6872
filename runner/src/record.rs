//! What is remembered of a call while it goes down the line, and becomes its answer and its record.

use std::fmt::Write as _;

use execgate_host::{Answer, CompletionFacts as _, Decision, Fault, OutputFacts as _, Rendered};
use serde_json::{Map, Value, json};

use crate::audit::CallRecord;
use crate::completion::Outcome as Ended;
use crate::judge::Judgement;
use crate::output::mask::Secrets;
use crate::response::{Outcome, Response};
use crate::runner::Runner;
use crate::session::{End, EndFacts, PrintedFacts, Session};

/// The trace of one call.
#[derive(Debug)]
pub struct Trace {
    session: String,
    warnings: Vec<String>,
    /// What stands between warnings and the answer.
    gap: &'static str,
    record: CallRecord,
    components: Map<String, Value>,
}

impl Trace {
    /// Begins with what was judged; secrets do not get into the record.
    pub fn new(judgement: &Judgement, secrets: &Secrets) -> Self {
        let Judgement {
            facts,
            verdict,
            analyzed,
            judged,
        } = judgement;
        let plan = facts.plan();
        let caller = &plan.request.caller;
        let mut trace = Self {
            session: new_session(),
            warnings: plan.request.warnings.clone(),
            gap: "\n\n",
            record: CallRecord {
                plan: plan.id.to_string(),
                agent: caller.agent.clone(),
                session: caller.session.clone(),
                channel: caller.channel.clone(),
                command: secrets.mask_text(&plan.request.command).into_owned(),
                cwd: plan.cwd.to_string_lossy().into_owned(),
                decision: decision_name(verdict.decision).to_owned(),
                rule: verdict.rule.clone(),
                category: verdict.category.clone(),
                reason: verdict.reason.clone(),
                ..CallRecord::default()
            },
            components: Map::new(),
        };
        trace.component("analyzer", json!(analyzed.by), analyzed.fault.as_ref());
        trace.component("policy", json!(judged.judges), judged.fault.as_ref());
        trace
    }

    /// Sets what stands between warnings and the answer.
    pub fn with_gap(self, gap: &'static str) -> Self {
        Self { gap, ..self }
    }

    /// Id of the command with the keeper.
    pub fn session(&self) -> &str {
        &self.session
    }

    /// Keeps what was typed where nobody was to see it, such as a password, out of the record.
    pub fn hide_text(&mut self) {
        self.record.command = "(typed without echo)".to_owned();
    }

    /// Notes who permitted it.
    pub fn answered(&mut self, answer: String) {
        self.record.answer = answer;
    }

    /// The answer to a call that was refused.
    pub fn refused(&mut self, answer: String, rendered: Answer<Rendered>) -> Response {
        self.record.answer = answer;
        self.record.outcome = "refused".to_owned();
        self.respond(rendered, Outcome::Refused)
    }

    /// The answer to a call whose command ended.
    pub fn ended(
        &mut self,
        end: &EndFacts,
        output: &PrintedFacts,
        rendered: Answer<Rendered>,
    ) -> Response {
        let (outcome, name) = outcome_of(end.end());
        self.record.outcome = name.to_owned();
        self.record.exit_code = end.exit_code();
        self.record.signal = end.signal().and_then(|signal| i32::try_from(signal).ok());
        self.record.duration_ms = end.duration_ms();
        self.record.output_bytes = output.total_bytes();
        let mut response = self.respond(rendered, outcome);
        let usage = json!({
            "userMs": end.user_time_us() / 1000,
            "systemMs": end.system_time_us() / 1000,
            "maxResidentBytes": end.max_resident(),
            "outputBytes": output.total_bytes(),
        });
        response.details.insert("usage".to_owned(), usage);
        if end.annotation("out-of-memory").is_some() {
            response
                .details
                .insert("outOfMemory".to_owned(), true.into());
        }
        let survivors = end.survivors();
        if !survivors.is_empty() {
            let list = survivors
                .iter()
                .map(|one| json!({"pid": one.pid, "command": one.command}))
                .collect();
            response
                .details
                .insert("survivors".to_owned(), Value::Array(list));
        }
        response
    }

    /// The answer to a call whose command goes on in the background.
    pub fn running(&mut self, session: &Session, rendered: Answer<Rendered>) -> Response {
        self.record.outcome = "running".to_owned();
        let mut response = self.respond(rendered, Outcome::Running);
        let id = session.id().to_owned();
        response.details.insert("sessionId".to_owned(), id.into());
        response
    }

    /// Notes whether permitted input was sent.
    pub fn input(&mut self, was_sent: bool) {
        let outcome = if was_sent { "input" } else { "changed" };
        self.record.outcome = outcome.to_owned();
    }

    fn respond(&mut self, rendered: Answer<Rendered>, outcome: Outcome) -> Response {
        self.component("formatter", json!(rendered.by), rendered.fault.as_ref());
        let mut response = Response::rendered(rendered.value, outcome);
        let details = &mut response.details;
        details.insert("planId".to_owned(), self.record.plan.clone().into());
        details.insert("verdict".to_owned(), self.record.decision.clone().into());
        details.insert("rule".to_owned(), self.record.rule.clone().into());
        let warnings = self.warnings.join("\n");
        if !warnings.is_empty() {
            response.text = format!("{warnings}{}{}", self.gap, response.text);
        }
        response
    }

    fn component(&mut self, role: &str, identity: Value, fault: Option<&Fault>) {
        self.components.insert(role.to_owned(), identity);
        if let Some(fault) = fault {
            // Writing to a string cannot fail.
            let _ = writeln!(self.record.faults, "{role}: {fault}");
        }
    }
}

impl Runner {
    /// Writes the record, and says so in the answer where that failed.
    pub(crate) async fn record(&self, trace: Trace, mut response: Response) -> Response {
        if let Some(error) = self.record_only(trace).await {
            response
                .details
                .insert("auditError".to_owned(), error.into());
        }
        response
    }

    /// Writes the record of what has no answer of its own; gives what went wrong.
    pub(crate) async fn record_only(&self, trace: Trace) -> Option<String> {
        let mut record = trace.record;
        record.profile = self.profile().name().to_owned();
        record.withheld = self.withheld.clone();
        record.components = Value::Object(trace.components).to_string();
        let error = self.audit.call(record).await.err()?;
        tracing::error!(%error, "a call could not be recorded");
        Some(error.to_string())
    }
}

fn outcome_of(end: &End) -> (Outcome, &'static str) {
    let ended = match end {
        End::NotStarted(_) => return (Outcome::NotStarted, "not-started"),
        End::Ran { ended, .. } => ended,
    };
    match ended.completion.outcome {
        Ended::Exited(code) => (Outcome::Exited(code), "exited"),
        Ended::Signaled { signal, .. } => (Outcome::Signaled(signal), "signaled"),
        Ended::TimedOut => (Outcome::TimedOut, "timed-out"),
        Ended::Cancelled => (Outcome::Cancelled, "cancelled"),
        Ended::Lost => (Outcome::Lost, "lost"),
    }
}

/// The stable name of a decision.
pub fn decision_name(decision: Decision) -> &'static str {
    match decision {
        Decision::Allow => "allow",
        Decision::Ask => "ask",
        Decision::Deny => "deny",
    }
}

fn new_session() -> String {
    let mut id = uuid::Uuid::new_v4().simple().to_string();
    id.truncate(12);
    id
}
