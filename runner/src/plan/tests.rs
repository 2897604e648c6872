use std::ffi::OsStr;
use std::os::unix::fs::symlink;

use execgate_host::PathKind;
use pretty_assertions::assert_eq;

use super::*;

struct Scratch {
    _directory: tempfile::TempDir,
    base: PathBuf,
}

/// `ws` with `a.txt` and links, beside it `out` with `secret.txt`.
fn scratch() -> Scratch {
    let directory = tempfile::tempdir().unwrap();
    let base = directory.path().canonicalize().unwrap();
    std::fs::create_dir_all(base.join("ws/sub")).unwrap();
    std::fs::create_dir_all(base.join("out")).unwrap();
    std::fs::write(base.join("ws/a.txt"), "in ws").unwrap();
    std::fs::write(base.join("out/secret.txt"), "top secret").unwrap();
    symlink(base.join("out/secret.txt"), base.join("ws/leakfile")).unwrap();
    symlink(base.join("out"), base.join("ws/leak")).unwrap();
    symlink(base.join("ws/sub"), base.join("ws/insidelink")).unwrap();
    symlink(base.join("out/new.txt"), base.join("ws/dangling")).unwrap();
    symlink("loop", base.join("ws/loop")).unwrap();
    Scratch {
        _directory: directory,
        base,
    }
}

#[test]
fn paths_lead_where_their_links_lead() {
    let scratch = scratch();
    let places = Places::new(&scratch.base.join("ws"), &scratch.base.join("ws"));
    let table = [
        ("a.txt", PathKind::File, true),
        (".", PathKind::Directory, true),
        ("sub/../a.txt", PathKind::File, true),
        ("new/file", PathKind::Missing, true),
        ("insidelink/new", PathKind::Missing, true),
        ("..", PathKind::Directory, false),
        ("leakfile", PathKind::File, false),
        ("leak/secret.txt", PathKind::File, false),
        ("leak/../ws/a.txt", PathKind::File, true),
        ("leak/new", PathKind::Missing, false),
        ("dangling", PathKind::Missing, false),
        ("loop", PathKind::Unknown, false),
        ("missing/../../out/secret.txt", PathKind::File, false),
        ("/dev/null", PathKind::Special, false),
        ("a.txt/x", PathKind::Missing, true),
    ];
    for (path, kind, inside) in table {
        let place = places.look_up(path);
        assert_eq!(
            (place.kind, place.in_workspace),
            (kind, inside),
            "{path}: {place:?}"
        );
    }
}

#[test]
fn a_link_that_is_turned_is_noticed() {
    let scratch = scratch();
    let workspace = scratch.base.join("ws");
    let places = Places::new(&workspace, &workspace);
    assert!(places.look_up("insidelink").in_workspace);
    assert_eq!(places.recheck(), Ok(()));
    std::fs::remove_file(workspace.join("insidelink")).unwrap();
    symlink(scratch.base.join("out"), workspace.join("insidelink")).unwrap();
    assert_eq!(
        places.recheck(),
        Err("path `insidelink` now leads elsewhere".to_owned())
    );
}

#[test]
fn the_directory_of_a_request_is_taken_by_names() {
    let workspace = Path::new("/ws");
    let with = |cwd: Option<&str>| {
        directory(
            &ExecRequest {
                cwd: cwd.map(str::to_owned),
                ..ExecRequest::new("x")
            },
            workspace,
        )
    };
    assert_eq!(with(None), Path::new("/ws"));
    assert_eq!(with(Some("sub/./x")), Path::new("/ws/sub/x"));
    assert_eq!(with(Some("../etc")), Path::new("/etc"));
    assert_eq!(with(Some("/tmp")), Path::new("/tmp"));
}

#[test]
fn a_program_that_is_replaced_is_noticed() {
    use std::os::unix::fs::PermissionsExt as _;
    let scratch = scratch();
    let workspace = scratch.base.join("ws");
    let script = workspace.join("tool");
    let write = |text: &str| {
        std::fs::write(&script, text).unwrap();
        std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    };
    write("#!/bin/sh\necho one\n");
    let environment = vec![("PATH".into(), workspace.clone().into_os_string())];
    let program = executable::find_all(&one_word("tool"), &workspace, &environment)
        .remove(0)
        .unwrap();
    assert_eq!(program.real_path.as_deref(), Some(script.as_path()));
    assert!(program.is_mutable(&workspace));
    assert_eq!(program.recheck(&workspace, &environment), Ok(()));
    write("#!/bin/sh\necho other\n");
    assert_eq!(
        program.recheck(&workspace, &environment),
        Err("program `tool` was changed".to_owned())
    );
}

#[test]
fn builtins_are_not_looked_for() {
    let program = executable::find_all(&one_word("echo"), Path::new("/"), &[])
        .remove(0)
        .unwrap();
    assert_eq!(
        (program.found, program.real_path),
        (execgate_host::Found::Builtin, None)
    );
}

#[test]
fn a_shell_is_found_by_name_or_not_at_all() {
    let path = std::env::var_os("PATH").unwrap();
    assert!(
        Shell::find(Some("sh"), &path)
            .unwrap()
            .program
            .is_absolute()
    );
    let error = Shell::find(Some("no-such-shell"), OsStr::new("/bin"))
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("no-such-shell") && error.contains("exec.shell"),
        "{error}"
    );
}

fn one_word(word: &str) -> CommandLine {
    use execgate_host::{Context, Join, Relation, Segment, Span, Word};
    let span = Span {
        start: 0,
        end: u32::try_from(word.len()).unwrap(),
    };
    let words = vec![Word {
        span,
        value: Some(word.to_owned()),
        parts: Vec::new(),
        quoted: false,
    }];
    let segment = Segment {
        span,
        words,
        assignments: Vec::new(),
        redirects: Vec::new(),
        parent: None,
        relation: Relation::Top,
        join: Join::First,
        context: Context::empty(),
        function: None,
        stage: None,
        fed_by: None,
        depth: 0,
        annotations: Vec::new(),
    };
    CommandLine {
        segments: vec![segment],
        opaque: Vec::new(),
        annotations: Vec::new(),
    }
}
