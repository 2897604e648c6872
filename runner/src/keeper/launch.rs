//! What to start, checked and turned into the keeper's request and this side's ends of the pipes.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use execgate_keeper::{Placement, Request, Spawn};
use rustix::io::fcntl_dupfd_cloexec;
use tokio::net::unix::pipe;

use super::error::SpawnError;
use super::platform;
use super::running::OutputStreams;

/// Text of this many bytes or more cannot be one argument: Linux takes 128 KiB with the final NUL.
const LONG_TEXT: usize = 128 << 10;

/// The descriptor by which a shell reads long text.
const TEXT_DESCRIPTOR: u8 = 3;

/// One process to start.
#[derive(Debug)]
pub struct Launch {
    /// The session's id: not empty, never used before with this keeper. Every process of the session carries it in its environment.
    pub session: String,
    /// Absolute path of the executable.
    pub program: PathBuf,
    /// What it is told it is called, `argv[0]`; its path if absent.
    pub name: Option<OsString>,
    /// Arguments after the program's own name.
    pub arguments: Vec<OsString>,
    /// Absolute path of the working directory.
    pub directory: PathBuf,
    /// The whole environment. The keeper adds its marker and nothing else.
    pub environment: Vec<(OsString, OsString)>,
    /// What the standard streams are.
    pub streams: Streams,
    /// Command text for the program, which is a shell then: passed as `-c TEXT` behind the arguments or, from 128 KiB on, as the file
    /// `/dev/fd/3`, which its first line closes.
    pub text: Option<Vec<u8>>,
}

/// The standard streams of a process.
#[derive(Debug)]
pub enum Streams {
    /// Pipes, files or nothing.
    Pipes {
        /// Standard input.
        stdin: Stdin,
        /// Standard output and standard error.
        output: Output,
    },
    /// All three are this terminal (the slave of a pair), which becomes the controlling terminal of the new session.
    Terminal(OwnedFd),
}

/// Standard input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stdin {
    /// At its end from the start.
    Eof,
    /// The runner's own.
    Inherit,
    /// A pipe that the runner writes to.
    Pipe,
}

/// Standard output and standard error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Output {
    /// One pipe for both: the order is exact.
    Shared,
    /// A pipe each: the order between them is not known.
    Separate,
    /// The runner's own.
    Inherit,
}

/// A request ready to be sent, and what the caller keeps.
pub(super) struct Prepared {
    pub frame: Vec<u8>,
    pub descriptors: Vec<OwnedFd>,
    pub stdin: Option<pipe::Sender>,
    pub output: OutputStreams,
}

/// The child's descriptors and where they go.
#[derive(Default)]
struct Descriptors {
    sent: Vec<OwnedFd>,
    placements: Vec<Placement>,
}

impl Descriptors {
    fn give(&mut self, descriptor: OwnedFd, targets: &[u8]) {
        // At most four descriptors are given to one process.
        let index = u8::try_from(self.sent.len()).unwrap_or(u8::MAX);
        self.placements
            .extend(targets.iter().map(|&target| Placement { index, target }));
        self.sent.push(descriptor);
    }
}

impl Launch {
    pub(super) fn prepare(self) -> Result<Prepared, SpawnError> {
        self.check()?;
        let terminal = matches!(self.streams, Streams::Terminal(_));
        let mut given = Descriptors::default();
        let (stdin, output) = open(self.streams, &mut given).map_err(SpawnError::System)?;
        let mut arguments = self.arguments;
        let name = self.name.unwrap_or_else(|| self.program.clone().into());
        arguments.insert(0, name);
        if let Some(text) = self.text {
            add_text(text, &mut arguments, &mut given)?;
        }
        let spawn = Spawn {
            id: self.session,
            program: bytes(self.program.into_os_string()),
            arguments: arguments.into_iter().map(bytes).collect(),
            directory: bytes(self.directory.into_os_string()),
            environment: self
                .environment
                .into_iter()
                .map(|(name, value)| (bytes(name), bytes(value)))
                .collect(),
            sent: u8::try_from(given.sent.len()).unwrap_or(u8::MAX),
            placements: given.placements,
            terminal,
        };
        let frame = Request::Spawn(Box::new(spawn))
            .to_frame()
            .map_err(|_| SpawnError::TooLarge)?;
        Ok(Prepared {
            frame,
            descriptors: given.sent,
            stdin,
            output,
        })
    }

