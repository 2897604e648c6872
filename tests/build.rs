//! Builds the example policy that the suites swap in.

#[path = "../guest-policy/nested_cargo.rs"]
mod nested_cargo;

use nested_cargo::{Package, Product, build};

fn main() {
    let component = build(&Package {
        name: "execgate-read-only",
        profile: "guest",
        target: "wasm32-wasip2",
        product: Product::Component,
    });
    println!(
        "cargo::rustc-env=EXECGATE_READ_ONLY_COMPONENT={}",
        component.display()
    );
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=../guest-policy/nested_cargo.rs");
}
