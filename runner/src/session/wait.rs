//! Waiting for what happens in a session, without asking again and again.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use regex::Regex;
use tokio::time;

use super::Session;
use super::action::Wait;
use super::report::Waited;
use super::transcript::shown;

/// Time between two looks at what announces itself to nobody: ports and files.
const LOOK: Duration = Duration::from_millis(50);

impl Session {
    /// Waits until something new was printed, the session has ended, or the time is up.
    pub(super) async fn wait_for_news(&self, longest: Duration) {
        let mut changed = self.changed.subscribe();
        let news = async {
            while !self.has_news() {
                // The sender is this session's own.
                let _ = changed.changed().await;
            }
        };
        let _ = time::timeout(longest, news).await;
    }

    fn has_news(&self) -> bool {
        let mut state = self.state();
        self.render(&mut state);
        state.end.is_some() || state.transcript.total() > state.looks.shown
    }

    /// Waits for a condition, the end, or the time to be up; `file` is absolute.
    pub(super) async fn wait_for(&self, wait: &Wait, file: Option<&Path>) -> Waited {
        let begun = Instant::now();
        let deadline = begun.checked_add(wait.timeout);
        let mut changed = self.changed.subscribe();
        let looks = wait.port.is_some() || file.is_some();
        let (met, matched) = loop {
            // Marked before the look: what happens during it is seen by the next one.
            changed.borrow_and_update();
            if let Some(met) = self.met(wait, file, begun) {
                break met;
            }
            let now = Instant::now();
            if deadline.is_some_and(|deadline| now >= deadline) {
                break ("time", None);
            }
            let next = self.next_look(wait, looks, begun, deadline);
            // Whether something happened or the time has come: it is looked at again.
            let _ = time::timeout(next.saturating_duration_since(now), changed.changed()).await;
        };
        Waited {
            met,
            matched,
            waited_ms: u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX),
        }
    }

    /// When to look again if nothing happens until then.
    fn next_look(
        &self,
        wait: &Wait,
        looks: bool,
        begun: Instant,
        deadline: Option<Instant>,
    ) -> Instant {
        let now = Instant::now();
        let far = now + Duration::from_secs(3600);
        let mut next = deadline.unwrap_or(far).min(far);
        if looks {
            next = next.min(now + LOOK);
        }
        if let Some(quiet) = wait.quiet {
            next = next.min(self.quiet_since(begun) + quiet);
        }
        next
    }

    /// Since when it has been quiet during this wait.
    fn quiet_since(&self, begun: Instant) -> Instant {
        let printed = self.state().printed.map(|(at, _)| at);
        printed.map_or(begun, |at| at.max(begun))
    }

    /// What of a wait has come true.
    fn met(
        &self,
        wait: &Wait,
        file: Option<&Path>,
        begun: Instant,
    ) -> Option<(&'static str, Option<String>)> {
        let (unseen, has_ended) = self.unseen();
        let unseen = match wait.screen {
            true => self.screen_text().unwrap_or_default(),
            false => unseen,
        };
        if let Some(text) = wait.text.as_ref().filter(|text| unseen.contains(*text)) {
            return Some(("text", Some(text.clone())));
        }
        let found = |pattern: &Regex| pattern.find(&unseen).map(|found| found.as_str().to_owned());
        if let Some(matched) = wait.pattern.as_ref().and_then(found) {
            return Some(("pattern", Some(matched)));
        }
        if has_ended {
            return Some(("exit", None));
        }
        if let Some(port) = wait.port.filter(|port| is_listened_on(*port)) {
            return Some(("port", Some(port.to_string())));
        }
        if let Some(file) = file.filter(|file| file.symlink_metadata().is_ok()) {
            return Some(("file", Some(file.to_string_lossy().into_owned())));
        }
        let quiet = wait.quiet?;
        (self.quiet_since(begun).elapsed() >= quiet).then_some(("quiet", None))
    }

    /// Output that no look has shown, without what the terminal echoed of our own input; and whether the session has ended.
    fn unseen(&self) -> (String, bool) {
        let mut state = self.state();
        self.render(&mut state);
        let (text, _) = state.transcript.since(state.looks.shown);
        let mut text = shown(text, false);
        for echo in &state.echoes {
            if let Some(at) = text.find(echo.as_str()) {
                text.replace_range(at..at + echo.len(), "");
            }
        }
        (text, state.end.is_some())
    }
}

/// The tables of TCP sockets (proc(5)): a row's second column is the local address, its fourth the state.
const TABLES: [&str; 2] = ["/proc/net/tcp", "/proc/net/tcp6"];

/// The state of a socket that listens.
const LISTEN: &str = "0A";

/// Whether something on this machine listens on a TCP port. Nothing is connected to: a server that takes one connection would be disturbed.
fn is_listened_on(port: u16) -> bool {
    let listens = |line: &str| {
        let mut columns = line.split_ascii_whitespace().skip(1);
        let local = columns.next().and_then(|address| address.rsplit_once(':'));
        let is_port = local.is_some_and(|(_, hex)| u16::from_str_radix(hex, 16) == Ok(port));
        is_port && columns.nth(1) == Some(LISTEN)
    };
    let tables = TABLES
        .iter()
        .filter_map(|table| fs::read_to_string(table).ok());
    let mut known = false;
    for table in tables {
        known = true;
        if table.lines().skip(1).any(listens) {
            return true;
        }
    }
    // Where the system does not say, being accepted is the only sign.
    !known && std::net::TcpStream::connect(("127.0.0.1", port)).is_ok()
}

/// The absolute path of a file that is waited for, if it lies where the session may look.
pub(super) fn awaited_file(session: &Session, file: &Path) -> Option<PathBuf> {
    let plan = &session.origin.plan;
    let place = plan.places.look_up(&file.to_string_lossy());
    (place.in_workspace || place.in_cwd).then(|| PathBuf::from(place.path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listening_port_is_seen_and_a_closed_one_is_not() {
        let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        assert!(is_listened_on(port));
        drop(listener);
        assert!(!is_listened_on(port));
    }
}
