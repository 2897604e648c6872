//! A recording of what a session prints, as asciicast v2. What is typed is not recorded, and secrets are covered.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::sync::Arc;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use execgate_screen::Size;
use execgate_screen::cast::{CastError, Header, Recorder, Recording};

use crate::output::mask::{MaskedStream, Secrets};
use crate::plan::ExecPlan;

/// A recording that goes on.
#[derive(Debug)]
pub(crate) struct Tape {
    /// None once something went wrong: a recording is never the command's failure.
    recorder: Option<Recorder<File>>,
    stream: MaskedStream,
    begun: Instant,
}

impl Tape {
    /// Makes the file, which must be new (0600), and writes its first line.
    ///
    /// # Errors
    /// It is there already, or cannot be written.
    pub(crate) fn create(
        path: &Path,
        plan: &ExecPlan,
        size: Size,
        secrets: &Arc<Secrets>,
    ) -> io::Result<Self> {
        let file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(path)?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let header = Header {
            timestamp_s: now.ok().map(|now| now.as_secs()),
            command: Some(secrets.mask_text(&plan.request.command).into_owned()),
            ..Header::new(size)
        };
        let recorder = Recorder::new(file, &header, Recording::default());
        Ok(Self {
            recorder: Some(recorder.map_err(io::Error::other)?),
            stream: MaskedStream::new(Arc::clone(secrets)),
            begun: Instant::now(),
        })
    }

    /// Records a chunk.
    pub(super) fn push(&mut self, chunk: &[u8]) {
        let masked = self.stream.push(chunk);
        self.record(|recorder, at| recorder.output(at, &masked));
    }

    /// Records a new size of the window.
    pub(super) fn resize(&mut self, size: Size) {
        self.record(|recorder, at| recorder.resize(at, size));
    }

    /// Ends the recording.
    pub(super) fn finish(&mut self) {
        let rest = self.stream.finish();
        self.record(|recorder, at| recorder.output(at, &rest));
        if let Some(Err(error)) = self.recorder.take().map(Recorder::finish) {
            tracing::warn!(%error, "the end of a recording could not be written");
        }
    }

    fn record(
        &mut self,
        write: impl FnOnce(&mut Recorder<File>, std::time::Duration) -> Result<(), CastError>,
    ) {
        let at = self.begun.elapsed();
        let Some(recorder) = &mut self.recorder else {
            return;
        };
        if let Err(error) = write(recorder, at) {
            tracing::warn!(%error, "a recording ends early");
            self.recorder = None;
        }
    }
}
