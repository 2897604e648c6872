//! Recordings of terminal sessions: asciicast version 2, a file that the players of asciinema read.
//!
//! A [`Recorder`] writes one, a [`Player`] reads one. Both are handed the time and wait for nothing. Other versions are refused.
//!
//! ```
//! use std::time::Duration;
//!
//! use execgate_screen::Size;
//! use execgate_screen::cast::{Event, Header, Pace, Player, Recorder, Recording};
//!
//! let header = Header::new(Size::new(24, 80)?);
//! let mut recorder = Recorder::new(Vec::new(), &header, Recording::default())?;
//! recorder.output(Duration::from_millis(1500), b"hello\r\n")?;
//! let file = recorder.finish()?;
//!
//! let mut player = Player::new(file.as_slice(), Pace { speed: 2.0, idle_limit: None })?;
//! let played = player.next_event()?.expect("one was recorded");
//! assert_eq!(played.play_at, Duration::from_millis(750));
//! assert_eq!(played.event, Event::Output("hello\r\n".to_owned()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod event;
mod header;
mod pace;
mod player;
mod recorder;
#[cfg(test)]
mod tests;

pub use error::CastError;
pub use event::Event;
pub use header::Header;
pub use pace::Pace;
pub use player::{Played, Player};
pub use recorder::{Input, Recorder, Recording};
