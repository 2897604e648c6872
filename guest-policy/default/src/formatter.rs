//! Results as text for the model: what was printed, and how the command ended if not well.

use execgate_guest::{
    Completion, Configure, Decision, Ending, Formatter, Kind, Output, Problem, Rendered, Request,
    Verdict,
};
use execgate_rules::session::{Problem as SessionProblem, Report, Words, brief, process};
use execgate_rules::{prompt, signals};
use serde_json::{Value, json};

use crate::settings::Settings;

/// The formatter of the default profile.
#[derive(Debug)]
pub struct DefaultFormatter {
    settings: Settings,
}

impl Configure for DefaultFormatter {
    fn configure(settings: &str) -> Result<Self, Vec<Problem>> {
        Ok(Self {
            settings: Settings::read(settings)?,
        })
    }
}

impl Formatter for DefaultFormatter {
    fn render(
        &self,
        _request: &dyn Request,
        completion: &dyn Completion,
        output: &dyn Output,
    ) -> Rendered {
        let end = End::of(completion);
        let body = body(completion, output, self.settings.output_chars);
        let text = match &end.remark {
            Some(remark) => format!("{body}\n\n{remark}"),
            None => body,
        };
        Rendered {
            details: details(completion, output, &end, &text, self.settings.output_chars)
                .to_string(),
            // A command that ran to its own end is no failure of the tool, whatever its code.
            is_error: end.failure.is_some(),
            user_text: brief(&text),
            model_text: text,
        }
    }

    fn render_session(&self, report: &str) -> Rendered {
        let report: Report = serde_json::from_str(report).unwrap_or_default();
        process(&report, &WORDS)
    }

    fn render_refusal(&self, request: &dyn Request, verdict: &Verdict) -> Rendered {
        let word = match verdict.decision {
            Decision::Deny => "denied",
            Decision::Ask | Decision::Allow => "not approved",
        };
        // Whoever wrote a patch knows it; it is long, and its paths are in the reason.
        let subject = match request.kind() {
            Kind::Patch => format!("Patch {word} ({})", verdict.reason),
            Kind::Run | Kind::Input | Kind::Session => {
                let command = prompt::visible(&request.text());
                format!("Exec {word} ({}): {command}", verdict.reason)
            }
        };
        let remedy = verdict
            .remedy
            .as_deref()
            .map(|remedy| format!("; {remedy}"))
            .unwrap_or_default();
        let text = format!("{subject}\nrule `{}`{remedy}", verdict.rule);
        let details = json!({
            "status": "failed", "exitCode": null, "aggregated": text, "timedOut": verdict.reason.contains("timeout"),
            "decision": word, "rule": verdict.rule, "category": verdict.category, "reason": verdict.reason,
            "remedy": verdict.remedy,
        });
        Rendered {
            model_text: text.clone(),
            user_text: text,
            details: details.to_string(),
            is_error: true,
        }
    }
}

/// What this profile says of sessions otherwise than OpenClaw: it has more actions, and says what became of a session.
const WORDS: Words = Words {
    follow_up: "Use process (list/poll/wait/log/read/search/write/send-keys/submit/paste/signal/kill/clear/remove) for follow-up.",
    advises: true,
    problem: |problem: &SessionProblem| {
        matches!(problem.kind.as_str(), "already-exited" | "input-closed")
            .then(|| problem.message.clone())
    },
};

/// How a command ended, in the words of a result.
struct End {
    /// `failureKind`, when it failed.
    failure: Option<&'static str>,
    /// `exitReason`.
    reason: Option<&'static str>,
    /// The text after the output.
    remark: Option<String>,
}

impl End {
    fn of(completion: &dyn Completion) -> Self {
        let error = |otherwise: &str| completion.error().unwrap_or_else(|| otherwise.to_owned());
        match completion.ending() {
            Ending::Exited => Self::exited(completion.exit_code()),
            Ending::TimedOut => Self::failed(
                "overall-timeout",
                "overall-timeout",
                timeout(completion.timeout_ms()),
            ),
            Ending::Signaled => Self::failed("signal", "signal", aborted(completion.signal())),
            Ending::Cancelled => Self::failed(
                "aborted",
                "manual-cancel",
                error("Command aborted before exit code was captured"),
            ),
            Ending::NotStarted => Self {
                failure: Some("runtime-error"),
                reason: None,
                remark: Some(error("the command could not be started")),
            },
            Ending::Lost => Self::failed(
                "aborted",
                "exit",
                error("Command aborted before exit code was captured"),
            ),
        }
    }

