//! Patches at random.

use std::os::unix::fs::symlink;

use proptest::prelude::{
    ProptestConfig, Strategy, prop, prop_assert, prop_assert_eq, prop_oneof, proptest,
};

use super::place::{Place, patch};
use crate::parse;

/// A workspace with ways out of it.
fn place() -> Place {
    let place = Place::new(&[
        ("out/a", "a\n"),
        ("out/d/a", "a\n"),
        ("ws/a", "a\n"),
        ("ws/b", "b\na\n"),
        ("ws/d/a", "a\n"),
        ("ws/d/e/", ""),
        ("ws/d/l", "-> ../../out"),
        ("ws/l", "-> d"),
        ("ws/m", "-> ../out/a"),
        ("ws/n", "-> ../out/new"),
    ]);
    symlink(place.at("out"), place.at("ws/o")).expect("it is new");
    place
}

fn path() -> impl Strategy<Value = String> {
    let name = prop_oneof!["[abdelmno]", "\\.\\.", "\\.", "out", "ws", "@a", "~"];
    (prop::bool::weighted(0.1), prop::collection::vec(name, 1..5)).prop_map(
        |(is_absolute, names)| {
            format!(
                "{}{}",
                if is_absolute { "/BASE/" } else { "" },
                names.join("/")
            )
        },
    )
}

fn section() -> impl Strategy<Value = String> {
    let hunk = "(@@\n)?[-+ ][ab](\n[-+ ][abc]){0,2}";
    prop_oneof![
        path().prop_map(|path| format!("*** Delete File: {path}")),
        (path(), "[ab]").prop_map(|(path, text)| format!("*** Add File: {path}\n+{text}")),
        (path(), hunk).prop_map(|(path, hunk)| format!("*** Update File: {path}\n{hunk}")),
        (path(), path(), hunk).prop_map(|(path, to, hunk)| format!(
            "*** Update File: {path}\n*** Move to: {to}\n{hunk}"
        )),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn random_patches_stay_inside_and_can_be_taken_back(
        sections in prop::collection::vec(section(), 1..4),
    ) {
        let place = place();
        let before = place.tree();
        let base = place.base.path().to_str().expect("it is text").trim_start_matches('/');
        let text = patch(&sections.join("\n")).replace("BASE", base);
        let Ok(parsed) = parse(&text) else { return Ok(()) };
        let patcher = place.patcher();
        let preview = patcher.dry_run(&parsed);
        prop_assert_eq!(place.tree(), before.clone(), "a dry run touches nothing");
        let outside = |tree: &std::collections::BTreeMap<String, String>| {
            tree.iter().filter(|(path, _)| !path.starts_with("ws/")).map(|(path, what)| (path.clone(), what.clone())).collect::<Vec<_>>()
        };
        match patcher.apply(&parsed) {
            Ok(applied) => {
                prop_assert_eq!(applied.text, preview.expect("the dry run says the same").text);
                prop_assert_eq!(outside(&place.tree()), outside(&before));
                if let Some(id) = applied.undo {
                    prop_assert!(!applied.files.is_empty());
                    patcher.undo(&id).expect("nothing has changed");
                }
            }
            Err(error) => prop_assert_eq!(error.to_string(), preview.expect_err("the dry run says the same").to_string()),
        }
        prop_assert_eq!(place.tree(), before);
    }
}
