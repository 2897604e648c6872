//! Builds what the library embeds: the keeper program and the built-in components.

#[path = "../guest-policy/nested_cargo.rs"]
mod nested_cargo;

use std::fmt::Write as _;
use std::path::Path;

use nested_cargo::{Package, Product, build};

/// The constant that holds a component, and the package it is built from.
const COMPONENTS: &[(&str, &str)] = &[
    ("ANALYZER", "execgate-analyzer"),
    ("DEFAULT", "execgate-default"),
    ("PICOCLAW", "execgate-picoclaw"),
    ("OPENCLAW", "execgate-openclaw"),
];

fn main() {
    let target = std::env::var("TARGET").expect("cargo sets TARGET");
    let keeper = build(&Package {
        name: "execgate-keeper",
        profile: "keeper",
        target: &target,
        product: Product::Program,
    });
    println!(
        "cargo::rustc-env=EXECGATE_KEEPER_PROGRAM={}",
        keeper.display()
    );
    let directory = std::env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    std::fs::write(Path::new(&directory).join("guests.rs"), components())
        .expect("OUT_DIR can be written");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=../guest-policy/nested_cargo.rs");
}

/// One constant a component, with its bytes.
fn components() -> String {
    let mut constants = String::new();
    for (constant, package) in COMPONENTS {
        let path = build(&Package {
            name: package,
            profile: "guest",
            target: "wasm32-wasip2",
            product: Product::Component,
        });
        writeln!(
            constants,
            "const {constant}: &[u8] = include_bytes!({path:?});"
        )
        .expect("writing to a string cannot fail");
    }
    constants
}
