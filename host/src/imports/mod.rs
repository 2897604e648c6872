//! The host's side of what components import. One file an interface.

pub(crate) mod counters;
pub(crate) mod log;
mod outcome;
pub(crate) mod patterns;
mod request;
mod workspace;

use wasmtime::component::{HasData, HasSelf, Linker, ResourceTable};
use wasmtime_wasi::WasiView;
use wasmtime_wasi::cli::{WasiCli, WasiCliView};
use wasmtime_wasi::p2::bindings::{cli, io, random};
use wasmtime_wasi::random::WasiRandom;

use crate::bindings::All;
use crate::state::State;

/// Gives the `io` interfaces their table.
struct Tables;

impl HasData for Tables {
    type Data<'a> = &'a mut ResourceTable;
}

/// Links everything that any component may import; what one of them may really
/// import is checked before it is linked, see [`crate::manifest`].
pub(crate) fn link(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    All::add_to_linker::<_, HasSelf<State>>(linker, |state| state)?;
    io::error::add_to_linker::<_, Tables>(linker, State::table)?;
    io::poll::add_to_linker::<_, Tables>(linker, State::table)?;
    io::streams::add_to_linker::<_, Tables>(linker, State::table)?;
    random::insecure_seed::add_to_linker::<State, WasiRandom>(linker, |state| {
        state.ctx().ctx.random()
    })?;
    cli::environment::add_to_linker::<State, WasiCli>(linker, State::cli)?;
    cli::exit::add_to_linker::<State, WasiCli>(linker, State::cli)?;
    cli::stdin::add_to_linker::<State, WasiCli>(linker, State::cli)?;
    cli::stdout::add_to_linker::<State, WasiCli>(linker, State::cli)?;
    cli::stderr::add_to_linker::<State, WasiCli>(linker, State::cli)?;
    cli::terminal_input::add_to_linker::<State, WasiCli>(linker, State::cli)?;
    cli::terminal_output::add_to_linker::<State, WasiCli>(linker, State::cli)?;
    cli::terminal_stdin::add_to_linker::<State, WasiCli>(linker, State::cli)?;
    cli::terminal_stdout::add_to_linker::<State, WasiCli>(linker, State::cli)?;
    cli::terminal_stderr::add_to_linker::<State, WasiCli>(linker, State::cli)?;
    Ok(())
}
