//! OpenClaw's `process` tool: texts and details. What a profile says otherwise stands in its [`Words`].

use execgate_guest::{Ending, Rendered};
use serde_json::{Map, Value, json};

use super::report::{Printed, Problem, Report, Session};
use crate::signals;

/// What is said of a command that was ended by its time limit.
pub const GUIDANCE: &str = "The command was terminated, but external side effects may already have completed. Verify the resulting state before retrying. Do not automatically rerun non-idempotent commands. Use a higher timeout only when the command is known to be safe to retry.";

/// Early output is gone.
pub const LOST: &str =
    "[earlier output was discarded at the retention cap and cannot be recovered]\n\n";

/// Early output is not in this answer.
const OMITTED: &str = "[earlier output is omitted from this poll; use action=log with offset and limit to inspect retained output]\n\n";

/// Milliseconds until the next look, by how many have found nothing.
const RETRY_MS: [u64; 4] = [5_000, 10_000, 30_000, 60_000];

/// Looks in a row that find nothing before somebody is told to stop looking.
const EMPTY_LOOKS: u32 = 2;

/// Scalars of a label in a listing.
const LABEL_NAME: usize = 80;

/// Scalars of a command in a listing that has no label.
const LABEL_COMMAND: usize = 120;

/// Scalars of the output that a notice quotes.
const SNIPPET: usize = 180;

/// What profiles say in words of their own.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    /// What to do next with a command in the background.
    pub follow_up: &'static str,
    /// Whether somebody who looks again and again is told to stop.
    pub advises: bool,
    /// Says a problem in another way.
    pub problem: fn(&Problem) -> Option<String>,
}

/// The answer to an action on sessions.
pub fn process(report: &Report, words: &Words) -> Rendered {
    if let Some(problem) = &report.problem {
        return refused(problem, words);
    }
    let session = report.session.clone().unwrap_or_default();
    match report.action.as_str() {
        "start" => started(&session, words),
        "list" => listed(&report.sessions),
        "poll" | "wait" => polled(report, &session, words),
        "log" => logged(report, &session),
        "read" => paged(report, &session),
        "screen" | "resize" => screened(report, &session),
        "search" => found(report, &session),
        "notice" => notice(report, &session),
        "kill" => done(
            format!("Termination requested for session {}.", session.id),
            json!({"status": "completed", "name": session.name}),
        ),
        "clear" => done(
            format!("Cleared session {}.", session.id),
            json!({"status": "completed"}),
        ),
        "remove" => removed(&session),
        _ => sent(report, &session),
    }
}

/// The answer to a command that goes on in the background.
pub fn started(session: &Session, words: &Words) -> Rendered {
    let text = format!(
        "Command still running (session {}, pid {}). {}",
        session.id, session.pid, words.follow_up
    );
    done(
        text,
        json!({
            "status": "running", "sessionId": session.id, "pid": session.pid, "startedAt": session.started_at_ms,
            "cwd": session.cwd, "tail": session.tail, "followUp": words.follow_up,
        }),
    )
}

fn done(text: String, details: Value) -> Rendered {
    Rendered {
        user_text: text.clone(),
        model_text: text,
        details: details.to_string(),
        is_error: false,
    }
}

fn refused(problem: &Problem, words: &Words) -> Rendered {
    let id = &problem.session_id;
    let text = (words.problem)(problem).unwrap_or_else(|| match problem.kind.as_str() {
        "session-id-required" => "sessionId is required for this action.".to_owned(),
        "unknown-session" => format!("No session found for {id}"),
        "unknown-active-session" | "already-exited" => format!("No active session found for {id}"),
        "unknown-finished-session" => format!("No finished session found for {id}"),
        "not-backgrounded" => format!("Session {id} is not backgrounded."),
        "finalizing" => format!("Session {id} is finalizing."),
        "input-closed" => format!("Session {id} stdin is not writable."),
        "no-key-data" => "No key data provided.".to_owned(),
        "no-paste-text" => "No paste text provided.".to_owned(),
        "cursor-keys-unknown" => format!(
            "Session {id} cursor key mode is not known yet. Poll or log until startup output appears, then retry send-keys."
        ),
        _ => problem.message.clone(),
    });
    Rendered {
        is_error: true,
        ..done(
            text.clone(),
            json!({"status": "failed", "error": text, "errorKind": problem.kind}),
        )
    }
}

