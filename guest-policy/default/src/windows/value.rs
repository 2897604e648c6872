//! Variables that parts of a command read and set.

use execgate_guest::{Part, Word};

use super::file::is_secret_variable;
use super::{Command, Shell};
use crate::access::Use;
use crate::environment;
use crate::finding::Finding;

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
        match self.shell {
            Shell::Cmd if name == "exist" => self.file(value, Use::Read, findings),
            // The values of a loop's variable are judged where it is used.
            Shell::Cmd if name.is_empty() || name.starts_with('%') => {}
            Shell::Cmd => findings.extend(environment::variable(
                &name.trim().to_uppercase(),
                value,
                value.span,
                true,
            )),
            Shell::PowerShell => match name.split_once(':') {
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
