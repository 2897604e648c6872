//! How fast a recording is played.

use std::time::Duration;

use super::error::CastError;

/// How fast a recording is played.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pace {
    /// How many times as fast as it was recorded; above 0.
    pub speed: f64,
    /// Longest pause between two events, before the speed is applied. Without it, what the recording's header says.
    pub idle_limit: Option<Duration>,
}

impl Default for Pace {
    /// As it was recorded.
    fn default() -> Self {
        Self {
            speed: 1.0,
            idle_limit: None,
        }
    }
}

impl Pace {
    pub(super) fn check(self) -> Result<Self, CastError> {
        if self.speed.is_finite() && self.speed > 0.0 {
            Ok(self)
        } else {
            Err(CastError::Speed(self.speed))
        }
    }

    /// How long a pause is while playing.
    pub(super) fn pause(&self, recorded: Duration) -> Duration {
        let pause = self
            .idle_limit
            .map_or(recorded, |limit| recorded.min(limit));
        // A speed near 0 makes it longer than can be told.
        Duration::try_from_secs_f64(pause.as_secs_f64() / self.speed).unwrap_or(Duration::MAX)
    }
}
