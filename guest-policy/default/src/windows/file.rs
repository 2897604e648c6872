//! Files that commands of Windows read, write and delete.

use execgate_guest::{Part, RedirectOperator, Word};
use execgate_rules::paths::climbs;

use super::path::{self, Place};
use super::{Command, Shell, canonical, flow, is_variable};
use crate::access::{self, Use};
use crate::finding::Finding;
use crate::place::Class;

/// Cmdlets whose output are items, so that what is read of them is where they looked.
pub(super) const LISTERS: [&str; 3] = ["get-childitem", "get-item", "resolve-path"];

/// Variables that lead to places of the system.
const SYSTEM_PLACES: [(&str, &str); 10] = [
    ("allusersprofile", "C:\\ProgramData"),
    ("programdata", "C:\\ProgramData"),
    ("programfiles", "C:\\Program Files"),
    ("programfiles(x86)", "C:\\Program Files (x86)"),
    ("public", "C:\\Users\\Public"),
    ("systemdrive", "C:"),
    ("systemroot", "C:\\Windows"),
    ("temp", "C:\\Windows\\Temp"),
    ("tmp", "C:\\Windows\\Temp"),
    ("windir", "C:\\Windows"),
];

/// Drives whose items are settings of the machine.
const REGISTRY: [&str; 5] = ["hkcr", "hkcu", "hklm", "hku", "registry"];

