//! A policy that fails denies, says how it failed, and touches nothing else.

use std::sync::Arc;
use std::time::Duration;

use execgate_host::{
    Answer, CommandText, Consideration, Decision, Dialect, Engine, FaultKind, Grants, Judged,
    Limits, LoadOptions, Policies, PublishError, RequestFacts, Role, Slot, Source,
    StaticCompletion, StaticOutput, StaticRequest,
};
use pretty_assertions::assert_eq;

use super::support::{
    answering, bad, bad_on_demand, engine, harmless, judge, load, policies, provoking,
};

async fn provoke(engine: &Engine, name: &str, limits: Limits) -> Judged {
    let options = LoadOptions {
        limits: Some(limits),
        grants: Grants::default(),
    };
    let source = Source::bytes(name, bad_on_demand(name));
    let policies = policies(engine.load(source, options).await.unwrap()).await;
    let judged = judge(&policies, provoking()).await;
    let after = judge(&policies, harmless()).await;
    assert_eq!(
        (after.verdict.decision, after.fault),
        (Decision::Allow, None),
        "{name} is as good as new in the next instance"
    );
    judged
}

fn assert_denied(judged: &Judged, name: &str, kind: FaultKind, part: &str) {
    let fault = judged.fault.as_ref().unwrap();
    assert_eq!(judged.verdict.decision, Decision::Deny, "{name}");
    assert_eq!(judged.verdict.rule, "execgate/policy-fault", "{name}");
    assert_eq!(
        (fault.component.as_str(), fault.kind),
        (name, kind),
        "{fault}"
    );
    assert!(
        judged.verdict.reason.contains(name),
        "{}",
        judged.verdict.reason
    );
    assert!(judged.verdict.remedy.is_some());
    assert!(fault.message.contains(part), "{name}: {fault}");
}

#[tokio::test]
async fn every_kind_of_failure_denies_and_says_which() {
    let engine = engine();
    let limits = Limits {
        fuel: 50_000_000,
        ..Limits::default()
    };
    for (name, kind, part) in [
        ("endless_loop", FaultKind::Fuel, "50000000 units"),
        ("endless_host_calls", FaultKind::Size, "raise `host-work`"),
        ("endless_log", FaultKind::Size, "raise `host-work`"),
        ("huge_log", FaultKind::Size, "raise `result`"),
        ("huge_result", FaultKind::Size, "raise `result`"),
        ("memory_hog", FaultKind::Memory, "raise `memory`"),
        ("trap", FaultKind::Trap, "unreachable"),
        ("stack_overflow", FaultKind::Trap, "stack"),
        ("unknown_decision", FaultKind::Malformed, ""),
        ("bad_utf8", FaultKind::Malformed, "utf-8"),
        ("bad_pointer", FaultKind::Malformed, ""),
        ("keeps_request", FaultKind::Malformed, "borrow"),
    ] {
        let judged = provoke(&engine, name, limits.clone()).await;
        assert_denied(&judged, name, kind, part);
    }
}

#[tokio::test]
async fn the_wall_clock_ends_what_fuel_does_not() {
    let limits = Limits {
        fuel: u64::MAX,
        host_work: u64::MAX,
        wall_clock: Duration::from_millis(50),
        ..Limits::default()
    };
    for name in ["endless_loop", "endless_host_calls"] {
        let judged = provoke(&engine(), name, limits.clone()).await;
        assert_denied(&judged, name, FaultKind::WallClock, "50 ms");
    }
}

/// Many calls on one thread wait for one another; none of that is billed.
#[tokio::test(flavor = "current_thread")]
async fn waiting_for_a_turn_costs_nothing() {
    let engine = engine();
    let options = LoadOptions {
        limits: Some(Limits {
            wall_clock: Duration::from_millis(200),
            ..Limits::default()
        }),
        grants: Grants::default(),
    };
    let bytes = wat::parse_str(super::support::policy_text(BUSY)).unwrap();
    let loaded = engine.load(Source::bytes("busy", bytes), options).await;
    let policies = Arc::new(policies(loaded.unwrap()).await);
    let mut calls = tokio::task::JoinSet::new();
    for _ in 0..200 {
        let policies = Arc::clone(&policies);
        calls.spawn(async move { judge(&policies, harmless()).await });
    }
    while let Some(judged) = calls.join_next().await {
        assert_eq!(judged.unwrap().fault, None);
    }
}

