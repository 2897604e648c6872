//! Actions on sessions as picoclaw's clients read them: one JSON object, empty fields left out.

use execgate_guest::{Ending, Rendered};
use execgate_rules::session::{Input, Page, Report, Session};
use execgate_rules::signals;
use serde::Serialize;

/// Looks in a row that find nothing before somebody is told to stop looking.
const EMPTY_LOOKS: u32 = 2;

/// Scalars of output that a look shows.
const PREVIEW: usize = 2_000;

/// The answer. The order of the fields is that of picoclaw's own.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Answer {
    #[serde(skip_serializing_if = "String::is_empty")]
    session_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<&'static str>,
    /// There once it has ended; null where it did not exit by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    exit_code: Option<Option<i32>>,
    #[serde(skip_serializing_if = "String::is_empty")]
    output: String,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    page: Option<Range>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sessions: Vec<Item>,
}

/// Which bytes a page is of.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Range {
    total_bytes: u64,
    offset: u64,
    next_offset: u64,
    has_more: bool,
    dropped_bytes: u64,
    skipped_bytes: u64,
}

/// One line of a listing.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Item {
    id: String,
    command: String,
    status: &'static str,
    pid: u32,
    /// Seconds since 1970.
    started_at: u64,
}

const STILL_RUNNING: &str = "still running when the wait ended; this is not an error: wait again, read, or go on with other work";

const STOP_CHECKING: &str = "nothing new twice in a row: you will be told when it ends, so stop checking; use wait, read or kill";

/// Writes the answer to a report.
pub(crate) fn answer(report: &Report) -> Rendered {
    if let Some(problem) = &report.problem {
        return refused(report, &problem.kind, &problem.session_id, &problem.message);
    }
    if report.action == "list" {
        return listed(report);
    }
    let session = report.session.clone().unwrap_or_default();
    let mut answer = Answer {
        session_id: session.id.clone(),
        status: Some(status(&session)),
        exit_code: (!session.running).then_some(session.exit_code),
        error: error(&session),
        ..Answer::default()
    };
    let user_text = match report.action.as_str() {
        "start" => format!("Session {} started", session.id),
        "kill" => format!("Session {} killed", session.id),
        "notice" => format!("Session {} has ended", session.id),
        _ => String::new(),
    };
    match report.action.as_str() {
        "read" => read(&mut answer, report.page.clone().unwrap_or_default()),
        "send-keys" => answer.output = keys(&report.input.clone().unwrap_or_default()),
        "poll" | "wait" | "kill" | "notice" => {
            let printed = report.printed.clone().unwrap_or_default();
            answer.output = preview(&printed.retained);
            let waits = report.action == "wait" && session.running;
            let is_tired =
                session.running && report.notice.on && report.empty_checks >= EMPTY_LOOKS;
            let notes = [
                waits.then_some(STILL_RUNNING),
                (report.notice.switched_on || is_tired).then_some(STOP_CHECKING),
            ];
            let notes: Vec<&str> = notes.into_iter().flatten().collect();
            answer.note = (!notes.is_empty()).then(|| notes.join("; "));
        }
        "write" => answer.note = partial(&report.input.clone().unwrap_or_default()),
        _ => {}
    }
    rendered(&answer, user_text)
}

fn rendered(answer: &Answer, user_text: String) -> Rendered {
    // A map with text keys can always be written.
    let text = serde_json::to_string(answer).unwrap_or_default();
    Rendered {
        details: text.clone(),
        model_text: text,
        user_text,
        is_error: false,
    }
}

fn status(session: &Session) -> &'static str {
    if session.running { "running" } else { "done" }
}

/// What there is to say of an end without an exit code.
fn error(session: &Session) -> Option<String> {
    let memory = if session.out_of_memory {
        ": memory ran out"
    } else {
        ""
    };
    match (session.ending()?, session.signal) {
        (Ending::Exited, _) => None,
        (Ending::TimedOut, _) => Some("timed out".to_owned()),
        (Ending::Lost, _) => Some("what became of it is not known".to_owned()),
        (_, Some(signal)) => Some(format!(
            "killed by signal {signal} ({}){memory}",
            signals::name(signal)
        )),
        (_, None) => Some("killed".to_owned()),
    }
}

fn read(answer: &mut Answer, page: Page) {
    answer.output = page.text;
    answer.page = Some(Range {
        total_bytes: page.total_bytes,
        offset: page.offset,
        next_offset: page.next_offset,
        has_more: page.has_more,
        dropped_bytes: page.dropped_bytes,
        skipped_bytes: page.skipped_bytes,
    });
}

fn keys(input: &Input) -> String {
    format!("Sent keys: [{}]", input.keys.join(" "))
}

fn partial(input: &Input) -> Option<String> {
    (input.taken_bytes < input.offered_bytes).then(|| {
        "only a part was taken: the program does not read at the moment; send the rest later"
            .to_owned()
    })
}

/// The end of what was printed.
fn preview(text: &str) -> String {
    let skipped = text.chars().count().saturating_sub(PREVIEW);
    text.chars().skip(skipped).collect()
}

fn listed(report: &Report) -> Rendered {
    let item = |session: &Session| Item {
        id: session.id.clone(),
        command: session.command.clone(),
        status: status(session),
        pid: session.pid,
        started_at: session.started_at_ms / 1000,
    };
    let answer = Answer {
        sessions: report.sessions.iter().rev().map(item).collect(),
        ..Answer::default()
    };
    let count = answer.sessions.len();
    rendered(&answer, format!("{count} active sessions"))
}

fn refused(report: &Report, kind: &str, id: &str, message: &str) -> Rendered {
    let exited = || {
        let code = report
            .session
            .as_ref()
            .and_then(|session| session.exit_code);
        match code {
            Some(code) => format!("process already exited with code {code}"),
            None => "process already exited".to_owned(),
        }
    };
    let text = match kind {
        "session-id-required" => "sessionId is required".to_owned(),
        "unknown-session" | "unknown-active-session" | "unknown-finished-session" => {
            format!("session not found: {id}")
        }
        "already-exited" => exited(),
        "input-closed" => format!("failed to write to session: {message}"),
        _ => message.to_owned(),
    };
    let details = serde_json::json!({"error": text, "errorKind": kind});
    Rendered {
        model_text: text,
        user_text: String::new(),
        details: details.to_string(),
        is_error: true,
    }
}
