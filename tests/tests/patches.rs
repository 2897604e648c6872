//! `apply_patch`, through the seams: the table, the policy, the record, and taking back.

mod patches {
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::path::Path;

    use execgate_tests::{Scratch, Tally, rows, text};
    use pretty_assertions::assert_eq;
    use serde_json::{Map, Value, json};

    const NEW_FILE: &str = "*** Begin Patch\n*** Add File: notes/a.txt\n+hello\n*** End Patch";

    fn apply(scratch: &Scratch, profile: &str, input: &str) -> Value {
        let mut caller = scratch.call(&["--profile", profile]);
        caller
            .request(json!({"tool": "apply_patch", "args": {"input": input}}))
            .0
    }

    /// What is in the workspace, by path.
    fn listed(base: &Path, directory: &Path, found: &mut Map<String, Value>) {
        for entry in fs::read_dir(directory).expect("it is there") {
            let path = entry.expect("it can be read").path();
            let metadata = path.symlink_metadata().expect("it is there");
            let name = path
                .strip_prefix(base)
                .expect("it is inside")
                .display()
                .to_string();
            if metadata.is_symlink() {
                let target = fs::read_link(&path).expect("it is a link");
                found.insert(name, json!(format!("-> {}", target.display())));
            } else if metadata.is_dir() {
                listed(base, &path, found);
            } else {
                let content = fs::read(&path).expect("it is a file");
                found.insert(name, json!(String::from_utf8_lossy(&content)));
            }
        }
    }

    fn observed(input: &Value) -> Value {
        let scratch = Scratch::new();
        let workspace = scratch.workspace();
        let base = workspace.to_str().expect("it is text").to_owned();
        for (name, content) in input["files"].as_object().into_iter().flatten() {
            let path = workspace.join(name);
            fs::create_dir_all(path.parent().expect("it is in a directory"))
                .expect("it can be made");
            fs::write(path, content.as_str().expect("it is text")).expect("it can be written");
        }
        for (name, target) in input["symlinks"].as_object().into_iter().flatten() {
            let target = target.as_str().expect("it is text").replace("$BASE", &base);
            symlink(target, workspace.join(name)).expect("it is new");
        }
        let answer = apply(
            &scratch,
            "openclaw",
            &text(input, "input").replace("$BASE", &base),
        );
        let said = text(&answer, "text").replace(&base, "$BASE");
        let mut files = Map::new();
        listed(&workspace, &workspace, &mut files);
        match answer["isError"] == json!(true) {
            true => json!({"threw": said, "files": files}),
            false => json!({"text": said, "summary": answer["details"]["summary"], "files": files}),
        }
    }

    #[test]
    fn every_row_of_the_table_is_answered_as_observed_or_as_decided() {
        let mut tally = Tally::new();
        for row in rows("openclaw.jsonl")
            .iter()
            .filter(|row| row["area"] == "patch")
        {
            let expected = tally.expected(row, row["expected"]["result"].clone());
            let found = observed(&row["input"]);
            tally.settle_known(row, &expected, &found);
        }
        println!(
            "patches: {} cases, {} overridden, {} wrong",
            tally.count,
            tally.overridden,
            tally.wrong.len()
        );
        assert!(tally.wrong.is_empty(), "{}", tally.wrong.join("\n"));
    }

    #[test]
    fn a_patch_is_applied_recorded_and_taken_back() {
        let scratch = Scratch::new();
        let answer = apply(&scratch, "default", NEW_FILE);
        assert_eq!(
            answer["text"],
            json!("Success. Updated the following files:\nA notes/a.txt")
        );
        let details = &answer["details"];
        assert_eq!(
            (&details["status"], &details["verdict"], &details["rule"]),
            (
                &json!("completed"),
                &json!("allow"),
                &json!("default/patch")
            )
        );
        assert!(scratch.has("notes/a.txt"));
        let store = scratch.store();
        let recorded = store.patches();
        assert_eq!(recorded.len(), 1);
        let first = &recorded[0];
        assert_eq!(
            (&first["outcome"], &first["undo"]),
            (&json!("applied"), &details["undoId"])
        );
        assert!(text(first, "files").contains("notes/a.txt"));

        let undone = scratch.run(["patch", "--undo", text(details, "undoId")]);
        assert_eq!(
            (undone.code, undone.stdout.trim()),
            (0, "deleted notes/a.txt")
        );
        assert!(!scratch.has("notes"));
        let again = scratch.run(["patch", "--undo", text(details, "undoId")]);
        assert_eq!(again.code, 1);
    }

    #[test]
    fn what_has_changed_since_is_not_taken_back() {
        let scratch = Scratch::new();
        let answer = apply(&scratch, "default", NEW_FILE);
        fs::write(scratch.workspace().join("notes/a.txt"), "mine").expect("it can be written");
        let undone = scratch.run(["patch", "--undo", text(&answer["details"], "undoId")]);
        assert_eq!(undone.code, 1);
        assert!(undone.stderr.contains("notes/a.txt"), "{}", undone.stderr);
        assert_eq!(
            fs::read_to_string(scratch.workspace().join("notes/a.txt")).expect("it is there"),
            "mine"
        );
    }

