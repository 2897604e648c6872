//! Starting one process: fork, set up, exec, and a pipe that tells which step failed.

use std::ffi::CString;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};

use execgate_keeper::{Placement, SESSION_VARIABLE, Spawn, Stage};
use rustix::fs::{Mode, OFlags};
use rustix::io::{Errno, fcntl_dupfd_cloexec};
use rustix::process::{Pid, Rlimit};

use crate::{connection, platform, sys};

/// Descriptors are lifted above every target before they are placed, so that no placement closes a source.
const ABOVE_TARGETS: i32 = 64;

/// Exit code of a child that could not become its program; nobody sees it but the keeper.
const NOT_STARTED: i32 = 127;

/// A forked child that may not have become its program yet.
pub struct Starting {
    pub pid: Pid,
    /// Closed by a successful exec; else it carries the stage and the error number.
    report: File,
}

/// What the keeper's own settings must not leave in its children.
pub struct Inheritance {
    /// The limit on open files as the runner had it.
    pub open_files: Rlimit,
    /// A value that marks the session in an attribute which a program inherits and does not clear (see `platform::mark`).
    pub mark: Option<u64>,
}

/// What became of a [`Starting`] child.
pub enum Progress {
    Waiting,
    Started,
    Failed(Failure),
}

/// The step that failed and its error number.
pub struct Failure {
    pub stage: Stage,
    pub errno: Errno,
}

impl Failure {
    fn other(error: &io::Error) -> Self {
        let errno = Errno::from_io_error(error).unwrap_or(Errno::INVAL);
        Self {
            stage: Stage::Other,
            errno,
        }
    }
}

/// Forks. The child goes on by itself; `Starting` tells what becomes of it.
pub fn start(
    spawn: &Spawn,
    descriptors: &[OwnedFd],
    inheritance: &Inheritance,
) -> Result<Starting, Failure> {
    let image = Image::new(spawn).map_err(|error| Failure::other(&error))?;
    let (read, write) = platform::pipe().map_err(|error| Failure::other(&error))?;
    connection::set_nonblocking(&read).map_err(|error| Failure::other(&error))?;
    let parent = rustix::process::getpid();
    match sys::fork().map_err(|error| Failure::other(&error))? {
        Some(pid) => Ok(Starting {
            pid,
            report: File::from(read),
        }),
        None => {
            let Err(failure) =
                become_program(&image, spawn, descriptors, (inheritance, parent), &write);
            report(write, &failure);
            sys::leave(NOT_STARTED)
        }
    }
}

impl Starting {
    /// Tells whether the program runs by now. Never blocks.
    pub fn progress(&mut self) -> Progress {
        let mut message = [0; 5];
        match self.report.read(&mut message) {
            Ok(0) => Progress::Started,
            Ok(5) => Progress::Failed(Self::parse(message)),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Progress::Waiting,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Progress::Waiting,
            // Five bytes into an empty pipe are one write and one read.
            Ok(_) | Err(_) => Progress::Failed(Failure {
                stage: Stage::Other,
                errno: Errno::IO,
            }),
        }
    }

    fn parse([stage, errno @ ..]: [u8; 5]) -> Failure {
        let errno = Errno::from_raw_os_error(i32::from_le_bytes(errno));
        Failure {
            stage: Stage::from_byte(stage).unwrap_or(Stage::Other),
            errno,
        }
    }
}

impl AsFd for Starting {
    fn as_fd(&self) -> std::os::fd::BorrowedFd<'_> {
        self.report.as_fd()
    }
}

/// The strings that exec takes.
struct Image {
    program: CString,
    arguments: Vec<CString>,
    directory: CString,
    environment: Vec<CString>,
}

impl Image {
    fn new(spawn: &Spawn) -> io::Result<Self> {
        let text = |bytes: &[u8]| CString::new(bytes).map_err(io::Error::from);
        let pair = |name: &[u8], value: &[u8]| text(&[name, b"=", value].concat());
        let mut environment = vec![pair(SESSION_VARIABLE.as_bytes(), spawn.id.as_bytes())?];
        for (name, value) in &spawn.environment {
            // The marker is the keeper's; a second one could hide it.
            if name != SESSION_VARIABLE.as_bytes() {
                environment.push(pair(name, value)?);
            }
        }
        Ok(Self {
            program: text(&spawn.program)?,
            arguments: spawn
                .arguments
                .iter()
                .map(|argument| text(argument))
                .collect::<Result<_, _>>()?,
            directory: text(&spawn.directory)?,
            environment,
        })
    }
}

/// Sets the child up and executes the program; returns only a failure.
fn become_program(
    image: &Image,
    spawn: &Spawn,
    descriptors: &[OwnedFd],
    (inheritance, parent): (&Inheritance, Pid),
    report: &OwnedFd,
) -> Result<std::convert::Infallible, Failure> {
    let other = |error: io::Error| Failure::other(&error);
    sys::reset_signals();
    rustix::process::setsid().map_err(|errno| other(errno.into()))?;
    platform::die_with_parent(parent).map_err(other)?;
    platform::inherit(inheritance).map_err(other)?;
    lift_and_place(descriptors, &spawn.placements, report).map_err(other)?;
    if spawn.terminal {
        rustix::process::ioctl_tiocsctty(sys::standard_input())
            .map_err(|errno| other(errno.into()))?;
    }
    rustix::process::chdir(&image.directory).map_err(|errno| Failure {
        stage: Stage::Directory,
        errno,
    })?;
    let errno = sys::execute(&image.program, &image.arguments, &image.environment);
    Err(Failure {
        stage: Stage::Program,
        errno,
    })
}

/// Gives the child exactly the descriptors it is to have, with `/dev/null` for standard streams that have none.
fn lift_and_place(
    descriptors: &[OwnedFd],
    placements: &[Placement],
    report: &OwnedFd,
) -> io::Result<()> {
    let lifted = descriptors
        .iter()
        .map(|descriptor| fcntl_dupfd_cloexec(descriptor, ABOVE_TARGETS));
    let lifted = lifted.collect::<Result<Vec<_>, _>>()?;
    let null = rustix::fs::open("/dev/null", OFlags::RDWR | OFlags::CLOEXEC, Mode::empty())?;
    let null = fcntl_dupfd_cloexec(null, ABOVE_TARGETS)?;
    sys::close_on_exec_from(0)?;
    for target in 0..3 {
        sys::place(null.as_fd(), target)?;
    }
    for placement in placements {
        // A target that is the report pipe's own number would swallow it; the caller has lifted it (see `platform::pipe`).
        debug_assert!(
            i32::from(placement.target) != report.as_raw_fd(),
            "the pipe is lifted"
        );
        let source = lifted
            .get(usize::from(placement.index))
            .ok_or(Errno::BADF)?;
        sys::place(source.as_fd(), i32::from(placement.target))?;
    }
    Ok(())
}

fn report(pipe: OwnedFd, failure: &Failure) {
    let [a, b, c, d] = failure.errno.raw_os_error().to_le_bytes();
    // The keeper reads an end without a report as a start; it then reaps a process that exited with 127.
    let _ = File::from(pipe).write_all(&[failure.stage.to_byte(), a, b, c, d]);
}
