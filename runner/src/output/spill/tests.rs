use super::*;
use pretty_assertions::assert_eq;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

fn target(workspace: &Path, limit: u64) -> SpillTarget {
    SpillTarget {
        workspace: workspace.to_owned(),
        name: "one.log".to_owned(),
        limit,
        quota: SpillTarget::DEFAULT_QUOTA,
    }
}

fn spill(workspace: &Path, limit: u64) -> Spill {
    Spill::new(target(workspace, limit), Arc::default())
}

fn mode(path: &Path) -> u32 {
    fs::symlink_metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn the_file_is_private_ignored_and_complete() {
    let workspace = tempfile::tempdir().unwrap();
    let mut spill = spill(workspace.path(), 100);
    assert!(!workspace.path().join(".artifacts").exists());
    spill.write(b"abc");
    spill.write(b"\xffdef");
    let artifacts = workspace.path().join(".artifacts");
    let path = artifacts.join("exec/one.log");
    assert_eq!(fs::read(&path).unwrap(), b"abc\xffdef");
    assert_eq!(fs::read(artifacts.join(".gitignore")).unwrap(), b"*\n");
    assert_eq!(
        (mode(&artifacts), mode(&artifacts.join("exec")), mode(&path)),
        (0o700, 0o700, 0o600)
    );
    let expected = Artifact {
        path,
        bytes: 7,
        stopped: false,
        problem: None,
    };
    assert_eq!(spill.artifact(), Some(&expected));
}

#[test]
fn it_stops_at_the_limit_and_says_so() {
    let workspace = tempfile::tempdir().unwrap();
    let mut spill = spill(workspace.path(), 4);
    spill.write(b"abcd");
    assert!(!spill.artifact().unwrap().stopped);
    spill.write(b"e");
    let artifact = spill.artifact().unwrap();
    assert_eq!((artifact.bytes, artifact.stopped), (4, true));
    assert_eq!(fs::read(&artifact.path).unwrap(), b"abcd");
}

#[test]
fn an_own_gitignore_is_left_alone() {
    let workspace = tempfile::tempdir().unwrap();
    fs::create_dir(workspace.path().join(".artifacts")).unwrap();
    let ignore = workspace.path().join(".artifacts/.gitignore");
    fs::write(&ignore, "!keep\n").unwrap();
    spill(workspace.path(), 9).write(b"x");
    assert_eq!(fs::read_to_string(ignore).unwrap(), "!keep\n");
}

#[test]
fn links_are_never_followed() {
    let elsewhere = tempfile::tempdir().unwrap();
    for link in [".artifacts", ".artifacts/exec", ".artifacts/exec/one.log"] {
        let workspace = tempfile::tempdir().unwrap();
        let link = workspace.path().join(link);
        fs::create_dir_all(link.parent().unwrap()).unwrap();
        symlink(elsewhere.path(), &link).unwrap();
        let mut spill = spill(workspace.path(), 9);
        spill.write(b"x");
        assert!(
            spill.artifact().unwrap().problem.is_some(),
            "{}",
            link.display()
        );
    }
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0);
}

#[test]
fn names_that_lead_elsewhere_are_a_problem() {
    let workspace = tempfile::tempdir().unwrap();
    for name in ["", ".", "..", "../one", "a/b", "/etc/one"] {
        let target = SpillTarget {
            name: name.to_owned(),
            ..target(workspace.path(), 9)
        };
        let mut spill = Spill::new(target, Arc::default());
        spill.write(b"x");
        assert!(spill.artifact().unwrap().problem.is_some(), "`{name}`");
    }
    assert!(!workspace.path().join(".artifacts").exists());
}

#[test]
fn a_missing_workspace_is_a_problem_of_the_artifact() {
    let workspace = tempfile::tempdir().unwrap();
    let mut spill = Spill::new(target(&workspace.path().join("none"), 9), Arc::default());
    spill.write(b"x");
    spill.write(b"y");
    let artifact = spill.artifact().unwrap();
    assert_eq!(artifact.bytes, 0);
    assert!(
        artifact
            .problem
            .as_ref()
            .unwrap()
            .contains("could not be created")
    );
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_a_problem_of_the_artifact() {
    let workspace = tempfile::tempdir().unwrap();
    let mut spill = spill(workspace.path(), 9);
    spill.write(b"x");
    spill.file = Some(
        fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .unwrap(),
    );
    spill.write(b"y");
    spill.write(b"z");
    let artifact = spill.artifact().unwrap();
    assert_eq!(artifact.bytes, 1);
    assert!(
        artifact
            .problem
            .as_ref()
            .unwrap()
            .contains("could not be written")
    );
}
