//! Lines for the operator's log: the host's in a component, standard error in native tests.

/// How much a line matters.
pub use crate::bindings::execgate::policy::log::Level;

/// Writes one line.
pub fn write(level: Level, message: &str) {
    #[cfg(target_family = "wasm")]
    crate::bindings::execgate::policy::log::write(level, message);
    #[cfg(not(target_family = "wasm"))]
    {
        use std::io::Write as _;
        // A log that cannot be written must not change a verdict.
        let _ = writeln!(std::io::stderr(), "{level:?}: {message}");
    }
}
