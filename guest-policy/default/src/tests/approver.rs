//! Who is asked what.

use std::collections::BTreeMap;

use execgate_guest::testing::FakeRequest;
use execgate_guest::{Approver, CommandLine, Configure, Consideration, Grant, ask};

use crate::DefaultApprover;

#[test]
fn a_person_is_asked_unless_exactly_this_was_granted() {
    let line = CommandLine {
        segments: Vec::new(),
        opaque: Vec::new(),
        annotations: Vec::new(),
    };
    let mut request = FakeRequest::new("make deploy", line);
    request.annotations = BTreeMap::from([("exact-key".to_owned(), "k".to_owned())]);
    let approver = DefaultApprover::configure("{}").expect("nothing is required");
    let verdict = ask("program/arguments", "it changes more than the workspace");
    let grant = Grant {
        id: "g".into(),
        key: "k".into(),
        annotations: Vec::new(),
    };
    assert_eq!(
        approver.consider(&request, &verdict, &[grant]),
        Consideration::Covered("g".into())
    );
    assert!(matches!(
        approver.consider(&request, &verdict, &[]),
        Consideration::Ask(_)
    ));
}
