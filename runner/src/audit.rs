//! The record: what was asked, judged, by which components, and what came of it.
//!
//! One thread owns the database, so that no task waits on a lock; a record is
//! on disk before its answer goes out. Writing is append-only.

use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, params};
use serde::Serialize;
use tokio::sync::oneshot;

/// Version of the tables; a newer one is refused.
const SCHEMA_VERSION: i64 = 3;

const SCHEMA: &str = "
CREATE TABLE IF NOT EXISTS calls (
    id INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL,
    plan TEXT NOT NULL,
    profile TEXT NOT NULL,
    agent TEXT NOT NULL,
    session TEXT NOT NULL,
    channel TEXT NOT NULL,
    command TEXT NOT NULL,
    cwd TEXT NOT NULL,
    decision TEXT NOT NULL,
    rule TEXT NOT NULL,
    category TEXT NOT NULL,
    reason TEXT NOT NULL,
    answer TEXT NOT NULL,
    outcome TEXT NOT NULL,
    exit_code INTEGER,
    signal INTEGER,
    duration_ms INTEGER NOT NULL,
    output_bytes INTEGER NOT NULL,
    components TEXT NOT NULL,
    faults TEXT NOT NULL,
    withheld TEXT NOT NULL DEFAULT ''
);
CREATE INDEX IF NOT EXISTS calls_at ON calls (at_ms);
CREATE TABLE IF NOT EXISTS ends (
    id INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL,
    plan TEXT NOT NULL,
    session_id TEXT NOT NULL,
    outcome TEXT NOT NULL,
    exit_code INTEGER,
    signal INTEGER,
    duration_ms INTEGER NOT NULL,
    output_bytes INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS patches (
    id INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL,
    plan TEXT NOT NULL,
    profile TEXT NOT NULL,
    agent TEXT NOT NULL,
    session TEXT NOT NULL,
    channel TEXT NOT NULL,
    workspace TEXT NOT NULL,
    decision TEXT NOT NULL,
    rule TEXT NOT NULL,
    reason TEXT NOT NULL,
    answer TEXT NOT NULL,
    outcome TEXT NOT NULL,
    files TEXT NOT NULL,
    undo TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS swaps (
    id INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL,
    slot TEXT NOT NULL,
    operation TEXT NOT NULL,
    old_digest TEXT NOT NULL,
    new_digest TEXT NOT NULL,
    error TEXT
);
";

/// How long another program's work on the database is waited for.
const PATIENCE: Duration = Duration::from_secs(5);

/// Time between two tries to open it.
const BETWEEN_TRIES: Duration = Duration::from_millis(5);

/// What version 1 did not have.
const FROM_1: &str = "ALTER TABLE calls ADD COLUMN withheld TEXT NOT NULL DEFAULT ''";

/// The store cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum AuditError {
    /// The directory cannot be made or written.
    #[error(
        "cannot use the state directory `{path}`: {source}; make it writable, or name another with `--state-dir` or EXECGATE_STATE_DIR"
    )]
    Directory {
        /// The directory.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The database cannot be opened or written.
    #[error(
        "cannot use the store `{path}`: {source}; make room, or move the file away to start a new one"
    )]
    Database {
        /// The file.
        path: PathBuf,
        /// Why.
        source: rusqlite::Error,
    },
    /// The database was made by a later version.
    #[error(
        "the store `{path}` has version {found}, this program knows {SCHEMA_VERSION}; use the newer program, or another `--state-dir`"
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: i64,
    },
    /// The thread that writes is gone.
    #[error("the store's writer has stopped; restart the program")]
    Stopped,
}

/// One call, as it is recorded.
#[derive(Clone, Debug, Default, Serialize)]
pub struct CallRecord {
    /// Identity of the plan.
    pub plan: String,
    /// Name of the profile.
    pub profile: String,
    /// Who asked.
    pub agent: String,
    /// In which session.
    pub session: String,
    /// From where.
    pub channel: String,
    /// The text.
    pub command: String,
    /// Where it ran or would have run.
    pub cwd: String,
    /// `allow`, `ask` or `deny`.
    pub decision: String,
    /// The rule that decided.
    pub rule: String,
    /// Its family.
    pub category: String,
    /// Why.
    pub reason: String,
    /// What a person or the approver said; empty when nobody was asked.
    pub answer: String,
    /// How it ended, a stable name.
    pub outcome: String,
    /// Exit code.
    pub exit_code: Option<i32>,
    /// Signal that ended it.
    pub signal: Option<i32>,
    /// From start to end, in milliseconds.
    pub duration_ms: u64,
    /// What it printed, in bytes.
    pub output_bytes: u64,
    /// Digest and generation of each component that took part, as JSON.
    pub components: String,
    /// Faults of components, a line each.
    pub faults: String,
    /// Names of the host's variables that the command did not see, separated by commas.
    pub withheld: String,
}

