//! The profile natively: through the parser, over a real scratch directory.

mod disk;
mod formatter;
mod guard;
mod policy;
mod settings;