    #[test]
    fn a_dry_run_shows_the_difference_and_changes_nothing() {
        let scratch = Scratch::new();
        let file = scratch.write("new.patch", NEW_FILE);
        let shown = scratch.run(["patch", "--dry-run", &file.to_string_lossy()]);
        assert_eq!(
            (shown.code, shown.stdout.as_str()),
            (
                0,
                "--- /dev/null\n+++ b/notes/a.txt\n@@ -0,0 +1 @@\n+hello\n"
            )
        );
        assert!(!scratch.has("notes"));
        let mut caller = scratch.call(&[]);
        let answer = caller
            .request(json!({"tool": "apply_patch", "args": {"input": NEW_FILE, "dryRun": true}}));
        assert_eq!(answer.details()["dryRun"], json!(true));
        assert!(!scratch.has("notes"));
        let applied = scratch.run_with_input(["patch"], NEW_FILE);
        assert_eq!(applied.code, 0, "{}", applied.stderr);
        assert!(scratch.has("notes/a.txt"));
    }

    #[test]
    fn the_policy_judges_the_files_of_a_patch() {
        let scratch = Scratch::new();
        let add = |path: &str| format!("*** Begin Patch\n*** Add File: {path}\n+x\n*** End Patch");
        for path in [
            ".git/hooks/pre-commit",
            "~/.ssh/authorized_keys",
            "../outside.txt",
            "@.git/hooks/post-merge",
        ] {
            let answer = apply(&scratch, "default", &add(path));
            assert_eq!(answer["isError"], json!(true), "{path}: {answer}");
            assert_ne!(
                answer["details"]["verdict"],
                json!("allow"),
                "{path}: {answer}"
            );
        }
        let moved = "*** Begin Patch\n*** Update File: a.txt\n*** Move to: .git/hooks/pre-commit\n@@\n-a\n+b\n*** End Patch";
        fs::write(scratch.workspace().join("a.txt"), "a\n").expect("it can be written");
        let answer = apply(&scratch, "default", moved);
        assert_ne!(answer["details"]["verdict"], json!("allow"), "{answer}");
        assert!(!scratch.has(".git"));
        let said = text(&answer, "text");
        assert!(
            said.starts_with("Patch ") && !said.contains("*** Begin"),
            "{said}"
        );
    }

    /// A policy that looks at commands alone finds none in a patch, and must not allow it for that.
    #[test]
    fn a_policy_that_knows_no_patches_allows_none() {
        let scratch = Scratch::new();
        let policy = execgate_tests::read_only_policy();
        let mut caller = scratch.call_with(
            &[],
            &[("EXECGATE_POLICY_COMPONENTS", &policy.to_string_lossy())],
        );
        assert_eq!(caller.run("echo hi").text(), "hi");
        let answer = caller.request(json!({"tool": "apply_patch", "args": {"input": NEW_FILE}}));
        assert!(answer.is_error(), "{answer:?}");
        assert!(!scratch.has("notes"));
    }

    #[test]
    fn an_error_says_where_and_what_was_expected() {
        let scratch = Scratch::new();
        fs::write(scratch.workspace().join("a.txt"), "one\ntwo\n").expect("it can be written");
        let patch = "*** Begin Patch\n*** Update File: a.txt\n@@\n-three\n+3\n*** End Patch";
        let answer = apply(&scratch, "default", patch);
        let said = text(&answer, "text");
        assert!(
            said.contains("`a.txt`, hunk 1, line 3 of the patch"),
            "{said}"
        );
        assert_eq!(answer["details"]["error"]["kind"], json!("patch"));
        let answer = apply(&scratch, "default", "  ");
        assert_eq!(answer["text"], json!("Provide a patch input."));
    }

    #[test]
    fn the_tool_exists_where_the_settings_and_the_model_allow_it() {
        let scratch = Scratch::new();
        let ask = |variables: &[(&str, &str)], profile: &str, caller: Value| {
            let mut calls = scratch.call_with(&["--profile", profile], variables);
            let line =
                json!({"tool": "apply_patch", "args": {"input": NEW_FILE}, "caller": caller});
            calls.request(line).0
        };
        let local = json!({"channel": "cli"});
        let off = ask(
            &[("EXECGATE_PATCH_ENABLED", "false")],
            "default",
            local.clone(),
        );
        assert!(text(&off, "text").contains("unknown tool"), "{off}");
        let none = ask(&[], "picoclaw", local);
        assert!(text(&none, "text").contains("unknown tool"), "{none}");
        let models = [("EXECGATE_PATCH_ALLOW_MODELS", "gpt-5, anthropic/opus")];
        let model = |model: &str, provider: &str| json!({"channel": "cli", "model": model, "provider": provider});
        let rows = [
            ("gpt-5", "openai", false),
            ("openai/gpt-5", "", false),
            ("opus", "anthropic", false),
            ("opus", "other", true),
            ("", "", true),
        ];
        for (name, provider, refused) in rows {
            let answer = ask(&models, "default", model(name, provider));
            let said = text(&answer, "text");
            assert_eq!(said.contains("allow-models"), refused, "{name}: {said}");
        }
    }
}
