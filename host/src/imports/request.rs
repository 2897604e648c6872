//! The import `request`: the getters of the request that a call lends.

use std::sync::Arc;

use wasmtime::component::Resource;

use crate::bindings::execgate::policy::{command, request, settings, verdict};
use crate::fault::Raised;
use crate::request::RequestFacts;
use crate::state::{CALL, LentRequest, State};
use crate::wire::{Caller, CommandLine, Dialect, Executable, Kind, PathKind, Place};

/// Paths that a call may look up, as the contract says.
const PLACES: u32 = 4096;

type Handle = Resource<LentRequest>;

impl State {
    /// Every getter comes through here, and is billed here.
    fn request(&mut self) -> wasmtime::Result<Arc<dyn RequestFacts>> {
        self.bill(CALL)?;
        let lent = self.lent.request.clone();
        lent.ok_or_else(|| {
            Raised::Malformed("it used a request that it was not lent".into()).into()
        })
    }
}

impl command::Host for State {}
impl settings::Host for State {}
impl verdict::Host for State {}
impl request::Host for State {}

impl request::HostRequest for State {
    fn kind(&mut self, _: Handle) -> wasmtime::Result<Kind> {
        Ok(self.request()?.kind())
    }
    fn text(&mut self, _: Handle) -> wasmtime::Result<String> {
        let request = self.request()?;
        self.bill(request.text().len())?;
        Ok(request.text().to_owned())
    }
    fn dialect(&mut self, _: Handle) -> wasmtime::Result<Dialect> {
        Ok(self.request()?.dialect())
    }
    fn command_line(&mut self, _: Handle) -> wasmtime::Result<CommandLine> {
        let request = self.request()?;
        // Words and segments take about 16 times the text they stand for.
        self.bill(request.text().len().saturating_mul(16))?;
        Ok(request.command_line().clone())
    }
    fn caller(&mut self, _: Handle) -> wasmtime::Result<Caller> {
        Ok(self.request()?.caller())
    }
    fn cwd(&mut self, _: Handle) -> wasmtime::Result<Place> {
        Ok(self.request()?.cwd())
    }
    fn cwd_given(&mut self, _: Handle) -> wasmtime::Result<bool> {
        Ok(self.request()?.cwd_given())
    }
    fn workspace(&mut self, _: Handle) -> wasmtime::Result<Option<String>> {
        Ok(self.request()?.workspace())
    }
    fn home(&mut self, _: Handle) -> wasmtime::Result<Option<String>> {
        Ok(self.request()?.home())
    }
    fn env_names(&mut self, _: Handle) -> wasmtime::Result<Vec<String>> {
        let names = self.request()?.env_names();
        self.bill(names.iter().map(String::len).sum())?;
        Ok(names)
    }
    fn env_overrides(&mut self, _: Handle) -> wasmtime::Result<Vec<(String, String)>> {
        let pairs = self.request()?.env_overrides();
        self.bill(
            pairs
                .iter()
                .map(|(name, value)| name.len() + value.len())
                .sum(),
        )?;
        Ok(pairs)
    }
    fn target(&mut self, _: Handle) -> wasmtime::Result<String> {
        Ok(self.request()?.target())
    }
    fn terminal(&mut self, _: Handle) -> wasmtime::Result<bool> {
        Ok(self.request()?.terminal())
    }
    fn background(&mut self, _: Handle) -> wasmtime::Result<bool> {
        Ok(self.request()?.background())
    }
    fn elevated(&mut self, _: Handle) -> wasmtime::Result<bool> {
        Ok(self.request()?.elevated())
    }
    fn timeout_ms(&mut self, _: Handle) -> wasmtime::Result<Option<u64>> {
        Ok(self.request()?.timeout_ms())
    }
    fn executable(&mut self, _: Handle, segment: u32) -> wasmtime::Result<Option<Executable>> {
        Ok(self.request()?.executable(segment))
    }
    fn place(&mut self, _: Handle, path: String) -> wasmtime::Result<Place> {
        let request = self.request()?;
        if self.places == PLACES {
            return Ok(Place {
                path,
                real_path: None,
                kind: PathKind::Unknown,
                in_workspace: false,
                in_cwd: false,
                annotations: Vec::new(),
            });
        }
        self.places += 1;
        Ok(request.place(&path))
    }
    fn annotation(&mut self, _: Handle, name: String) -> wasmtime::Result<Option<String>> {
        Ok(self.request()?.annotation(&name))
    }
    fn drop(&mut self, _: Handle) -> wasmtime::Result<()> {
        // Only borrows are lent; a borrow's end is nothing to the host.
        Ok(())
    }
}
