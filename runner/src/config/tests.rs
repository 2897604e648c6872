use std::path::PathBuf;

use pretty_assertions::assert_eq;

use super::*;

fn from_files(user: &str, workspace: &str) -> Result<Config, ConfigError> {
    let directory = tempfile::tempdir().unwrap();
    let user_path = directory.path().join("user.toml");
    let inner = directory.path().join("project/src");
    std::fs::create_dir_all(&inner).unwrap();
    std::fs::write(&user_path, user).unwrap();
    std::fs::write(directory.path().join("project/execgate.toml"), workspace).unwrap();
    load(
        Profile::Default,
        &Files {
            config: Some(user_path),
            directory: inner,
        },
        &[],
    )
}

#[test]
fn keys_are_sorted_and_their_defaults_fit() {
    assert!(KEYS.is_sorted_by_key(|key| key.name));
    for key in KEYS {
        for text in [key.default, key.picoclaw, key.openclaw] {
            if let Some(value) = value::parse_default(text) {
                value::check(key, value, &Origin::Default).unwrap();
            }
        }
    }
}

#[test]
fn a_profile_brings_its_own_defaults() {
    assert_eq!(
        Config::new(Profile::Picoclaw).timeout(),
        Duration::from_secs(60)
    );
    assert_eq!(
        Config::new(Profile::Default).timeout(),
        Duration::from_secs(1800)
    );
}

#[test]
fn zero_seconds_mean_the_default() {
    let config = from_files("exec.timeout-seconds = 0", "").unwrap();
    assert_eq!(config.timeout(), Duration::from_secs(1800));
}

#[test]
fn a_workspace_can_tighten() {
    let config = from_files(
        "policy.mode = 'ask'\npolicy.deny = ['git push']",
        "policy.mode = 'deny'\npolicy.deny = ['docker']\nexec.timeout-seconds = 5",
    )
    .unwrap();
    assert_eq!(config.text("policy.mode"), Some("deny"));
    assert_eq!(config.list("policy.deny"), ["git push", "docker"]);
    assert_eq!(config.timeout(), Duration::from_secs(5));
}

#[test]
fn a_workspace_cannot_loosen() {
    let config = from_files(
        "policy.mode = 'deny'",
        "policy.mode = 'full'\nexec.timeout-seconds = 9000",
    )
    .unwrap();
    assert_eq!(config.text("policy.mode"), Some("deny"));
    assert_eq!(config.timeout(), Duration::from_secs(1800));
    let error = from_files("", "policy.exempt = ['git']")
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("policy.exempt") && error.contains("can only tighten"),
        "{error}"
    );
}

#[test]
fn errors_name_key_origin_and_remedy() {
    let error = from_files("exec.timeout-seconds = 'soon'", "")
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("exec.timeout-seconds")
            && error.contains("user.toml")
            && error.contains("whole number"),
        "{error}"
    );
    let error = from_files("exec.timeout_seconds = 3", "")
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("did you mean `exec.timeout-seconds`"),
        "{error}"
    );
    let error = from_files("policy.mode = 'yolo'", "")
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("is not one of full, auto, ask, allowlist, deny"),
        "{error}"
    );
}

#[test]
fn picoclaws_document_is_read() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("config.json");
    let document = r#"{"tools":{"exec":{"timeout_seconds":7,"custom_deny_patterns":["foo"],"allow_remote":true},"unknown":1},
        "agents":{"defaults":{"restrict_to_workspace":false}}}"#;
    std::fs::write(&path, document).unwrap();
    let files = Files {
        config: Some(path),
        directory: PathBuf::from("/nonexistent"),
    };
    let config = load(Profile::Picoclaw, &files, &[]).unwrap();
    assert_eq!(config.timeout(), Duration::from_secs(7));
    assert_eq!(config.list("picoclaw.custom-deny-patterns"), ["foo"]);
    assert!(config.boolean("picoclaw.allow-remote"));
    assert!(!config.boolean("picoclaw.restrict-to-workspace"));
}

#[test]
fn the_reference_in_the_documentation_is_up_to_date() {
    let written = include_str!("../../../docs/configuration.md");
    assert_eq!(
        reference(),
        written,
        "run `execgate config reference > docs/configuration.md`"
    );
}