/// The end of a command that had gone on in the background, as it is recorded.
#[derive(Clone, Debug, Default, Serialize)]
pub struct EndRecord {
    /// Identity of the plan.
    pub plan: String,
    /// Id of the session.
    pub session_id: String,
    /// How it ended, a stable name.
    pub outcome: String,
    /// Exit code.
    pub exit_code: Option<i32>,
    /// Signal that ended it.
    pub signal: Option<i32>,
    /// From start to end, in milliseconds.
    pub duration_ms: u64,
    /// What it printed, in bytes.
    pub output_bytes: u64,
}

/// A patch, as it is recorded.
#[derive(Clone, Debug, Default, Serialize)]
pub struct PatchRecord {
    /// Identity of the plan.
    pub plan: String,
    /// Name of the profile.
    pub profile: String,
    /// Who asked.
    pub agent: String,
    /// In which session.
    pub session: String,
    /// From where.
    pub channel: String,
    /// The directory that it was for.
    pub workspace: String,
    /// `allow`, `ask` or `deny`.
    pub decision: String,
    /// The rule that decided.
    pub rule: String,
    /// Why.
    pub reason: String,
    /// What a person or the approver said; empty when nobody was asked.
    pub answer: String,
    /// `applied`, `previewed`, `failed`, `changed`, `refused` or `undone`.
    pub outcome: String,
    /// Path, change and digests (SHA-256, hex) before and after of each file that changed, as JSON.
    pub files: String,
    /// By what it can be taken back, or what was taken back.
    pub undo: String,
}

/// A change of a component, as it is recorded.
#[derive(Clone, Debug, Default, Serialize)]
pub struct SwapRecord {
    /// Name of the slot.
    pub slot: String,
    /// `swap` or `rollback`.
    pub operation: String,
    /// Digest of what was live before.
    pub old_digest: String,
    /// Digest of what is live now, or would be.
    pub new_digest: String,
    /// Why it failed.
    pub error: Option<String>,
}

enum Entry {
    Call(Box<CallRecord>),
    End(Box<EndRecord>),
    Patch(Box<PatchRecord>),
    Swap(Box<SwapRecord>),
}

type Written = Result<(), AuditError>;

/// The open record. Dropping it writes what is left and closes the database.
#[derive(Debug)]
pub struct Audit {
    entries: Option<mpsc::Sender<(Entry, oneshot::Sender<Written>)>>,
    writer: Option<JoinHandle<()>>,
    path: PathBuf,
}

impl Audit {
    /// Opens or makes the store in a directory, which is made if it is missing (0700).
    ///
    /// # Errors
    /// The directory or the database cannot be used.
    pub fn open(state_dir: &Path) -> Result<Self, AuditError> {
        make_directory(state_dir).map_err(|source| AuditError::Directory {
            path: state_dir.to_owned(),
            source,
        })?;
        let path = state_dir.join("execgate.sqlite");
        let connection = open_in_turn(&path)?;
        let (entries, received) = mpsc::channel();
        let file = path.clone();
        let writer = std::thread::Builder::new()
            .name("execgate-audit".to_owned())
            .spawn(move || write_entries(&connection, &file, &received))
            .map_err(|source| AuditError::Directory {
                path: state_dir.to_owned(),
                source,
            })?;
        Ok(Self {
            entries: Some(entries),
            writer: Some(writer),
            path,
        })
    }

    /// The database file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Records a call; answers when it is on disk.
    ///
    /// # Errors
    /// It could not be written.
    pub async fn call(&self, record: CallRecord) -> Written {
        self.write(Entry::Call(Box::new(record))).await
    }

    /// Records the end of a session; answers when it is on disk.
    ///
    /// # Errors
    /// It could not be written.
    pub async fn end(&self, record: EndRecord) -> Written {
        self.write(Entry::End(Box::new(record))).await
    }

    /// Records a patch; answers when it is on disk.
    ///
    /// # Errors
    /// It could not be written.
    pub async fn patch(&self, record: PatchRecord) -> Written {
        self.write(Entry::Patch(Box::new(record))).await
    }

