//! Runs one call: its wall clock, and the guard against calls from within a host call.

use std::cell::Cell;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;
use std::time::{Duration, Instant};

use crate::fault::Raised;

thread_local! {
    /// Whether this thread runs a component right now.
    static INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// Held while a thread runs a component.
struct Inside;

impl Inside {
    fn enter() -> Option<Self> {
        (!INSIDE.replace(true)).then_some(Self)
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        INSIDE.set(false);
    }
}

/// Whether the caller stands within a host call of a component.
pub(crate) fn inside() -> bool {
    INSIDE.get()
}

/// Polls a call until it is done or has run for too long.
///
/// Only the time in which it really runs counts: a call that waits for its turn
/// behind others pays nothing. Fuel makes a busy component yield, so that it is
/// looked at every millisecond or so; waiting host calls watch the clock themselves.
pub(crate) async fn run<T>(
    limit: Duration,
    call: impl Future<Output = wasmtime::Result<T>>,
) -> wasmtime::Result<T> {
    let mut call = pin!(call);
    let mut used = Duration::ZERO;
    poll_fn(move |context| {
        let Some(_inside) = Inside::enter() else {
            return Poll::Ready(Err(Raised::Reentrant.into()));
        };
        let start = Instant::now();
        let polled = call.as_mut().poll(context);
        used += start.elapsed();
        if polled.is_pending() && used > limit {
            return Poll::Ready(Err(Raised::WallClock(limit.as_millis()).into()));
        }
        polled
    })
    .await
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};
    use std::task::{Context, Waker};

    use super::*;

    fn poll<T>(future: impl Future<Output = T>) -> Poll<T> {
        pin!(future).poll(&mut Context::from_waker(Waker::noop()))
    }

    #[test]
    fn a_call_within_a_call_is_refused_and_the_guard_is_lifted() {
        let outer = run(Duration::MAX, async {
            let inner = run(Duration::MAX, ready(Ok(()))).await;
            Ok(inner.is_err_and(|error| matches!(error.downcast_ref(), Some(Raised::Reentrant))))
        });
        assert!(matches!(poll(outer), Poll::Ready(Ok(true))));
        assert!(!inside());
    }

    #[test]
    fn waiting_does_not_count() {
        assert!(poll(run::<()>(Duration::from_secs(5), pending())).is_pending());
    }

    #[test]
    fn a_call_that_ran_too_long_ends_when_it_yields() {
        let mut yielded = false;
        let busy = poll_fn(|_| {
            let spin = Instant::now();
            while spin.elapsed().is_zero() {}
            yielded = true;
            Poll::<wasmtime::Result<()>>::Pending
        });
        assert!(matches!(
            poll(run(Duration::ZERO, busy)),
            Poll::Ready(Err(_))
        ));
        assert!(yielded);
    }
}
