//! Swapping a component while 2,000 verdicts a second are asked for.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use execgate_host::{Decision, Engine, LoadOptions, Policies};

use super::stats::{Table, Times};
use super::verdict;

const PER_SECOND: u64 = 2000;
const SPAN: Duration = Duration::from_secs(5);
const COMMAND: &str = "git log --oneline -5 | grep fix > out.txt";

/// Asks at the pace until told to stop; answers the times and the calls that failed.
async fn ask(policies: Arc<Policies>, stop: Arc<AtomicBool>) -> (Times, usize) {
    let mut pace = tokio::time::interval(Duration::from_micros(1_000_000 / PER_SECOND));
    pace.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Burst);
    let (mut times, mut failed) = (Times::default(), 0);
    while !stop.load(Ordering::Relaxed) {
        pace.tick().await;
        let start = Instant::now();
        let judged = verdict::judge(&policies, COMMAND).await;
        times.add(start.elapsed());
        let one_generation = judged.judges.len() == 1;
        if judged.fault.is_some() || judged.verdict.decision != Decision::Allow || !one_generation {
            failed += 1;
        }
    }
    (times, failed)
}

/// What happens beside the calls.
enum Beside {
    Nothing,
    /// A compiled component is published over and over.
    Swaps,
    /// A component is compiled and published over and over.
    Compiles,
}

async fn run(engine: &Engine, policies: &Arc<Policies>, beside: Beside) -> (Times, usize, usize) {
    let stop = Arc::new(AtomicBool::new(false));
    let asking = tokio::spawn(ask(Arc::clone(policies), Arc::clone(&stop)));
    let deadline = Instant::now() + SPAN;
    let load = || async {
        engine
            .load(
                execgate::built_in_bundle(execgate::Profile::Default),
                LoadOptions::default(),
            )
            .await
            .unwrap()
    };
    let compiled = load().await;
    let mut swaps = 0;
    while Instant::now() < deadline {
        match beside {
            Beside::Nothing => tokio::time::sleep(Duration::from_millis(50)).await,
            Beside::Swaps => {
                policies.chain[0]
                    .publish(Arc::clone(&compiled), "{}")
                    .await
                    .unwrap();
                swaps += 1;
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            Beside::Compiles => {
                policies.chain[0].publish(load().await, "{}").await.unwrap();
                swaps += 1;
            }
        }
    }
    stop.store(true, Ordering::Relaxed);
    let (times, failed) = asking.await.unwrap();
    (times, failed, swaps)
}

pub async fn measure(table: &mut Table) {
    let (engine, policies) = verdict::policies().await;
    let policies = Arc::new(policies);
    let (mut quiet, _, _) = run(&engine, &policies, Beside::Nothing).await;
    let (mut swapped, failed, swaps) = run(&engine, &policies, Beside::Swaps).await;
    let (mut compiling, failed_compiling, compiles) =
        run(&engine, &policies, Beside::Compiles).await;
    let base = quiet.micros(0.99);
    table.compare(
        "p99 of verdicts at 2,000/s while a compiled component is swapped, against no swaps",
        "us",
        (swapped.micros(0.99), base),
        "< 2x",
    );
    table.compare(
        "p99 of verdicts at 2,000/s while components are compiled and swapped, against no swaps",
        "us",
        (compiling.micros(0.99), base),
        "",
    );
    table.report(
        "swaps of a compiled component during that",
        "swaps",
        swaps as f64,
        "",
    );
    table.report(
        "compiled and swapped during that",
        "swaps",
        compiles as f64,
        "",
    );
    table.report(
        "failed or mixed calls",
        "calls",
        (failed + failed_compiling) as f64,
        "0",
    );
}
