//! Built-in commands of the command processor (`help`).

use execgate_guest::{Relation, Word};

use super::Command;
use super::file::is_secret_variable;
use crate::access::Use;
use crate::finding::Finding;

/// Arguments of a built-in command: `/s/q` are two switches.
struct Operands<'s> {
    switches: Vec<String>,
    words: Vec<&'s Word>,
}

impl Command<'_, '_, '_> {
    /// Judges a built-in command.
    pub(super) fn built_in(&self, name: &str, findings: &mut Vec<Finding>) {
        let operands = Operands::of(self.arguments(), self.windows.home.as_deref());
        if operands.has("?") {
            return;
        }
        match name {
            "break" | "cls" | "color" | "echo" | "endlocal" | "exit" | "goto" | "pause" | "rem"
            | "setlocal" | "shift" | "title" | "ver" | "verify" | "vol" | "popd" | "prompt" => {}
            "dir" | "type" | "pushd" => self.each(&operands, Use::Read, findings),
            "cd" if self.segment.words.len() > 1 => self.each(&operands, Use::Read, findings),
            "cd" => {}
            "md" => self.each(&operands, Use::Write, findings),
            "copy" | "move" | "ren" | "mklink" => self.copies(name, &operands, findings),
            "del" | "rd" => self.removes(name, &operands, findings),
            "date" | "time" => {
                if !(operands.has("t") && operands.words.is_empty()) {
                    findings.push(self.deny("service/change", "it sets the clock of the machine"));
                }
            }
            "path" if operands.words.is_empty() => {}
            "assoc" | "ftype" if !self.arguments().iter().any(sets) => {}
            "path" | "assoc" | "ftype" => {
                findings.push(
                    self.ask(
                        "environment/variable",
                        "it changes where programs are found, or what opens files",
                    )
                    .high(),
                );
            }
            "set" => self.set(&operands, findings),
            "call" | "start" => self.calls(name, findings),
            _ => {
                findings.push(self.ask("program/unknown", format!("nothing is known of `{name}`")))
            }
        }
    }

    fn each(&self, operands: &Operands<'_>, with: Use, findings: &mut Vec<Finding>) {
        for word in &operands.words {
            self.file(word, with, findings);
        }
    }

    /// All but the last are read, or moved away.
    fn copies(&self, name: &str, operands: &Operands<'_>, findings: &mut Vec<Finding>) {
        let count = operands.words.len();
        for (place, word) in operands.words.iter().enumerate() {
            let last = place + 1 == count && count > 1;
            let with = match name {
                "copy" if !last => Use::Read,
                "mklink" if place > 0 => Use::Run,
                _ => Use::Write,
            };
            let target = name == "ren" && place > 0;
            if target
                && word
                    .value
                    .as_deref()
                    .is_none_or(|text| text.contains(['/', '\\', ':']))
            {
                findings.push(Finding::ask(
                    "path/unknown",
                    "where the new name leads is not known".into(),
                    word.span,
                ));
                continue;
            }
            // `a+b` are two files, and either may have a mark for the form of its text.
            match (&word.value, name) {
                (Some(text), "copy") => {
                    for file in text.split('+').filter(|file| !file.is_empty()) {
                        self.named(file, word, with, findings);
                    }
                }
                _ => self.file(word, with, findings),
            }
        }
        if name == "copy"
            && operands.words.iter().any(|word| {
                word.value
                    .as_deref()
                    .is_some_and(|text| text.eq_ignore_ascii_case("con"))
            })
        {
            findings.push(self.ask("program/arguments", "it waits for somebody to type"));
        }
    }

    fn removes(&self, built_in: &str, operands: &Operands<'_>, findings: &mut Vec<Finding>) {
        let tree = operands.has("s");
        if operands.words.is_empty() {
            findings.push(self.tree());
        }
        for word in &operands.words {
            // `del` of a directory deletes the files in it.
            let name = word
                .value
                .as_deref()
                .unwrap_or(".")
                .trim_end_matches(['\\', '/']);
            let directory =
                !name.rsplit(['\\', '/']).next().unwrap_or("").contains('.') || name.ends_with('.');
            let asked = operands.has("q") || self.segment.fed_by.is_some();
            self.deletes(
                word,
                tree || directory && asked && built_in == "del",
                findings,
            );
        }
    }

    /// `set` alone prints all variables, `set NAME` those that begin so.
    fn set(&self, operands: &Operands<'_>, findings: &mut Vec<Finding>) {
        let Some(first) = operands.words.first() else {
            findings.push(self.ask("path/secret", "it prints all variables"));
            return;
        };
        let texts = || {
            self.arguments()
                .iter()
                .filter_map(|word| word.value.as_deref())
        };
        let name = texts().find(|text| !text.starts_with('/')).unwrap_or("");
        let shows = !operands.has("a") && !operands.has("p") && !self.arguments().iter().any(sets);
        if shows && (name.len() < 3 || is_secret_variable(name)) {
            findings.push(Finding::ask(
                "path/secret",
                "it prints variables that may hold secrets".into(),
                first.span,
            ));
        }
    }

    /// What `call` and `start` run is judged on its own.
    fn calls(&self, name: &str, findings: &mut Vec<Finding>) {
        let label = self
            .arguments()
            .first()
            .and_then(|word| word.value.as_deref())
            .is_some_and(|text| text.starts_with(':'));
        let mut children = self.windows.judge.children(self.index);
        let inert = name == "call" && label;
        if !inert && !children.any(|child| child.relation == Relation::Wrapped) {
            findings.push(self.ask(
                "program/arguments",
                format!("what `{name}` runs is not known"),
            ));
        }
    }
}

fn sets(word: &Word) -> bool {
    word.value.as_deref().is_none_or(|text| text.contains('='))
}

impl<'s> Operands<'s> {
    /// Takes arguments apart; `home` is no switch, though it may begin with a slash.
    fn of(words: &'s [Word], home: Option<&str>) -> Self {
        let mut operands = Self {
            switches: Vec::new(),
            words: Vec::new(),
        };
        for word in words {
            let text = word.value.as_deref().unwrap_or("");
            let path = home.is_some_and(|home| text.starts_with(home));
            match text.strip_prefix('/').filter(|_| !path) {
                Some(switches) => {
                    let switches = switches.split('/').map(str::to_ascii_lowercase);
                    operands.switches.extend(switches);
                }
                None if word.value.as_deref() == Some("") => {}
                None => operands.words.push(word),
            }
        }
        operands
    }

    /// Whether a switch is given.
    fn has(&self, name: &str) -> bool {
        self.switches.iter().any(|switch| switch == name)
    }
}