/// `running`, or how it ended: whoever asked for the end got what they wanted.
fn status(session: &Session) -> &'static str {
    match session.ending() {
        None => "running",
        Some(Ending::Cancelled) => "completed",
        Some(Ending::Exited) if !matches!(session.exit_code, Some(126 | 127)) => "completed",
        Some(_) => "failed",
    }
}

fn exit_reason(ending: Ending) -> &'static str {
    match ending {
        Ending::Exited => "exit",
        Ending::Signaled => "signal",
        Ending::TimedOut => "overall-timeout",
        Ending::Cancelled => "manual-cancel",
        Ending::NotStarted | Ending::Lost => "exit",
    }
}

/// What every answer about one session tells of it.
fn facts(session: &Session) -> Map<String, Value> {
    let mut facts = Map::new();
    let mut put = |name: &str, value: Value| drop(facts.insert(name.to_owned(), value));
    put("status", status(session).into());
    put("sessionId", session.id.as_str().into());
    put("name", json!(session.name));
    match session.ending() {
        None => {
            put("stdinWritable", session.stdin_writable.into());
            put("waitingForInput", session.waiting_for_input.into());
        }
        Some(ending) => {
            if let Some(code) = session.exit_code {
                put("exitCode", code.into());
            }
            if let Some(signal) = session.signal {
                put("exitSignal", signals::name(signal).into());
            }
            put("exitReason", exit_reason(ending).into());
            put("timedOut", (ending == Ending::TimedOut).into());
            put("noOutputTimedOut", false.into());
            if let Some(usage) = session.usage {
                put(
                    "usage",
                    json!({"userMs": usage.user_ms, "systemMs": usage.system_ms, "maxResidentBytes": usage.max_resident_bytes, "outputBytes": session.total_bytes}),
                );
            }
            if session.out_of_memory {
                put("outOfMemory", true.into());
            }
            if !session.survivors.is_empty() {
                let survivors = session.survivors.iter();
                put(
                    "survivors",
                    survivors
                        .map(|one| json!({"pid": one.pid, "command": one.command}))
                        .collect(),
                );
            }
        }
    }
    facts
}

fn answer(text: String, facts: Map<String, Value>) -> Rendered {
    done(text, Value::Object(facts))
}

fn or_else<'a>(text: &'a str, otherwise: &'a str) -> &'a str {
    let text = text.trim();
    if text.is_empty() { otherwise } else { text }
}

fn polled(report: &Report, session: &Session, words: &Words) -> Rendered {
    let printed = report.printed.clone().unwrap_or_default();
    let mut text = notes(&printed);
    text.push_str(or_else(&printed.text, "(no new output)"));
    text.push_str("\n\n");
    text.push_str(&standing(session));
    if let Some(met) = report.wait.as_ref().and_then(|wait| met(wait, session)) {
        text.push_str(&format!("\n{met}"));
    }
    let tired = words.advises && session.running && report.empty_checks >= EMPTY_LOOKS;
    if report.notice.switched_on || tired && report.notice.on {
        text.push_str("\nNothing new twice in a row: you will be told when it ends. Stop checking; use wait with a condition, log, or kill.");
    }
    let mut facts = facts(session);
    facts.insert("aggregated".to_owned(), printed.retained.into());
    if session.running {
        let checks = usize::try_from(report.checks).unwrap_or(usize::MAX);
        let retry = RETRY_MS[checks.min(RETRY_MS.len() - 1)];
        facts.insert("retryInMs".to_owned(), retry.into());
    }
    if let Some(wait) = &report.wait {
        facts.insert(
            "wait".to_owned(),
            json!({"met": wait.met, "matched": wait.matched, "waitedMs": wait.waited_ms}),
        );
    }
    if report.notice.on {
        facts.insert("notifyOnExit".to_owned(), true.into());
    }
    answer(text, facts)
}

fn notes(printed: &Printed) -> String {
    let mut notes = String::new();
    if printed.lost {
        notes.push_str(LOST);
    }
    if printed.omitted {
        notes.push_str(OMITTED);
    }
    notes
}