impl Command<'_, '_, '_> {
    /// Judges redirects to and from files.
    pub(super) fn redirects(&self, findings: &mut Vec<Finding>) {
        for redirect in &self.segment.redirects {
            let with = match redirect.operator {
                RedirectOperator::Read => Use::Read,
                RedirectOperator::DuplicateInput
                | RedirectOperator::DuplicateOutput
                | RedirectOperator::HereDocument
                | RedirectOperator::HereString => continue,
                RedirectOperator::Write
                | RedirectOperator::Clobber
                | RedirectOperator::Append
                | RedirectOperator::ReadWrite
                | RedirectOperator::WriteBoth
                | RedirectOperator::AppendBoth => Use::Write,
            };
            self.file(&redirect.target, with, findings);
        }
    }

    /// Judges one word as a file.
    pub(super) fn file(&self, word: &Word, with: Use, findings: &mut Vec<Finding>) {
        if self.shell == Shell::PowerShell && is_variable(word, "null") {
            return;
        }
        match self.text_of(word) {
            Some(text) => self.named(&text, word, with, findings),
            None if with == Use::Read && self.is_listed(word) => {}
            None => {
                let reason = "which file it uses is not known before it runs".to_owned();
                let finding = Finding::ask("path/unknown", reason, word.span);
                findings.push(finding.instead("write the path out"));
            }
        }
    }

    /// Judges a path that is written out.
    pub(super) fn named(&self, text: &str, word: &Word, with: Use, findings: &mut Vec<Finding>) {
        match self.place(text) {
            Place::Nothing => {}
            Place::Path(path) => findings.extend(self.path(&path, text, word, with)),
            Place::Item(drive, rest) => self.item(&drive, &rest, word, with, findings),
            place @ (Place::Network | Place::Device | Place::Unclear) => {
                findings.push(odd(&place, text, word, with));
            }
        }
    }

    fn path(&self, path: &str, text: &str, word: &Word, with: Use) -> Option<Finding> {
        let Some((directory, rest)) = split_pattern(path) else {
            return access::class(self.class(path), text, with, word.span);
        };
        let finding = access::class(self.class(&directory), text, with, word.span);
        let unclear = climbs(rest) || with != Use::Read;
        finding.or_else(|| {
            unclear.then(|| {
                let reason = format!("what `{text}` stands for is not known before it runs");
                Finding::ask("path/unknown", reason, word.span)
            })
        })
    }

    /// Judges an item of a drive that holds no files.
    fn item(&self, drive: &str, rest: &str, word: &Word, with: Use, findings: &mut Vec<Finding>) {
        let name = rest.trim_start_matches(['\\', '/']);
        let finding = match drive {
            "env" | "environment" if with == Use::Read => {
                let all = name.is_empty() || name.contains(['*', '?', '[']);
                let secret = all || is_secret_variable(name);
                secret.then(|| {
                    Finding::ask(
                        "path/secret",
                        "it prints variables that may hold secrets".into(),
                        word.span,
                    )
                })
            }
            "env" | "environment" => {
                crate::environment::variable(&name.to_uppercase(), word, word.span, true)
            }
            "function" | "alias" | "variable" | "temp" if with == Use::Read => None,
            _ if REGISTRY.contains(&drive) && with == Use::Read => {
                let secret =
                    name.contains("sam") || name.contains("security") || name.contains("winlogon");
                secret.then(|| {
                    Finding::ask(
                        "path/secret",
                        "it reads a part of the registry that holds secrets".into(),
                        word.span,
                    )
                    .high()
                })
            }
            _ if REGISTRY.contains(&drive) => Some(Finding::deny(
                "registry/change",
                "it changes the registry".into(),
                word.span,
            )),
            "cert" | "certificate" if with == Use::Read => None,
            _ => {
                let reason = format!("what an item of `{drive}:` is for is not known");
                Some(Finding::ask("path/unknown", reason, word.span).high())
            }
        };
        findings.extend(finding);
    }

    /// Judges a word as something that is deleted.
    pub(super) fn deletes(&self, word: &Word, tree: bool, findings: &mut Vec<Finding>) {
        let judge = self.windows.judge;
        let Some(text) = self.text_of(word) else {
            let reason = "what it deletes is not known before it runs".to_owned();
            findings.push(Finding::ask("path/unknown", reason, word.span).high());
            return;
        };
        let path = match self.place(&text) {
            Place::Path(path) => path,
            Place::Nothing => return,
            Place::Item(drive, rest) => {
                return self.item(&drive, &rest, word, Use::Write, findings);
            }
            place @ (Place::Network | Place::Device | Place::Unclear) => {
                findings.push(odd(&place, &text, word, Use::Write));
                return;
            }
        };
        let pattern = split_pattern(&path);
        let directory = pattern
            .as_ref()
            .map_or(path.as_str(), |(directory, _)| directory);
        let holds = |base: &String| judge.places.holds_everything(base, directory);
        let everything =
            directory.starts_with('/') && judge.places.holds_everything("/", directory)
                || pattern.is_none() && judge.bases().iter().any(holds)
                || pattern.is_some()
                    && judge.bases().iter().any(|base| {
                        holds(base) && self.class(directory) > Some(Class::ProjectSecret)
                    });
        let outside = || {
            let reason = format!("it deletes in `{text}`, which is not a part of the workspace");
            Finding::deny("delete/outside", reason, word.span)
        };
        match self.class(directory) {
            _ if everything && pattern.is_none() => findings.push(outside()),
            Some(Class::Project | Class::Temporary | Class::Harmless)
                if pattern.is_none() && !tree => {}
            None
            | Some(
                Class::Project
                | Class::Temporary
                | Class::Harmless
                | Class::ProjectStartup
                | Class::ProjectSecret,
            ) => {
                findings.push(self.tree());
            }
            Some(
                Class::Readable
                | Class::Elsewhere
                | Class::System
                | Class::Startup
                | Class::Secret
                | Class::Device,
            ) => {
                findings.push(outside());
            }
        }
    }

    /// The kind of a place, with what Windows keeps in a home directory.
    pub(super) fn class(&self, path: &str) -> Option<Class> {
        let class = self.windows.judge.class(path)?;
        let home = self.windows.home.as_deref();
        let rest = home.and_then(|home| path.strip_prefix(home)?.strip_prefix('/'));
        Some(match rest {
            Some(rest) if class == Class::Elsewhere => {
                class.max(path::home_class(&rest.to_lowercase()))
            }
            Some(_) | None => class,
        })
    }

    /// What a variable that leads to a known place stands for.
    fn known_place(&self, name: &str) -> Option<String> {
        let lower = name.to_ascii_lowercase();
        let name = match self.shell {
            Shell::PowerShell => lower.strip_prefix("env:")?,
            Shell::Cmd => &lower,
        };
        let home = || self.windows.home.as_deref().map(path::native);
        Some(match name {
            "cd" if self.shell == Shell::Cmd => ".".to_owned(),
            "userprofile" => home()?,
            "appdata" => format!("{}/AppData/Roaming", home()?),
            "localappdata" => format!("{}/AppData/Local", home()?),
            _ => SYSTEM_PLACES
                .iter()
                .find(|(known, _)| *known == name)?
                .1
                .to_owned(),
        })
    }

    /// Deleting more than one is meant to see.
    pub(super) fn tree(&self) -> Finding {
        self.ask("delete/tree", "it deletes more than single named files")
            .high()
            .instead("name single files")
    }

    /// A script that is run.
    pub(super) fn script(&self, word: &Word, findings: &mut Vec<Finding>) {
        match self.text_of(word).map(|text| self.place(&text)) {
            Some(Place::Path(path)) if split_pattern(&path).is_none() => {
                access::script(self.windows.judge, &path, word.span, findings);
            }
            Some(_) | None => {
                let reason =
                    "which script it runs is not known, or it is not in the workspace".to_owned();
                findings.push(Finding::ask("path/unknown", reason, word.span).high());
            }
        }
    }

    pub(super) fn place(&self, text: &str) -> Place {
        let windows = self.windows;
        let posix = windows
            .home
            .as_deref()
            .filter(|home| !path::is_drive(home.as_bytes().get(1..).unwrap_or_default()));
        path::read(
            text,
            self.shell,
            windows.home.as_deref(),
            posix.filter(|_| windows.native),
        )
    }

    /// The text of a word, with the variables put in that stand for places known here.
    pub(super) fn text_of(&self, word: &Word) -> Option<String> {
        if let Some(text) = &word.value {
            return Some(text.clone());
        }
        let mut text = String::new();
        for part in &word.parts {
            match part {
                Part::Literal(piece) => text.push_str(piece),
                Part::Variable(name) if text.is_empty() => text.push_str(&self.known_place(name)?),
                Part::Variable(_)
                | Part::Substitution
                | Part::ProcessSubstitution
                | Part::Arithmetic
                | Part::Glob(_) => return None,
            }
        }
        Some(text)
    }

    /// Whether a word is an item that a cmdlet before it listed, or a file that a loop goes through: where those looked
    /// is judged with them.
    fn is_listed(&self, word: &Word) -> bool {
        let names = word.parts.iter().map(|part| match part {
            Part::Variable(name) => Some(name.as_str()),
            Part::Literal(_)
            | Part::Substitution
            | Part::ProcessSubstitution
            | Part::Arithmetic
            | Part::Glob(_) => None,
        });
        let names: Option<Vec<&str>> = names.collect();
        let Some(names) = names.filter(|names| !names.is_empty()) else {
            return false;
        };
        match self.shell {
            Shell::PowerShell => {
                let item = names
                    .iter()
                    .all(|name| matches!(*name, "" | "_" | "psitem"));
                item && names.len() < 3 && names.last() != Some(&"") && self.lister().is_some()
            }
            Shell::Cmd => {
                matches!(names.as_slice(), [name] if name.starts_with('%') && self.is_bounded(name))
            }
        }
    }

    /// The cmdlet at the start of the pipeline whose items the block around this segment sees.
    fn lister(&self) -> Option<&str> {
        let line = self.windows.judge.line;
        let block = line.segment(self.segment.parent?)?;
        let first = flow::stages_before(line, block).next()?;
        canonical(first).filter(|name| LISTERS.contains(name))
    }

    /// Whether the variable of a loop only goes through files of the project.
    fn is_bounded(&self, name: &str) -> bool {
        let segments = &self.windows.judge.line.command_line.segments;
        let mut values = segments
            .iter()
            .flat_map(|segment| &segment.assignments)
            .filter(|assignment| assignment.name == name)
            .peekable();
        values.peek().is_some()
            && values.all(|assignment| {
                let mut findings = Vec::new();
                let known = assignment.value.value.is_some();
                self.file(&assignment.value, Use::Read, &mut findings);
                known && findings.is_empty()
            })
    }
}