/// Counts to two million, which takes some milliseconds and yields ten times and more.
const BUSY: &str = r#"(core module $guest
  (import "env" "memory" (memory 1))
  (import "host" "drop" (func $drop (param i32)))
  (func (export "configure") (param i32 i32) (result i32) (i32.const 960))
  (func (export "evaluate") (param i32) (result i32) (local $count i32)
    (loop
      (local.set $count (i32.add (local.get $count) (i32.const 1)))
      (br_if 0 (i32.lt_u (local.get $count) (i32.const 2000000))))
    (call $drop (local.get 0))
    (i32.const 1024)))"#;

#[tokio::test]
async fn a_missing_policy_denies_and_an_empty_chain_too() {
    let missing = judge(&Policies::new(), harmless()).await;
    assert_denied(
        &missing,
        "policy",
        FaultKind::Missing,
        "nothing is published",
    );
    let mut none = Policies::new();
    none.chain.clear();
    let judged = judge(&none, harmless()).await;
    assert_eq!(judged.verdict.decision, Decision::Deny);
    assert_eq!(judged.verdict.rule, "execgate/no-policy");
}

#[tokio::test]
async fn a_required_policy_that_is_not_loaded_denies_beside_one_that_allows() {
    let engine = engine();
    let mut both =
        policies(load(&engine, "allow", answering(Decision::Allow, "first")).await).await;
    both.chain.push(Slot::new(Role::Policy, "required"));
    assert!(both.chain[1].current().is_none());
    let judged = judge(&both, harmless()).await;
    assert_denied(
        &judged,
        "required",
        FaultKind::Missing,
        "nothing is published",
    );
}

#[tokio::test]
async fn missing_components_of_the_other_roles_allow_nothing() {
    let pinned = Policies::new().pin();
    let text = CommandText {
        text: "rm -rf é".into(),
        dialect: Dialect::Bash,
        home: None,
        cwd: None,
        variables: Vec::new(),
        annotations: Vec::new(),
    };
    let analyzed = pinned.analyze(&text).await;
    assert_eq!(analyzed.value.opaque[0].reason, "analyzer-fault");
    assert_eq!(analyzed.value.opaque[0].span.end as usize, text.text.len());
    let request: Arc<dyn RequestFacts> = Arc::new(harmless());
    let verdict = judge(&Policies::new(), harmless()).await.verdict;
    let Answer { value, fault, .. } = pinned.consider(Arc::clone(&request), &verdict, &[]).await;
    assert!(matches!(value, Consideration::Refuse(_)), "{value:?}");
    assert_eq!(fault.unwrap().kind, FaultKind::Missing);
    let (completion, output) = (
        StaticCompletion::exited(0),
        StaticOutput::new(b"out".to_vec()),
    );
    let rendered = pinned
        .render(Arc::clone(&request), Arc::new(completion), Arc::new(output))
        .await;
    assert!(
        rendered
            .value
            .model_text
            .starts_with("out\n[exit code 0]\n[plain rendering: ")
    );
    let refused = pinned.render_refusal(request, &verdict).await;
    assert!(refused.value.is_error && refused.value.model_text.starts_with("not run: "));
}

#[tokio::test]
async fn the_strictest_verdict_wins_and_the_first_of_equals() {
    let engine = engine();
    let mut chain = Vec::new();
    for (decision, reason) in [
        (Decision::Allow, "allow"),
        (Decision::Ask, "ask-1"),
        (Decision::Ask, "ask-2"),
        (Decision::Deny, "deny!"),
        (Decision::Allow, "later"),
    ] {
        let slot = Slot::new(Role::Policy, reason);
        let loaded = load(&engine, reason, answering(decision, reason)).await;
        slot.publish(loaded, "{}").await.unwrap();
        chain.push(slot);
    }
    let of = |chain: &[Arc<Slot>]| Policies {
        chain: chain.to_vec(),
        ..Policies::new()
    };
    let asked = judge(&of(&chain[..3]), harmless()).await;
    assert_eq!(asked.verdict.rule, "test/ask-1");
    assert_eq!(asked.by.unwrap().component, "ask-1");
    assert_eq!(asked.judges.len(), 3);
    let denied = judge(&of(&chain), harmless()).await;
    assert_eq!(denied.verdict.rule, "test/deny!");
    assert_eq!(denied.judges.len(), 4, "those after a deny are not asked");
}

