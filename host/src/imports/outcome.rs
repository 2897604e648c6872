//! The import `outcome`: the getters of the completion and the output that a call lends.

use std::sync::Arc;

use wasmtime::component::Resource;

use crate::bindings::execgate::policy::outcome;
use crate::fault::Raised;
use crate::outcome::{CompletionFacts, OutputFacts};
use crate::state::{CALL, LentCompletion, LentOutput, State};
use crate::wire::{Artifact, Ending, Survivor};

/// Bytes or scalars that one call gives at most; for `read` the contract says so.
const AT_ONCE: u32 = 1 << 20;

type Completion = Resource<LentCompletion>;
type Output = Resource<LentOutput>;

impl State {
    fn completion(&mut self) -> wasmtime::Result<Arc<dyn CompletionFacts>> {
        self.bill(CALL)?;
        let lent = self.lent.completion.clone();
        lent.ok_or_else(|| {
            Raised::Malformed("it used a completion that it was not lent".into()).into()
        })
    }

    fn output(&mut self) -> wasmtime::Result<Arc<dyn OutputFacts>> {
        self.bill(CALL)?;
        let lent = self.lent.output.clone();
        lent.ok_or_else(|| {
            Raised::Malformed("it used an output that it was not lent".into()).into()
        })
    }
}

impl outcome::Host for State {}

impl outcome::HostCompletion for State {
    fn ending(&mut self, _: Completion) -> wasmtime::Result<Ending> {
        Ok(self.completion()?.ending())
    }
    fn exit_code(&mut self, _: Completion) -> wasmtime::Result<Option<i32>> {
        Ok(self.completion()?.exit_code())
    }
    fn signal(&mut self, _: Completion) -> wasmtime::Result<Option<u32>> {
        Ok(self.completion()?.signal())
    }
    fn error(&mut self, _: Completion) -> wasmtime::Result<Option<String>> {
        Ok(self.completion()?.error())
    }
    fn duration_ms(&mut self, _: Completion) -> wasmtime::Result<u64> {
        Ok(self.completion()?.duration_ms())
    }
    fn timeout_ms(&mut self, _: Completion) -> wasmtime::Result<Option<u64>> {
        Ok(self.completion()?.timeout_ms())
    }
    fn cwd(&mut self, _: Completion) -> wasmtime::Result<String> {
        Ok(self.completion()?.cwd())
    }
    fn user_time_us(&mut self, _: Completion) -> wasmtime::Result<u64> {
        Ok(self.completion()?.user_time_us())
    }
    fn system_time_us(&mut self, _: Completion) -> wasmtime::Result<u64> {
        Ok(self.completion()?.system_time_us())
    }
    fn max_resident(&mut self, _: Completion) -> wasmtime::Result<u64> {
        Ok(self.completion()?.max_resident())
    }
    fn artifact(&mut self, _: Completion) -> wasmtime::Result<Option<Artifact>> {
        Ok(self.completion()?.artifact())
    }
    fn survivors(&mut self, _: Completion) -> wasmtime::Result<Vec<Survivor>> {
        Ok(self.completion()?.survivors())
    }
    fn annotation(&mut self, _: Completion, name: String) -> wasmtime::Result<Option<String>> {
        Ok(self.completion()?.annotation(&name))
    }
    fn drop(&mut self, _: Completion) -> wasmtime::Result<()> {
        Ok(())
    }
}

impl outcome::HostOutput for State {
    fn total_bytes(&mut self, _: Output) -> wasmtime::Result<u64> {
        Ok(self.output()?.total_bytes())
    }
    fn total_chars(&mut self, _: Output) -> wasmtime::Result<u64> {
        Ok(self.output()?.total_chars())
    }
    fn invalid_sequences(&mut self, _: Output) -> wasmtime::Result<u64> {
        Ok(self.output()?.invalid_sequences())
    }
    fn retained(&mut self, _: Output) -> wasmtime::Result<(u64, u64)> {
        Ok(self.output()?.retained())
    }
    fn read(&mut self, _: Output, offset: u64, max: u32) -> wasmtime::Result<Vec<u8>> {
        let max = max.min(AT_ONCE);
        let mut bytes = self.output()?.read(offset, max);
        bytes.truncate(max as usize);
        self.bill(bytes.len())?;
        Ok(bytes)
    }
    fn head(&mut self, _: Output, max: u32) -> wasmtime::Result<String> {
        let text = self.output()?.head(max.min(AT_ONCE));
        self.bill(text.len())?;
        Ok(text)
    }
    fn tail(&mut self, _: Output, max: u32) -> wasmtime::Result<String> {
        let text = self.output()?.tail(max.min(AT_ONCE));
        self.bill(text.len())?;
        Ok(text)
    }
    fn drop(&mut self, _: Output) -> wasmtime::Result<()> {
        Ok(())
    }
}
