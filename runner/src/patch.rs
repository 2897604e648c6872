//! The straight line of a patch: read, judge, settle, apply, record, answer.

use std::path::PathBuf;

use execgate_host::{Answer, CommandLine, Opaque, Span};
use execgate_patch::{
    Applied, FileRecord, Intent, Patch, PatchError, Patcher, Preview, Recovered, Settings, UndoId,
    Undone, files, parse, recover,
};
use serde_json::{Map, Value, json};

use crate::approvals::{self, Permit, Settled};
use crate::audit::PatchRecord;
use crate::config::Config;
use crate::judge::{Judgement, judge_plan};
use crate::plan::{self, Subject};
use crate::record::{Trace, decision_name};
use crate::request::{Caller, ExecRequest};
use crate::response::{Outcome, Response};
use crate::runner::Runner;

/// Directory of what is needed to take patches back, in the state directory.
const STATE: &str = "patches";

/// A patch to apply.
#[derive(Clone, Debug, Default)]
pub struct PatchRequest {
    /// The text, from `*** Begin Patch` to `*** End Patch`.
    pub input: String,
    /// Whether it is only shown what would change.
    pub dry_run: bool,
    /// Who asks.
    pub caller: Caller,
}

/// What a runner needs of its settings for patches.
#[derive(Clone, Debug)]
pub(crate) struct PatchSettings {
    /// Models that may patch; all if empty.
    pub allow_models: Vec<String>,
    pub patcher: Settings,
}

impl PatchSettings {
    pub(crate) fn new(config: &Config, workspace: PathBuf, home: Option<PathBuf>) -> Self {
        Self {
            allow_models: config.list("patch.allow-models"),
            patcher: Settings {
                workspace,
                workspace_only: config.boolean("patch.workspace-only"),
                home,
                state: config.state_dir().join(STATE),
                undo_quota_bytes: config.integer_or_default("patch.undo-quota-bytes"),
            },
        }
    }

    /// Finishes or takes back what a killed runner left half done.
    ///
    /// # Errors
    /// What is kept of patches cannot be read.
    pub(crate) async fn recover(&self) -> Result<Recovered, PatchError> {
        let state = self.patcher.state.clone();
        blocking(move || recover(&state)).await
    }

    /// Whether a caller's model may patch. Models are named alone or after their provider (`provider/model`).
    fn allows(&self, caller: &Caller) -> bool {
        if self.allow_models.is_empty() {
            return true;
        }
        let fact = |name: &str| {
            caller
                .more
                .get(name)
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_lowercase()
        };
        let (model, provider) = (fact("model"), fact("provider"));
        let bare = model.rsplit('/').next().unwrap_or_default();
        let mut allowed = self
            .allow_models
            .iter()
            .map(|one| one.trim().to_lowercase());
        !model.is_empty()
            && allowed
                .any(|one| one == model || one == bare || one == format!("{provider}/{model}"))
    }
}

/// Runs what waits for the disk, or for another patcher.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, PatchError> + Send + 'static,
) -> Result<T, PatchError> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        // A panic goes on where it was waited for.
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    }
}

impl Runner {
    /// Applies a patch, or shows what it would change.
    pub async fn patch(&self, request: PatchRequest) -> Response {
        if !self.patches.allows(&request.caller) {
            return Response::bad_arguments(
                "apply_patch is not available to this model: the setting `patch.allow-models` does not name it",
            );
        }
        let patch = match parse(&request.input) {
            Ok(patch) => patch,
            Err(error) => return failed(&error.into(), self.explains()),
        };
        let intents = files(&patch);
        let dry_run = request.dry_run;
        let policies = self.policies.pin();
        let judgement = self.judge_patch(&policies, request, intents).await;
        let mut trace = Trace::new(&judgement, &self.secrets);
        let mut record = self.patch_record(&judgement);
        let Judgement { facts, verdict, .. } = judgement;
        match approvals::settle(&facts, verdict, &policies, &*self.ask).await {
            Settled::Permitted { permit, answer } => {
                record.answer = answer;
                let response = self.change_files(permit, patch, dry_run, &mut record).await;
                self.record_patch(record, response).await
            }
            Settled::Refused { verdict, answer } => {
                record.answer.clone_from(&answer);
                record.outcome = "refused".to_owned();
                let rendered = policies.render_refusal(facts, &verdict).await;
                let response = trace.refused(answer, rendered);
                self.record_patch(record, response).await
            }
        }
    }

    /// Takes an applied patch back. For operators: nothing is judged.
    ///
    /// # Errors
    /// Nothing is kept of it, or its files have changed since.
    pub async fn undo_patch(&self, id: &str) -> Result<Undone, PatchError> {
        let id = UndoId(id.to_owned());
        let name = id.0.clone();
        let undone = self.with_patcher(move |patcher| patcher.undo(&id)).await?;
        let record = PatchRecord {
            workspace: self.workspace().to_string_lossy().into_owned(),
            outcome: "undone".to_owned(),
            files: as_text(&undone.files),
            undo: name,
            ..PatchRecord::default()
        };
        if let Err(error) = self.audit.patch(record).await {
            tracing::error!(%error, "an undone patch could not be recorded");
        }
        Ok(undone)
    }

    async fn judge_patch(
        &self,
        policies: &execgate_host::Pinned,
        request: PatchRequest,
        intents: Vec<Intent>,
    ) -> Judgement {
        let request = ExecRequest {
            command: request.input,
            caller: request.caller,
            ..ExecRequest::default()
        };
        let analysis = Answer {
            value: no_command(&request.command),
            by: None,
            fault: None,
        };
        judge_plan(policies, analysis, &self.floor, |line| {
            plan::prepare(request, Subject::Patch(intents), line, &self.surroundings)
        })
        .await
    }

