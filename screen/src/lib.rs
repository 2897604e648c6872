//! Shows what a terminal would show, from the bytes that a program prints.
//!
//! For whoever runs programs in a pseudo terminal and is no terminal: to see a full-screen program as a person does, to answer what it asks
//! its terminal, to know which keys it wants, and to keep a recording. With a [`Screen`] beside the terminal:
//!
//! 1. [`Screen::push`] all that the program prints, and type the [`Replies`] at once: programs hang without them.
//! 2. [`Screen::snapshot`] is what a person sees; [`Screen::changes_since`] what is new; [`Screen::contains`] what to wait for.
//! 3. [`Screen::modes`] says how to type keys and pasted text.
//! 4. [`Screen::resize`] together with the terminal.
//!
//! ```
//! use execgate_screen::{Screen, Settings, Styles};
//!
//! let mut screen = Screen::new(&Settings::default());
//! let replies = screen.push(b"progress 10 %\rprogress 99 %\x1b[6n");
//! assert_eq!(replies.as_bytes(), b"\x1b[1;14R");
//! let seen = screen.snapshot(Styles::Omitted);
//! assert_eq!(seen.rows[0], "progress 99 %");
//! assert!(screen.push(b"\r\ndone").is_empty());
//! let changes = screen.changes_since(seen.revision, Styles::Omitted);
//! assert_eq!(changes.rows[0].text, "done");
//! ```
//!
//! [`cast`] records a session and plays it back. It opens no terminal, starts no program, reads no clock and waits for nothing.
#![forbid(unsafe_code)]

mod answer;
pub mod cast;
mod csi;
mod decoder;
mod emulator;
mod keyboard;
mod look;
mod modes;
mod palette;
mod row;
mod scanner;
mod screen;
mod settings;
mod size;
mod snapshot;
mod style;
mod terminal;
mod title;

pub use modes::{CursorKeys, Modes, MouseEncoding, MouseTracking};
pub use palette::Palette;
pub use screen::{Replies, Screen};
pub use settings::{KeyboardProtocol, Settings};
pub use size::{Size, SizeError};
pub use snapshot::{ChangedRow, Changes, Cursor, Shape, Snapshot, Styles};
pub use style::{Color, Rgb, Run, Style};
