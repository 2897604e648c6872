//! Where the built program is, and the cache that all suites share.

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

/// Path of the program under test.
///
/// # Panics
/// It has not been built.
pub fn program() -> PathBuf {
    let path = std::env::var_os("EXECGATE_PROGRAM")
        .map_or_else(|| profile_directory().join("execgate"), PathBuf::from);
    assert!(
        path.is_file(),
        "`{}` is missing: run `cargo build` first, or `cargo test` for the whole workspace",
        path.display()
    );
    path
}

/// Cache of compiled components, one for the whole run: compiling them takes seconds.
pub fn cache() -> PathBuf {
    let directory = profile_directory()
        .parent()
        .expect("the profile's directory stands in the target directory")
        .join("tmp/execgate-cache");
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(&directory)
        .expect("the target directory can be written");
    directory
}

/// `target/<profile>`: test executables stand in its `deps`.
fn profile_directory() -> PathBuf {
    let executable = std::env::current_exe().expect("the running executable has a path");
    executable
        .parent()
        .and_then(Path::parent)
        .expect("cargo runs test executables from `target/<profile>/deps`")
        .to_owned()
}
