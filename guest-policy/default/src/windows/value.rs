//! Variables that parts of a command read and set.

use execgate_guest::{Part, Word};
use execgate_knowledge::windows::STEERING;

use super::file::is_secret_variable;
use super::path::Place;
use super::{Command, Shell};
use crate::access::Use;
use crate::environment;
use crate::finding::Finding;
use crate::place::Class;

impl Command<'_, '_, '_> {
    /// Judges the variables that a segment sets, and those that it reads.
    pub(super) fn values(&self, findings: &mut Vec<Finding>) {
        let segment = self.segment;
        for assignment in &segment.assignments {
            self.sets(&assignment.name, &assignment.value, findings);
        }
        let words = segment.words.iter();
        let values = segment
            .assignments
            .iter()
            .map(|assignment| &assignment.value);
        let targets = segment.redirects.iter().map(|redirect| &redirect.target);
        for word in words.chain(values).chain(targets) {
            self.reads(word, findings);
        }
    }

    fn sets(&self, name: &str, value: &Word, findings: &mut Vec<Finding>) {
        self.may_name_secret(value, findings);
        match self.shell {
            // Whether a file is there is no secret, and the values of a loop's variable are judged where it is used.
            Shell::Cmd if name.is_empty() || name == "exist" || name.starts_with('%') => {}
            Shell::Cmd if self.steers(name.trim(), value, findings) => {}
            Shell::Cmd => findings.extend(environment::variable(
                &name.trim().to_uppercase(),
                value,
                value.span,
                true,
            )),
            Shell::PowerShell => match name.split_once(':') {
                Some(("env", name)) if self.steers(name, value, findings) => {}
                Some(("env", name)) => {
                    findings.extend(environment::variable(
                        &name.to_uppercase(),
                        value,
                        value.span,
                        true,
                    ));
                }
                // `${C:\file} = text` writes a file.
                Some(_) => self.named(name, value, Use::Write, findings),
                None => {}
            },
        }
    }

    /// Variables of Windows that steer what programs run or where they look; says whether it is one.
    fn steers(&self, name: &str, value: &Word, findings: &mut Vec<Finding>) -> bool {
        let lower = name.to_ascii_lowercase();
        let steers = STEERING.iter().any(|known| lower.starts_with(known));
        if steers {
            let reason = format!("`{name}` changes what programs run or where they look");
            findings.push(Finding::ask("environment/variable", reason, value.span).high());
        }
        steers
    }

    /// A text that names a secret may be handed to anything that takes names of files.
    fn may_name_secret(&self, value: &Word, findings: &mut Vec<Finding>) {
        let Some(text) = value
            .value
            .as_deref()
            .filter(|text| text.contains(['\\', '/', '.', '~']) && text.len() < 260)
        else {
            return;
        };
        if let Place::Path(path) = self.place(text)
            && matches!(
                self.class(&path),
                Some(Class::Secret | Class::ProjectSecret)
            )
        {
            let reason = format!("`{text}` names a file that may hold secrets");
            findings.push(Finding::ask("path/secret", reason, value.span).high());
        }
    }

    fn reads(&self, word: &Word, findings: &mut Vec<Finding>) {
        for part in &word.parts {
            let Part::Variable(name) = part else { continue };
            let (variable, item) = match (self.shell, name.split_once(':')) {
                (Shell::Cmd, _) => (Some(name.as_str()), false),
                (Shell::PowerShell, Some(("env", name))) => (Some(name), false),
                (Shell::PowerShell, Some(_)) => (None, true),
                (Shell::PowerShell, None) => (None, false),
            };
            if variable.is_some_and(is_secret_variable) {
                let reason = format!("`{name}` by its name holds a secret");
                findings.push(Finding::ask("path/secret", reason, word.span).high());
            }
            if item {
                self.named(name, word, Use::Read, findings);
            }
        }
    }
}