#[tokio::test]
async fn a_thousand_verdicts_beside_one_that_traps_in_a_loop() {
    let engine = engine();
    let good = policies(load(&engine, "good", answering(Decision::Ask, "right")).await).await;
    let bad = policies(load(&engine, "trap", bad_on_demand("trap")).await).await;
    let trapping = async {
        for _ in 0..1000 {
            let judged = judge(&bad, provoking()).await;
            assert_eq!(judged.verdict.decision, Decision::Deny);
        }
    };
    let judging = async {
        for _ in 0..1000 {
            let judged = judge(&good, provoking()).await;
            assert_eq!(
                (judged.verdict.rule.as_str(), judged.fault),
                ("test/right", None)
            );
        }
    };
    tokio::join!(trapping, judging);
    assert_eq!(bad.chain[0].faults(), 1000, "one event each");
    assert_eq!(good.chain[0].faults(), 0);
}

#[tokio::test]
async fn traps_before_the_call_are_named_and_the_host_goes_on() {
    let engine = engine();
    let in_configure = load(&engine, "trap_in_configure", bad("trap_in_configure")).await;
    let slot = Slot::new(Role::Policy, "policy");
    let refused = slot.publish(in_configure, "{}").await.unwrap_err();
    assert!(matches!(&refused, PublishError::SelfCheck(fault) if fault.kind == FaultKind::Trap));
    let settings = load(&engine, "picky", bad("refuses_settings")).await;
    let refused = slot.publish(settings, "{}").await.unwrap_err();
    assert_eq!(
        refused.to_string(),
        "component `picky` refuses its settings: `/mode`: use `strict`"
    );
    assert!(slot.current().is_none());
}

/// A request whose getter asks the same policy again, on the thread of the component.
struct Reentrant {
    plain: StaticRequest,
    policies: Arc<Policies>,
    inner: std::sync::Mutex<Option<Judged>>,
}

impl Reentrant {
    fn ask_again(&self) {
        let request: Arc<dyn RequestFacts> = Arc::new(harmless());
        let pinned = self.policies.pin();
        let mut asked = std::pin::pin!(pinned.evaluate(request));
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        let std::task::Poll::Ready(judged) = asked.as_mut().poll(&mut context) else {
            panic!("a re-entrant call must be refused at once");
        };
        *self.inner.lock().unwrap() = Some(judged);
    }
}

impl RequestFacts for Reentrant {
    fn cwd_given(&self) -> bool {
        self.ask_again();
        false
    }
    fn kind(&self) -> execgate_host::Kind {
        self.plain.kind()
    }
    fn text(&self) -> &str {
        self.plain.text()
    }
    fn dialect(&self) -> Dialect {
        self.plain.dialect()
    }
    fn command_line(&self) -> &execgate_host::CommandLine {
        self.plain.command_line()
    }
    fn caller(&self) -> execgate_host::Caller {
        self.plain.caller()
    }
    fn cwd(&self) -> execgate_host::Place {
        self.plain.cwd()
    }
    fn workspace(&self) -> Option<String> {
        None
    }
    fn home(&self) -> Option<String> {
        None
    }
    fn env_names(&self) -> Vec<String> {
        Vec::new()
    }
    fn env_overrides(&self) -> Vec<(String, String)> {
        Vec::new()
    }
    fn target(&self) -> String {
        "host".into()
    }
    fn terminal(&self) -> bool {
        false
    }
    fn background(&self) -> bool {
        false
    }
    fn elevated(&self) -> bool {
        false
    }
    fn timeout_ms(&self) -> Option<u64> {
        None
    }
    fn executable(&self, _segment: u32) -> Option<execgate_host::Executable> {
        None
    }
    fn place(&self, path: &str) -> execgate_host::Place {
        self.plain.place(path)
    }
    fn annotation(&self, _name: &str) -> Option<String> {
        None
    }
}

#[tokio::test]
async fn a_call_from_within_a_host_call_is_refused_without_a_deadlock() {
    let engine = engine();
    let policies = policies(load(&engine, "trap", bad_on_demand("trap")).await).await;
    let policies = Arc::new(policies);
    let request = Arc::new(Reentrant {
        plain: harmless(),
        policies: Arc::clone(&policies),
        inner: std::sync::Mutex::default(),
    });
    let facts: Arc<dyn RequestFacts> = request.clone();
    let outer = policies.pin().evaluate(facts).await;
    assert_eq!(
        (outer.verdict.decision, outer.fault),
        (Decision::Allow, None)
    );
    let inner = request.inner.lock().unwrap().take().unwrap();
    assert_denied(&inner, "trap", FaultKind::Reentrant, "within a host call");
}
