//! Programs that are the same on all systems, handed to the rules for those.

use execgate_guest::{Segment, Word};
use execgate_knowledge::shells;
use execgate_rules::Invocation;
use execgate_rules::paths::is_url;

use super::Command;
use super::path::{self, Place};
use crate::finding::Finding;
use crate::place;

impl Command<'_, '_, '_> {
    /// A program that is the same on all systems.
    pub(super) fn everywhere(&self, name: &str, findings: &mut Vec<Finding>) {
        let known = shells::interpreter_named(name).is_some() || shells::SHELLS.contains(name);
        if known && self.is_fed_by_network() {
            findings.push(
                self.ask(
                    "pipe-shell/input",
                    "it runs or works with what was just fetched",
                )
                .high(),
            );
        }
        let informs = matches!(self.arguments(), [only] if matches!(only.value.as_deref(), Some("-v" | "-V" | "--version")));
        let prints = known || matches!(name, "npm" | "pnpm" | "tsc" | "yarn");
        if informs && prints {
            return;
        }
        let mut words = self.segment.words.clone();
        if let Some(first) = words.first_mut() {
            first.value = Some(name.to_owned());
        }
        // The launcher of Python takes a version first.
        let version = |word: &Word| {
            word.value.as_deref().is_some_and(|text| {
                text.strip_prefix('-')
                    .is_some_and(|rest| rest.starts_with(['2', '3']))
            })
        };
        if name == "python" && words.get(1).is_some_and(version) {
            words.remove(1);
        }
        for word in words.iter_mut().skip(1) {
            let Some(text) = word.value.as_deref() else {
                continue;
            };
            let lower = text.to_lowercase();
            if lower != text && place::project(&lower) > place::project(text) {
                // Windows does not tell cases apart.
                word.value = Some(lower);
            } else if let Some(plain) = self.plain(text) {
                word.value = Some(plain);
            }
        }
        let segment = Segment {
            words,
            assignments: Vec::new(),
            redirects: Vec::new(),
            ..self.segment.clone()
        };
        if let Some(invocation) = Invocation::read(self.index, &segment) {
            self.windows.judge.invocation(&invocation, findings);
        }
    }

    /// A path of Windows in the form of the other rules; `None` for what is none.
    fn plain(&self, text: &str) -> Option<String> {
        let start = text.find(['=']).map_or(0, |place| place + 1);
        let (option, value) = text.split_at(if text.starts_with('-') { start } else { 0 });
        if is_url(value) || !(value.contains('\\') || path::is_drive(value.as_bytes())) {
            return None;
        }
        let blank = value.contains([' ', '\n', '"', '|', '(']) && !path::is_drive(value.as_bytes());
        match self.place(value) {
            Place::Path(path) if !blank => Some(format!("{option}{path}")),
            Place::Network | Place::Device | Place::Unclear if !blank => {
                Some(format!("{option}/c:/unknown"))
            }
            Place::Path(_)
            | Place::Nothing
            | Place::Item(..)
            | Place::Network
            | Place::Device
            | Place::Unclear => None,
        }
    }
}
