//! Messages and their binary form.
//!
//! A frame is a length (`u32`, little endian, of the body) and a body: one tag byte and the fields in order. Numbers are little endian, byte
//! strings and lists carry a `u32` count. There is no version: a runner embeds the keeper it talks to.

mod fields;
#[cfg(test)]
mod tests;

use fields::{Reader, Writer};

/// Largest body of a frame in bytes: above what Linux takes for arguments and environment together (6 MiB).
pub const MAXIMUM_FRAME: usize = 8 << 20;

/// Most descriptors one [`Spawn`] may place.
pub const MAXIMUM_DESCRIPTORS: usize = 16;

/// The environment variable that marks every process of a session with the session's id.
pub const SESSION_VARIABLE: &str = "EXECGATE_SESSION";

/// A frame that does not say what a frame must say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WireError {
    /// The body is longer than [`MAXIMUM_FRAME`].
    TooLong,
    /// The body ends before its fields do, or goes on after them.
    Length,
    /// A tag, flag or text that no message has.
    Value,
}

impl std::fmt::Display for WireError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::TooLong => "message is longer than 8 MiB",
            Self::Length => "message ends too early or too late",
            Self::Value => "message holds an unknown value",
        })
    }
}

impl std::error::Error for WireError {}

/// Where one of the descriptors sent along goes in the new process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Placement {
    /// Index into the descriptors of this message.
    pub index: u8,
    /// Descriptor number in the new process, below 64. 0, 1 and 2 are the standard streams; those not placed are `/dev/null`.
    pub target: u8,
}

/// One process to start.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Spawn {
    /// The session's id, unique within this keeper; UTF-8, not empty.
    pub id: String,
    /// Path of the executable file. No search path is consulted.
    pub program: Vec<u8>,
    /// All arguments, the program's own name (`argv[0]`) first.
    pub arguments: Vec<Vec<u8>>,
    /// Working directory.
    pub directory: Vec<u8>,
    /// The whole environment; the keeper adds [`SESSION_VARIABLE`] and nothing else.
    pub environment: Vec<(Vec<u8>, Vec<u8>)>,
    /// How many descriptors come with this message.
    pub sent: u8,
    /// What the new process gets of them; the rest is closed.
    pub placements: Vec<Placement>,
    /// Whether descriptor 0 becomes the controlling terminal.
    pub terminal: bool,
}

/// What a runner asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    /// Start a process; answered by [`Event::Spawned`] or [`Event::SpawnFailed`].
    Spawn(Box<Spawn>),
    /// Send a signal to the process group of a session's first process; answered by [`Event::Signalled`].
    Signal {
        /// The session.
        id: String,
        /// Signal number of this platform.
        signal: i32,
    },
    /// End every process of a session: terminate, wait, kill; answered by [`Event::Killed`].
    Kill {
        /// The session.
        id: String,
        /// Time between the polite signal and the last one, in milliseconds.
        grace_ms: u64,
    },
    /// List the living processes of a session; answered by [`Event::Survivors`].
    Survivors {
        /// The session.
        id: String,
    },
    /// End everything and then the keeper; answered by [`Event::Stopped`].
    Shutdown {
        /// As in [`Request::Kill`].
        grace_ms: u64,
    },
}

/// The step at which a process could not be started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Entering the working directory.
    Directory,
    /// Executing the program (or the interpreter that its first line names).
    Program,
    /// Anything else: fork, descriptors, terminal, a session id in use.
    Other,
}

/// What a process and the descendants it waited for used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// Processor time in user mode, in microseconds.
    pub user_us: u64,
    /// Processor time in the kernel, in microseconds.
    pub system_us: u64,
    /// Largest resident set of one of them, in KiB.
    pub maximum_resident_kib: u64,
}

/// A living process of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Survivor {
    /// Process id.
    pub pid: u32,
    /// Its command line with blanks between the words, cut at 200 bytes, or its name in brackets.
    pub command: String,
}

