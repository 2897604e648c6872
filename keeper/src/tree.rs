//! Which living process belongs to which session.

use std::collections::{BTreeMap, BTreeSet};

use rustix::process::Pid;

use crate::platform;
use crate::sessions::Sessions;

/// One process as a scan saw it.
#[derive(Debug, Clone)]
pub struct Process {
    pub pid: Pid,
    pub parent: i32,
    pub group: i32,
    pub session: i32,
    /// Start time in clock ticks since boot: with the pid, the identity of a process.
    pub started: u64,
    /// Whether it still runs; false for one that waits to be reaped.
    pub alive: bool,
}

/// A process's number and start time.
pub type Identity = (i32, u64);

impl Process {
    pub fn identity(&self) -> Identity {
        (self.number(), self.started)
    }

    fn number(&self) -> i32 {
        self.pid.as_raw_nonzero().get()
    }
}

/// A living process below the keeper and the session it belongs to, if anything tells.
pub struct Member {
    pub process: Process,
    pub session: Option<String>,
}

/// Attributes processes, and remembers what it found: a member stays a member after its parent is gone.
#[derive(Default)]
pub struct Tree {
    known: BTreeMap<Identity, String>,
}

impl Tree {
    /// Lists every living process below the keeper.
    ///
    /// A descendant of a member belongs to the member's session. A direct child of the keeper is a session's first process or an orphan; an orphan
    /// belongs to the session it was seen in before, else the one whose mark it carries, in its limits (which `env -i` leaves alone) or
    /// in its environment, else the one whose first process leads its session or group.
    pub fn scan(&mut self, sessions: &Sessions) -> Vec<Member> {
        let members = self.members(platform::processes(&sessions.roots()), sessions);
        self.known = members.iter().filter_map(known).collect();
        alive(members)
    }

    /// Lists the living processes of one session, looking only where they can be: below its first process and below orphans.
    pub fn list(&mut self, id: &str, sessions: &Sessions) -> Vec<Member> {
        let Some(mut children) = platform::children(rustix::process::getpid()) else {
            return self.scan(sessions);
        };
        children.retain(|child| {
            let owner = sessions.with_root(child.as_raw_nonzero().get());
            owner.is_none_or(|owner| owner == id)
        });
        // Not remembered: only a whole scan tells which of the known are gone.
        alive(self.members(platform::below(children), sessions))
    }

    fn members(&self, processes: Vec<Process>, sessions: &Sessions) -> Vec<Member> {
        let mut below: BTreeMap<i32, Vec<Process>> = BTreeMap::new();
        for process in processes {
            below.entry(process.parent).or_default().push(process);
        }
        let keeper = rustix::process::getpid().as_raw_nonzero().get();
        let mut members = Vec::new();
        let mut seen = BTreeSet::from([keeper]);
        for child in below.remove(&keeper).unwrap_or_default() {
            let session = self.attribute(&child, sessions);
            collect(
                child,
                session.as_deref(),
                (&mut below, &mut seen),
                &mut members,
            );
        }
        members
    }

    fn attribute(&self, child: &Process, sessions: &Sessions) -> Option<String> {
        let known = || self.known.get(&child.identity()).cloned();
        let mark = || sessions.with_mark(platform::mark_of(child.pid)?);
        let variable = || platform::session_of(child.pid);
        // A process that leads has a number of its own, which may be that of an ended session's first process.
        let follows = |leader: i32| (leader != child.number()).then_some(leader);
        let leader = || sessions.with_leader(follows(child.session).or(follows(child.group))?);
        let root = sessions.with_root(child.number());
        root.or_else(known)
            .or_else(mark)
            .or_else(variable)
            .or_else(leader)
    }
}

fn alive(mut members: Vec<Member>) -> Vec<Member> {
    members.retain(|member| member.process.alive);
    members
}

fn known(member: &Member) -> Option<(Identity, String)> {
    Some((member.process.identity(), member.session.clone()?))
}

/// Adds a process and all its descendants, without recursion: a tree may be as deep as the process table is long.
fn collect(
    root: Process,
    session: Option<&str>,
    (below, seen): (&mut BTreeMap<i32, Vec<Process>>, &mut BTreeSet<i32>),
    members: &mut Vec<Member>,
) {
    let mut pending = vec![root];
    while let Some(process) = pending.pop() {
        // A number read twice during one scan (reused meanwhile) must not make a circle.
        if seen.insert(process.number()) {
            pending.extend(below.remove(&process.number()).unwrap_or_default());
            members.push(Member {
                process,
                session: session.map(str::to_owned),
            });
        }
    }
}