    async fn change_files(
        &self,
        permit: Permit,
        patch: Patch,
        dry_run: bool,
        record: &mut PatchRecord,
    ) -> Response {
        let permit = match permit.recheck() {
            Ok(permit) => permit,
            Err(stale) => {
                record.outcome = "changed".to_owned();
                return Response::bad_arguments(stale.to_string());
            }
        };
        let done = match dry_run {
            true => self
                .with_patcher(move |patcher| patcher.dry_run(&patch))
                .await
                .map(previewed),
            false => self
                .with_patcher(move |patcher| patcher.apply(&patch))
                .await
                .map(|applied| {
                    record.files = as_text(&applied.files);
                    record.undo = applied
                        .undo
                        .as_ref()
                        .map(|undo| undo.0.clone())
                        .unwrap_or_default();
                    self.applied(applied)
                }),
        };
        drop(permit);
        record.outcome = match (&done, dry_run) {
            (Ok(_), true) => "previewed",
            (Ok(_), false) => "applied",
            (Err(_), _) => "failed",
        }
        .to_owned();
        done.unwrap_or_else(|error| failed(&error, self.explains()))
    }

    async fn with_patcher<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Patcher) -> Result<T, PatchError> + Send + 'static,
    ) -> Result<T, PatchError> {
        let settings = self.patches.patcher.clone();
        blocking(move || work(&Patcher::open(&settings)?)).await
    }

    /// Whether models read more than the error: OpenClaw's clients know the bare texts.
    fn explains(&self) -> bool {
        self.profile() != crate::Profile::Openclaw
    }

    fn applied(&self, applied: Applied) -> Response {
        let mut details = Map::new();
        details.insert("summary".to_owned(), json!(applied.summary));
        details.insert("files".to_owned(), json!(applied.files));
        details.insert("undoId".to_owned(), json!(applied.undo));
        succeeded(applied.text, details)
    }

    fn patch_record(&self, judgement: &Judgement) -> PatchRecord {
        let plan = judgement.facts.plan();
        let (caller, verdict) = (&plan.request.caller, &judgement.verdict);
        PatchRecord {
            plan: plan.id.to_string(),
            profile: self.profile().name().to_owned(),
            agent: caller.agent.clone(),
            session: caller.session.clone(),
            channel: caller.channel.clone(),
            workspace: self.workspace().to_string_lossy().into_owned(),
            decision: decision_name(verdict.decision).to_owned(),
            rule: verdict.rule.clone(),
            reason: verdict.reason.clone(),
            ..PatchRecord::default()
        }
    }

    async fn record_patch(&self, record: PatchRecord, mut response: Response) -> Response {
        let details = &mut response.details;
        details.insert("planId".to_owned(), record.plan.clone().into());
        details.insert("verdict".to_owned(), record.decision.clone().into());
        details.insert("rule".to_owned(), record.rule.clone().into());
        if let Err(error) = self.audit.patch(record).await {
            tracing::error!(%error, "a patch could not be recorded");
            response
                .details
                .insert("auditError".to_owned(), error.to_string().into());
        }
        response
    }
}

/// No analyzer reads a patch. A policy that looks at commands alone must not take it for one that does nothing.
fn no_command(text: &str) -> CommandLine {
    let end = u32::try_from(text.len()).unwrap_or(u32::MAX);
    CommandLine {
        segments: Vec::new(),
        opaque: vec![Opaque {
            reason: "patch".to_owned(),
            detail: "it is a patch of files, no command".to_owned(),
            span: Span { start: 0, end },
        }],
        annotations: Vec::new(),
    }
}

fn as_text(files: &[FileRecord]) -> String {
    json!(files).to_string()
}

fn previewed(preview: Preview) -> Response {
    let mut details = Map::new();
    details.insert("summary".to_owned(), json!(preview.summary));
    details.insert("files".to_owned(), json!(preview.files));
    details.insert("dryRun".to_owned(), true.into());
    succeeded(preview.diff, details)
}

fn succeeded(text: String, mut details: Map<String, Value>) -> Response {
    details.insert("status".to_owned(), "completed".into());
    Response {
        is_error: false,
        user_text: text.clone(),
        text,
        details,
        outcome: Outcome::Managed,
    }
}

fn failed(error: &PatchError, explains: bool) -> Response {
    let (message, explanation) = (error.to_string(), error.explain());
    let mut details = Map::new();
    details.insert("status".to_owned(), "failed".into());
    let kind = json!({"kind": "patch", "message": message, "explanation": explanation});
    details.insert("error".to_owned(), kind);
    let text = match explains && !message.contains(&explanation) {
        true => format!("{message}\n{explanation}"),
        false => message,
    };
    Response {
        is_error: true,
        user_text: text.clone(),
        text,
        details,
        outcome: Outcome::BadArguments,
    }
}

/// The facts of a patch that components may ask for.
pub(crate) fn described(intents: &[Intent]) -> String {
    json!(intents).to_string()
}

/// Keeps what a killed runner left behind from being forgotten; what cannot be mended is told.
pub(crate) async fn mend(settings: &PatchSettings) {
    match settings.recover().await {
        Ok(recovered) if recovered == Recovered::default() => {}
        Ok(recovered) => tracing::warn!(?recovered, "patches that were cut off are whole again"),
        Err(error) => tracing::error!(%error, "patches that were cut off could not be mended"),
    }
}
