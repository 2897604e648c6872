//! Cmdlets.

use execgate_guest::{Relation, Segment, Word};
use execgate_knowledge::powershell::{self, Cmdlet, Effect};
use execgate_knowledge::windows::MEMBERS;
use execgate_knowledge::windows::MODULES;

use super::arguments::{Bound, bind};
use super::file::{LISTERS, is_secret_variable};
use super::path::Place;
use super::{Command, Shell, canonical, flow, is_block};
use crate::access::Use;
use crate::finding::Finding;
use crate::network;
use crate::place::Class;

/// Aliases that are programs of their own elsewhere, and in newer versions on Windows too.
const PROGRAMS_TOO: [&str; 26] = [
    "cat", "clear", "cp", "curl", "diff", "dir", "echo", "fc", "kill", "ls", "man", "mkdir",
    "mount", "mv", "ps", "pwd", "rm", "rmdir", "sc", "sleep", "sort", "start", "tee", "type",
    "wget", "where",
];

/// Cmdlets that hand on some of the items that they are given, in an order of their own.
const FILTERS: [&str; 4] = ["get-unique", "select-object", "sort-object", "where-object"];

impl Command<'_, '_, '_> {
    /// Judges a cmdlet by its arguments.
    pub(super) fn cmdlet(&self, written: &str, name: &str, findings: &mut Vec<Finding>) {
        let Some(cmdlet) = powershell::find(name) else {
            findings.push(self.ask(
                "program/unknown",
                format!("nothing is known of `{written}`"),
            ));
            return;
        };
        match cmdlet.effect {
            Effect::Ask(rule, what) => {
                return findings.push(self.ask(rule, format!("it {what}")).high());
            }
            Effect::Deny(rule, what) => {
                return findings.push(self.deny(rule, format!("it {what}")));
            }
            _ => {}
        }
        let lower = written.to_ascii_lowercase();
        let program = PROGRAMS_TOO.contains(&lower.as_str());
        let bound = match bind(cmdlet, self.arguments()) {
            Ok(bound) => bound,
            // PowerShell would refuse it, so that it can only be meant for the program.
            Err(_) if program => return self.program(&lower, findings),
            Err(misfit) => {
                let shown = misfit.shown;
                let reason =
                    format!("`{name}` with `{shown}` can do more than is known to be harmless");
                return findings.push(self.ask("program/arguments", reason));
            }
        };
        if matches!(lower.as_str(), "curl" | "wget" | "sc") {
            // Newer versions have no such alias.
            self.program(&lower, findings);
        }
        if bound.iter().any(|bound| bound.name == "?") {
            return;
        }
        self.bound(name, cmdlet, &bound, findings);
    }

    fn bound(&self, name: &str, cmdlet: &Cmdlet, bound: &[Bound<'_>], findings: &mut Vec<Finding>) {
        let changes = bound
            .iter()
            .all(|bound| !(matches!(bound.name.as_str(), "whatif" | "wi") && bound.is_on()));
        if !changes && name != "invoke-expression" {
            return;
        }
        let tree = bound
            .iter()
            .any(|bound| bound.name == "recurse" && bound.is_on());
        for bound in bound {
            self.parameter(name, bound, tree, findings);
        }
        self.needs(name, cmdlet, bound, tree, findings);
        self.special(name, bound, findings);
        match cmdlet.effect {
            Effect::Imports => self.imports(bound, findings),
            Effect::Policy => self.policy(bound, findings),
            Effect::Opens => {
                findings.push(self.ask("program/unknown", "which program opens it is not known"))
            }
            Effect::Starts => {
                let children = self.windows.judge.children(self.index);
                if !children
                    .into_iter()
                    .any(|child| child.relation == Relation::Wrapped)
                {
                    findings
                        .push(self.ask("dynamic/program", "which program it starts is not known"));
                }
            }
            Effect::Properties => self.properties(bound, findings),
            Effect::Deletes
                if bound.iter().any(|bound| {
                    matches!(bound.name.as_str(), "filter" | "include" | "exclude")
                }) =>
            {
                findings.push(self.tree());
            }
            Effect::Runs => {
                findings.push(self.ask("eval/eval", "it evaluates a text as code").high())
            }
            Effect::Fetches
            | Effect::Empties
            | Effect::Deletes
            | Effect::Plain
            | Effect::Ask(..)
            | Effect::Deny(..) => {}
        }
    }

    /// What a few cmdlets do with a value that is a text to all others.
    fn special(&self, name: &str, bound: &[Bound<'_>], findings: &mut Vec<Finding>) {
        let values = |names: &[&str]| {
            let fitting: Vec<&Word> = bound
                .iter()
                .filter(|bound| names.contains(&bound.name.as_str()))
                .flat_map(|bound| &bound.values)
                .collect();
            fitting
        };
        match name {
            "new-item" => {
                let plain = |word: &&Word| {
                    word.value.as_deref().is_some_and(|text| {
                        text.eq_ignore_ascii_case("file") || text.eq_ignore_ascii_case("directory")
                    })
                };
                if !values(&["itemtype", "type"]).iter().all(plain) {
                    findings.push(self.ask(
                        "program/arguments",
                        "it makes a link, or an item that is no file",
                    ));
                }
            }
            "select-string" => {
                let seeks = |word: &&Word| word.value.as_deref().is_some_and(is_secret_variable);
                let many = flow::stages_before(self.windows.judge.line, self.segment)
                    .next()
                    .is_some_and(|first| {
                        first
                            .words
                            .iter()
                            .filter_map(|word| word.value.as_deref())
                            .any(|text| text.to_ascii_lowercase().starts_with("-r"))
                    });
                if many && values(&["pattern"]).iter().any(seeks) {
                    findings.push(self.ask("path/secret", "it looks for secrets"));
                }
            }
            "set-location" | "push-location" => {
                let item = |word: &&Word| {
                    self.text_of(word)
                        .is_some_and(|text| matches!(self.place(&text), Place::Item(..)))
                };
                if values(&["path", "literalpath"]).iter().any(item) {
                    findings
                        .push(self.ask("path/unknown", "it goes to a drive that holds no files"));
                }
            }
            _ => {}
        }
    }

    /// Judges what one parameter is given.
    fn parameter(&self, cmdlet: &str, bound: &Bound<'_>, tree: bool, findings: &mut Vec<Finding>) {
        let refuse = |findings: &mut Vec<Finding>| {
            let reason = format!(
                "`{cmdlet}` with `-{}` can do more than is known to be harmless",
                bound.name
            );
            findings.push(Finding::ask("program/arguments", reason, bound.word.span));
        };
        for word in &bound.values {
            match bound.kind {
                'r' => self.file(word, Use::Read, findings),
                'w' | 'o' => self.file(word, Use::Write, findings),
                'd' => self.deletes(word, tree, findings),
                'c' => self.script(word, findings),
                'n' => self.sibling(word, findings),
                'u' => findings.extend(network::address(word)),
                'g' if !matches!(
                    word.value
                        .as_deref()
                        .map(str::to_ascii_lowercase)
                        .as_deref(),
                    Some("get" | "head" | "default")
                ) =>
                {
                    findings.push(
                        Finding::ask("network/send", "it can send data".into(), word.span).high(),
                    );
                }
                'h' => findings.push(
                    Finding::ask("network/send", "headers can say who asks".into(), word.span)
                        .high(),
                ),
                'b' if !is_block(word) => {
                    let reason = "what the script block runs is not known; write it out".to_owned();
                    findings.push(Finding::ask("dynamic/program", reason, word.span).high());
                }
                'm' => self.member(cmdlet, word, findings),
                _ => {}
            }
        }
        match bound.kind {
            'x' if bound.values.is_empty() || !is_off(bound) => refuse(findings),
            _ => {}
        }
    }

    /// A name in the directory of another file.
    fn sibling(&self, word: &Word, findings: &mut Vec<Finding>) {
        let plain = word
            .value
            .as_deref()
            .is_some_and(|text| !text.contains(['/', '\\', ':']));
        if plain {
            self.file(word, Use::Write, findings);
        } else {
            findings.push(Finding::ask(
                "path/unknown",
                "where the new name leads is not known".into(),
                word.span,
            ));
        }
    }

    /// A block, or the name of a member that is read or called.
    fn member(&self, cmdlet: &str, word: &Word, findings: &mut Vec<Finding>) {
        let known = word.value.as_deref().is_some_and(|name| {
            cmdlet == "where-object" || MEMBERS.contains(&name.to_ascii_lowercase().as_str())
        });
        if !known && !is_block(word) {
            let reason =
                "which method it calls, or what it runs, is not known to be harmless".to_owned();
            findings.push(Finding::ask("program/arguments", reason, word.span).high());
        }
    }

    /// What a cmdlet works on when it is given no path: what the pipeline hands it.
    fn needs(
        &self,
        name: &str,
        cmdlet: &Cmdlet,
        bound: &[Bound<'_>],
        tree: bool,
        findings: &mut Vec<Finding>,
    ) {
        let path = |bound: &&Bound<'_>| "rwodc".contains(bound.kind) || bound.kind == 'n';
        let kind = |position: &str| {
            let mut rows = cmdlet.parameters.split(' ');
            let named = format!("{}:", position.trim_end_matches('*'));
            rows.find_map(|row| {
                row.strip_prefix(&named)
                    .and_then(|kind| kind.chars().next())
            })
        };
        let first = cmdlet.positions.split(' ').next().and_then(kind);
        if bound.iter().any(|bound| path(&bound)) {
            return;
        }
        match first {
            Some('d') => {
                findings.push(self.tree());
                self.listed(|command, word| command.deletes(word, tree, findings));
            }
            Some('w' | 'o')
                if self.segment.stage.is_some_and(|stage| stage.index > 0)
                    && name != "tee-object" =>
            {
                let reason = "which file it uses is not known before it runs";
                findings.push(
                    self.ask("path/unknown", reason)
                        .instead("write the path out"),
                );
            }
            Some('r') => self.fed_paths(findings),
            Some(_) | None => {}
        }
    }

    /// Texts that a pipeline hands to a cmdlet that reads files are names of files; items of files are judged where
    /// they were listed.
    fn fed_paths(&self, findings: &mut Vec<Finding>) {
        let mut stages = flow::stages_before(self.windows.judge.line, self.segment)
            .filter(|stage| stage.parent == self.segment.parent);
        let Some(first) = stages.next() else {
            return;
        };
        let lists = canonical(first).is_some_and(|name| LISTERS.contains(&name));
        let made = |segment: &Segment| {
            segment
                .words
                .iter()
                .skip(1)
                .any(|word| word.value.is_none() && !is_block(word))
        };
        let filters = stages.all(|stage| {
            canonical(stage).is_some_and(|name| FILTERS.contains(&name)) && !made(stage)
        });
        if !lists || !filters {
            let reason = "which files it reads is not known before it runs";
            findings.push(
                self.ask("path/unknown", reason)
                    .instead("write the path out"),
            );
        }
    }

    /// Visits the places that the first cmdlet of the pipeline looked at.
    fn listed(&self, mut visit: impl FnMut(&Self, &Word)) {
        let line = self.windows.judge.line;
        let Some(first) = flow::stages_before(line, self.segment).next() else {
            return;
        };
        let Some(cmdlet) = canonical(first).and_then(powershell::find) else {
            return;
        };
        let Ok(bound) = bind(cmdlet, &first.words[1..]) else {
            return;
        };
        bound
            .iter()
            .filter(|bound| bound.kind == 'r')
            .flat_map(|bound| &bound.values)
            .for_each(|word| visit(self, word));
    }

    /// A module of the project is code of the project; one that is installed must be a known one.
    fn imports(&self, bound: &[Bound<'_>], findings: &mut Vec<Finding>) {
        for word in bound
            .iter()
            .filter(|bound| bound.name == "name")
            .flat_map(|bound| &bound.values)
        {
            let text = self.text_of(word).unwrap_or_default();
            let lower = text.to_ascii_lowercase();
            let path = text.contains(['/', '\\'])
                || lower.ends_with(".psm1")
                || lower.ends_with(".psd1")
                || lower.ends_with(".dll");
            if path || text.is_empty() {
                self.script(word, findings);
            } else if !MODULES.contains(&lower.as_str()) {
                let reason = format!("it loads the module `{text}`, of which nothing is known");
                findings.push(self.ask("program/unknown", reason));
            }
        }
    }

    /// Which scripts may run, in this session or for good.
    fn policy(&self, bound: &[Bound<'_>], findings: &mut Vec<Finding>) {
        let session = bound.iter().any(|bound| {
            bound.name == "scope"
                && bound.values.iter().all(|word| {
                    word.value
                        .as_deref()
                        .is_some_and(|text| text.eq_ignore_ascii_case("process"))
                })
        });
        let reason = "it changes which scripts may run";
        findings.push(match session {
            true => self.ask("protection/off", reason),
            false => self.deny("protection/off", reason),
        });
    }

    /// Properties of files are attributes and times, of other items settings of the machine.
    fn properties(&self, bound: &[Bound<'_>], findings: &mut Vec<Finding>) {
        let items = bound
            .iter()
            .filter(|bound| "wo".contains(bound.kind))
            .flat_map(|bound| &bound.values);
        for word in items {
            let place = self.text_of(word).map(|text| self.place(&text));
            let file = match place {
                Some(Place::Item(..)) => false,
                Some(Place::Path(path)) => {
                    self.windows.judge.class(&path) <= Some(Class::ProjectSecret)
                }
                Some(Place::Nothing | Place::Network | Place::Device | Place::Unclear) | None => {
                    true
                }
            };
            if file {
                findings.push(self.ask("program/arguments", "it changes properties of files"));
            }
        }
        if self.shell != Shell::PowerShell || bound.is_empty() {
            findings.push(self.ask(
                "path/unknown",
                "what it changes is not known before it runs",
            ));
        }
    }
}

fn is_off(bound: &Bound<'_>) -> bool {
    bound
        .values
        .iter()
        .all(|word| super::is_variable(word, "false"))
}
