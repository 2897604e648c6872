//! The call that every component must survive before it is published, and again
//! when it failed too often: the most harmless command there is.

use std::sync::Arc;

use crate::call::Configured;
use crate::fault::Fault;
use crate::load::Role;
use crate::outcome::{StaticCompletion, StaticOutput};
use crate::request::{RequestFacts, StaticRequest};
use crate::state::Lent;
use crate::wire::{
    CommandLine, CommandText, Context, Decision, Dialect, Join, Relation, Risk, Segment, Span,
    Verdict, Word,
};

const TEXT: &str = "true";

/// The report of an empty listing.
const REPORT: &str = r#"{"action":"list","sessions":[]}"#;

/// Calls a component once in a role. Any answer is a good one; only a fault is not.
/// Counters and waiting instances of the slot are left alone.
pub(crate) async fn run(configured: &Configured, role: Role) -> Result<(), Fault> {
    let scratch = configured.apart(&Arc::default());
    // One call is all it is made for.
    scratch.retire();
    let request: Arc<dyn RequestFacts> = Arc::new(StaticRequest::new(TEXT, command_line()));
    let lent = Lent::request(&request);
    match role {
        Role::Analyzer => scratch.analyze(&command_text()).await.map(drop),
        Role::Policy => scratch.evaluate(lent).await.map(drop),
        Role::Approver => scratch.consider(lent, &asked(), &[]).await.map(drop),
        Role::Formatter => {
            scratch.render_refusal(lent.clone(), &asked()).await?;
            let lent = Lent {
                completion: Some(Arc::new(StaticCompletion::exited(0))),
                output: Some(Arc::new(StaticOutput::default())),
                ..lent
            };
            scratch.render(lent).await?;
            scratch.render_session(REPORT).await.map(drop)
        }
    }
}

fn command_text() -> CommandText {
    CommandText {
        text: TEXT.into(),
        dialect: Dialect::Bash,
        home: None,
        cwd: None,
        variables: Vec::new(),
        annotations: Vec::new(),
    }
}

/// The analysis of `true`.
pub(crate) fn command_line() -> CommandLine {
    let span = Span { start: 0, end: 4 };
    let word = Word {
        span,
        value: Some(TEXT.into()),
        parts: Vec::new(),
        quoted: false,
    };
    let segment = Segment {
        span,
        words: vec![word],
        assignments: Vec::new(),
        redirects: Vec::new(),
        parent: None,
        relation: Relation::Top,
        join: Join::First,
        context: Context::default(),
        function: None,
        stage: None,
        fed_by: None,
        depth: 0,
        annotations: Vec::new(),
    };
    CommandLine {
        segments: vec![segment],
        opaque: Vec::new(),
        annotations: Vec::new(),
    }
}

fn asked() -> Verdict {
    Verdict {
        decision: Decision::Ask,
        rule: "execgate/self-check".into(),
        category: "execgate".into(),
        reason: "the self-check asks".into(),
        spans: Vec::new(),
        risk: Risk::Low,
        remedy: None,
        annotations: Vec::new(),
    }
}
