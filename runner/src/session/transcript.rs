//! What a session printed, as text: decoded, masked, without terminal control. Made as far as somebody asks for it, each byte once.

use crate::output::mask::{CONTEXT, Secrets};
use crate::output::sanitize::{Controls, Motion, Sanitizer, overwritten};
use crate::output::{Capture, Decoder};

/// Bytes rendered at once.
const PAGE: usize = 64 << 10;

/// The text of one stream.
#[derive(Debug)]
pub(super) struct Transcript {
    /// Offset of the first byte that is not rendered.
    fed: u64,
    decoder: Decoder,
    sanitizer: Sanitizer,
    text: String,
    /// Scalars in `text`.
    scalars: usize,
    /// Scalars that were dropped from its front.
    dropped: u64,
    /// Whether bytes were gone before they were rendered.
    is_broken: bool,
    is_finished: bool,
    cap: usize,
    controls: Controls,
}

impl Transcript {
    /// An empty text that keeps the last `cap` scalars.
    pub(super) fn new(cap: usize, controls: Controls) -> Self {
        Self {
            fed: 0,
            decoder: Decoder::default(),
            sanitizer: Sanitizer::new(Motion::Kept).with(controls),
            controls,
            text: String::new(),
            scalars: 0,
            dropped: 0,
            is_broken: false,
            is_finished: false,
            cap: cap.max(1),
        }
    }

    /// Renders what has come since the last time.
    ///
    /// While a command runs, an end that may be the beginning of a secret is held back.
    pub(super) fn update(&mut self, output: &Capture, secrets: &Secrets, has_ended: bool) {
        if self.is_finished {
            return;
        }
        self.skip_lost(output);
        let held = if has_ended {
            0
        } else {
            held_back(output, secrets)
        };
        let end = output.total_bytes() - held;
        let mut new = String::new();
        while self.fed < end {
            let max = usize::try_from(end - self.fed).map_or(PAGE, |left| left.min(PAGE));
            let page = output.masked(self.fed, max, secrets);
            if page.is_empty() {
                break;
            }
            self.fed += page.len() as u64;
            let sanitizer = &mut self.sanitizer;
            self.decoder
                .push(&page, |piece| sanitizer.push(piece, &mut new, |_| {}));
        }
        if has_ended {
            self.is_finished = true;
            let sanitizer = &mut self.sanitizer;
            self.decoder
                .finish(|piece| sanitizer.push(piece, &mut new, |_| {}));
        }
        // Control sequences within a secret had hidden it from the first look.
        let new = secrets.mask_text(&new);
        self.scalars += new.chars().count();
        self.text.push_str(&new);
        self.trim();
    }

    /// Goes on behind bytes that the ring has dropped.
    fn skip_lost(&mut self, output: &Capture) {
        if self.fed >= output.start() {
            return;
        }
        self.is_broken = true;
        self.decoder = Decoder::default();
        self.sanitizer = Sanitizer::new(Motion::Kept).with(self.controls);
        self.fed = output.character_start(output.start());
    }

    /// Drops old text, in large steps.
    fn trim(&mut self) {
        if self.scalars > self.cap.saturating_mul(2) {
            let excess = self.scalars - self.cap;
            let at = self
                .text
                .char_indices()
                .nth(excess)
                .map_or(self.text.len(), |(at, _)| at);
            self.text.drain(..at);
            self.scalars -= excess;
            self.dropped += excess as u64;
        }
    }

    /// Scalars rendered since the beginning.
    pub(super) fn total(&self) -> u64 {
        self.dropped + self.scalars as u64
    }

    /// Whether early text is gone for good.
    pub(super) fn is_lossy(&self) -> bool {
        self.is_broken || self.total() > self.cap as u64
    }

    /// The text that is kept, at most the cap.
    pub(super) fn kept(&self) -> &str {
        last(&self.text, self.scalars, self.cap)
    }

    /// The text from a scalar on, and whether some of it is no longer there.
    pub(super) fn since(&self, mark: u64) -> (&str, bool) {
        let wanted = usize::try_from(self.total().saturating_sub(mark)).unwrap_or(usize::MAX);
        (
            last(&self.text, self.scalars, wanted),
            wanted > self.scalars,
        )
    }

    /// The last scalars of the text.
    pub(super) fn tail(&self, max: usize) -> &str {
        last(&self.text, self.scalars, max.min(self.cap))
    }

    /// Bytes of memory it takes.
    pub(super) fn capacity(&self) -> usize {
        self.text.capacity()
    }
}

/// How many bytes at the end of a running command's output are not shown yet.
pub(super) fn held_back(output: &Capture, secrets: &Secrets) -> u64 {
    let from = output.total_bytes().saturating_sub(CONTEXT as u64);
    secrets.unsettled(&output.read(from, CONTEXT).bytes) as u64
}

/// The last `max` of a text's scalars, which are `scalars` in all.
fn last(text: &str, scalars: usize, max: usize) -> &str {
    let skipped = scalars.saturating_sub(max);
    if skipped == 0 {
        return text;
    }
    if text.len() == scalars {
        return &text[skipped..];
    }
    let at = text
        .char_indices()
        .nth(skipped)
        .map_or(text.len(), |(at, _)| at);
    text.get(at..).unwrap_or_default()
}

/// A text as its terminal would show it: what was overwritten is not there.
pub(super) fn shown(text: &str, keeps_line_ends: bool) -> String {
    overwritten(text, !keeps_line_ends)
}
