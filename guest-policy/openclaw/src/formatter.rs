//! Results as OpenClaw's clients read them.

use execgate_guest::{
    Completion, Configure, Decision, Ending, Formatter, Output, Problem, Rendered, Request, Verdict,
};
use execgate_rules::session::{GUIDANCE, LOST, Report, Words, brief, process};
use execgate_rules::signals;
use serde_json::{Value, json};

use crate::settings::Settings;

/// What to do in place of waiting longer.
const HINT: &str = "If it should keep running, start it with exec background=true or yieldMs so OpenClaw can register a pollable process session. Do not rely on shell backgrounding with a trailing &.";

const WORDS: Words = Words {
    follow_up: "Use process (list/poll/log/write/send-keys/submit/paste/kill/clear/remove) for follow-up.",
    advises: false,
    problem: |_| None,
};

/// The formatter of the openclaw profile.
#[derive(Debug)]
pub struct OpenclawFormatter {
    settings: Settings,
}

impl Configure for OpenclawFormatter {
    fn configure(settings: &str) -> Result<Self, Vec<Problem>> {
        Ok(Self {
            settings: Settings::read(settings)?,
        })
    }
}

impl Formatter for OpenclawFormatter {
    fn render(
        &self,
        request: &dyn Request,
        completion: &dyn Completion,
        output: &dyn Output,
    ) -> Rendered {
        let end = self.end(request, completion);
        let printed = printed(output, self.settings.output_chars);
        let text = match (&end.remark, printed.is_empty()) {
            (None, true) => "(no output)".to_owned(),
            (None, false) => printed.clone(),
            // A command that ran to its own end says so even when it printed nothing.
            (Some(remark), true) if end.failure.is_none() => {
                format!("(no output)\n\n{remark}")
            }
            (Some(remark), true) => remark.clone(),
            (Some(remark), false) => format!("{printed}\n\n{remark}"),
        };
        let aggregated = if end.failure.is_none() && end.remark.is_some() {
            &text
        } else {
            &printed
        };
        Rendered {
            details: details(completion, &end, aggregated).to_string(),
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
        let text = match verdict.decision {
            // The mode's own refusal is the whole text.
            Decision::Deny if verdict.rule == "mode/deny" => verdict.reason.clone(),
            Decision::Deny | Decision::Ask | Decision::Allow => {
                format!("Exec denied ({}): {}", verdict.reason, request.text())
            }
        };
        let details = json!({
            "status": "failed", "exitCode": null, "aggregated": text, "timedOut": verdict.reason.contains("timeout"),
            "rule": verdict.rule, "category": verdict.category, "reason": verdict.reason, "remedy": verdict.remedy,
        });
        Rendered {
            model_text: text.clone(),
            user_text: text,
            details: details.to_string(),
            is_error: true,
        }
    }
}

/// How a command ended, in OpenClaw's words.
struct End {
    /// `failureKind`, when it failed.
    failure: Option<&'static str>,
    /// `exitReason`.
    reason: Option<&'static str>,
    /// The text after the output.
    remark: Option<String>,
}

impl OpenclawFormatter {
    fn end(&self, request: &dyn Request, completion: &dyn Completion) -> End {
        let failed = |failure, reason, remark| End {
            failure: Some(failure),
            reason,
            remark: Some(remark),
        };
        let aborted = || "Command aborted before exit code was captured".to_owned();
        match completion.ending() {
            Ending::Exited => exited(completion.exit_code()),
            Ending::TimedOut => failed(
                "overall-timeout",
                Some("overall-timeout"),
                self.timed_out(completion.timeout_ms()),
            ),
            Ending::Signaled => failed("signal", Some("signal"), signaled(completion)),
            Ending::Cancelled => failed("aborted", Some("manual-cancel"), aborted()),
            Ending::Lost => failed("aborted", Some("exit"), aborted()),
            Ending::NotStarted => failed("runtime-error", None, not_started(request, completion)),
        }
    }

    fn timed_out(&self, limit: Option<u64>) -> String {
        let after = limit
            .map(|limit| format!(" after {} seconds", limit as f64 / 1000.0))
            .unwrap_or_default();
        let mut text = format!("Command timed out{after}.\n\n{GUIDANCE}");
        if self.settings.process_tool {
            text.push_str(&format!("\n\n{HINT}"));
        }
        text
    }
}

fn exited(code: Option<i32>) -> End {
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
        Some(code) => (None, Some(format!("(Command exited with code {code})"))),
        None => (
            Some("aborted"),
            Some("Command aborted before exit code was captured".to_owned()),
        ),
    };
    End {
        failure,
        reason: Some("exit"),
        remark,
    }
}

fn signaled(completion: &dyn Completion) -> String {
    let signal = completion.signal().map(signals::name).unwrap_or_default();
    let memory = match completion.annotation("out-of-memory") {
        Some(_) => "\n\nThe kernel ended it because memory ran out.",
        None => "",
    };
    format!("Command aborted by signal {signal}{memory}")
}

fn not_started(request: &dyn Request, completion: &dyn Completion) -> String {
    if completion.annotation("not-started").as_deref() == Some("directory") {
        let directory = request
            .annotation("workdir")
            .unwrap_or_else(|| completion.cwd());
        return format!(
            "workdir \"{directory}\" is unavailable or not a directory: command was not executed. workdir is treated as a literal path; shell expansions such as \"~\" are not applied. Use an existing directory, omit an explicit workdir to use the default cwd, or update the configured default cwd."
        );
    }
    completion
        .error()
        .unwrap_or_else(|| "the command could not be started".to_owned())
}

/// What was printed, trimmed; of more than fits, the end.
fn printed(output: &dyn Output, cap: u64) -> String {
    let bounded = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
    let total = output.total_chars();
    if total <= cap {
        return output.head(bounded(total)).trim().to_owned();
    }
    format!("{LOST}{}", output.tail(bounded(cap)).trim())
}

fn details(completion: &dyn Completion, end: &End, aggregated: &str) -> Value {
    let mut details = json!({
        "status": if end.failure.is_some() { "failed" } else { "completed" },
        "exitCode": completion.exit_code(),
        "exitSignal": completion.signal().map(signals::name),
        "durationMs": completion.duration_ms(),
        "aggregated": aggregated,
        "noOutputTimedOut": false,
        "cwd": completion.cwd(),
    });
    if let Some(reason) = end.reason {
        details["exitReason"] = reason.into();
    }
    if let Some(failure) = end.failure {
        details["failureKind"] = failure.into();
        details["timedOut"] = (completion.ending() == Ending::TimedOut).into();
    }
    details
}
