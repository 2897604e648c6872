//! The `execgate` command.
fn main() {}
