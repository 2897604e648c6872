//! The answers that stand in for a component that gave none. None of them allows anything.

use crate::fault::Fault;
use crate::outcome::{CompletionFacts, OutputFacts};
use crate::wire::{
    CommandLine, Consideration, Decision, Ending, Opaque, Rendered, Risk, Span, Verdict,
};

/// Scalars of output that the plain rendering shows.
const SHOWN: u32 = 8_000;

/// A text that nobody understood.
pub(crate) fn opaque(text: &str, fault: &Fault) -> CommandLine {
    let end = u32::try_from(text.len()).unwrap_or(u32::MAX);
    CommandLine {
        segments: Vec::new(),
        opaque: vec![Opaque {
            reason: "analyzer-fault".into(),
            detail: fault.to_string(),
            span: Span { start: 0, end },
        }],
        annotations: Vec::new(),
    }
}

/// The verdict of a policy that failed.
pub(crate) fn deny(fault: &Fault) -> Verdict {
    refusal(
        "execgate/policy-fault",
        fault.to_string(),
        "repair the component, publish another one, or roll back to the one before",
    )
}

/// The verdict where nobody judges.
pub(crate) fn deny_without_policy() -> Verdict {
    refusal(
        "execgate/no-policy",
        "no policy is set up, so nothing is allowed".into(),
        "publish a policy",
    )
}

fn refusal(rule: &str, reason: String, remedy: &str) -> Verdict {
    Verdict {
        decision: Decision::Deny,
        rule: rule.into(),
        category: "execgate".into(),
        reason,
        spans: Vec::new(),
        risk: Risk::Critical,
        remedy: Some(remedy.into()),
        annotations: Vec::new(),
    }
}

/// What becomes of an `ask` when the approver failed.
pub(crate) fn refuse(fault: &Fault) -> Consideration {
    Consideration::Refuse(fault.to_string())
}

/// A rendering without a formatter, marked as such.
pub(crate) fn rendering(
    completion: &dyn CompletionFacts,
    output: &dyn OutputFacts,
    fault: &Fault,
) -> Rendered {
    let shown = printable(&output.tail(SHOWN));
    let total = output.total_chars();
    let cut = if total > u64::from(SHOWN) {
        format!("[the last {SHOWN} of {total} characters]\n")
    } else {
        String::new()
    };
    let failed = completion.exit_code() != Some(0);
    marked(
        format!("{cut}{shown}\n[{}]", ending(completion)),
        failed,
        fault,
    )
}

/// A refusal without a formatter, marked as such.
pub(crate) fn refused_rendering(verdict: &Verdict, fault: &Fault) -> Rendered {
    let remedy = verdict.remedy.as_deref().unwrap_or_default();
    let text = format!(
        "not run: {} (rule {}) {remedy}",
        verdict.reason, verdict.rule
    );
    marked(text.trim_end().to_owned(), true, fault)
}

/// A report on sessions without a formatter, marked as such.
pub(crate) fn session_rendering(report: &str, fault: &Fault) -> Rendered {
    let shown: String = report.chars().take(SHOWN as usize).collect();
    marked(printable(&shown), false, fault)
}

fn marked(text: String, is_error: bool, fault: &Fault) -> Rendered {
    Rendered {
        model_text: format!("{text}\n[plain rendering: {fault}]"),
        user_text: String::new(),
        details: r#"{"plainRendering":true}"#.into(),
        is_error,
    }
}

fn ending(completion: &dyn CompletionFacts) -> String {
    let error = completion.error();
    let error = error.map_or(String::new(), |error| format!(": {error}"));
    let ending = match (
        completion.ending(),
        completion.exit_code(),
        completion.signal(),
    ) {
        (Ending::Exited, Some(code), _) => format!("exit code {code}"),
        (Ending::Exited, None, _) => "exited".into(),
        (Ending::Signaled, _, Some(signal)) => format!("ended by signal {signal}"),
        (Ending::Signaled, _, None) => "ended by a signal".into(),
        (Ending::TimedOut, _, _) => "its time was up".into(),
        (Ending::Cancelled, _, _) => "cancelled".into(),
        (Ending::NotStarted, _, _) => "it could not be started".into(),
        (Ending::Lost, _, _) => "what became of it is not known".into(),
    };
    format!("{ending}{error}")
}

/// Leaves out control characters, which could act on a terminal.
fn printable(text: &str) -> String {
    let kept = |c: &char| !c.is_control() || matches!(c, '\n' | '\t');
    text.chars().filter(kept).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fault::FaultKind;
    use crate::outcome::{StaticCompletion, StaticOutput};

    #[test]
    fn the_plain_rendering_says_what_happened_and_that_it_is_plain() {
        let fault = Fault::new(FaultKind::Trap, "pretty", "boom");
        let output = StaticOutput::new(b"hello\x1b[31m\n".to_vec());
        let rendered = rendering(&StaticCompletion::exited(3), &output, &fault);
        assert_eq!(
            rendered.model_text,
            "hello[31m\n\n[exit code 3]\n[plain rendering: component `pretty` trapped: boom]"
        );
        assert!(rendered.is_error);
    }

    #[test]
    fn long_output_is_cut_and_says_so() {
        let fault = Fault::new(FaultKind::Missing, "formatter", "none");
        let output = StaticOutput::new(vec![b'x'; 9_000]);
        let rendered = rendering(&StaticCompletion::exited(0), &output, &fault);
        assert!(
            rendered
                .model_text
                .starts_with("[the last 8000 of 9000 characters]\nx")
        );
        assert!(!rendered.is_error);
    }
}
