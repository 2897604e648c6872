//! Another policy is swapped in and out while commands run.

use std::collections::BTreeMap;

use execgate_tests::{Caller, Scratch, answering_policy, read_only_policy, text};
use pretty_assertions::assert_eq;
use serde_json::{Value, json};

/// Calls between two swaps, and in each lane.
const CALLS: usize = 25;
const SWAPS: usize = 8;

/// What the built-in policy and the example say of `true`.
const BUILT_IN: &str = "default/harmless";
const EXAMPLE: &str = "read-only/reads";

fn send_calls(caller: &mut Caller, lane: &str) -> Vec<Value> {
    let call = json!({"tool": "exec", "args": {"command": "true"}, "lane": lane});
    (0..CALLS).map(|_| caller.send(call.clone())).collect()
}

/// Sends calls in two lanes with a swap or rollback after each batch; returns the ids of calls and operations.
fn drive(caller: &mut Caller) -> (Vec<Value>, Vec<Value>) {
    let (mut calls, mut operations) = (Vec::new(), Vec::new());
    for turn in 0..SWAPS {
        for lane in ["a", "b"] {
            calls.extend(send_calls(caller, lane));
        }
        let line = if turn % 2 == 0 {
            json!({"op": "swap", "slot": "policy", "path": read_only_policy()})
        } else {
            json!({"op": "rollback", "slot": "policy"})
        };
        operations.push(caller.send(line));
    }
    (calls, operations)
}

/// Digest of the only policy that judged a recorded call.
fn judge(call: &Value) -> String {
    let components: Value =
        serde_json::from_str(text(call, "components")).expect("the column holds JSON");
    let judges = components["policy"].as_array().expect("it is a list");
    assert_eq!(judges.len(), 1, "one generation judges a call");
    text(&judges[0], "digest").to_owned()
}

#[test]
fn no_call_fails_or_is_judged_by_half_of_each() {
    let scratch = Scratch::new();
    let mut caller = scratch.call(&["--operator"]);
    let built_in = text(caller.run("true").details(), "rule").to_owned();
    assert_eq!(built_in, BUILT_IN);
    let (calls, operations) = drive(&mut caller);
    for id in &operations {
        let answer = caller.answer(id).0;
        assert_eq!(answer["ok"], true, "{answer}");
    }
    for id in &calls {
        let answer = caller.answer(id);
        assert_eq!(answer.details()["exitCode"], 0, "{answer:?}");
        assert!([BUILT_IN, EXAMPLE].contains(&answer.rule()), "{answer:?}");
    }
    caller.finish();
    assert_recorded(&scratch, calls.len() + 1);
}

/// Every swap is recorded with both digests, and every call with the digest of the policy whose rule it names.
fn assert_recorded(scratch: &Scratch, count: usize) {
    let store = scratch.store();
    let calls = store.calls();
    assert_eq!(calls.len(), count);
    let mut digests: BTreeMap<&str, String> = BTreeMap::new();
    for call in &calls {
        let digest = judge(call);
        let known = digests.entry(text(call, "rule")).or_insert(digest.clone());
        assert_eq!(*known, digest, "{call}");
    }
    assert_eq!(
        digests.keys().copied().collect::<Vec<_>>(),
        [BUILT_IN, EXAMPLE]
    );
    let (old, new) = (&digests[BUILT_IN], &digests[EXAMPLE]);
    let swaps = store.swaps();
    assert_eq!(swaps.len(), SWAPS);
    for (index, swap) in swaps.iter().enumerate() {
        let expected = if index % 2 == 0 {
            json!(["policy", "swap", old, new, null])
        } else {
            json!(["policy", "rollback", new, old, null])
        };
        let part = ["slot", "operation", "old_digest", "new_digest", "error"];
        assert_eq!(json!(part.map(|name| &swap[name])), expected);
    }
}

/// A call that runs while its policy is swapped is answered by the rule it began with.
#[test]
fn a_call_in_flight_ends_on_the_policy_it_began_with() {
    let scratch = Scratch::new();
    let mut caller = scratch.call(&["--operator"]);
    let waits = "touch started; until test -e swapped; do sleep 0.01; done; echo done";
    let id = caller.send(json!({"tool": "exec", "args": {"command": waits}, "lane": "slow"}));
    let started = "until test -e started; do sleep 0.01; done";
    let begun = caller.request(json!({"tool": "exec", "args": {"command": started}, "lane": "b"}));
    assert!(!begun.is_error(), "{begun:?}");
    let path = scratch.write("other.wasm", answering_policy("other"));
    let swap = caller.request(json!({"op": "swap", "slot": "policy", "path": path}));
    assert_eq!(swap.0["ok"], true, "{swap:?}");
    let release = json!({"tool": "exec", "args": {"command": "touch swapped"}, "lane": "b"});
    assert_eq!(caller.request(release).rule(), "test/other");
    let answer = caller.answer(&id);
    assert_eq!((answer.text(), answer.is_error()), ("done", false));
    assert_ne!(answer.rule(), "test/other");
}

#[test]
fn a_rollback_without_a_swap_says_so() {
    let scratch = Scratch::new();
    let mut caller = scratch.call(&["--operator"]);
    let answer = caller
        .request(json!({"op": "rollback", "slot": "policy"}))
        .0;
    assert_eq!(answer["ok"], false);
    assert!(
        text(&answer, "error").contains("no earlier component"),
        "{answer}"
    );
    assert_eq!(caller.run("true").rule(), BUILT_IN);
}