    /// Records a change of a component; answers when it is on disk.
    ///
    /// # Errors
    /// It could not be written.
    pub async fn swap(&self, record: SwapRecord) -> Written {
        self.write(Entry::Swap(Box::new(record))).await
    }

    async fn write(&self, entry: Entry) -> Written {
        let (done, written) = oneshot::channel();
        let entries = self.entries.as_ref().ok_or(AuditError::Stopped)?;
        entries
            .send((entry, done))
            .map_err(|_| AuditError::Stopped)?;
        written.await.map_err(|_| AuditError::Stopped)?
    }
}

impl Drop for Audit {
    fn drop(&mut self) {
        self.entries = None;
        if let Some(writer) = self.writer.take() {
            // A writer that panicked has nothing left to write.
            let _ = writer.join();
        }
    }
}

fn make_directory(directory: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::DirBuilderExt as _;
    std::fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(directory)
}

/// Opens the database, after whoever is just making it: SQLite does not wait for the change into WAL mode by itself.
fn open_in_turn(path: &Path) -> Result<Connection, AuditError> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        match open_database(path) {
            Err(AuditError::Database { source, .. })
                if is_busy(&source) && Instant::now() < deadline =>
            {
                std::thread::sleep(BETWEEN_TRIES);
            }
            opened => return opened,
        }
    }
}

fn is_busy(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode::{DatabaseBusy, DatabaseLocked};
    matches!(
        error.sqlite_error_code(),
        Some(DatabaseBusy | DatabaseLocked)
    )
}

fn open_database(path: &Path) -> Result<Connection, AuditError> {
    let database = |source| AuditError::Database {
        path: path.to_owned(),
        source,
    };
    let connection = Connection::open(path).map_err(|source| match source.sqlite_error_code() {
        // Nothing is wrong with the file: the directory does not let it be made or opened.
        Some(rusqlite::ErrorCode::CannotOpen) => AuditError::Directory {
            path: path.parent().unwrap_or(path).to_owned(),
            source: std::io::Error::other(source),
        },
        Some(_) | None => database(source),
    })?;
    restrict(path).map_err(|source| AuditError::Directory {
        path: path.to_owned(),
        source,
    })?;
    connection.busy_timeout(PATIENCE).map_err(database)?;
    connection
        .pragma_update(None, "journal_mode", "WAL")
        .map_err(database)?;
    // In WAL mode a crash of the program loses nothing, a crash of the machine at most the last records.
    connection
        .pragma_update(None, "synchronous", "NORMAL")
        .map_err(database)?;
    // Rows are written and not read: a page or two at hand is enough. In KiB, as the sign says.
    connection
        .pragma_update(None, "cache_size", -256)
        .map_err(database)?;
    // Folding the log into the database costs waits for the disk; it is done every thousand pages
    // anyway, and a program that runs one command need not wait for it at its end.
    connection
        .set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)
        .map_err(database)?;
    let found: i64 = connection
        .pragma_query_value(None, "user_version", |row| row.get(0))
        .map_err(database)?;
    if found > SCHEMA_VERSION {
        return Err(AuditError::Version {
            path: path.to_owned(),
            found,
        });
    }
    connection.execute_batch(SCHEMA).map_err(database)?;
    if found == 1 {
        connection.execute_batch(FROM_1).map_err(database)?;
    }
    if found < SCHEMA_VERSION {
        connection
            .pragma_update(None, "user_version", SCHEMA_VERSION)
            .map_err(database)?;
    }
    Ok(connection)
}

/// Commands and their reasons are nobody else's business.
fn restrict(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600))
}

fn write_entries(
    connection: &Connection,
    path: &Path,
    entries: &mpsc::Receiver<(Entry, oneshot::Sender<Written>)>,
) {
    for (entry, done) in entries {
        let written = match entry {
            Entry::Call(record) => insert_call(connection, &record),
            Entry::End(record) => insert_end(connection, &record),
            Entry::Patch(record) => insert_patch(connection, &record),
            Entry::Swap(record) => insert_swap(connection, &record),
        };
        let written = written.map_err(|source| AuditError::Database {
            path: path.to_owned(),
            source,
        });
        // Nobody waits any more when the call was taken back.
        let _ = done.send(written);
    }
}

