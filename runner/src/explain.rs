//! How a verdict came about: what `execgate policy explain` is made of.

use execgate_host::{
    Context, Descriptor, Found, Join, Part, RedirectOperator, Relation, Segment, Verdict, Word,
};
use serde::{Deserialize, Serialize};

use crate::check::{CheckError, Checker, Report, Row, report};
use crate::judge::Judgement;
use crate::plan::ExecPlan;

/// Everything that is known of a verdict.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Explanation {
    /// The verdict.
    #[serde(flatten)]
    pub report: Report,
    /// Byte offsets `[start, end)` of what the verdict is about.
    pub spans: Vec<[u32; 2]>,
    /// The simple commands, in the order of the text; a parent stands before what is in it.
    pub commands: Vec<CommandView>,
    /// What was not understood.
    pub obstacles: Vec<Obstacle>,
    /// Everything that spoke against the command, if the policy says so.
    pub considered: Vec<Consideration>,
}

/// One simple command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CommandView {
    /// Its place in the list.
    pub index: usize,
    /// The command that it stands in or is run by.
    pub parent: Option<u32>,
    /// How it was found there: `top`, `wrapped`, `script`, `substitution` or `process-substitution`.
    pub relation: &'static str,
    /// What joins it to the one before it: empty, `;`, `&&`, `||`, `&`, `|` or `|&`.
    pub join: &'static str,
    /// `subshell`, `loop`, `conditional`, `background`, `coprocess`, `function`.
    pub context: Vec<&'static str>,
    /// Byte offsets `[start, end)`.
    pub span: [u32; 2],
    /// Its words.
    pub words: Vec<WordView>,
    /// Variables that are set before it, or by it: name and value.
    pub assignments: Vec<(String, WordView)>,
    /// Its redirects, as `2> FILE`.
    pub redirects: Vec<String>,
    /// Indices `[start, end)` of the commands that feed its input.
    pub fed_by: Option<[u32; 2]>,
    /// How its program was found: `path`, `builtin`, `function`, `absolute`, `relative` or `not-found`.
    pub found: Option<&'static str>,
    /// The file it starts.
    pub executable: Option<String>,
}

/// One word.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WordView {
    /// Byte offsets `[start, end)`.
    pub span: [u32; 2],
    /// Its text, if it is known.
    pub value: Option<String>,
    /// What it is made of, if it is not: `$NAME`, `$(…)`, `*`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub made_of: String,
}

/// A part of the text that was not understood.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Obstacle {
    /// A stable name.
    pub reason: String,
    /// A sentence.
    pub detail: String,
    /// Byte offsets `[start, end)`.
    pub span: [u32; 2],
}

/// One objection of a policy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Consideration {
    /// `ask` or `deny`.
    pub decision: String,
    /// The rule.
    pub rule: String,
    /// Why.
    pub reason: String,
    /// What would pass.
    pub remedy: String,
    /// Byte offsets `[start, end)`.
    pub span: [u32; 2],
    /// Whether a rule of the operator's allows it.
    pub lifted: bool,
}

impl Default for Consideration {
    fn default() -> Self {
        Self {
            decision: "ask".to_owned(),
            rule: String::new(),
            reason: String::new(),
            remedy: String::new(),
            span: [0; 2],
            lifted: false,
        }
    }
}

impl Checker {
    /// Judges one command and says how the verdict came about.
    ///
    /// # Errors
    /// The row cannot be judged.
    pub async fn explain(&mut self, row: Row) -> Result<Explanation, CheckError> {
        let id = row.id.clone();
        let (judgement, micros) = self.judge(row, true).await?;
        Ok(explanation(report(id, &judgement, micros), &judgement))
    }
}

fn explanation(report: Report, judgement: &Judgement) -> Explanation {
    let plan = judgement.facts.plan();
    let line = &plan.command_line;
    let segments = line.segments.iter().enumerate();
    let obstacles = line.opaque.iter().map(|opaque| Obstacle {
        reason: opaque.reason.clone(),
        detail: opaque.detail.clone(),
        span: [opaque.span.start, opaque.span.end],
    });
    let spans = judgement.verdict.spans.iter();
    Explanation {
        report,
        spans: spans.map(|span| [span.start, span.end]).collect(),
        commands: segments
            .map(|(index, segment)| command(plan, index, segment))
            .collect(),
        obstacles: obstacles.collect(),
        considered: considered(&judgement.judged.verdict),
    }
}

