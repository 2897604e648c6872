//! Judges one command with two components: `cargo run --example embed -- analyzer.wasm policy.wasm 'ls'`.

use std::error::Error;
use std::path::Path;
use std::sync::Arc;

use execgate_host::{
    CommandText, Dialect, Engine, EngineConfig, LoadOptions, Policies, Source, StaticRequest,
};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [analyzer, policy, text] = arguments.as_slice() else {
        return Err("usage: embed ANALYZER.wasm POLICY.wasm COMMAND".into());
    };
    // 1. One engine for the process, and the slots of one runner.
    let engine = Engine::new(EngineConfig::default())?;
    let policies = Policies::new();
    // 2. What is published is live at once, and can be replaced while commands run.
    for (slot, file) in [(&policies.analyzer, analyzer), (&policies.chain[0], policy)] {
        let source = Source::file(Path::new(file))?;
        let loaded = engine.load(source, LoadOptions::default()).await?;
        slot.publish(loaded, "{}").await?;
    }
    // 3. One request sees one generation of every component.
    let pinned = policies.pin();
    // 4. Neither step fails: what gives no answer allows nothing.
    let analyzed = pinned
        .analyze(&CommandText {
            text: text.clone(),
            dialect: Dialect::Bash,
            home: None,
            cwd: None,
            variables: Vec::new(),
            annotations: Vec::new(),
        })
        .await;
    let request = Arc::new(StaticRequest::new(text, analyzed.value));
    let judged = pinned.evaluate(request).await;
    let report = format!("{:?}: {}\n", judged.verdict.decision, judged.verdict.reason);
    std::io::Write::write_all(&mut std::io::stdout(), report.as_bytes())?;
    Ok(())
}
