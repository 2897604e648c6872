//! Checks of what components answer, before anybody builds on it.

use crate::wire::{CommandLine, Consideration, Grant, Rendered, Segment, Span, Verdict, Word};

/// Bytes of a rule id or category.
const NAME: usize = 256;
/// Bytes of a reason or remedy.
const SENTENCE: usize = 4096;
/// Spans and annotations of a verdict.
const ITEMS: usize = 256;

/// Checks that an analysis speaks of its text.
///
/// Spans are used to cut the text and indices to walk the segments, so one that
/// is wrong spoils the whole answer.
pub(crate) fn check_command_line(text: &str, line: &CommandLine) -> Result<(), String> {
    for opaque in &line.opaque {
        check_span(text, opaque.span)?;
    }
    for (index, segment) in line.segments.iter().enumerate() {
        check_segment(text, segment, line.segments.len())
            .map_err(|problem| format!("segment {index}: {problem}"))?;
    }
    check_parents(&line.segments)
}

fn check_segment(text: &str, segment: &Segment, segments: usize) -> Result<(), String> {
    check_span(text, segment.span)?;
    for word in &segment.words {
        check_word(text, word)?;
    }
    for assignment in &segment.assignments {
        check_span(text, assignment.span)?;
        check_word(text, &assignment.value)?;
    }
    for redirect in &segment.redirects {
        check_span(text, redirect.span)?;
        check_word(text, &redirect.target)?;
        if let Some(here) = &redirect.here {
            check_span(text, here.span)?;
        }
    }
    match segment.fed_by {
        Some((start, end)) if start > end || end as usize > segments => {
            Err(format!("`fed-by` is {start}..{end} of {segments} segments"))
        }
        Some(_) | None => Ok(()),
    }
}

fn check_word(text: &str, word: &Word) -> Result<(), String> {
    if word.value.is_some() && !word.parts.is_empty() {
        return Err("a word has both a value and unknown parts".into());
    }
    check_span(text, word.span)
}

fn check_span(text: &str, span: Span) -> Result<(), String> {
    if fits(text, span) {
        return Ok(());
    }
    Err(format!(
        "the span {}..{} does not fit the text of {} bytes",
        span.start,
        span.end,
        text.len()
    ))
}

fn fits(text: &str, span: Span) -> bool {
    text.get(span.start as usize..span.end as usize).is_some()
}

/// Checks that parents exist and lead to the top.
fn check_parents(segments: &[Segment]) -> Result<(), String> {
    // Segments that are known to lead to the top, each looked at once.
    let mut rooted = vec![false; segments.len()];
    for start in 0..segments.len() {
        let mut path = Vec::new();
        let mut at = start;
        while !rooted[at] {
            path.push(at);
            if path.len() > segments.len() {
                return Err(format!("segment {start} is its own ancestor"));
            }
            match segments[at].parent {
                None => break,
                Some(parent) if (parent as usize) < segments.len() => at = parent as usize,
                Some(parent) => return Err(format!("segment {at} has the parent {parent}")),
            }
        }
        for index in path {
            rooted[index] = true;
        }
    }
    Ok(())
}

/// Cuts a verdict to size. Nothing that is cut decides anything.
pub(crate) fn tidy_verdict(mut verdict: Verdict, text: usize) -> Verdict {
    verdict
        .spans
        .retain(|span| span.start <= span.end && span.end as usize <= text);
    verdict.spans.truncate(ITEMS);
    verdict.annotations.truncate(ITEMS);
    cut(&mut verdict.rule, NAME);
    cut(&mut verdict.category, NAME);
    cut(&mut verdict.reason, SENTENCE);
    if let Some(remedy) = &mut verdict.remedy {
        cut(remedy, SENTENCE);
    }
    verdict
}

fn cut(text: &mut String, max: usize) {
    text.truncate(text.floor_char_boundary(max));
}

/// Checks that a grant which is said to cover a request was offered.
pub(crate) fn check_consideration(answer: &Consideration, grants: &[Grant]) -> Result<(), String> {
    match answer {
        Consideration::Covered(id) if grants.iter().all(|grant| grant.id != *id) => {
            Err(format!("the grant `{id}` is none of those that match"))
        }
        Consideration::Covered(_) | Consideration::Ask(_) | Consideration::Refuse(_) => Ok(()),
    }
}

/// Checks that the details of an answer are a JSON object.
pub(crate) fn check_rendered(answer: &Rendered) -> Result<(), String> {
    type Object<'a> = std::collections::BTreeMap<String, serde::de::IgnoredAny>;
    match serde_json::from_str::<Object<'_>>(&answer.details) {
        Ok(_) => Ok(()),
        Err(error) => Err(format!("`details` is no JSON object: {error}")),
    }
}

#[cfg(test)]
mod tests;
