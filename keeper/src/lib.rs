//! The wire between a runner and its keeper.
//!
//! The keeper is a small single-threaded program that is parent and subreaper of everything a runner starts. Runner and keeper talk over one
//! Unix stream socket: length-prefixed binary frames, with the descriptors of a new process sent along as `SCM_RIGHTS`.
//!
//! 1. The runner starts the `execgate-keeper` program with its end of a socket pair as standard input.
//! 2. The keeper answers [`Event::Ready`] once it is subreaper, in a session of its own and deaf to the terminal.
//! 3. The runner sends [`Request`]s, built with [`Request::to_frame`]; the keeper answers with [`Event`]s, read through [`Frames`].
//! 4. When the runner's end closes, however that happens, the keeper ends every process below it and then itself.
//!
//! This crate holds the messages only. It does not open, read or write a socket.

mod wire;

pub use wire::{
    Event, Frames, MAXIMUM_DESCRIPTORS, MAXIMUM_FRAME, Placement, Request, SESSION_VARIABLE, Spawn,
    Stage, Survivor, Usage, WireError,
};
