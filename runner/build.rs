//! Builds the keeper program, which the library embeds.

#[path = "../guest-policy/nested_cargo.rs"]
mod nested_cargo;

use nested_cargo::{Package, Product, build};

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
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=../guest-policy/nested_cargo.rs");
}
