//! Questions to people, and the grants that answer them.

use execgate_guest::{Consideration, Grant, Prompt, Request, Risk, Span, Verdict};

/// The name under which a request tells the key that stands for exactly itself.
pub const EXACT_KEY: &str = "exact-key";

/// Considers an `ask`: a grant for exactly this request covers it, else a person is asked.
pub fn consider(request: &dyn Request, verdict: &Verdict, grants: &[Grant]) -> Consideration {
    let exact = request.annotation(EXACT_KEY);
    let covering = grants
        .iter()
        .find(|grant| exact.as_deref() == Some(grant.key.as_str()));
    match covering {
        Some(grant) => Consideration::Covered(grant.id.clone()),
        None => Consideration::Ask(prompt(request, verdict)),
    }
}

/// The question for a verdict.
fn prompt(request: &dyn Request, verdict: &Verdict) -> Prompt {
    let text = request.text();
    let mut facts = vec![
        fact("command", visible(&text)),
        fact("why", visible(&verdict.reason)),
        fact("rule", verdict.rule.clone()),
        fact("risk", risk(verdict.risk).to_owned()),
        fact("directory", visible(&request.cwd().path)),
    ];
    facts.extend(
        verdict
            .spans
            .iter()
            .filter_map(|span| Some(fact("part", visible(part(&text, *span)?)))),
    );
    facts.extend(
        verdict
            .remedy
            .iter()
            .map(|remedy| fact("instead", visible(remedy))),
    );
    Prompt {
        title: format!("Run this command? {}", visible(&verdict.reason)),
        facts,
        annotations: Vec::new(),
    }
}

fn fact(name: &str, value: String) -> (String, String) {
    (name.to_owned(), value)
}

fn part(text: &str, span: Span) -> Option<&str> {
    text.get(span.start as usize..span.end as usize)
}

fn risk(risk: Risk) -> &'static str {
    match risk {
        Risk::Low => "low",
        Risk::Medium => "medium",
        Risk::High => "high",
        Risk::Critical => "critical",
    }
}

/// A text in which every character can be seen: controls, and what hides or reorders others, as `\u{…}`.
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' => shown.push_str("\\n"),
            '\t' => shown.push_str("\\t"),
            _ if is_hidden(character) => shown.extend(character.escape_unicode()),
            _ => shown.push(character),
        }
    }
    shown
}

fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{a0}' | '\u{ad}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{180e}' | '\u{2000}'..='\u{200f}'
                | '\u{2028}'..='\u{202f}' | '\u{205f}'..='\u{206f}' | '\u{3000}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}'
                | '\u{feff}' | '\u{ffa0}' | '\u{e0000}'..='\u{e0fff}'
        )
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use execgate_guest::testing::FakeRequest;
    use execgate_guest::{CommandLine, ask};

    use super::*;

    fn request() -> FakeRequest {
        let line = CommandLine {
            segments: Vec::new(),
            opaque: Vec::new(),
            annotations: Vec::new(),
        };
        let mut request = FakeRequest::new("rm \u{202e}x", line);
        request.annotations = BTreeMap::from([(EXACT_KEY.to_owned(), "k1".to_owned())]);
        request
    }

    fn grant(id: &str, key: &str) -> Grant {
        Grant {
            id: id.into(),
            key: key.into(),
            annotations: Vec::new(),
        }
    }

    #[test]
    fn only_a_grant_for_exactly_this_request_covers_it() {
        let verdict = ask("unknown/program", "nothing is known of `x`");
        let grants = [grant("1", "other"), grant("2", "k1")];
        assert_eq!(
            consider(&request(), &verdict, &grants),
            Consideration::Covered("2".into())
        );
        assert!(matches!(
            consider(&request(), &verdict, &grants[..1]),
            Consideration::Ask(_)
        ));
        let mut keyless = request();
        keyless.annotations.clear();
        assert!(matches!(
            consider(&keyless, &verdict, &grants),
            Consideration::Ask(_)
        ));
    }

    #[test]
    fn a_question_shows_what_hides() {
        let mut verdict = ask("unknown/program", "nothing is known of it");
        verdict.spans = vec![Span { start: 0, end: 2 }];
        let Consideration::Ask(prompt) = consider(&request(), &verdict, &[]) else {
            panic!("nothing covers it");
        };
        assert_eq!(
            prompt.facts[0],
            ("command".to_owned(), "rm \\u{202e}x".to_owned())
        );
        assert_eq!(prompt.facts[5], ("part".to_owned(), "rm".to_owned()));
    }
}
