//! A stream whose secrets are covered before anybody takes it.

use std::sync::Arc;

use super::{CONTEXT, Secrets};

/// Covers secrets in a stream, whatever its chunks. An end that may be the beginning of a secret waits for what comes next.
#[derive(Debug)]
pub struct MaskedStream {
    secrets: Arc<Secrets>,
    /// The last bytes that were given out, as they came: what stands before a secret is part of how it is told.
    before: Vec<u8>,
    /// Bytes that may be the beginning of a secret, or of what they are is not yet known.
    waiting: Vec<u8>,
}

impl MaskedStream {
    /// A stream at its beginning.
    pub fn new(secrets: Arc<Secrets>) -> Self {
        Self {
            secrets,
            before: Vec::new(),
            waiting: Vec::new(),
        }
    }

    /// Takes a chunk, and gives what can be given.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut page = std::mem::take(&mut self.waiting);
        page.extend_from_slice(bytes);
        let settled = page.len() - self.secrets.unsettled(&page);
        self.waiting = page[settled..].to_vec();
        self.masked(page, settled)
    }

    /// Gives what still waits: nothing will follow it.
    pub fn finish(&mut self) -> Vec<u8> {
        let page = std::mem::take(&mut self.waiting);
        let settled = page.len();
        let masked = self.masked(page, settled);
        self.before = Vec::new();
        masked
    }

    /// The first bytes of a page; the others are only looked at.
    fn masked(&mut self, mut page: Vec<u8>, settled: usize) -> Vec<u8> {
        let after = page.split_off(settled);
        let raw = page.clone();
        self.secrets.masked_window(&self.before, &mut page, &after);
        self.before.extend_from_slice(&raw);
        self.before
            .drain(..self.before.len().saturating_sub(CONTEXT));
        page
    }
}