/// Whether a variable by its name holds a secret.
pub(super) fn is_secret_variable(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    execgate_knowledge::windows::SECRET_WORDS
        .iter()
        .any(|word| lower.contains(word))
}

/// The directory that a pattern is matched in, and what follows; `None` for a plain path.
pub(super) fn split_pattern(path: &str) -> Option<(String, &str)> {
    let place = path.find(['*', '?', '['])?;
    let end = path[..place].rfind('/');
    let directory = match end {
        Some(0) => "/",
        Some(end) => &path[..end],
        None => ".",
    };
    Some((directory.to_owned(), &path[end.map_or(0, |end| end + 1)..]))
}

fn odd(place: &Place, text: &str, word: &Word, with: Use) -> Finding {
    match place {
        Place::Device if with != Use::Read => Finding::deny(
            "disk/block-device",
            format!("`{text}` is a disk"),
            word.span,
        ),
        Place::Network => Finding::ask(
            "path/outside",
            format!("`{text}` is on another host"),
            word.span,
        )
        .high(),
        Place::Device | Place::Unclear | Place::Path(_) | Place::Nothing | Place::Item(..) => {
            Finding::ask(
                "path/unknown",
                format!("where `{text}` leads is not known before it runs"),
                word.span,
            )
            .high()
        }
    }
}
