//! What a command prints: kept in bounded memory, counted, and spilled to a file when it grows.
//!
//! Nothing here reads a descriptor or knows a process. [`Capture`] owns one stream; the other types are its parts.

mod capture;
mod decode;
mod head;
pub mod lines;
pub mod mask;
mod ring;
pub mod sanitize;
mod spill;

pub use capture::{Capture, CaptureSettings};
pub use decode::Decoder;
pub use head::Head;
pub use ring::{Ring, Slice};
pub use spill::{Artifact, Spill, SpillTarget};