/// What the policy considered. What it says is its own, and may be anything.
fn considered(verdict: &Verdict) -> Vec<Consideration> {
    let findings = verdict
        .annotations
        .iter()
        .find(|(name, _)| name == "findings");
    let read = |text: &String| serde_json::from_str(text).ok();
    findings
        .and_then(|(_, text)| read(text))
        .unwrap_or_default()
}

fn command(plan: &ExecPlan, index: usize, segment: &Segment) -> CommandView {
    let program = plan.programs.get(index).and_then(Option::as_ref);
    let real_path = program.and_then(|program| program.real_path.as_ref());
    CommandView {
        index,
        parent: segment.parent,
        relation: relation(segment.relation),
        join: join(segment.join),
        context: context(segment),
        span: [segment.span.start, segment.span.end],
        words: segment.words.iter().map(word).collect(),
        assignments: segment
            .assignments
            .iter()
            .map(|assignment| (assignment.name.clone(), word(&assignment.value)))
            .collect(),
        redirects: segment.redirects.iter().map(redirect).collect(),
        fed_by: segment.fed_by.map(|(start, end)| [start, end]),
        found: program.map(|program| found(program.found)),
        executable: real_path.map(|path| path.to_string_lossy().into_owned()),
    }
}

fn word(word: &Word) -> WordView {
    WordView {
        span: [word.span.start, word.span.end],
        value: word.value.clone(),
        made_of: word.parts.iter().map(part).collect(),
    }
}

fn part(part: &Part) -> String {
    match part {
        Part::Literal(text) | Part::Glob(text) => text.clone(),
        Part::Variable(name) => format!("${name}"),
        Part::Substitution => "$(…)".to_owned(),
        Part::ProcessSubstitution => "<(…)".to_owned(),
        Part::Arithmetic => "$((…))".to_owned(),
    }
}

fn redirect(redirect: &execgate_host::Redirect) -> String {
    let descriptor = match &redirect.descriptor {
        None => String::new(),
        Some(Descriptor::Number(number)) => number.to_string(),
        Some(Descriptor::Variable(name)) => format!("{{{name}}}"),
    };
    let operator = match redirect.operator {
        RedirectOperator::Read => "<",
        RedirectOperator::Write => ">",
        RedirectOperator::Clobber => ">|",
        RedirectOperator::Append => ">>",
        RedirectOperator::ReadWrite => "<>",
        RedirectOperator::DuplicateInput => "<&",
        RedirectOperator::DuplicateOutput => ">&",
        RedirectOperator::WriteBoth => "&>",
        RedirectOperator::AppendBoth => "&>>",
        RedirectOperator::HereDocument => "<<",
        RedirectOperator::HereString => "<<<",
    };
    let target = word(&redirect.target);
    format!(
        "{descriptor}{operator} {}",
        target.value.unwrap_or(target.made_of)
    )
}

fn relation(relation: Relation) -> &'static str {
    match relation {
        Relation::Top => "top",
        Relation::Wrapped => "wrapped",
        Relation::Script => "script",
        Relation::Substitution => "substitution",
        Relation::ProcessSubstitution => "process-substitution",
    }
}

fn join(join: Join) -> &'static str {
    match join {
        Join::First => "",
        Join::Sequence => ";",
        Join::AndThen => "&&",
        Join::OrElse => "||",
        Join::Background => "&",
        Join::Pipe => "|",
        Join::PipeBoth => "|&",
    }
}

fn context(segment: &Segment) -> Vec<&'static str> {
    let all = [
        (Context::SUBSHELL, "subshell"),
        (Context::IN_LOOP, "loop"),
        (Context::CONDITIONAL, "conditional"),
        (Context::BACKGROUND, "background"),
        (Context::COPROCESS, "coprocess"),
        (Context::IN_FUNCTION, "function"),
    ];
    let holds = |(flag, name)| segment.context.contains(flag).then_some(name);
    all.into_iter().filter_map(holds).collect()
}

fn found(found: Found) -> &'static str {
    match found {
        Found::Absolute => "absolute",
        Found::Relative => "relative",
        Found::Path => "path",
        Found::Builtin => "builtin",
        Found::Function => "function",
        Found::NotFound => "not-found",
    }
}
