//! The steps that change the file system, one after the other.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

/// Asked before each step; an error is that of the step.
type Hook = dyn Fn(u64) -> io::Result<()> + Send + Sync;

/// Goes before every change of the file system, so that a test can make each of them fail, or be the last that happens.
#[derive(Default)]
pub(crate) struct Steps {
    count: AtomicU64,
    hook: Option<Box<Hook>>,
}

impl Steps {
    /// Steps that a test looks at; they are numbered from 0.
    #[cfg(test)]
    pub fn watched(hook: impl Fn(u64) -> io::Result<()> + Send + Sync + 'static) -> Self {
        Self {
            count: AtomicU64::new(0),
            hook: Some(Box::new(hook)),
        }
    }

    /// Announces the next step.
    pub fn next(&self) -> io::Result<()> {
        let number = self.count.fetch_add(1, Ordering::Relaxed);
        self.hook.as_ref().map_or(Ok(()), |hook| hook(number))
    }
}

impl std::fmt::Debug for Steps {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Steps").finish_non_exhaustive()
    }
}
