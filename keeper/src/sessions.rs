//! The sessions of this keeper: their first processes, and how to recognise their other ones.

use std::collections::{BTreeMap, VecDeque};

use rustix::process::Pid;

/// How many ended sessions are remembered for attribution by mark; older ones are still told by their environment marker.
const REMEMBERED: usize = 4096;

/// Where a session's first process is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Forked, its program not executed yet.
    Starting,
    /// Running, not reaped.
    Running,
    /// Reaped: its number may be another process's by now.
    Ended,
}

/// One session.
pub struct Session {
    pub root: Pid,
    pub mark: Option<u64>,
    pub state: State,
}

/// All sessions by id, with the indexes that attribution needs.
#[derive(Default)]
pub struct Sessions {
    by_id: BTreeMap<String, Session>,
    by_root: BTreeMap<i32, String>,
    by_mark: BTreeMap<u64, String>,
    ended: VecDeque<String>,
}

impl Sessions {
    /// Whether the id is taken, by a living session or a remembered one.
    pub fn contains(&self, id: &str) -> bool {
        self.by_id.contains_key(id)
    }

    /// Returns a session.
    pub fn get(&self, id: &str) -> Option<&Session> {
        self.by_id.get(id)
    }

    /// Adds a session whose process was just forked.
    pub fn insert(&mut self, id: String, root: Pid, mark: Option<u64>) {
        self.by_root.insert(root.as_raw_nonzero().get(), id.clone());
        if let Some(mark) = mark {
            self.by_mark.insert(mark, id.clone());
        }
        self.by_id.insert(
            id,
            Session {
                root,
                mark,
                state: State::Starting,
            },
        );
    }

    /// Returns the first processes that are not reaped.
    pub fn roots(&self) -> Vec<Pid> {
        let living = self
            .by_id
            .values()
            .filter(|session| session.state != State::Ended);
        living.map(|session| session.root).collect()
    }

    /// Notes that the program runs.
    pub fn set_running(&mut self, id: &str) {
        if let Some(session) = self.by_id.get_mut(id) {
            session.state = State::Running;
        }
    }

    /// Forgets a session at once.
    pub fn remove(&mut self, id: &str) {
        if let Some(session) = self.by_id.remove(id) {
            self.forget_root(session.root, id);
            if let Some(mark) = session.mark {
                self.by_mark.remove(&mark);
            }
        }
    }

    /// Notes that a session's first process is reaped, and forgets the oldest ended session when there are too many.
    pub fn set_ended(&mut self, id: &str) {
        if let Some(session) = self.by_id.get_mut(id) {
            session.state = State::Ended;
            self.ended.push_back(id.to_owned());
        }
        if self.ended.len() > REMEMBERED
            && let Some(oldest) = self.ended.pop_front()
        {
            self.remove(&oldest);
        }
    }

    /// Returns the session whose first process this is, unless it is reaped: its number may be another process's then.
    pub fn with_root(&self, pid: i32) -> Option<String> {
        let id = self.by_root.get(&pid)?;
        let session = self.by_id.get(id)?;
        (session.state != State::Ended).then(|| id.clone())
    }

    /// Returns the session whose first process leads, or led, the session or group of this number.
    ///
    /// The kernel gives the number of an ended leader to nobody while a process of its session or group lives.
    pub fn with_leader(&self, pid: i32) -> Option<String> {
        self.by_root.get(&pid).cloned()
    }

    /// Returns the session that carries this mark.
    pub fn with_mark(&self, mark: u64) -> Option<String> {
        self.by_mark.get(&mark).cloned()
    }

    fn forget_root(&mut self, root: Pid, id: &str) {
        let root = root.as_raw_nonzero().get();
        if self.by_root.get(&root).is_some_and(|owner| owner == id) {
            self.by_root.remove(&root);
        }
    }
}