/// What a keeper reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// The keeper is set up. Always the first event.
    Ready,
    /// The program runs.
    Spawned {
        /// The session.
        id: String,
        /// Process id of its first process, which leads a session and a group of its own.
        pid: u32,
    },
    /// The program does not run and nothing is left of the attempt.
    SpawnFailed {
        /// The session, whose id is free again (unless it was in use).
        id: String,
        /// What failed.
        stage: Stage,
        /// The error number of this platform.
        errno: i32,
    },
    /// A session's first process has ended and is reaped.
    Exited {
        /// The session.
        id: String,
        /// The status as wait(2) gives it.
        status: i32,
        /// What it used.
        usage: Usage,
    },
    /// Answer to [`Request::Signal`].
    Signalled {
        /// The session.
        id: String,
        /// 0, or the error number; `ESRCH` when the first process has ended.
        errno: i32,
    },
    /// Answer to [`Request::Kill`]: the session's processes are gone.
    Killed {
        /// The session.
        id: String,
        /// How many processes were signalled.
        count: u32,
        /// How many resisted (another user's, or stuck in the kernel); normally 0.
        left: u32,
    },
    /// Answer to [`Request::Survivors`].
    Survivors {
        /// The session.
        id: String,
        /// Its living processes, the first process included while it runs.
        survivors: Vec<Survivor>,
    },
    /// Answer to [`Request::Shutdown`]. The keeper ends right after it.
    Stopped {
        /// How many processes were signalled.
        count: u32,
        /// How many resisted.
        left: u32,
    },
}

impl Request {
    /// Returns the frame of this request.
    ///
    /// # Errors
    ///
    /// [`WireError::TooLong`] when the body would pass [`MAXIMUM_FRAME`].
    pub fn to_frame(&self) -> Result<Vec<u8>, WireError> {
        let mut body = Writer::default();
        match self {
            Self::Spawn(spawn) => {
                body.byte(0);
                spawn.write(&mut body);
            }
            Self::Signal { id, signal } => body.byte(1).text(id).i32(*signal),
            Self::Kill { id, grace_ms } => body.byte(2).text(id).u64(*grace_ms),
            Self::Survivors { id } => {
                body.byte(3).text(id);
            }
            Self::Shutdown { grace_ms } => body.byte(4).u64(*grace_ms),
        }
        body.frame()
    }

    /// Reads a request from the body of a frame.
    ///
    /// # Errors
    ///
    /// [`WireError`] when the body is no request.
    pub fn from_body(body: &[u8]) -> Result<Self, WireError> {
        let mut fields = Reader::new(body);
        let request = match fields.byte()? {
            0 => Self::Spawn(Box::new(Spawn::read(&mut fields)?)),
            1 => Self::Signal {
                id: fields.text()?,
                signal: fields.i32()?,
            },
            2 => Self::Kill {
                id: fields.text()?,
                grace_ms: fields.u64()?,
            },
            3 => Self::Survivors { id: fields.text()? },
            4 => Self::Shutdown {
                grace_ms: fields.u64()?,
            },
            _ => return Err(WireError::Value),
        };
        fields.end().map(|()| request)
    }
}

impl Spawn {
    fn write(&self, body: &mut Writer) {
        body.text(&self.id).bytes(&self.program);
        body.list(&self.arguments, |body, argument| {
            body.bytes(argument);
        });
        body.bytes(&self.directory);
        body.list(&self.environment, |body, (name, value)| {
            body.bytes(name).bytes(value);
        });
        body.byte(self.sent);
        body.list(&self.placements, |body, placement| {
            body.byte(placement.index).byte(placement.target);
        });
        body.byte(u8::from(self.terminal));
    }

    fn read(fields: &mut Reader<'_>) -> Result<Self, WireError> {
        let spawn = Self {
            id: fields.text()?,
            program: fields.bytes()?,
            arguments: fields.list(Reader::bytes)?,
            directory: fields.bytes()?,
            environment: fields.list(|fields| Ok((fields.bytes()?, fields.bytes()?)))?,
            sent: fields.byte()?,
            placements: fields.list(|fields| {
                Ok(Placement {
                    index: fields.byte()?,
                    target: fields.byte()?,
                })
            })?,
            terminal: fields.flag()?,
        };
        spawn.checked()
    }

    fn checked(self) -> Result<Self, WireError> {
        let within = |placement: &Placement| placement.index < self.sent && placement.target < 64;
        let fits = usize::from(self.sent) <= MAXIMUM_DESCRIPTORS
            && self.placements.iter().all(within)
            && !self.id.is_empty();
        if fits {
            Ok(self)
        } else {
            Err(WireError::Value)
        }
    }
}

