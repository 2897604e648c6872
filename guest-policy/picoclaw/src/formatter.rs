//! Results as picoclaw's clients read them: a header line for the model, then the raw body.

use execgate_guest::{
    Artifact, Completion, Configure, Ending, Formatter, Output, Problem, Rendered, Request, Verdict,
};
use execgate_rules::signals;
use serde_json::{Map, Value, json};

use crate::session;
use crate::settings::Settings;

/// The formatter of the picoclaw profile.
#[derive(Debug)]
pub struct PicoFormatter {
    settings: Settings,
}

impl Configure for PicoFormatter {
    fn configure(settings: &str) -> Result<Self, Vec<Problem>> {
        Ok(Self {
            settings: Settings::read(settings)?,
        })
    }
}

impl Formatter for PicoFormatter {
    fn render(
        &self,
        _request: &dyn Request,
        completion: &dyn Completion,
        output: &dyn Output,
    ) -> Rendered {
        let body = Body::cut(output, self.settings.output_chars);
        let tag = completion
            .artifact()
            .map(|artifact| tag(&artifact))
            .unwrap_or_default();
        let error = error(completion);
        let header = header(completion, body.truncated, error.as_deref());
        // After a failure the header, or the suffix, says enough.
        let shown = if body.text.is_empty() && succeeded(completion) {
            "(no output)"
        } else {
            &body.text
        };
        Rendered {
            model_text: format!("{header}\n{shown}{tag}"),
            user_text: format!("{shown}{}", suffix(completion, error.as_deref())),
            details: details(completion, output, body.truncated),
            is_error: !succeeded(completion),
        }
    }

    fn render_session(&self, report: &str) -> Rendered {
        session::answer(&serde_json::from_str(report).unwrap_or_default())
    }

    fn render_refusal(&self, _request: &dyn Request, verdict: &Verdict) -> Rendered {
        let remedy = verdict
            .remedy
            .as_deref()
            .map(|remedy| format!("\n{remedy}"))
            .unwrap_or_default();
        let details = json!({"rule": verdict.rule, "category": verdict.category, "reason": verdict.reason, "remedy": verdict.remedy});
        Rendered {
            model_text: format!("{}{remedy}", verdict.reason),
            user_text: String::new(),
            details: details.to_string(),
            is_error: true,
        }
    }
}

/// What is shown of an output.
struct Body {
    text: String,
    truncated: bool,
}

impl Body {
    /// Keeps the first 40 % and the last 60 % of what may be shown.
    fn cut(output: &dyn Output, cap: u64) -> Self {
        let total = output.total_chars();
        let bounded = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
        if total <= cap {
            return Self {
                text: output.head(bounded(total)),
                truncated: false,
            };
        }
        let head = cap * 2 / 5;
        let omitted = total - cap;
        let text = format!(
            "{}\n\n... [OUTPUT TRUNCATED - {omitted} chars omitted out of {total} total] ...\n\n{}",
            output.head(bounded(head)),
            output.tail(bounded(cap - head)),
        );
        Self {
            text,
            truncated: true,
        }
    }
}

fn header(completion: &dyn Completion, truncated: bool, error: Option<&str>) -> String {
    let code = completion
        .exit_code()
        .map_or("null".to_owned(), |code| code.to_string());
    let timed_out = completion.ending() == Ending::TimedOut;
    let duration = completion.duration_ms();
    // Written by hand: the order of the keys is part of the contract.
    let error = error
        .map(|error| format!(",\"error\":{}", Value::from(error)))
        .unwrap_or_default();
    format!(
        "[exec] {{\"exitCode\":{code},\"timedOut\":{timed_out},\"truncated\":{truncated},\"durationMs\":{duration}{error}}}"
    )
}

/// The header's `error`: only after a timeout, or without a numeric status.
fn error(completion: &dyn Completion) -> Option<String> {
    let told = completion.error();
    match completion.ending() {
        Ending::Exited if completion.exit_code().is_some() => None,
        Ending::TimedOut => Some(match completion.timeout_ms() {
            Some(limit) => format!("command timed out after {}s", seconds(limit)),
            None => "command timed out".to_owned(),
        }),
        Ending::Signaled => Some(match completion.signal() {
            Some(number) => format!("killed by signal {number} ({})", signals::name(number)),
            None => told.unwrap_or_else(|| "killed by a signal".to_owned()),
        }),
        Ending::Cancelled => Some(told.unwrap_or_else(|| "the call was cancelled".to_owned())),
        Ending::NotStarted => {
            Some(told.unwrap_or_else(|| "the command could not be started".to_owned()))
        }
        Ending::Exited | Ending::Lost => {
            Some(told.unwrap_or_else(|| "what became of the command is not known".to_owned()))
        }
    }
}

/// Milliseconds as seconds, without a trailing fraction of zero.
fn seconds(milliseconds: u64) -> String {
    let (whole, rest) = (milliseconds / 1000, milliseconds % 1000);
    if rest == 0 {
        return whole.to_string();
    }
    format!("{whole}.{rest:03}")
        .trim_end_matches('0')
        .to_owned()
}

fn tag(artifact: &Artifact) -> String {
    if artifact.path.is_empty() {
        let problem = artifact.problem.as_deref().unwrap_or("unknown");
        return format!("\n[the full output could not be saved: {problem}]");
    }
    let note = match (&artifact.problem, artifact.complete) {
        (None, true) => String::new(),
        (Some(problem), true | false) => {
            format!(" (stopped after {} bytes: {problem})", artifact.bytes)
        }
        (None, false) => format!(" (stopped after {} bytes)", artifact.bytes),
    };
    format!("\n[file:{}]{note}", artifact.path)
}

fn succeeded(completion: &dyn Completion) -> bool {
    completion.ending() == Ending::Exited && completion.exit_code() == Some(0)
}

fn suffix(completion: &dyn Completion, error: Option<&str>) -> String {
    if succeeded(completion) {
        return String::new();
    }
    match (completion.exit_code(), error) {
        (Some(code), None) => format!("\n\n[Command exited with code {code}]"),
        (Some(_) | None, Some(error)) => format!("\n\n[Command failed: {error}]"),
        (None, None) => "\n\n[Command failed]".to_owned(),
    }
}

fn details(completion: &dyn Completion, output: &dyn Output, truncated: bool) -> String {
    let mut details = Map::new();
    details.insert("exitCode".into(), json!(completion.exit_code()));
    details.insert(
        "timedOut".into(),
        json!(completion.ending() == Ending::TimedOut),
    );
    details.insert("truncated".into(), json!(truncated));
    details.insert("durationMs".into(), json!(completion.duration_ms()));
    details.insert("timeoutMs".into(), json!(completion.timeout_ms()));
    details.insert("signal".into(), json!(completion.signal()));
    details.insert("totalChars".into(), json!(output.total_chars()));
    details.insert("totalBytes".into(), json!(output.total_bytes()));
    if let Some(artifact) = completion.artifact() {
        let value = json!({"path": artifact.path, "bytes": artifact.bytes, "complete": artifact.complete, "problem": artifact.problem});
        details.insert("artifact".into(), value);
    }
    Value::Object(details).to_string()
}
