//! Ending whole process trees: a polite signal, a grace, and then kills until nothing is left.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use crate::platform;
use crate::tree::{Identity, Member};

/// How long kills are repeated before what is left is reported as resisting: another user's process, or one stuck in the kernel.
const PERSISTENCE: Duration = Duration::from_secs(15);

/// Scans in a row that must find nothing: one may miss a process whose parent ended while it ran, and on a busy machine so may the next.
const EMPTY_SCANS: u8 = 3;

/// Pause between two of them, in which such a process gets where it is seen.
const EMPTY_PAUSE: Duration = Duration::from_millis(1);

/// Pause between two rounds of kills, doubled each time up to [`LONGEST_PAUSE`].
const FIRST_PAUSE: Duration = Duration::from_millis(1);

/// See [`FIRST_PAUSE`].
const LONGEST_PAUSE: Duration = Duration::from_millis(64);

/// From this round of kills on, whole groups are killed too: a process that forks and ends faster than a scan is only hit this way.
const GROUP_ROUND: u32 = 3;

/// Longest grace that is counted; beyond it a clock could overflow.
const LONGEST_GRACE: Duration = Duration::from_secs(86_400);

/// Whose processes are to end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// One session's.
    Session(String),
    /// Everything below the keeper.
    Everything,
}

/// How an ending went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// Distinct processes that were signalled.
    pub count: u32,
    /// Processes still alive.
    pub left: u32,
}

/// One ending under way. It is driven by [`Ending::step`], after every ended child and when [`Ending::due`] comes.
pub struct Ending {
    pub target: Target,
    /// How many requests wait for the outcome.
    pub requests: u32,
    kill_at: Instant,
    due: Instant,
    asked: bool,
    signalled: BTreeSet<Identity>,
    empty_scans: u8,
    rounds: u32,
}

impl Ending {
    /// Begins an ending; the first step is due at once.
    pub fn new(target: Target, grace: Duration, now: Instant) -> Self {
        Self {
            target,
            requests: 1,
            kill_at: now + grace.min(LONGEST_GRACE),
            due: now,
            asked: false,
            signalled: BTreeSet::new(),
            empty_scans: 0,
            rounds: 0,
        }
    }

    /// Joins another request to this ending: the shorter grace counts.
    pub fn join(&mut self, grace: Duration, now: Instant) {
        self.requests += 1;
        self.hasten(grace, now);
    }

    /// Shortens the grace.
    pub fn hasten(&mut self, grace: Duration, now: Instant) {
        self.kill_at = self.kill_at.min(now + grace.min(LONGEST_GRACE));
        self.due = self.due.min(self.kill_at.max(now));
    }

    /// When the next step is to be made, whatever happens.
    pub fn due(&self) -> Instant {
        self.due
    }

    /// Makes the step for a child having ended; the last process of a tree is always the keeper's own child, so none is missed.
    pub fn wake(&mut self, now: Instant) {
        self.due = self.due.min(now);
    }

    /// Looks at the members of a fresh scan, sends what is to be sent, and returns the outcome once there is one.
    pub fn step(&mut self, members: &[Member], now: Instant) -> Option<Outcome> {
        let mine: Vec<&Member> = members.iter().filter(|member| self.wants(member)).collect();
        if mine.is_empty() {
            self.empty_scans += 1;
            self.due = now + EMPTY_PAUSE;
            return (self.empty_scans >= EMPTY_SCANS).then(|| self.outcome(0));
        }
        self.empty_scans = 0;
        if now < self.kill_at {
            self.ask(&mine);
            self.due = self.kill_at;
            return None;
        }
        if now > self.kill_at + PERSISTENCE {
            return Some(self.outcome(mine.len()));
        }
        self.kill(&mine);
        let pause = FIRST_PAUSE * 2_u32.saturating_pow(self.rounds.min(16));
        self.due = now + pause.min(LONGEST_PAUSE);
        None
    }

    fn wants(&self, member: &Member) -> bool {
        match &self.target {
            Target::Session(id) => member.session.as_ref() == Some(id),
            Target::Everything => true,
        }
    }

    /// Asks every member to end, once; a stopped one is continued, so that it can.
    fn ask(&mut self, members: &[&Member]) {
        if self.asked {
            return;
        }
        self.asked = true;
        for member in members {
            self.send(member, &[Signal::TERM, Signal::CONT]);
        }
    }

    fn kill(&mut self, members: &[&Member]) {
        self.rounds += 1;
        for member in members {
            self.send(member, &[Signal::KILL]);
            if self.rounds >= GROUP_ROUND {
                platform::kill_group(&member.process);
            }
        }
    }

    fn send(&mut self, member: &Member, signals: &[Signal]) {
        if platform::signal(&member.process, signals) {
            self.signalled.insert(member.process.identity());
        }
    }

    fn outcome(&self, left: usize) -> Outcome {
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        Outcome {
            count: number(self.signalled.len()),
            left: number(left),
        }
    }
}