    fn check(&self) -> Result<(), SpawnError> {
        if self.session.is_empty() {
            return Err(SpawnError::EmptySession);
        }
        check_nul("session id", self.session.as_bytes())?;
        check_path("program", &self.program)?;
        check_nul("name", self.name.as_deref().unwrap_or_default().as_bytes())?;
        check_path("working directory", &self.directory)?;
        for argument in &self.arguments {
            check_nul("argument", argument.as_bytes())?;
        }
        for (name, value) in &self.environment {
            check_variable(name, value)?;
        }
        check_nul("command text", self.text.as_deref().unwrap_or_default())
    }
}

fn check_nul(what: &'static str, bytes: &[u8]) -> Result<(), SpawnError> {
    if bytes.contains(&0) {
        Err(SpawnError::Nul { what })
    } else {
        Ok(())
    }
}

fn check_path(what: &'static str, path: &Path) -> Result<(), SpawnError> {
    check_nul(what, path.as_os_str().as_bytes())?;
    if path.is_absolute() {
        return Ok(());
    }
    Err(SpawnError::Relative {
        what,
        path: path.to_owned(),
    })
}

fn check_variable(name: &OsStr, value: &OsStr) -> Result<(), SpawnError> {
    check_nul("environment variable", name.as_bytes())?;
    check_nul("environment variable", value.as_bytes())?;
    if name.is_empty() || name.as_bytes().contains(&b'=') {
        return Err(SpawnError::EnvironmentName {
            name: name.to_string_lossy().into_owned(),
        });
    }
    Ok(())
}

fn bytes(text: OsString) -> Vec<u8> {
    text.into_vec()
}

/// Opens what the streams need and keeps this side's ends.
fn open(
    streams: Streams,
    given: &mut Descriptors,
) -> io::Result<(Option<pipe::Sender>, OutputStreams)> {
    match streams {
        Streams::Terminal(terminal) => {
            given.give(terminal, &[0, 1, 2]);
            Ok((None, OutputStreams::None))
        }
        Streams::Pipes { stdin, output } => {
            Ok((open_input(stdin, given)?, open_output(output, given)?))
        }
    }
}

fn open_input(stdin: Stdin, given: &mut Descriptors) -> io::Result<Option<pipe::Sender>> {
    match stdin {
        // The keeper gives `/dev/null` for what is not placed.
        Stdin::Eof => Ok(None),
        Stdin::Inherit => {
            given.give(own(0)?, &[0]);
            Ok(None)
        }
        Stdin::Pipe => {
            let (sender, receiver) = pipe::pipe()?;
            given.give(receiver.into_blocking_fd()?, &[0]);
            Ok(Some(sender))
        }
    }
}

fn open_output(output: Output, given: &mut Descriptors) -> io::Result<OutputStreams> {
    match output {
        Output::Shared => Ok(OutputStreams::Shared(open_pipe(given, &[1, 2])?)),
        Output::Separate => {
            let (stdout, stderr) = (open_pipe(given, &[1])?, open_pipe(given, &[2])?);
            Ok(OutputStreams::Separate { stdout, stderr })
        }
        Output::Inherit => {
            given.give(own(1)?, &[1]);
            given.give(own(2)?, &[2]);
            Ok(OutputStreams::None)
        }
    }
}

fn open_pipe(given: &mut Descriptors, targets: &[u8]) -> io::Result<pipe::Receiver> {
    let (sender, receiver) = pipe::pipe()?;
    given.give(sender.into_blocking_fd()?, targets);
    Ok(receiver)
}

/// Duplicates one of the runner's own standard streams.
fn own(number: u8) -> io::Result<OwnedFd> {
    let duplicate = match number {
        0 => fcntl_dupfd_cloexec(io::stdin(), 3),
        1 => fcntl_dupfd_cloexec(io::stdout(), 3),
        _ => fcntl_dupfd_cloexec(io::stderr(), 3),
    };
    Ok(duplicate?)
}

/// Adds the command text behind the arguments.
fn add_text(
    text: Vec<u8>,
    arguments: &mut Vec<OsString>,
    given: &mut Descriptors,
) -> Result<(), SpawnError> {
    if text.len() < LONG_TEXT {
        arguments.extend(["-c".into(), OsString::from_vec(text)]);
        return Ok(());
    }
    // The commands of the text must not inherit the text's own descriptor.
    let mut file = format!("exec {TEXT_DESCRIPTOR}<&-\n").into_bytes();
    file.extend(text);
    given.give(
        platform::text(&file).map_err(SpawnError::System)?,
        &[TEXT_DESCRIPTOR],
    );
    arguments.push(format!("/dev/fd/{TEXT_DESCRIPTOR}").into());
    Ok(())
}
