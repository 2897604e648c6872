//! The loop: requests in, events out, children reaped, trees ended.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::time::{Duration, Instant};

use execgate_keeper::{Event, Request, Spawn, Stage, Survivor};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Rlimit, Signal};

use crate::child::{self, Failure, Inheritance, Progress, Starting};
use crate::connection::{Connection, set_nonblocking};
use crate::ending::{Ending, Outcome, Target};
use crate::sessions::{Sessions, State};
use crate::tree::Tree;
use crate::{platform, sys};

/// Most survivors listed in one answer.
const LISTED: usize = 1000;

/// The whole state of the program.
pub struct Keeper {
    runner: Connection,
    ended_children: OwnedFd,
    open_files: Rlimit,
    next_number: u32,
    sessions: Sessions,
    starting: Vec<(String, Starting)>,
    endings: Vec<Ending>,
    tree: Tree,
    stopped: bool,
}

impl Keeper {
    /// Leaves the runner's session and terminal, becomes subreaper, and greets the runner.
    ///
    /// # Errors
    ///
    /// When standard input is no socket or a system call that the keeper cannot do without is refused.
    pub fn start() -> io::Result<Self> {
        // What the runner did not mean to pass on would be held open here for as long as the keeper lives.
        sys::close_from(3)?;
        // The keeper's own descriptors stay above the numbers that children are given.
        let socket = rustix::io::fcntl_dupfd_cloexec(sys::take_socket(), 64)?;
        sys::ignore_endings();
        // Refused only when the keeper leads a group already, which does as well.
        let _ = rustix::process::setsid();
        rustix::process::chdir("/")?;
        platform::become_reaper()?;
        let (ended_children, write) = platform::pipe()?;
        for descriptor in [socket.as_fd(), ended_children.as_fd(), write.as_fd()] {
            set_nonblocking(descriptor)?;
        }
        sys::watch_children(write)?;
        let mut runner = Connection::new(socket);
        runner.report(&Event::Ready);
        Ok(Self {
            runner,
            ended_children,
            open_files: platform::lift_open_files()?,
            next_number: 0,
            sessions: Sessions::default(),
            starting: Vec::new(),
            endings: Vec::new(),
            tree: Tree::default(),
            stopped: false,
        })
    }

    /// Serves until the runner asks for an end or goes away, and nothing is left running.
    ///
    /// # Errors
    ///
    /// When waiting itself fails.
    pub fn run(mut self) -> io::Result<()> {
        while !self.stopped {
            // Any step of the last round may have found the runner gone.
            if !self.runner.is_open() {
                self.abandon();
            }
            self.wait()?;
            self.take_requests();
            self.advance_starting();
            self.reap();
            self.advance_endings();
            self.runner.flush();
        }
        Ok(())
    }

