//! The part of the line that only judges: analysis, plan, verdict.

use std::sync::Arc;

use execgate_host::{Answer, CommandLine, CommandText, Judged, Pinned, Verdict};

use crate::facts::PlanFacts;
use crate::floor::Floor;
use crate::plan::{self, ExecPlan, Subject, Surroundings};
use crate::request::ExecRequest;

/// What is known of a request when it has been judged.
#[derive(Debug)]
pub struct Judgement {
    /// The plan, as components see it.
    pub facts: Arc<PlanFacts>,
    /// The verdict, the operator's floor included.
    pub verdict: Verdict,
    /// Who analysed the text; the analysis itself is the plan's.
    pub analyzed: Answer<()>,
    /// What the policies said.
    pub judged: Judged,
}

/// Analyses, plans and judges a request.
pub async fn judge(
    policies: &Pinned,
    request: ExecRequest,
    surroundings: &Surroundings,
    floor: &Floor,
) -> Judgement {
    let text = command_text(&request, surroundings);
    let analysis = policies.analyze(&text).await;
    judge_plan(policies, analysis, floor, |line| {
        plan::prepare(request, Subject::Command, line, surroundings)
    })
    .await
}

/// Plans and judges input of a running program: a text that a shell would run, or one that `unread` stands for.
pub async fn judge_input(
    policies: &Pinned,
    request: ExecRequest,
    program: String,
    unread: Option<CommandLine>,
    surroundings: &Surroundings,
    floor: &Floor,
) -> Judgement {
    let analysis = match unread {
        None => {
            policies
                .analyze(&command_text(&request, surroundings))
                .await
        }
        Some(value) => Answer {
            value,
            by: None,
            fault: None,
        },
    };
    judge_plan(policies, analysis, floor, |line| {
        plan::prepare(request, Subject::Input(program), line, surroundings)
    })
    .await
}

/// Plans and judges what was analysed.
pub async fn judge_plan(
    policies: &Pinned,
    analysis: Answer<CommandLine>,
    floor: &Floor,
    prepare: impl FnOnce(CommandLine) -> ExecPlan,
) -> Judgement {
    let Answer { value, by, fault } = analysis;
    let analyzed = Answer {
        value: (),
        by,
        fault,
    };
    let plan = prepare(value);
    let facts = Arc::new(PlanFacts::new(plan));
    let judged = policies.evaluate(Arc::clone(&facts) as _).await;
    let verdict = floor.tighten(facts.plan(), judged.verdict.clone());
    Judgement {
        facts,
        verdict,
        analyzed,
        judged,
    }
}

/// The text with what may be relied on about its place.
fn command_text(request: &ExecRequest, surroundings: &Surroundings) -> CommandText {
    let cwd = plan::directory(request, &surroundings.workspace)
        .to_string_lossy()
        .into_owned();
    let home = surroundings
        .home
        .as_ref()
        .map(|home| home.to_string_lossy().into_owned());
    let overridden = |name: &str| request.env.iter().any(|(one, _)| one == name);
    let known = [("HOME", home.clone()), ("PWD", Some(cwd.clone()))];
    let variables = known
        .into_iter()
        .filter(|(name, _)| !overridden(name))
        .filter_map(|(name, value)| Some((name.to_owned(), value?)))
        .collect();
    CommandText {
        text: request.command.clone(),
        dialect: surroundings.shell.dialect,
        home: if overridden("HOME") { None } else { home },
        cwd: Some(cwd),
        variables,
        annotations: Vec::new(),
    }
}
