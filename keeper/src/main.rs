//! The keeper program.
fn main() {}
