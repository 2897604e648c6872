//! The handle that callers hold.

use std::time::{Duration, Instant};

use execgate_keeper::{Request, Survivor};
use tokio::sync::{mpsc, oneshot};

use super::actor::{self, Order};
use super::error::{KeeperError, SpawnError};
use super::launch::{Launch, Prepared};
use super::running::{ExitWaiter, Running};

/// A running keeper. Cloning gives another handle of the same one.
#[derive(Debug, Clone)]
pub struct Keeper {
    // Unbounded so that a dropped future can still order a kill; each caller waits for its answer, so there are few.
    orders: mpsc::UnboundedSender<Order>,
}

/// The end of a process tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Killed {
    /// Processes that were signalled.
    pub count: u32,
    /// Processes that resisted, because they are another user's or stuck in the kernel; normally 0.
    pub left: u32,
}

impl Keeper {
    /// Starts a keeper program and the task that talks to it, on the current tokio runtime.
    ///
    /// # Errors
    ///
    /// [`KeeperError::Start`] or [`KeeperError::NotReady`] when the program cannot be started or set up.
    pub async fn start() -> Result<Self, KeeperError> {
        let orders = actor::start().await?;
        Ok(Self { orders })
    }

    /// Whether it has died or was shut down, so that a new one must be started.
    #[must_use]
    pub fn is_lost(&self) -> bool {
        self.orders.is_closed()
    }

    /// Starts a process.
    ///
    /// When the returned future is dropped before it is done, the process is ended again.
    ///
    /// # Errors
    ///
    /// [`SpawnError`]; nothing is left of the attempt then.
    pub async fn spawn(&self, launch: Launch) -> Result<Running, SpawnError> {
        let (session, directory, program) = (
            launch.session.clone(),
            launch.directory.clone(),
            launch.program.clone(),
        );
        let Prepared {
            frame,
            descriptors,
            stdin,
            output,
        } = launch.prepare()?;
        let (reply, answer) = oneshot::channel();
        let (exit_sender, exit) = oneshot::channel();
        let id = session.clone();
        self.order(Order::Spawn {
            id,
            frame,
            descriptors,
            reply,
            exit: exit_sender,
        })?;
        let guard = KillOnDrop::new(self, &session);
        let outcome = answer.await.map_err(|_| KeeperError::Lost)?;
        guard.disarm();
        let pid =
            outcome.map_err(|refusal| refusal.into_error(session.clone(), directory, program))?;
        Ok(Running {
            session,
            pid,
            started: Instant::now(),
            exit: ExitWaiter::new(exit),
            stdin,
            output,
            keeper: self.clone(),
        })
    }

    /// Sends a signal to the process group of a session's first process, while that one runs.
    ///
    /// # Errors
    ///
    /// [`KeeperError::Signal`] when it has ended (no signal is sent then) or the number is no signal; [`KeeperError::Lost`].
    pub async fn signal(&self, session: &str, signal: i32) -> Result<(), KeeperError> {
        let (reply, answer) = oneshot::channel();
        let id = session.to_owned();
        self.order(Order::Signal {
            request: Request::Signal { id, signal },
            reply,
        })?;
        let errno = answer.await.map_err(|_| KeeperError::Lost)?;
        if errno == 0 {
            return Ok(());
        }
        let source = std::io::Error::from_raw_os_error(errno);
        Err(KeeperError::Signal {
            session: session.to_owned(),
            source,
        })
    }

    /// Ends every process of a session: a polite signal, the grace, then kills until nothing is left. Answers when they are gone.
    ///
    /// A session that has ended gives zero, and no signal is sent.
    ///
    /// # Errors
    ///
    /// [`KeeperError::Lost`] when the keeper is gone.
    pub async fn kill_tree(&self, session: &str, grace: Duration) -> Result<Killed, KeeperError> {
        let (reply, answer) = oneshot::channel();
        self.order(Order::Kill {
            id: session.to_owned(),
            grace,
            reply: Some(reply),
        })?;
        answer.await.map_err(|_| KeeperError::Lost)
    }

    /// Lists the living processes of a session, at most 1,000.
    ///
    /// # Errors
    ///
    /// [`KeeperError::Lost`] when the keeper is gone.
    pub async fn survivors(&self, session: &str) -> Result<Vec<Survivor>, KeeperError> {
        let (reply, answer) = oneshot::channel();
        self.order(Order::Survivors {
            id: session.to_owned(),
            reply,
        })?;
        answer.await.map_err(|_| KeeperError::Lost)
    }

    /// Ends every session and then the keeper; answers when both have happened.
    ///
    /// # Errors
    ///
    /// [`KeeperError::Lost`] when the keeper was gone before.
    pub async fn shutdown(&self, grace: Duration) -> Result<Killed, KeeperError> {
        let (reply, answer) = oneshot::channel();
        self.order(Order::Shutdown { grace, reply })?;
        answer.await.map_err(|_| KeeperError::Lost)
    }

    fn order(&self, order: Order) -> Result<(), KeeperError> {
        self.orders.send(order).map_err(|_| KeeperError::Lost)
    }
}

/// Ends a session when it is dropped: when the one who waits for it goes away.
#[derive(Debug)]
pub(crate) struct KillOnDrop(Option<(Keeper, String)>);

impl KillOnDrop {
    pub(crate) fn new(keeper: &Keeper, session: &str) -> Self {
        Self(Some((keeper.clone(), session.to_owned())))
    }

    pub(crate) fn disarm(mut self) {
        self.0 = None;
    }
}

impl Drop for KillOnDrop {
    fn drop(&mut self) {
        if let Some((keeper, id)) = self.0.take() {
            // A keeper that is gone needs no order.
            let _ = keeper.order(Order::Kill {
                id,
                grace: Duration::ZERO,
                reply: None,
            });
        }
    }
}