    /// Waits for the runner, an ended child, a starting one or the next step of an ending.
    fn wait(&self) -> io::Result<()> {
        let interest = self.runner.interest();
        let mut watched = vec![PollFd::new(&self.ended_children, PollFlags::IN)];
        if self.runner.is_open() {
            watched.push(PollFd::new(&self.runner, interest));
        }
        watched.extend(
            self.starting
                .iter()
                .map(|(_, one)| PollFd::new(one, PollFlags::IN)),
        );
        match poll(&mut watched, self.timeout().as_ref()) {
            Ok(_) | Err(Errno::INTR) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    fn timeout(&self) -> Option<Timespec> {
        let due = self.endings.iter().map(Ending::due).min()?;
        let left = due.saturating_duration_since(Instant::now());
        Timespec::try_from(left).ok()
    }

    fn take_requests(&mut self) {
        self.runner.fill();
        while let Some(request) = self.runner.request() {
            match request {
                Request::Spawn(spawn) => self.spawn(&spawn),
                Request::Signal { id, signal } => self.signal(id, signal),
                Request::Kill { id, grace_ms } => self.end(Target::Session(id), grace_ms),
                Request::Survivors { id } => self.list(id),
                Request::Shutdown { grace_ms } => self.end(Target::Everything, grace_ms),
            }
        }
    }

    /// The runner is gone: everything ends at once.
    fn abandon(&mut self) {
        let now = Instant::now();
        match self
            .endings
            .iter_mut()
            .find(|ending| ending.target == Target::Everything)
        {
            Some(ending) => ending.hasten(Duration::ZERO, now),
            None => self
                .endings
                .push(Ending::new(Target::Everything, Duration::ZERO, now)),
        }
    }

    fn spawn(&mut self, spawn: &Spawn) {
        let Some(descriptors) = self.runner.take_descriptors(usize::from(spawn.sent)) else {
            return;
        };
        let id = spawn.id.clone();
        match self.fork(spawn, &descriptors) {
            Ok(starting) => self.starting.push((id, starting)),
            Err(failure) => self.refuse(id, &failure),
        }
    }

    fn fork(&mut self, spawn: &Spawn, descriptors: &[OwnedFd]) -> Result<Starting, Failure> {
        let refused = |errno| Failure {
            stage: Stage::Other,
            errno,
        };
        if self.sessions.contains(&spawn.id) {
            return Err(refused(Errno::EXIST));
        }
        if self
            .endings
            .iter()
            .any(|ending| ending.target == Target::Everything)
        {
            return Err(refused(Errno::CANCELED));
        }
        self.next_number = self.next_number.wrapping_add(1);
        let mark = platform::mark(self.next_number);
        let inheritance = Inheritance {
            open_files: self.open_files,
            mark,
        };
        let starting = child::start(spawn, descriptors, &inheritance)?;
        self.sessions.insert(spawn.id.clone(), starting.pid, mark);
        Ok(starting)
    }

    fn refuse(&mut self, id: String, failure: &Failure) {
        let errno = failure.errno.raw_os_error();
        self.runner.report(&Event::SpawnFailed {
            id,
            stage: failure.stage,
            errno,
        });
    }

    fn advance_starting(&mut self) {
        for (id, mut starting) in std::mem::take(&mut self.starting) {
            match starting.progress() {
                Progress::Waiting => self.starting.push((id, starting)),
                Progress::Started => {
                    self.sessions.set_running(&id);
                    let pid = starting.pid.as_raw_nonzero().get().unsigned_abs();
                    self.runner.report(&Event::Spawned { id, pid });
                }
                Progress::Failed(failure) => {
                    self.sessions.remove(&id);
                    self.refuse(id, &failure);
                }
            }
        }
    }

    fn reap(&mut self) {
        let mut bytes = [0; 64];
        while rustix::io::read(&self.ended_children, &mut bytes).is_ok_and(|count| count > 0) {}
        let now = Instant::now();
        while let Some(reaped) = sys::reap() {
            self.endings.iter_mut().for_each(|ending| ending.wake(now));
            // A child that ended has closed its report: the start is told before the end.
            self.advance_starting();
            let Some(id) = self.sessions.with_root(reaped.pid.as_raw_nonzero().get()) else {
                continue;
            };
            self.sessions.set_ended(&id);
            let (status, usage) = (reaped.status, reaped.usage);
            self.runner.report(&Event::Exited { id, status, usage });
        }
    }

    /// Signals the group of a first process that is not reaped: only then is its number surely its own.
    fn signal(&mut self, id: String, signal: i32) {
        let running = self
            .sessions
            .get(&id)
            .filter(|session| session.state == State::Running);
        let result = match (running, Signal::from_named_raw(signal)) {
            (None, _) => Err(Errno::SRCH),
            (Some(_), None) => Err(Errno::INVAL),
            (Some(session), Some(signal)) => {
                rustix::process::kill_process_group(session.root, signal)
            }
        };
        let errno = result.err().map_or(0, Errno::raw_os_error);
        self.runner.report(&Event::Signalled { id, errno });
    }

    fn end(&mut self, target: Target, grace_ms: u64) {
        let (grace, now) = (Duration::from_millis(grace_ms), Instant::now());
        match self
            .endings
            .iter_mut()
            .find(|ending| ending.target == target)
        {
            Some(ending) => ending.join(grace, now),
            None => self.endings.push(Ending::new(target, grace, now)),
        }
    }

    /// Makes the steps that are due, all on one scan.
    fn advance_endings(&mut self) {
        let now = Instant::now();
        if !self.endings.iter().any(|ending| ending.due() <= now) {
            return;
        }
        let members = self.tree.scan(&self.sessions);
        for mut ending in std::mem::take(&mut self.endings) {
            match ending.step(&members, now) {
                None => self.endings.push(ending),
                Some(outcome) => self.report_outcome(&ending, outcome),
            }
        }
    }

    fn report_outcome(&mut self, ending: &Ending, Outcome { count, left }: Outcome) {
        for _ in 0..ending.requests {
            match &ending.target {
                Target::Session(id) => {
                    self.runner.report(&Event::Killed {
                        id: id.clone(),
                        count,
                        left,
                    });
                }
                Target::Everything => {
                    self.stopped = true;
                    self.runner.report(&Event::Stopped { count, left });
                }
            }
        }
    }

    fn list(&mut self, id: String) {
        let members = self.tree.list(&id, &self.sessions);
        let mine = members
            .iter()
            .filter(|member| member.session.as_ref() == Some(&id));
        let survivors = mine.take(LISTED).map(|member| Survivor {
            pid: member.process.pid.as_raw_nonzero().get().unsigned_abs(),
            command: platform::command(member.process.pid),
        });
        let survivors = survivors.collect();
        self.runner.report(&Event::Survivors { id, survivors });
    }
}