/// How the session stands, in a sentence.
fn standing(session: &Session) -> String {
    let by = match (session.signal, session.exit_code) {
        (Some(signal), _) => format!("signal {}", signals::name(signal)),
        (None, Some(code)) => format!("code {code}"),
        (None, None) => "unknown status".to_owned(),
    };
    let memory = if session.out_of_memory {
        " The kernel ended it because memory ran out."
    } else {
        ""
    };
    match session.ending() {
        None if session.waiting_for_input => format!(
            "No new output for {}; this session may be waiting for input. Use process write, send-keys, submit, or paste to provide input.",
            duration(session.idle_ms)
        ),
        None => "Process still running.".to_owned(),
        Some(Ending::Cancelled) => format!("Process stopped by request ({by})."),
        Some(Ending::TimedOut) => format!("Process exited with {by}.\n\n{GUIDANCE}"),
        Some(Ending::Lost) => {
            "What became of the process is not known: its keeper was killed.".to_owned()
        }
        Some(Ending::Exited | Ending::Signaled | Ending::NotStarted) => {
            format!("Process exited with {by}.{memory}")
        }
    }
}

/// What a wait for a condition adds.
fn met(wait: &super::Wait, session: &Session) -> Option<String> {
    let waited = duration(wait.waited_ms);
    Some(match wait.met.as_str() {
        "exit" => return None,
        "time" if session.running => {
            format!(
                "The wait ended after {waited} without what it was for. That is no error: the session goes on."
            )
        }
        "time" => return None,
        "text" | "pattern" => format!(
            "Found after {waited}: {}",
            wait.matched.as_deref().unwrap_or_default()
        ),
        "quiet" => format!("Quiet after {waited}."),
        other => format!("The {other} is there after {waited}."),
    })
}

fn logged(report: &Report, session: &Session) -> Rendered {
    let log = report.log.clone().unwrap_or_default();
    let mut text = String::new();
    if log.lost {
        text.push_str(LOST);
    }
    let nothing = if session.running {
        "(no output yet)"
    } else {
        "(no output recorded)"
    };
    text.push_str(if log.text.is_empty() {
        nothing
    } else {
        &log.text
    });
    if let Some(shown) = log.last_only {
        text.push_str(&format!(
            "\n\n[showing last {shown} of {} lines; pass offset/limit to page]",
            log.total_lines
        ));
    }
    if session.ending() == Some(Ending::TimedOut) {
        text.push_str(&format!("\n\n{GUIDANCE}"));
    }
    let mut facts = facts(session);
    let mut put = |name: &str, value: Value| drop(facts.insert(name.to_owned(), value));
    put("output", text.as_str().into());
    put("total", log.total_lines.into());
    put("totalLines", log.total_lines.into());
    put("totalChars", log.total_chars.into());
    put("truncated", log.lost.into());
    answer(text, facts)
}

fn paged(report: &Report, session: &Session) -> Rendered {
    let page = report.page.clone().unwrap_or_default();
    let mut text = if page.text.is_empty() {
        "(nothing there)".to_owned()
    } else {
        page.text.clone()
    };
    if page.skipped_bytes > 0 {
        text = format!(
            "[{} bytes from there on are no longer kept]\n{text}",
            page.skipped_bytes
        );
    }
    if page.has_more {
        text.push_str(&format!(
            "\n\n[bytes {}..{} of {}; pass offset={} for more]",
            page.offset, page.next_offset, page.total_bytes, page.next_offset
        ));
    }
    let mut facts = facts(session);
    let mut put = |name: &str, value: Value| drop(facts.insert(name.to_owned(), value));
    put("output", page.text.into());
    if let Some(base64) = page.base64 {
        put("outputBase64", base64.into());
    }
    put("offset", page.offset.into());
    put("nextOffset", page.next_offset.into());
    put("totalBytes", page.total_bytes.into());
    put("hasMore", page.has_more.into());
    put("droppedBytes", page.dropped_bytes.into());
    put("skippedBytes", page.skipped_bytes.into());
    answer(text, facts)
}