fn insert_call(connection: &Connection, record: &CallRecord) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO calls (at_ms, plan, profile, agent, session, channel, command, cwd, decision, rule, category, reason, answer, outcome,
         exit_code, signal, duration_ms, output_bytes, components, faults, withheld)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21)",
    )?;
    statement.execute(params![
        now_ms(),
        record.plan,
        record.profile,
        record.agent,
        record.session,
        record.channel,
        record.command,
        record.cwd,
        record.decision,
        record.rule,
        record.category,
        record.reason,
        record.answer,
        record.outcome,
        record.exit_code,
        record.signal,
        i64::try_from(record.duration_ms).unwrap_or(i64::MAX),
        i64::try_from(record.output_bytes).unwrap_or(i64::MAX),
        record.components,
        record.faults,
        record.withheld,
    ])?;
    Ok(())
}

fn insert_end(connection: &Connection, record: &EndRecord) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO ends (at_ms, plan, session_id, outcome, exit_code, signal, duration_ms, output_bytes) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    )?;
    statement.execute(params![
        now_ms(),
        record.plan,
        record.session_id,
        record.outcome,
        record.exit_code,
        record.signal,
        i64::try_from(record.duration_ms).unwrap_or(i64::MAX),
        i64::try_from(record.output_bytes).unwrap_or(i64::MAX),
    ])?;
    Ok(())
}

fn insert_patch(connection: &Connection, record: &PatchRecord) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO patches (at_ms, plan, profile, agent, session, channel, workspace, decision, rule, reason, answer, outcome, files, undo)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
    )?;
    statement.execute(params![
        now_ms(),
        record.plan,
        record.profile,
        record.agent,
        record.session,
        record.channel,
        record.workspace,
        record.decision,
        record.rule,
        record.reason,
        record.answer,
        record.outcome,
        record.files,
        record.undo,
    ])?;
    Ok(())
}

fn insert_swap(connection: &Connection, record: &SwapRecord) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO swaps (at_ms, slot, operation, old_digest, new_digest, error) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?;
    statement.execute(params![
        now_ms(),
        record.slot,
        record.operation,
        record.old_digest,
        record.new_digest,
        record.error
    ])?;
    Ok(())
}

fn now_ms() -> i64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .ok()
        .and_then(|time| i64::try_from(time.as_millis()).ok())
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_record_is_on_disk_before_the_answer() {
        let directory = tempfile::tempdir().unwrap();
        let audit = Audit::open(&directory.path().join("state")).unwrap();
        audit
            .call(CallRecord {
                command: "echo hi".into(),
                decision: "allow".into(),
                exit_code: Some(0),
                ..CallRecord::default()
            })
            .await
            .unwrap();
        let other = Connection::open(audit.path()).unwrap();
        let row: (String, String, Option<i32>) = other
            .query_row(
                "SELECT command, decision, exit_code FROM calls",
                [],
                |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
            )
            .unwrap();
        assert_eq!(row, ("echo hi".to_owned(), "allow".to_owned(), Some(0)));
    }

    #[test]
    fn a_file_in_the_way_is_named() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("state");
        std::fs::write(&file, "").unwrap();
        let error = Audit::open(&file).unwrap_err().to_string();
        assert!(
            error.contains("state") && error.contains("--state-dir"),
            "{error}"
        );
    }

    #[test]
    fn a_damaged_store_is_named() {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(
            directory.path().join("execgate.sqlite"),
            "this is not a database, and long enough to be looked at".repeat(20),
        )
        .unwrap();
        let error = Audit::open(directory.path()).unwrap_err().to_string();
        assert!(
            error.contains("execgate.sqlite") && error.contains("start a new one"),
            "{error}"
        );
    }

    #[tokio::test]
    async fn a_store_of_an_earlier_version_is_carried_on() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("execgate.sqlite");
        let old = Connection::open(&path).unwrap();
        let columns = SCHEMA.replace(",\n    withheld TEXT NOT NULL DEFAULT ''", "");
        old.execute_batch(&columns).unwrap();
        old.pragma_update(None, "user_version", 1).unwrap();
        drop(old);
        for _ in 0..2 {
            let audit = Audit::open(directory.path()).unwrap();
            audit.call(CallRecord::default()).await.unwrap();
        }
    }

    #[test]
    fn many_make_the_store_at_once() {
        let directory = tempfile::tempdir().unwrap();
        let start = std::sync::Barrier::new(8);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    start.wait();
                    Audit::open(directory.path()).unwrap();
                });
            }
        });
    }

    #[test]
    fn a_store_of_a_later_version_is_left_alone() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("execgate.sqlite");
        Connection::open(&path)
            .unwrap()
            .pragma_update(None, "user_version", 99)
            .unwrap();
        assert!(matches!(
            Audit::open(directory.path()),
            Err(AuditError::Version { found: 99, .. })
        ));
    }
}
