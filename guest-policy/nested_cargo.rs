// Builds a package of this workspace from a build script, with a cargo of its own.
//
// Used by `#[path]` from the build scripts that embed a program or components. It has a target directory below `OUT_DIR`, so that it never waits
// for the lock of the cargo that runs the build script.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// What a package is built into.
#[allow(dead_code, reason = "each build script uses one of them")]
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Product {
    /// The program of the package's own name.
    Program,
    /// A WebAssembly component, from the package's library.
    Component,
}

/// One package to build.
pub struct Package<'a> {
    /// Its name; a program bears the same.
    pub name: &'a str,
    /// A profile of the workspace's manifest.
    pub profile: &'a str,
    /// Target triple.
    pub target: &'a str,
    pub product: Product,
}

/// Builds a package and returns the path of its program or component. Tells cargo which files it was made of.
///
/// On failure it prints a `cargo::error=` line that says what to do and ends the build script.
pub fn build(package: &Package) -> PathBuf {
    match try_build(package) {
        Ok(path) => path,
        Err(message) => fail(&message),
    }
}

#[allow(clippy::exit, reason = "nothing can go on without the package")]
fn fail(message: &str) -> ! {
    println!("cargo::error={message}");
    std::process::exit(1)
}

fn try_build(package: &Package) -> Result<PathBuf, String> {
    if package.product == Product::Component {
        probe_target(package.target)?;
    }
    let root = workspace_root()?;
    let target_directory = Path::new(&variable("OUT_DIR")?).join("nested");
    let status = command(package, &root, &target_directory)?
        .status()
        .map_err(|error| format!("`cargo` for `{}` does not start: {error}", package.name))?;
    if !status.success() {
        let name = package.name;
        return Err(format!(
            "building `{name}` failed ({status}); see the messages above"
        ));
    }
    let directory = target_directory.join(package.target).join(package.profile);
    rerun_if_changed(&root.join("Cargo.lock"));
    rerun_if_changed(&root.join("Cargo.toml"));
    let (product, dependencies) = file_names(package);
    rerun_if_sources_change(&directory.join(dependencies))?;
    Ok(directory.join(product))
}

fn command(package: &Package, root: &Path, target_directory: &Path) -> Result<Command, String> {
    let mut command = Command::new(variable("CARGO")?);
    match package.product {
        Product::Program => command.args(["build", "--bin", package.name]),
        Product::Component => command.args(["rustc", "--lib", "--crate-type", "cdylib"]),
    };
    command.args([
        "--locked",
        "--package",
        package.name,
        "--profile",
        package.profile,
    ]);
    command
        .args(["--target", package.target, "--target-dir"])
        .arg(target_directory);
    command.current_dir(root);
    // What the outer cargo tells this script about the outer build must not steer the inner one. The jobserver stays.
    for (name, _) in env::vars_os() {
        if name.to_str().is_some_and(is_of_the_outer_build) {
            command.env_remove(name);
        }
    }
    Ok(command)
}

fn is_of_the_outer_build(name: &str) -> bool {
    const NAMES: [&str; 5] = [
        "CARGO_BUILD_TARGET",
        "CARGO_ENCODED_RUSTFLAGS",
        "CARGO_TARGET_DIR",
        "RUSTC_WORKSPACE_WRAPPER",
        "RUSTFLAGS",
    ];
    const PREFIXES: [&str; 4] = [
        "CARGO_CFG_",
        "CARGO_FEATURE_",
        "CARGO_PROFILE_",
        "CARGO_PKG_",
    ];
    NAMES.contains(&name) || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

/// Returns the names of the product and of the file that lists its sources.
fn file_names(package: &Package) -> (String, String) {
    let name = package.name;
    let library = name.replace('-', "_");
    match package.product {
        Product::Program if package.target.contains("windows") => {
            (format!("{name}.exe"), format!("{name}.d"))
        }
        Product::Program => (name.to_owned(), format!("{name}.d")),
        Product::Component => (format!("{library}.wasm"), format!("{library}.d")),
    }
}

/// Cargo watches only the package of the build script itself; sources of path dependencies count as well.
fn rerun_if_sources_change(list: &Path) -> Result<(), String> {
    let text = fs::read_to_string(list)
        .map_err(|error| format!("`{}` is not readable: {error}", list.display()))?;
    let (_, sources) = text.split_once(": ").unwrap_or_default();
    // A blank within a path is escaped by a backslash.
    let sources = sources.trim_end().replace("\\ ", "\0");
    for source in sources.split_ascii_whitespace() {
        rerun_if_changed(Path::new(&source.replace('\0', " ")));
    }
    Ok(())
}

fn rerun_if_changed(path: &Path) {
    println!("cargo::rerun-if-changed={}", path.display());
}

/// A missing target gives pages of "can't find crate for `core`"; one line with the remedy is better.
fn probe_target(target: &str) -> Result<(), String> {
    let output = Command::new(variable("RUSTC")?)
        .args(["--print", "target-libdir", "--target", target])
        .output()
        .map_err(|error| format!("`rustc` does not start: {error}"))?;
    let directory = String::from_utf8_lossy(&output.stdout);
    let mut entries = fs::read_dir(directory.trim())
        .into_iter()
        .flatten()
        .flatten();
    if entries.any(|entry| entry.file_name().to_string_lossy().starts_with("libcore-")) {
        return Ok(());
    }
    Err(format!(
        "the Rust target `{target}` is not installed: run `rustup target add {target}`"
    ))
}

/// The build scripts stand in packages one or more directories below the workspace's manifest.
fn workspace_root() -> Result<PathBuf, String> {
    let package = PathBuf::from(variable("CARGO_MANIFEST_DIR")?);
    let root = package
        .ancestors()
        .skip(1)
        .find(|directory| directory.join("Cargo.lock").exists());
    root.map(Path::to_owned)
        .ok_or_else(|| "no `Cargo.lock` above this package".to_owned())
}

fn variable(name: &str) -> Result<String, String> {
    env::var(name).map_err(|_| format!("`{name}` is not set: run this build script through cargo"))
}
