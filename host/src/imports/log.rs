//! The import `log`: lines for the operator, as `tracing` events with the component's name.

use crate::bindings::execgate::policy::log::{Host, Level};
use crate::state::State;

/// Bytes of a line, as the contract says.
const LINE: usize = 4096;
/// Lines of a call, as the contract says.
const LINES: u32 = 100;

/// Counts the lines of one call.
#[derive(Default)]
pub(crate) struct LogBudget {
    written: u32,
    /// Lines that were not written.
    pub(crate) dropped: u32,
}

impl LogBudget {
    /// The part of a line that is written, if any.
    fn take<'a>(&mut self, line: &'a str) -> Option<&'a str> {
        if self.written == LINES {
            self.dropped = self.dropped.saturating_add(1);
            return None;
        }
        self.written += 1;
        Some(&line[..line.floor_char_boundary(LINE)])
    }
}

impl Host for State {
    fn write(&mut self, level: Level, message: String) -> wasmtime::Result<()> {
        self.bill(message.len())?;
        let component = &*self.component;
        let Some(line) = self.log.take(&message) else {
            return Ok(());
        };
        match level {
            Level::Debug => tracing::debug!(component, "{line}"),
            Level::Info => tracing::info!(component, "{line}"),
            Level::Warn => tracing::warn!(component, "{line}"),
            Level::Error => tracing::error!(component, "{line}"),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_and_counted() {
        let mut budget = LogBudget::default();
        let long = "é".repeat(LINE);
        assert_eq!(budget.take(&long).map(str::len), Some(LINE));
        for _ in 1..LINES {
            assert_eq!(budget.take("x"), Some("x"));
        }
        assert_eq!(budget.take("x"), None);
        assert_eq!(budget.dropped, 1);
    }
}