/// What a terminal shows: a line about it, then its rows, or those that differ.
fn screened(report: &Report, session: &Session) -> Rendered {
    let screen = report.screen.clone().unwrap_or_default();
    let number = |value: &Value| value.as_u64().unwrap_or(0);
    let (size, cursor) = (&screen["size"], &screen["cursor"]);
    let mut text = format!(
        "[{}x{}, cursor at column {} of row {}, revision {}",
        number(&size["columns"]),
        number(&size["rows"]),
        number(&cursor["column"]) + 1,
        number(&cursor["row"]) + 1,
        number(&screen["revision"]),
    );
    if let Some(title) = screen["title"].as_str() {
        text.push_str(&format!(", title {title:?}"));
    }
    if screen["alternateScreen"] == true {
        text.push_str(", full-screen program");
    }
    if !session.running {
        text.push_str(", it has ended");
    }
    text.push_str("]\n");
    text.push_str(&match screen["changed"].as_array() {
        Some(changed) if changed.is_empty() => "(nothing has changed)".to_owned(),
        Some(changed) => {
            let row = |row: &Value| {
                format!(
                    "row {}: {}",
                    number(&row["index"]) + 1,
                    row["text"].as_str().unwrap_or_default()
                )
            };
            changed.iter().map(row).collect::<Vec<_>>().join("\n")
        }
        None => {
            let rows = screen["rows"].as_array().into_iter().flatten();
            let rows: Vec<&str> = rows.map(|row| row.as_str().unwrap_or_default()).collect();
            rows.join("\n").trim_end_matches('\n').to_owned()
        }
    });
    let mut facts = facts(session);
    facts.insert("screen".to_owned(), screen);
    answer(text, facts)
}

fn found(report: &Report, session: &Session) -> Rendered {
    let search = report.search.clone().unwrap_or_default();
    let mut text = String::new();
    for (index, one) in search.matches.iter().enumerate() {
        let context = !one.before.is_empty() || !one.after.is_empty();
        if index > 0 && context {
            text.push_str("--\n");
        }
        let first = one.line - one.before.len().min(one.line as usize) as u64;
        for (line, before) in (first..).zip(&one.before) {
            text.push_str(&format!("{line}-{before}\n"));
        }
        text.push_str(&format!("{}:{}\n", one.line, one.text));
        for (line, after) in (one.line + 1..).zip(&one.after) {
            text.push_str(&format!("{line}-{after}\n"));
        }
    }
    let shown = search.matches.len() as u64;
    if search.total_matches == 0 {
        text.push_str("(no line matches)");
    } else if shown < search.total_matches {
        text.push_str(&format!(
            "[{shown} of {} matching lines; narrow the pattern, or page with action=log]",
            search.total_matches
        ));
    }
    let mut facts = facts(session);
    let matches = search.matches.iter();
    let matches = matches
        .map(|one| json!({"line": one.line, "text": one.text, "before": one.before, "after": one.after}))
        .collect();
    facts.insert("matches".to_owned(), Value::Array(matches));
    facts.insert("totalMatches".to_owned(), search.total_matches.into());
    answer(text.trim_end().to_owned(), facts)
}

fn removed(session: &Session) -> Rendered {
    let requested = if session.running {
        " (termination requested)"
    } else {
        ""
    };
    done(
        format!("Removed session {}{requested}.", session.id),
        json!({"status": "completed", "name": session.name}),
    )
}

/// `write`, `submit`, `paste`, `send-keys` and `signal`.
fn sent(report: &Report, session: &Session) -> Rendered {
    let input = report.input.clone().unwrap_or_default();
    let id = &session.id;
    let taken = input.taken_bytes;
    let mut text = match report.action.as_str() {
        "submit" => format!("Submitted session {id} (sent CR)."),
        "paste" => format!("Pasted {} chars to session {id}.", input.chars),
        "send-keys" => format!("Sent {taken} bytes to session {id}."),
        "signal" => format!(
            "Sent {} to session {id}.",
            report.signal.as_deref().unwrap_or("a signal")
        ),
        _ => {
            let closed = if input.eof { " (stdin closed)" } else { "" };
            format!("Wrote {taken} bytes to session {id}{closed}.")
        }
    };
    if taken < input.offered_bytes {
        text.push_str(&format!(
            "\nOnly {taken} of {} bytes were taken: the program does not read at the moment. Send the rest later.",
            input.offered_bytes
        ));
    }
    if !input.warnings.is_empty() {
        text.push_str("\nWarnings:");
        for warning in &input.warnings {
            text.push_str(&format!("\n- {warning}"));
        }
    }
    let mut details = json!({"status": "running", "sessionId": id, "name": session.name});
    if taken < input.offered_bytes {
        details["takenBytes"] = taken.into();
        details["offeredBytes"] = input.offered_bytes.into();
    }
    done(text, details)
}

