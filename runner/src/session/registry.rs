//! All sessions of a runner: by id, each seen only by whom it belongs to.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use execgate_host::Policies;
use tokio::task::{AbortHandle, JoinHandle};

use super::events::{Event, Events};
use super::{Session, Stop, report, slug};
use crate::audit::{Audit, EndRecord};
use crate::completion::Outcome;
use crate::profile::Profile;
use crate::request::Caller;

/// Whose a session is: an agent's, in one of its conversations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    agent: String,
    session: String,
}

impl Scope {
    /// The scope of a caller.
    pub fn of(caller: &Caller) -> Self {
        Self {
            agent: caller.agent.clone(),
            session: caller.session.clone(),
        }
    }
}

/// Bounds and habits, from the settings.
#[derive(Clone, Debug)]
pub(crate) struct RegistrySettings {
    /// The profile, which shapes ids.
    pub profile: Profile,
    /// Most sessions that run at the same time.
    pub max_live: usize,
    /// Most ended sessions that are kept.
    pub keep_ended: usize,
    /// How long ended sessions are kept.
    pub keep_for: Duration,
    /// Most bytes that the output of ended sessions may take.
    pub keep_bytes: u64,
    /// Scalars of text kept of each session.
    pub kept_chars: usize,
    /// Scalars of new text that a look shows.
    pub pending_chars: usize,
    /// Silence after which a program that can be written to seems to wait for input.
    pub input_wait: Duration,
    /// Whether the end of a background session is told unless its call says otherwise.
    pub notify: bool,
    /// Whether it is told too when it ended well and printed nothing.
    pub notify_empty: bool,
}

/// More sessions run than may.
#[derive(Debug, thiserror::Error)]
#[error(
    "{0} sessions are running, which is the most that may (setting `sessions.max-live`); nothing was started: end one with kill, or wait for one to end"
)]
pub(crate) struct TooMany(usize);

/// The sessions.
pub(crate) struct Registry {
    settings: RegistrySettings,
    policies: Arc<Policies>,
    audit: Arc<Audit>,
    events: Events,
    sessions: Mutex<Sessions>,
}

#[derive(Default)]
struct Sessions {
    by_id: BTreeMap<String, Arc<Session>>,
    /// Places promised to commands that are being started.
    reserved: usize,
    tasks: Vec<AbortHandle>,
    /// Whether a task waits for ended sessions to become too old.
    is_swept: bool,
}

/// A promised place; given back when it is dropped.
#[derive(Debug)]
pub(crate) struct Place<'a>(&'a Registry);

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.lock().reserved -= 1;
    }
}

impl std::fmt::Debug for Registry {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Registry").finish_non_exhaustive()
    }
}

impl Registry {
    pub(crate) fn new(
        settings: RegistrySettings,
        policies: Arc<Policies>,
        audit: Arc<Audit>,
    ) -> Arc<Self> {
        Arc::new(Self {
            settings,
            policies,
            audit,
            events: Events::default(),
            sessions: Mutex::default(),
        })
    }

    pub(crate) fn settings(&self) -> &RegistrySettings {
        &self.settings
    }

    pub(crate) fn events(&self) -> &Events {
        &self.events
    }

