//! Figures for `docs/findings/host.md`; run with `--ignored --nocapture`.

use std::time::{Duration, Instant};

use execgate_host::{Allocation, Decision, Engine, EngineConfig};
use wasmtime::{Config, Instance, Module, Store};

use super::support::{answering, harmless, judge, load, policies};

/// Sums up the squares below a number: arithmetic, a load, a store and a branch each.
const WORK: &str = r#"(module
  (memory 1)
  (func (export "work") (param $n i32) (result i32) (local $sum i32)
    (loop
      (i32.store (i32.and (local.get $n) (i32.const 4092)) (local.get $sum))
      (local.set $sum (i32.add
        (i32.load (i32.and (local.get $sum) (i32.const 4092)))
        (i32.mul (local.get $n) (local.get $n))))
      (br_if 0 (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))
    (local.get $sum)))"#;

fn time(config: &Config) -> Duration {
    let engine = wasmtime::Engine::new(config).unwrap();
    let module = Module::new(&engine, wat::parse_str(WORK).unwrap()).unwrap();
    let mut store = Store::new(&engine, ());
    let _ = store.set_fuel(u64::MAX);
    store.set_epoch_deadline(1_000_000);
    let instance = Instance::new(&mut store, &module, &[]).unwrap();
    let work = instance
        .get_typed_func::<i32, i32>(&mut store, "work")
        .unwrap();
    let runs = (0..9).map(|_| {
        let start = Instant::now();
        work.call(&mut store, 5_000_000).unwrap();
        start.elapsed()
    });
    runs.min().unwrap()
}

#[test]
#[ignore = "a measurement"]
fn fuel_against_epochs() {
    let plain = time(&Config::new());
    let fuel = time(Config::new().consume_fuel(true));
    let epochs = time(Config::new().epoch_interruption(true));
    println!("plain {plain:?}, fuel {fuel:?}, epochs {epochs:?}");
}

#[tokio::test]
#[ignore = "a measurement"]
async fn one_verdict_in_a_fresh_instance() {
    for allocation in [Allocation::OnDemand, Allocation::Pooling { instances: 4 }] {
        let engine = Engine::new(EngineConfig {
            allocation,
            ..EngineConfig::default()
        })
        .unwrap();
        let policies = policies(load(&engine, "x", answering(Decision::Ask, "first")).await).await;
        let mut times = Vec::new();
        for _ in 0..5000 {
            let start = Instant::now();
            judge(&policies, harmless()).await;
            times.push(start.elapsed());
        }
        times.sort();
        println!(
            "{allocation:?}: p50 {:?}, p99 {:?}",
            times[2500], times[4950]
        );
    }
}