impl Event {
    /// Returns the frame of this event.
    ///
    /// # Errors
    ///
    /// [`WireError::TooLong`] when the body would pass [`MAXIMUM_FRAME`].
    pub fn to_frame(&self) -> Result<Vec<u8>, WireError> {
        let mut body = Writer::default();
        match self {
            Self::Ready => {
                body.byte(0);
            }
            Self::Spawned { id, pid } => {
                body.byte(1).text(id).u32(*pid);
            }
            Self::SpawnFailed { id, stage, errno } => {
                body.byte(2).text(id).byte(stage.to_byte()).i32(*errno);
            }
            Self::Exited { id, status, usage } => {
                body.byte(3).text(id).i32(*status);
                usage.write(&mut body);
            }
            Self::Signalled { id, errno } => body.byte(4).text(id).i32(*errno),
            Self::Killed { id, count, left } => {
                body.byte(5).text(id).u32(*count).u32(*left);
            }
            Self::Survivors { id, survivors } => {
                body.byte(6).text(id).list(survivors, |body, survivor| {
                    body.u32(survivor.pid).text(&survivor.command);
                });
            }
            Self::Stopped { count, left } => {
                body.byte(7).u32(*count).u32(*left);
            }
        }
        body.frame()
    }

    /// Reads an event from the body of a frame.
    ///
    /// # Errors
    ///
    /// [`WireError`] when the body is no event.
    pub fn from_body(body: &[u8]) -> Result<Self, WireError> {
        let mut fields = Reader::new(body);
        let event = match fields.byte()? {
            0 => Self::Ready,
            1 => Self::Spawned {
                id: fields.text()?,
                pid: fields.u32()?,
            },
            2 => Self::SpawnFailed {
                id: fields.text()?,
                stage: Stage::from_byte(fields.byte()?)?,
                errno: fields.i32()?,
            },
            3 => Self::Exited {
                id: fields.text()?,
                status: fields.i32()?,
                usage: Usage::read(&mut fields)?,
            },
            4 => Self::Signalled {
                id: fields.text()?,
                errno: fields.i32()?,
            },
            5 => Self::Killed {
                id: fields.text()?,
                count: fields.u32()?,
                left: fields.u32()?,
            },
            6 => Self::Survivors {
                id: fields.text()?,
                survivors: fields.list(|fields| {
                    Ok(Survivor {
                        pid: fields.u32()?,
                        command: fields.text()?,
                    })
                })?,
            },
            7 => Self::Stopped {
                count: fields.u32()?,
                left: fields.u32()?,
            },
            _ => return Err(WireError::Value),
        };
        fields.end().map(|()| event)
    }
}

impl Usage {
    fn write(&self, body: &mut Writer) {
        body.u64(self.user_us);
        body.u64(self.system_us);
        body.u64(self.maximum_resident_kib);
    }

    fn read(fields: &mut Reader<'_>) -> Result<Self, WireError> {
        Ok(Self {
            user_us: fields.u64()?,
            system_us: fields.u64()?,
            maximum_resident_kib: fields.u64()?,
        })
    }
}

impl Stage {
    /// Returns the byte that stands for this stage on the wire.
    pub fn to_byte(self) -> u8 {
        match self {
            Self::Directory => 0,
            Self::Program => 1,
            Self::Other => 2,
        }
    }

    /// Reads a stage from its byte.
    ///
    /// # Errors
    ///
    /// [`WireError::Value`] for a byte that names no stage.
    pub fn from_byte(byte: u8) -> Result<Self, WireError> {
        match byte {
            0 => Ok(Self::Directory),
            1 => Ok(Self::Program),
            2 => Ok(Self::Other),
            _ => Err(WireError::Value),
        }
    }
}

/// Cuts a byte stream into the bodies of its frames.
#[derive(Debug, Default)]
pub struct Frames {
    buffer: Vec<u8>,
    taken: usize,
}

impl Frames {
    /// Adds bytes as they were read, in any chunking.
    pub fn push(&mut self, bytes: &[u8]) {
        self.buffer.drain(..self.taken);
        self.taken = 0;
        self.buffer.extend_from_slice(bytes);
    }

    /// Returns the next whole body, or `None` until more bytes are pushed.
    ///
    /// # Errors
    ///
    /// [`WireError::TooLong`] when the next frame announces more than [`MAXIMUM_FRAME`]; the stream is of no more use then.
    pub fn next_body(&mut self) -> Result<Option<&[u8]>, WireError> {
        let rest = &self.buffer[self.taken..];
        let Some((length, rest)) = rest.split_first_chunk::<4>() else {
            return Ok(None);
        };
        let length = u32::from_le_bytes(*length) as usize;
        if length > MAXIMUM_FRAME {
            return Err(WireError::TooLong);
        }
        if rest.len() < length {
            return Ok(None);
        }
        let start = self.taken + 4;
        self.taken = start + length;
        Ok(Some(&self.buffer[start..self.taken]))
    }
}