    fn lock(&self) -> MutexGuard<'_, Sessions> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Promises a place for one more session.
    pub(crate) fn reserve(&self) -> Result<Place<'_>, TooMany> {
        let mut sessions = self.lock();
        let live = sessions.live() + sessions.reserved;
        if live >= self.settings.max_live {
            return Err(TooMany(live));
        }
        sessions.reserved += 1;
        Ok(Place(self))
    }

    /// Adds a session under an id that no other has.
    pub(super) fn insert(&self, make: impl FnOnce(String) -> Session) -> Arc<Session> {
        let mut sessions = self.lock();
        let id = sessions.new_id(self.settings.profile);
        let session = Arc::new(make(id.clone()));
        sessions.by_id.insert(id, Arc::clone(&session));
        session
    }

    /// Remembers the task that follows a session.
    pub(super) fn follow(&self, task: JoinHandle<()>) {
        let mut sessions = self.lock();
        sessions.tasks.retain(|task| !task.is_finished());
        sessions.tasks.push(task.abort_handle());
    }

    /// The session of an id, if it is this caller's.
    pub(crate) fn find(&self, scope: &Scope, id: &str) -> Option<Arc<Session>> {
        self.sweep();
        let session = self.lock().by_id.get(id).cloned()?;
        (session.origin().scope == *scope && !session.is_hidden()).then_some(session)
    }

    /// This caller's sessions in the background, the newest first.
    pub(crate) fn list(&self, scope: &Scope) -> Vec<Arc<Session>> {
        self.sweep();
        let mut list: Vec<Arc<Session>> = self.lock().by_id.values().cloned().collect();
        list.retain(|session| {
            session.origin().scope == *scope && session.is_background() && !session.is_hidden()
        });
        list.sort_by_key(|session| std::cmp::Reverse(session.origin().started.0));
        list
    }

    /// Forgets a session; what it prints from then on reaches nobody.
    pub(crate) fn forget(&self, session: &Session) {
        let mut sessions = self.lock();
        // Its id may be another's by now: whoever ends late must not take that one away.
        let is_it = |known: &Arc<Session>| std::ptr::eq(Arc::as_ptr(known), session);
        if sessions.by_id.get(session.id()).is_some_and(is_it) {
            sessions.by_id.remove(session.id());
        }
    }

    /// Notes the end of a session: records and tells it where its call has left it.
    pub(super) async fn finished(self: &Arc<Self>, session: &Arc<Session>) {
        if !session.is_background() {
            // Its call has the answer, or is gone.
            self.forget(session);
            return;
        }
        self.record_end(session).await;
        if session.is_hidden() {
            self.forget(session);
        }
        if session.wants_notice(self.settings.notify_empty) {
            let report = report::notice(session);
            let notice = report::respond(&self.policies, &report).await;
            self.events.tell(&Event::SessionExited {
                session_id: session.id().to_owned(),
                caller: session.origin().plan.request.caller.clone(),
                notice,
            });
        }
        self.keep_swept();
    }

    /// Sees to it that memory is given back in time even when nobody calls any more.
    fn keep_swept(self: &Arc<Self>) {
        if self.sweep().is_none() || std::mem::replace(&mut self.lock().is_swept, true) {
            return;
        }
        let registry = Arc::downgrade(self);
        let sweeper = tokio::spawn(async move {
            // Nothing is kept alive while it waits.
            while let Some(next) = registry
                .upgrade()
                .and_then(|registry| registry.next_sweep())
            {
                tokio::time::sleep(next + Duration::from_millis(1)).await;
            }
        });
        self.follow(sweeper);
    }

    /// Time until the next session is too old; `None` ends the task that waits for it.
    fn next_sweep(&self) -> Option<Duration> {
        let next = self.sweep();
        self.lock().is_swept = next.is_some();
        next
    }

    async fn record_end(&self, session: &Session) {
        let Some(end) = session.end() else { return };
        let signal = super::outcome::signal(&end.completion).map(u32::cast_signed);
        let (outcome, exit_code) = match end.completion.outcome {
            Outcome::Exited(code) => ("exited", Some(code)),
            Outcome::Signaled { .. } => ("signaled", None),
            Outcome::TimedOut => ("timed-out", None),
            Outcome::Cancelled => ("cancelled", None),
            Outcome::Lost => ("lost", None),
        };
        let record = EndRecord {
            plan: session.origin().plan.id.to_string(),
            session_id: session.id().to_owned(),
            outcome: outcome.to_owned(),
            exit_code,
            signal,
            duration_ms: u64::try_from(end.completion.duration.as_millis()).unwrap_or(u64::MAX),
            output_bytes: session.total_bytes(),
        };
        if let Err(error) = self.audit.end(record).await {
            tracing::error!(%error, "the end of a session could not be recorded");
        }
    }

    /// Drops ended sessions that are too old, too many or too large, the oldest first; tells when the next one is too old.
    fn sweep(&self) -> Option<Duration> {
        let mut sessions = self.lock();
        let mut ended: Vec<_> = sessions
            .by_id
            .values()
            .filter(|session| session.is_background())
            .filter_map(|session| Some((session.end()?.at, Arc::clone(session))))
            .collect();
        ended.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
        let mut bytes = 0_u64;
        let mut next = None;
        for (index, (at, session)) in ended.iter().enumerate() {
            bytes = bytes.saturating_add(session.kept_bytes());
            // A clock that was set back makes nothing old.
            let age = at.elapsed().unwrap_or_default();
            let is_kept = index < self.settings.keep_ended
                && age < self.settings.keep_for
                && (bytes <= self.settings.keep_bytes || index == 0);
            if is_kept {
                // The last one kept is the oldest.
                next = Some(self.settings.keep_for.saturating_sub(age));
            } else {
                sessions.by_id.remove(session.id());
            }
        }
        next
    }

    /// Ids of the sessions that run, sorted.
    pub(crate) fn live_ids(&self) -> Vec<String> {
        let running = self.lock().running();
        let mut ids: Vec<String> = running
            .iter()
            .map(|session| session.id().to_owned())
            .collect();
        ids.sort();
        ids
    }

    /// Waits until no session runs.
    pub(crate) async fn idle(&self) {
        loop {
            let running = self.lock().running();
            let Some(session) = running.first() else {
                return;
            };
            session.settled().await;
        }
    }

    /// Ends every session, the newest first, and waits until they have ended.
    pub(crate) async fn stop_all(&self) {
        let mut running = self.lock().running();
        running.sort_by_key(|session| std::cmp::Reverse(session.origin().started.0));
        for session in &running {
            session.stop(Stop::Shutdown);
        }
        for session in &running {
            session.settled().await;
        }
    }

    /// Gives up every session at once, without waiting.
    pub(crate) fn abandon(&self) {
        for task in self.lock().tasks.drain(..) {
            task.abort();
        }
        self.events.close();
    }
}

impl Sessions {
    fn live(&self) -> usize {
        self.by_id
            .values()
            .filter(|session| session.end().is_none())
            .count()
    }

    fn running(&self) -> Vec<Arc<Session>> {
        let running = self.by_id.values().filter(|session| !session.is_settled());
        running.cloned().collect()
    }

    fn new_id(&self, profile: Profile) -> String {
        let random = || uuid::Uuid::new_v4().as_u64_pair().0;
        let is_taken = |id: &str| self.by_id.contains_key(id);
        match profile {
            Profile::Default | Profile::Openclaw => slug::slug(is_taken, random),
            Profile::Picoclaw => loop {
                let mut id = uuid::Uuid::new_v4().simple().to_string();
                id.truncate(8);
                if !is_taken(&id) {
                    break id;
                }
            },
        }
    }
}
