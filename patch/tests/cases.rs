//! The tables of cases: what was observed on OpenClaw's tool, and faults that users of such tools reported.

mod cases {
    use std::collections::{BTreeMap, BTreeSet};
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::path::{Path, PathBuf};

    use execgate_patch::{PatchError, Patcher, Settings, parse};
    use pretty_assertions::assert_eq;
    use serde_json::{Map, Value, json};

    /// Rows of a table: from the folder in `EXECGATE_CASES` if it is there, else the project's own copy.
    fn rows(name: &str) -> Vec<Value> {
        let own = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../tests/cases")
            .join(name);
        let given = std::env::var_os("EXECGATE_CASES")
            .map(|folder| PathBuf::from(folder).join(name))
            .filter(|path| path.is_file());
        let path = given.unwrap_or(own);
        let content = fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("`{}`: {error}", path.display()));
        let parse = |line: &str| serde_json::from_str(line).expect("a row is JSON");
        content.lines().map(parse).collect()
    }

    /// What rows expect instead where a decision says so, by id.
    fn overrides() -> BTreeMap<String, Value> {
        let by_id = |row: Value| (text(&row, "id").to_owned(), row["expected"].clone());
        rows("overrides.jsonl").into_iter().map(by_id).collect()
    }

    fn text<'a>(row: &'a Value, name: &str) -> &'a str {
        row[name]
            .as_str()
            .unwrap_or_else(|| panic!("no text `{name}` in {row}"))
    }

    fn entries(value: &Value) -> impl Iterator<Item = (&str, &Value)> {
        let map = value.as_object().into_iter().flatten();
        map.map(|(name, value)| (name.as_str(), value))
    }

    /// Makes a file and the directories above it.
    fn put(path: &Path, content: &str) {
        fs::create_dir_all(path.parent().expect("it is in a directory")).expect("it can be made");
        fs::write(path, content).expect("it can be written");
    }

    /// What is in a directory, by path.
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

    fn apply(workspace: &Path, state: &Path, input: &str) -> Result<Value, PatchError> {
        let patcher = Patcher::open(&Settings {
            workspace: workspace.to_owned(),
            workspace_only: true,
            home: Some("/nobody".into()),
            state: state.to_owned(),
            undo_quota_bytes: Settings::DEFAULT_UNDO_QUOTA_BYTES,
        })?;
        let applied = patcher.apply(&parse(input)?)?;
        Ok(json!({"text": applied.text, "summary": applied.summary}))
    }

    /// Applies the patch of a row in a fresh workspace.
    fn observed(input: &Value) -> Value {
        let (workspace, state) = (scratch(), scratch());
        let base = workspace.path().to_str().expect("it is text");
        for (name, content) in entries(&input["files"]) {
            put(
                &workspace.path().join(name),
                content.as_str().expect("it is text"),
            );
        }
        for (name, target) in entries(&input["symlinks"]) {
            let target = target.as_str().expect("it is text").replace("$BASE", base);
            symlink(target, workspace.path().join(name)).expect("it is new");
        }
        let patch = text(input, "input").replace("$BASE", base);
        let mut result = apply(workspace.path(), state.path(), &patch)
            .unwrap_or_else(|error| json!({"threw": error.to_string().replace(base, "$BASE")}));
        let mut files = Map::new();
        listed(workspace.path(), workspace.path(), &mut files);
        result["files"] = files.into();
        result
    }

    fn scratch() -> tempfile::TempDir {
        tempfile::tempdir().expect("a scratch directory")
    }

    #[test]
    fn every_row_is_answered_as_observed_or_as_decided() {
        let overrides = overrides();
        let table = rows("openclaw.jsonl");
        let table: Vec<&Value> = table.iter().filter(|row| row["area"] == "patch").collect();
        for row in &table {
            let expected = overrides.get(text(row, "id")).unwrap_or(&row["expected"]);
            assert_eq!(observed(&row["input"]), expected["result"], "{row}");
        }
        println!("openclaw: {} patches", table.len());
        assert!(!table.is_empty(), "the table has rows about patches");
    }

    /// Runs the recipe of a reported fault; the workspace is `ws` in a directory of its own.
    fn check_recipe(id: &str, recipe: &Value) {
        let (base, state) = (scratch(), scratch());
        let at = |name: &str| base.path().join(name);
        fs::create_dir(at("ws")).expect("it is new");
        for (name, content) in entries(&recipe["files"]) {
            put(&at(name), content.as_str().expect("it is text"));
        }
        for (name, mode) in entries(&recipe["modes"]) {
            let mode = u32::try_from(mode.as_u64().expect("it is a mode")).expect("it is small");
            fs::set_permissions(at(name), Permissions::from_mode(mode)).expect("it is there");
        }
        for (name, target) in entries(&recipe["links"]) {
            symlink(target.as_str().expect("it is text"), at(name)).expect("it is new");
        }
        let applied = apply(&at("ws"), state.path(), text(recipe, "patch"));
        assert_eq!(applied.is_ok(), recipe["ok"] == true, "{id}: {applied:?}");
        for (name, content) in entries(&recipe["want"]) {
            let found = fs::read_to_string(at(name)).ok();
            assert_eq!(found.as_deref(), content.as_str(), "{id}: {name}");
        }
        for (name, mode) in entries(&recipe["modes"]) {
            let found = at(name)
                .metadata()
                .expect("it is there")
                .permissions()
                .mode()
                & 0o7777;
            assert_eq!(json!(found), *mode, "{id}: {name}");
        }
        if let Err(error) = applied {
            assert!(!error.explain().is_empty(), "{id}");
        }
    }

    /// Rows in prose that are tests of their own below.
    const OWN: [&str; 2] = ["PA06", "PA24"];

    #[test]
    fn every_reported_fault_is_absent() {
        let overrides = overrides();
        let table = rows("bugs.jsonl");
        let table = table.iter().filter(|row| row["kind"] == "patch");
        let (with_recipe, others): (Vec<&Value>, Vec<&Value>) =
            table.partition(|row| row["auto"]["t"] == "patch");
        for row in &with_recipe {
            let id = text(row, "id");
            check_recipe(id, overrides.get(id).unwrap_or(&row["auto"]));
        }
        println!(
            "bugs: {} patches, {} in prose",
            with_recipe.len(),
            others.len()
        );
        if std::env::var_os("EXECGATE_CASES").is_none() {
            let others: BTreeSet<&str> = others.iter().map(|row| text(row, "id")).collect();
            assert_eq!(others, OWN.into(), "every row is covered");
        }
    }

    /// PA06.
    #[test]
    fn bytes_that_are_no_text_stay_as_they_are() {
        let (workspace, state) = (scratch(), scratch());
        let file = workspace.path().join("a");
        fs::write(&file, b"caf\xe9\nbar\n").expect("it is new");
        let patch = "*** Begin Patch\n*** Update File: a\n@@\n-bar\n+baz\n*** End Patch";
        apply(workspace.path(), state.path(), patch).expect("it fits");
        assert_eq!(fs::read(&file).expect("it is there"), b"caf\xe9\nbaz\n");
    }

    /// PA24.
    #[test]
    fn a_refusal_names_the_rule_and_nothing_outside() {
        let (base, state) = (scratch(), scratch());
        let workspace = base.path().join("ws");
        fs::create_dir_all(base.path().join("secret")).expect("it is new");
        fs::create_dir(&workspace).expect("it is new");
        symlink("../secret", workspace.join("link")).expect("it is new");
        for path in ["../secret/x", "link/x"] {
            let patch = format!("*** Begin Patch\n*** Add File: {path}\n+x\n*** End Patch");
            let error = apply(&workspace, state.path(), &patch).expect_err("it is outside");
            assert!(
                error.explain().contains("workspace_only"),
                "{}",
                error.explain()
            );
            let outside = base.path().join("secret").display().to_string();
            assert!(!format!("{error} {}", error.explain()).contains(&outside));
        }
    }
}