fn notice(report: &Report, session: &Session) -> Rendered {
    let printed = report.printed.clone().unwrap_or_default();
    let word = if status(session) == "completed" {
        "completed"
    } else {
        "failed"
    };
    let short: String = session.id.chars().take(8).collect();
    let by = match (session.signal, session.exit_code) {
        (Some(signal), _) => format!("signal {}", signals::name(signal)),
        (None, code) => format!("code {}", code.unwrap_or(0)),
    };
    let mut text = format!("Exec {word} ({short}, {by})");
    let snippet = snippet(&printed.retained);
    if !snippet.is_empty() {
        text.push_str(&format!(" :: {snippet}"));
    }
    if session.ending() == Some(Ending::TimedOut) {
        text.push_str(&format!("\n\n{GUIDANCE}"));
    }
    let mut facts = facts(session);
    facts.insert("tail".to_owned(), session.tail.as_str().into());
    answer(text, facts)
}

/// The end of a text in one line.
fn snippet(text: &str) -> String {
    let skipped = text.chars().count().saturating_sub(400);
    let last: String = text.chars().skip(skipped).collect();
    let line = last.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= SNIPPET {
        return line;
    }
    let mut short: String = line.chars().take(SNIPPET - 1).collect();
    short.push('…');
    short
}

fn listed(sessions: &[Session]) -> Rendered {
    let lines: Vec<String> = sessions.iter().map(line).collect();
    let text = if lines.is_empty() {
        "No running or recent sessions.".to_owned()
    } else {
        lines.join("\n")
    };
    let sessions: Vec<Value> = sessions.iter().map(item).collect();
    done(text, json!({"status": "completed", "sessions": sessions}))
}

fn line(session: &Session) -> String {
    let flag = if session.ending() == Some(Ending::TimedOut) {
        " [overall-timeout]"
    } else if session.waiting_for_input {
        " [input-wait]"
    } else {
        ""
    };
    let label = match &session.name {
        Some(name) => cut_middle(name, LABEL_NAME),
        None => cut_middle(&session.command, LABEL_COMMAND),
    };
    format!(
        "{} {:<9} {}{flag} :: {label}",
        session.id,
        status(session),
        duration(session.runtime_ms)
    )
}

fn item(session: &Session) -> Value {
    let mut facts = facts(session);
    let mut put = |name: &str, value: Value| drop(facts.insert(name.to_owned(), value));
    put("startedAt", session.started_at_ms.into());
    put("runtimeMs", session.runtime_ms.into());
    put("cwd", session.cwd.as_str().into());
    put("command", session.command.as_str().into());
    put("tail", session.tail.as_str().into());
    put("truncated", session.truncated.into());
    if session.running {
        put("pid", session.pid.into());
        put("idleMs", session.idle_ms.into());
        put("lastOutputAt", json!(session.last_output_at_ms));
    } else {
        put("endedAt", json!(session.ended_at_ms));
    }
    Value::Object(facts)
}

/// Scalars of the beginning and the end of a long text that a person sees.
const BRIEF: (usize, usize) = (2_000, 6_000);

/// A text for people: of a long one the beginning and the end.
pub fn brief(text: &str) -> String {
    let (head, tail) = BRIEF;
    let count = text.chars().count();
    if count <= head + tail {
        return text.to_owned();
    }
    let first: String = text.chars().take(head).collect();
    let last: String = text.chars().skip(count - tail).collect();
    format!("{first}\n[…]\n{last}")
}

/// A duration as people write it: its two largest units.
pub fn duration(milliseconds: u64) -> String {
    if milliseconds < 1000 {
        return format!("{milliseconds}ms");
    }
    let seconds = milliseconds / 1000;
    let (large, small) = match seconds {
        0..60 => return format!("{seconds}s"),
        60..3_600 => ((seconds / 60, "m"), (seconds % 60, "s")),
        3_600..86_400 => ((seconds / 3_600, "h"), (seconds % 3_600 / 60, "m")),
        _ => ((seconds / 86_400, "d"), (seconds % 86_400 / 3_600, "h")),
    };
    match small {
        (0, _) => format!("{}{}", large.0, large.1),
        (count, unit) => format!("{}{}{count}{unit}", large.0, large.1),
    }
}

/// Keeps both ends of a text that is too long.
fn cut_middle(text: &str, max: usize) -> String {
    let count = text.chars().count();
    if count <= max {
        return text.to_owned();
    }
    let kept = max.saturating_sub(3);
    let head: String = text.chars().take(kept.div_ceil(2)).collect();
    let tail: String = text.chars().skip(count - kept / 2).collect();
    format!("{head}...{tail}")
}
