use super::*;
use crate::selfcheck;
use crate::wire::{Decision, Risk};

fn line(change: impl FnOnce(&mut CommandLine)) -> Result<(), String> {
    let text = "true é";
    let mut line = selfcheck::command_line();
    let child = line.segments[0].clone();
    line.segments.push(child);
    change(&mut line);
    check_command_line(text, &line)
}

#[test]
fn a_sound_analysis_passes() {
    assert_eq!(line(|_| ()), Ok(()));
    assert_eq!(line(|line| line.segments[0].parent = Some(1)), Ok(()));
    assert_eq!(line(|line| line.segments[1].fed_by = Some((0, 1))), Ok(()));
}

#[test]
fn spans_outside_the_text_or_within_a_character_are_refused() {
    for (start, end) in [(0, 8), (4, 3), (u32::MAX, u32::MAX), (5, 6)] {
        let bad = Span { start, end };
        assert!(line(|line| line.segments[0].span = bad).is_err());
        assert!(line(|line| line.segments[1].words[0].span = bad).is_err());
    }
}

#[test]
fn parents_lead_to_the_top() {
    assert!(line(|line| line.segments[0].parent = Some(0)).is_err());
    assert!(line(|line| line.segments[0].parent = Some(2)).is_err());
    let cycle = line(|line| {
        line.segments[0].parent = Some(1);
        line.segments[1].parent = Some(0);
    });
    assert!(cycle.is_err());
    assert!(line(|line| line.segments[0].fed_by = Some((1, 3))).is_err());
}

#[test]
fn verdicts_are_cut_to_size() {
    let verdict = Verdict {
        decision: Decision::Deny,
        rule: "r".repeat(1000),
        category: "é".repeat(200),
        reason: String::new(),
        spans: vec![Span { start: 0, end: 4 }, Span { start: 2, end: 9 }],
        risk: Risk::Low,
        remedy: None,
        annotations: Vec::new(),
    };
    let tidy = tidy_verdict(verdict, 4);
    assert_eq!(tidy.rule.len(), NAME);
    assert_eq!(tidy.category, "é".repeat(128));
    assert_eq!(tidy.spans, [Span { start: 0, end: 4 }]);
}

#[test]
fn only_offered_grants_cover() {
    let grant = |id: &str| Grant {
        id: id.into(),
        key: "k".into(),
        annotations: Vec::new(),
    };
    let covered = Consideration::Covered("b".into());
    assert!(check_consideration(&covered, &[grant("a"), grant("b")]).is_ok());
    assert!(check_consideration(&covered, &[grant("a")]).is_err());
}

#[test]
fn details_are_an_object() {
    let rendered = |details: &str| Rendered {
        model_text: String::new(),
        user_text: String::new(),
        details: details.into(),
        is_error: false,
    };
    assert!(check_rendered(&rendered(r#"{"exit": 0, "list": [1]}"#)).is_ok());
    for bad in ["", "[]", "{", "null", "{} {}"] {
        assert!(check_rendered(&rendered(bad)).is_err(), "{bad}");
    }
}