    fn exited(code: Option<i32>) -> Self {
        let (failure, remark) = match code {
            Some(0) => (None, None),
            Some(127) => (
                Some("shell-command-not-found"),
                Some("Command not found".to_owned()),
            ),
            Some(126) => (
                Some("shell-not-executable"),
                Some("Command not executable (permission denied)".to_owned()),
            ),
            Some(code) => (None, Some(exited(code))),
            None => (
                Some("aborted"),
                Some("Command aborted before exit code was captured".to_owned()),
            ),
        };
        Self {
            failure,
            reason: Some("exit"),
            remark,
        }
    }

    fn failed(failure: &'static str, reason: &'static str, remark: String) -> Self {
        Self {
            failure: Some(failure),
            reason: Some(reason),
            remark: Some(remark),
        }
    }
}

/// An exit code, and what it says of a command within the text that a signal ended.
fn exited(code: i32) -> String {
    let signal = u32::try_from(code - 128)
        .ok()
        .filter(|signal| (1..32).contains(signal));
    match signal.map(signals::name).as_deref() {
        Some("SIGPIPE") => format!(
            "(Command exited with code {code}: SIGPIPE, the reader of a pipe ended before its writer)"
        ),
        Some(name) => format!("(Command exited with code {code}, as after {name})"),
        None => format!("(Command exited with code {code})"),
    }
}

fn timeout(limit: Option<u64>) -> String {
    let after = limit
        .map(|limit| format!(" after {} seconds", limit as f64 / 1000.0))
        .unwrap_or_default();
    format!(
        "Command timed out{after}. It was ended; what it had done by then is done, so check before you run it again, \
         and raise the timeout only if that is safe.\n\
         For long work use background=true or yieldMs; do not rely on a trailing `&`."
    )
}

fn aborted(signal: Option<u32>) -> String {
    match signal {
        Some(number) => format!("Command aborted by signal {}", signals::name(number)),
        None => "Command aborted by signal".to_owned(),
    }
}

/// What was printed, trimmed; the middle is left out when it is too long.
fn body(completion: &dyn Completion, output: &dyn Output, cap: u64) -> String {
    let bounded = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
    let total = output.total_chars();
    let text = if total <= cap {
        output.head(bounded(total))
    } else {
        let head = cap * 2 / 5;
        format!(
            "{}\n\n[{} of {total} characters left out]\n\n{}",
            output.head(bounded(head)),
            total - cap,
            output.tail(bounded(cap - head))
        )
    };
    let trimmed = text.trim();
    let shown = if trimmed.is_empty() {
        "(no output)"
    } else {
        trimmed
    };
    let saved = completion
        .artifact()
        .filter(|artifact| total > cap && !artifact.path.is_empty());
    match saved {
        Some(artifact) => format!("{shown}\n[file:{}]", artifact.path),
        None => shown.to_owned(),
    }
}

fn details(
    completion: &dyn Completion,
    output: &dyn Output,
    end: &End,
    aggregated: &str,
    cap: u64,
) -> Value {
    let survivors: Vec<Value> = completion
        .survivors()
        .iter()
        .map(|survivor| json!({"pid": survivor.pid, "command": survivor.command}))
        .collect();
    let mut details = json!({
        "status": if end.failure.is_some() { "failed" } else { "completed" },
        "exitCode": completion.exit_code(),
        "exitSignal": completion.signal().map(signals::name),
        "exitReason": end.reason,
        "durationMs": completion.duration_ms(),
        "aggregated": aggregated,
        "timedOut": completion.ending() == Ending::TimedOut,
        "noOutputTimedOut": false,
        "cwd": completion.cwd(),
        "totalBytes": output.total_bytes(),
        "totalChars": output.total_chars(),
        "truncated": output.total_chars() > cap,
        "survivors": survivors,
    });
    if let Some(failure) = end.failure {
        details["failureKind"] = Value::from(failure);
    }
    if let Some(artifact) = completion.artifact() {
        details["artifact"] = json!({"path": artifact.path, "bytes": artifact.bytes, "complete": artifact.complete, "problem": artifact.problem});
    }
    details
}
