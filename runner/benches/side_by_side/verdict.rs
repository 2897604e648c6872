//! Analysis and verdict: fresh component instances against the same crates called natively.

use std::sync::Arc;
use std::time::Instant;

use execgate_analyzer::Shell;
use execgate_default::DefaultPolicy;
use execgate_guest::testing::FakeRequest;
use execgate_guest::{Analyzer as _, Configure as _, Dialect, Policy as _, Source};
use execgate_host::{
    Allocation, CommandText, Engine, EngineConfig, LoadOptions, Policies, StaticRequest,
};

use super::stats::{Table, Times};

/// Commands of the sizes that agents send.
const COMMANDS: &[(&str, &str)] = &[
    ("6 B", "ls -la"),
    ("41 B", "git log --oneline -5 | grep fix > out.txt"),
    (
        "150 B",
        "cd src && for f in *.rs; do grep -n 'unsafe' \"$f\" | head -3; done; cargo test --workspace -- --nocapture 2>&1 | tail -40 && echo \"all done\" || echo failed",
    ),
];

const ROUNDS: usize = 3000;

/// An engine as a busy runner has it, with the built-in components live.
pub async fn policies() -> (Engine, Policies) {
    let engine = Engine::new(EngineConfig {
        allocation: Allocation::Pooling { instances: 32 },
        ..EngineConfig::default()
    })
    .unwrap();
    let analyzer = engine
        .load(execgate::built_in_analyzer(), LoadOptions::default())
        .await
        .unwrap();
    let bundle = engine
        .load(
            execgate::built_in_bundle(execgate::Profile::Default),
            LoadOptions::default(),
        )
        .await
        .unwrap();
    let policies = Policies::new();
    policies.analyzer.publish(analyzer, "{}").await.unwrap();
    policies.chain[0]
        .publish(Arc::clone(&bundle), "{}")
        .await
        .unwrap();
    policies
        .approver
        .publish(Arc::clone(&bundle), "{}")
        .await
        .unwrap();
    policies.formatter.publish(bundle, "{}").await.unwrap();
    (engine, policies)
}

pub fn text(command: &str) -> CommandText {
    CommandText {
        text: command.to_owned(),
        dialect: execgate_host::Dialect::Bash,
        home: Some("/home/user".to_owned()),
        cwd: Some("/work".to_owned()),
        variables: Vec::new(),
        annotations: Vec::new(),
    }
}

pub async fn judge(policies: &Policies, command: &str) -> execgate_host::Judged {
    let pinned = policies.pin();
    let analyzed = pinned.analyze(&text(command)).await;
    let request = StaticRequest {
        cwd: "/work".to_owned(),
        workspace: Some("/work".to_owned()),
        home: Some("/home/user".to_owned()),
        ..StaticRequest::new(command, analyzed.value)
    };
    pinned.evaluate(Arc::new(request)).await
}

fn native_analysis(command: &str) -> execgate_guest::CommandLine {
    let source = Source {
        text: command.to_owned(),
        dialect: Dialect::Bash,
        home: Some("/home/user".to_owned()),
        cwd: Some("/work".to_owned()),
        variables: Vec::new(),
        annotations: Vec::new(),
    };
    Shell::configure("{}").unwrap().analyze(&source)
}

fn native(command: &str) -> execgate_guest::Verdict {
    let line = native_analysis(command);
    DefaultPolicy::configure("{}")
        .unwrap()
        .evaluate(&FakeRequest::new(command, line))
}

pub async fn measure(table: &mut Table) {
    let (_engine, policies) = policies().await;
    analysis(table, &policies).await;
    for (size, command) in COMMANDS {
        let (mut fresh, mut plain) = (Times::default(), Times::default());
        let here = judge(&policies, command).await.verdict;
        let there = native(command);
        assert_eq!(
            format!("{:?}", here.decision),
            format!("{:?}", there.decision),
            "the component and its crate disagree"
        );
        for _ in 0..ROUNDS {
            let start = Instant::now();
            std::hint::black_box(judge(&policies, command).await);
            fresh.add(start.elapsed());
            let start = Instant::now();
            std::hint::black_box(native(command));
            plain.add(start.elapsed());
        }
        let budget = if *size == "41 B" { "<= 120 us" } else { "" };
        table.compare(
            &format!("analysis + verdict, fresh instances, {size}, p50"),
            "us",
            (fresh.micros(0.5), plain.micros(0.5)),
            budget,
        );
        table.compare(
            &format!("analysis + verdict, fresh instances, {size}, p99"),
            "us",
            (fresh.micros(0.99), plain.micros(0.99)),
            "",
        );
    }
}

/// The analyzer's share of the 41-byte command.
async fn analysis(table: &mut Table, policies: &Policies) {
    let (size, command) = COMMANDS[1];
    let (mut fresh, mut plain) = (Times::default(), Times::default());
    for _ in 0..ROUNDS {
        let start = Instant::now();
        std::hint::black_box(policies.pin().analyze(&text(command)).await);
        fresh.add(start.elapsed());
        let start = Instant::now();
        std::hint::black_box(native_analysis(command));
        plain.add(start.elapsed());
    }
    let name = format!("analysis alone, fresh instance, {size}, p50");
    table.compare(&name, "us", (fresh.micros(0.5), plain.micros(0.5)), "");
}
