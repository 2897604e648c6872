//! The one task that owns the socket to the keeper and everything that waits for an answer.

use std::collections::{HashMap, VecDeque};
use std::io::{self, IoSlice};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use execgate_keeper::{Event, Frames, MAXIMUM_DESCRIPTORS, Request, Stage, Survivor};
use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, sendmsg};
use tokio::io::Interest;
use tokio::net::UnixStream;
use tokio::process::Child;
use tokio::sync::{mpsc, oneshot};

use super::client::Killed;
use super::error::{KeeperError, SpawnError};
use super::platform;
use super::program::{self, Started};
use super::running::{Exit, Status};

/// Bytes read at once; events are small.
const CHUNK: usize = 16 << 10;

/// What a handle asks of the task. An answer that cannot come any more is a dropped sender.
#[derive(Debug)]
pub(super) enum Order {
    Spawn {
        id: String,
        frame: Vec<u8>,
        descriptors: Vec<OwnedFd>,
        reply: oneshot::Sender<Result<u32, Refusal>>,
        exit: oneshot::Sender<Exit>,
    },
    Signal {
        request: Request,
        reply: oneshot::Sender<i32>,
    },
    Kill {
        id: String,
        grace: Duration,
        reply: Option<oneshot::Sender<Killed>>,
    },
    Survivors {
        id: String,
        reply: oneshot::Sender<Vec<Survivor>>,
    },
    Shutdown {
        grace: Duration,
        reply: oneshot::Sender<Killed>,
    },
}

/// Why the keeper did not start a process.
#[derive(Debug)]
pub(super) struct Refusal {
    stage: Stage,
    errno: i32,
}

impl Refusal {
    pub(super) fn into_error(
        self,
        session: String,
        directory: PathBuf,
        program: PathBuf,
    ) -> SpawnError {
        let source = io::Error::from_raw_os_error(self.errno);
        match self.stage {
            Stage::Directory => SpawnError::Directory {
                path: directory,
                source,
            },
            Stage::Program => SpawnError::Program {
                path: program,
                source,
            },
            Stage::Other if self.errno == libc::EEXIST => SpawnError::SessionInUse { session },
            Stage::Other => SpawnError::System(source),
        }
    }
}

/// Starts the program, waits until it is ready and leaves it to a task of its own.
pub(super) async fn start() -> Result<mpsc::UnboundedSender<Order>, KeeperError> {
    let Started {
        child,
        socket,
        directory,
    } = program::start().map_err(KeeperError::Start)?;
    let socket = UnixStream::from_std(socket).map_err(KeeperError::Start)?;
    let mut link = Link {
        socket,
        frames: Frames::default(),
    };
    match link.next_event().await {
        Some(Event::Ready) => {}
        Some(_) | None => return Err(KeeperError::NotReady),
    }
    drop(directory);
    let (sender, orders) = mpsc::unbounded_channel();
    tokio::spawn(
        Actor {
            link,
            waiting: Waiting::default(),
        }
        .run(orders, child),
    );
    Ok(sender)
}

/// The socket and what was read of it.
struct Link {
    socket: UnixStream,
    frames: Frames,
}

impl Link {
    /// Returns the next event; `None` when the keeper is gone or talks nonsense. May be dropped and called again.
    async fn next_event(&mut self) -> Option<Event> {
        loop {
            if let Some(body) = self.frames.next_body().ok()? {
                return Event::from_body(body).ok();
            }
            self.socket.readable().await.ok()?;
            let mut bytes = [0; CHUNK];
            match self.socket.try_read(&mut bytes) {
                Ok(0) => return None,
                Ok(count) => self.frames.push(&bytes[..count]),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(_) => return None,
            }
        }
    }

