use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use pretty_assertions::assert_eq;
use tempfile::TempDir;

use super::{Astray, Root, Way};

fn place() -> (TempDir, Root) {
    let base = tempfile::tempdir().expect("a scratch directory");
    let root = base.path().join("ws");
    fs::create_dir_all(root.join("a/b")).expect("it is new");
    fs::create_dir(base.path().join("out")).expect("it is new");
    fs::write(root.join("file"), "").expect("it is new");
    let links = [
        ("inside", PathBuf::from("a/b")),
        ("up", PathBuf::from("a/../a")),
        ("absolute", root.join("a")),
        ("out", base.path().join("out")),
        ("a/far", PathBuf::from("../../out")),
        ("twice", PathBuf::from("a/far")),
        ("nothing", PathBuf::from("a/none")),
        ("circle", PathBuf::from("circle")),
        ("slash", PathBuf::from("/")),
    ];
    for (name, target) in links {
        symlink(target, root.join(name)).expect("it is new");
    }
    let root = Root::open(&root).expect("it is there");
    (base, root)
}

fn told(way: Result<Way, Astray>) -> String {
    match way {
        Ok(way) => format!("{} + {:?}", way.real.display(), way.missing),
        Err(Astray::Escapes { link }) => format!("escapes at {}", link.display()),
        Err(Astray::Dangling { link }) => format!("dangles at {}", link.display()),
        Err(Astray::NoDirectory { path }) => format!("no directory {}", path.display()),
        Err(Astray::Fault { path, error }) => format!("fault {} {error}", path.display()),
    }
}

#[test]
fn links_that_stay_inside_are_followed_and_others_are_not() {
    let (_base, root) = place();
    let table = [
        ("", " + []"),
        ("a/b", "a/b + []"),
        ("a/x/y", "a + [\"x\", \"y\"]"),
        ("inside", "a/b + []"),
        ("inside/x", "a/b + [\"x\"]"),
        ("up/b", "a/b + []"),
        ("absolute/b", "a/b + []"),
        ("out", "escapes at out"),
        ("a/far", "escapes at a/far"),
        ("twice/x", "escapes at twice"),
        ("slash/x", "escapes at slash"),
        ("nothing/x", "dangles at nothing"),
        ("circle", "dangles at circle"),
        ("file/x", "no directory file"),
    ];
    for (path, expected) in table {
        assert_eq!(told(root.way(Path::new(path))), expected, "{path}");
    }
}

#[test]
fn a_directory_that_became_a_link_out_is_not_opened() {
    let (base, root) = place();
    fs::remove_dir_all(root.path.join("a")).expect("it is there");
    symlink(base.path().join("out"), root.path.join("a")).expect("it is new");
    assert!(root.directory(Path::new("a")).is_err());
}