    /// Sends a frame, its descriptors with the first byte. The keeper never stops reading, so this ends.
    async fn send(&self, frame: &[u8], descriptors: &[OwnedFd]) -> io::Result<()> {
        let mut sent = 0;
        while sent < frame.len() {
            self.socket.writable().await?;
            let borrowed: Vec<_> = descriptors.iter().map(AsFd::as_fd).collect();
            let attached = if sent == 0 { borrowed.as_slice() } else { &[] };
            let write = || send_once(&self.socket, &frame[sent..], attached);
            match self.socket.try_io(Interest::WRITABLE, write) {
                Ok(count) => sent += count,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

fn send_once(
    socket: &UnixStream,
    bytes: &[u8],
    descriptors: &[std::os::fd::BorrowedFd<'_>],
) -> io::Result<usize> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MAXIMUM_DESCRIPTORS))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    if !descriptors.is_empty() && !control.push(SendAncillaryMessage::ScmRights(descriptors)) {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    Ok(sendmsg(
        socket,
        &[IoSlice::new(bytes)],
        &mut control,
        platform::SEND,
    )?)
}

/// Those who wait for an answer, by session. Answers to the same question come in the order of the questions.
#[derive(Default)]
struct Waiting {
    spawns: HashMap<String, Spawning>,
    exits: HashMap<String, oneshot::Sender<Exit>>,
    signals: HashMap<String, VecDeque<oneshot::Sender<i32>>>,
    kills: HashMap<String, VecDeque<Option<oneshot::Sender<Killed>>>>,
    survivors: HashMap<String, VecDeque<oneshot::Sender<Vec<Survivor>>>>,
    shutdowns: Vec<oneshot::Sender<Killed>>,
}

struct Spawning {
    reply: oneshot::Sender<Result<u32, Refusal>>,
    exit: oneshot::Sender<Exit>,
}

struct Actor {
    link: Link,
    waiting: Waiting,
}

impl Actor {
    /// Serves until every handle is dropped, or the keeper is gone. Then it closes the socket, which ends what is left, and reaps the keeper.
    async fn run(mut self, mut orders: mpsc::UnboundedReceiver<Order>, mut child: Child) {
        let mut stopped = None;
        loop {
            let served = tokio::select! {
                order = orders.recv() => match order {
                    Some(order) => self.carry_out(order).await.is_ok(),
                    None => false,
                },
                event = self.link.next_event() => match event {
                    Some(Event::Stopped { count, left }) => {
                        stopped = Some(Killed { count, left });
                        false
                    }
                    Some(event) => {
                        self.take(event);
                        true
                    }
                    None => false,
                },
            };
            if !served {
                break;
            }
        }
        orders.close();
        let Self { link, mut waiting } = self;
        drop(link);
        let shutdowns = std::mem::take(&mut waiting.shutdowns);
        // Whoever waits for anything else learns that the keeper is lost before the keeper is reaped.
        drop(waiting);
        // The keeper ends by itself once the socket is closed.
        let _ = child.wait().await;
        if let Some(killed) = stopped {
            for reply in shutdowns {
                let _ = reply.send(killed);
            }
        }
    }

    async fn carry_out(&mut self, order: Order) -> io::Result<()> {
        match order {
            Order::Spawn {
                id,
                frame,
                descriptors,
                reply,
                exit,
            } => {
                // Two answers about one id could not be told apart.
                if self.waiting.spawns.contains_key(&id) {
                    let refusal = Refusal {
                        stage: Stage::Other,
                        errno: libc::EEXIST,
                    };
                    let _ = reply.send(Err(refusal));
                    return Ok(());
                }
                self.waiting.spawns.insert(id, Spawning { reply, exit });
                self.link.send(&frame, &descriptors).await
            }
            Order::Signal { request, reply } => {
                if let Request::Signal { id, .. } = &request {
                    self.waiting
                        .signals
                        .entry(id.clone())
                        .or_default()
                        .push_back(reply);
                }
                self.ask(&request).await
            }
            Order::Kill { id, grace, reply } => {
                self.waiting
                    .kills
                    .entry(id.clone())
                    .or_default()
                    .push_back(reply);
                self.ask(&Request::Kill {
                    id,
                    grace_ms: milliseconds(grace),
                })
                .await
            }
            Order::Survivors { id, reply } => {
                self.waiting
                    .survivors
                    .entry(id.clone())
                    .or_default()
                    .push_back(reply);
                self.ask(&Request::Survivors { id }).await
            }
            Order::Shutdown { grace, reply } => {
                self.waiting.shutdowns.push(reply);
                self.ask(&Request::Shutdown {
                    grace_ms: milliseconds(grace),
                })
                .await
            }
        }
    }

    async fn ask(&self, request: &Request) -> io::Result<()> {
        let frame = request.to_frame().map_err(io::Error::other)?;
        self.link.send(&frame, &[]).await
    }

    fn take(&mut self, event: Event) {
        let waiting = &mut self.waiting;
        match event {
            Event::Ready | Event::Stopped { .. } => {}
            Event::Spawned { id, pid } => {
                if let Some(Spawning { reply, exit }) = waiting.spawns.remove(&id) {
                    // Before the answer: the caller may ask for the end at once.
                    waiting.exits.insert(id, exit);
                    let _ = reply.send(Ok(pid));
                }
            }
            Event::SpawnFailed { id, stage, errno } => {
                if let Some(spawning) = waiting.spawns.remove(&id) {
                    let _ = spawning.reply.send(Err(Refusal { stage, errno }));
                }
            }
            Event::Exited { id, status, usage } => {
                if let Some(exit) = waiting.exits.remove(&id) {
                    let status = Status::from_raw(status);
                    let _ = exit.send(Exit::Ended {
                        status,
                        usage,
                        at: Instant::now(),
                    });
                }
            }
            Event::Signalled { id, errno } => {
                if let Some(reply) = next(&mut waiting.signals, &id) {
                    let _ = reply.send(errno);
                }
            }
            Event::Killed { id, count, left } => {
                if let Some(Some(reply)) = next(&mut waiting.kills, &id) {
                    let _ = reply.send(Killed { count, left });
                }
            }
            Event::Survivors { id, survivors } => {
                if let Some(reply) = next(&mut waiting.survivors, &id) {
                    let _ = reply.send(survivors);
                }
            }
        }
    }
}

/// Takes the one who has waited longest for an answer about this session.
fn next<T>(waiting: &mut HashMap<String, VecDeque<T>>, id: &str) -> Option<T> {
    let queue = waiting.get_mut(id)?;
    let first = queue.pop_front();
    if queue.is_empty() {
        waiting.remove(id);
    }
    first
}

fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
