//! Programs: those of Windows by their table, all others by the rules for every system.

use execgate_guest::Word;
use execgate_knowledge::programs;
use execgate_knowledge::windows::{self, Outcome};
use execgate_rules::Invocation;
use execgate_rules::paths::is_url;

use super::file::is_secret_variable;
use super::path::{self, Place};
use super::{Command, Shell};
use crate::access::{self, Use};
use crate::finding::Finding;
use crate::flow;
use crate::place::Class;
use crate::table::Effect;

/// Endings of names that are scripts of the directory they stand in.
const SCRIPTS: [&str; 7] = [".bat", ".cmd", ".js", ".ps1", ".vbs", ".wsf", ".psm1"];

impl Command<'_, '_, '_> {
    /// Judges a program.
    pub(super) fn program(&self, written: &str, findings: &mut Vec<Finding>) {
        let name = path::program_name(written);
        let lower = written.to_ascii_lowercase();
        let plain = !written.contains(['/', '\\']);
        if plain
            && SCRIPTS.iter().any(|ending| lower.ends_with(ending))
            && windows::find(&name).is_none()
            && !is_tool(&name)
        {
            return self.of_project(&format!("./{written}"), findings);
        }
        if plain {
            return self.known(&name, findings);
        }
        match self.place(written) {
            Place::Path(path) if self.windows.judge.class(&path) == Some(Class::Readable) => {
                self.known(&name, findings)
            }
            Place::Path(path)
                if path.contains("node_modules/.bin/")
                    || path.contains("venv/scripts/")
                    || path.contains("venv/Scripts/") =>
            {
                findings.extend(access::class(
                    self.windows.judge.class(&path),
                    written,
                    Use::Run,
                    self.segment.span,
                ));
                self.known(&name, findings);
            }
            Place::Path(path) => self.of_project(&path, findings),
            Place::Nothing | Place::Item(..) | Place::Network | Place::Device | Place::Unclear => {
                findings.push(
                    self.ask(
                        "path/outside",
                        format!("`{written}` would be run and is not in the workspace"),
                    )
                    .high(),
                );
            }
        }
    }

    /// A program or script of the project.
    fn of_project(&self, path: &str, findings: &mut Vec<Finding>) {
        let span = self.segment.words[0].span;
        access::script(self.windows.judge, path, span, findings);
        self.operands(Use::Run, findings);
        self.consequences(findings);
    }

    fn known(&self, name: &str, findings: &mut Vec<Finding>) {
        let shell = matches!(name, "powershell" | "pwsh" | "cmd" | "wsl");
        if shell {
            return self.shell_call(name, findings);
        }
        let Some(cases) = windows::find(name).filter(|_| !self.is_other(name)) else {
            return self.everywhere(name, findings);
        };
        let texts: Vec<String> = self
            .arguments()
            .iter()
            .map(|word| word.value.as_deref().unwrap_or("?").to_ascii_lowercase())
            .collect();
        let outcome = cases
            .iter()
            .find(|(when, _)| fits(when, &texts))
            .map(|(_, outcome)| *outcome);
        let informs = texts.len() == 1
            && matches!(
                texts[0].as_str(),
                "/?" | "-?" | "--help" | "--version" | "/help"
            );
        if !informs {
            self.outcome(name, outcome.unwrap_or(Outcome::Posix), &texts, findings);
        }
    }

    /// Programs of the same name that are another one elsewhere, told by their arguments.
    fn is_other(&self, name: &str) -> bool {
        let dashed = self.arguments().iter().any(|word| {
            word.value
                .as_deref()
                .is_some_and(|text| text.starts_with('-') && text.len() > 1)
        });
        dashed
            && self.shell == Shell::PowerShell
            && matches!(
                name,
                "find" | "sort" | "timeout" | "tree" | "more" | "expand" | "hostname"
            )
    }

    fn outcome(&self, name: &str, outcome: Outcome, texts: &[String], findings: &mut Vec<Finding>) {
        match outcome {
            Outcome::Speaks => {}
            Outcome::Reads => self.reads_files(name, findings),
            Outcome::Copies => self.copies_files(name, findings),
            Outcome::Builds => self.builds(findings),
            Outcome::Rights => self.rights(findings),
            Outcome::Script => self.runs_script(findings),
            Outcome::NetVerb => self.net(texts, findings),
            Outcome::RegistryQuery => {
                let secret = texts.iter().any(|text| {
                    ["sam", "security", "winlogon", "password"]
                        .iter()
                        .any(|word| text.contains(word))
                });
                if secret {
                    findings.push(
                        self.ask(
                            "path/secret",
                            "it reads a part of the registry that holds secrets",
                        )
                        .high(),
                    );
                }
            }
            Outcome::Posix => self.everywhere(if name == "py" { "python" } else { name }, findings),
            Outcome::Ask(rule, what) => findings.push(self.ask(rule, format!("it {what}")).high()),
            Outcome::Deny(rule, what) => findings.push(self.deny(rule, format!("it {what}"))),
        }
    }

    /// Operands: arguments that are no switches.
    fn plain_words(&self) -> impl Iterator<Item = &Word> {
        self.arguments().iter().filter(|word| {
            word.value
                .as_deref()
                .is_none_or(|text| !text.starts_with(['/', '-']) || text.starts_with("//"))
        })
    }

    fn operands(&self, with: Use, findings: &mut Vec<Finding>) {
        for word in self.arguments() {
            match word.value.as_deref() {
                Some(text) if is_url(text) => {}
                Some(text) if text.starts_with(['/', '-']) && !text.starts_with("//") => {
                    // A switch with a path in it.
                    let value = text.split_once([':', '=']).map(|(_, value)| value);
                    if let Some(value) = value.filter(|value| leads_out(value)) {
                        self.named(value, word, with, findings);
                    }
                }
                Some(_) => self.file(word, with, findings),
                None if self.text_of(word).is_some() => self.file(word, with, findings),
                None => findings.push(Finding::ask(
                    "path/unknown",
                    "not all of its arguments are known".into(),
                    word.span,
                )),
            }
        }
    }

    fn reads_files(&self, name: &str, findings: &mut Vec<Finding>) {
        let pattern = match name {
            "find" => 1,
            "findstr" => {
                let given = |word: &Word| {
                    word.value.as_deref().is_some_and(|text| {
                        let lower = text.to_ascii_lowercase();
                        lower.starts_with("/c:") || lower.starts_with("/g:")
                    })
                };
                usize::from(!self.arguments().iter().any(given))
            }
            _ => 0,
        };
        for word in self.plain_words().skip(pattern) {
            self.file(word, Use::Read, findings);
        }
        let texts = || {
            self.arguments()
                .iter()
                .filter_map(|word| word.value.as_deref())
        };
        let many = texts().any(|text| text.to_ascii_lowercase().contains("/s"));
        if name == "findstr" && many && texts().any(is_secret_variable) {
            findings.push(self.ask("path/secret", "it looks for secrets"));
        }
        for word in self.arguments() {
            let lower = word
                .value
                .as_deref()
                .map(str::to_ascii_lowercase)
                .unwrap_or_default();
            if name == "findstr" && (lower.starts_with("/g:") || lower.starts_with("/f:")) {
                self.named(&lower[3..], word, Use::Read, findings);
            }
        }
    }

    fn copies_files(&self, name: &str, findings: &mut Vec<Finding>) {
        let words: Vec<&Word> = self.plain_words().collect();
        let target = if name == "robocopy" {
            1
        } else {
            words.len().saturating_sub(1)
        };
        for (place, word) in words.into_iter().enumerate() {
            let with = if place == target {
                Use::Write
            } else {
                Use::Read
            };
            self.file(word, with, findings);
        }
    }

    fn builds(&self, findings: &mut Vec<Finding>) {
        self.operands(Use::Run, findings);
        self.consequences(findings);
        if let Some(invocation) = Invocation::read(self.index, self.segment) {
            flow::judge(self.windows.judge, &invocation, Effect::Develops, findings);
        }
        if self.is_fed_by_network() {
            findings.push(
                self.ask("pipe-shell/input", "it works with what was just fetched")
                    .high(),
            );
        }
    }

    /// Targets and scripts that by their names change more than the workspace.
    fn consequences(&self, findings: &mut Vec<Finding>) {
        let texts = self
            .arguments()
            .iter()
            .filter_map(|word| word.value.as_deref());
        let consequential = texts.into_iter().any(|text| {
            let target = text
                .split_once(':')
                .map_or(text, |(_, target)| target)
                .to_ascii_lowercase();
            target
                .split(|letter: char| !letter.is_ascii_alphanumeric())
                .any(|word| word != "release" && programs::CONSEQUENTIAL.contains(&word))
        });
        if consequential {
            findings.push(self.ask(
                "program/arguments",
                "by its name it changes more than the workspace",
            ));
        }
    }

    /// Who may do what with files: a question in the workspace, never elsewhere.
    fn rights(&self, findings: &mut Vec<Finding>) {
        let mut outside = Vec::new();
        if let Some(word) = self.plain_words().next() {
            self.file(word, Use::Write, &mut outside);
        }
        let what = "it changes who may do what with files";
        findings.push(if outside.is_empty() {
            self.ask("program/arguments", what)
        } else {
            self.deny("path/protected", what)
        });
    }

    fn runs_script(&self, findings: &mut Vec<Finding>) {
        let harmless = ["//nologo", "//b", "/nologo", "/b", "//i", "/i"];
        let odd = self.arguments().iter().any(|word| {
            word.value.as_deref().is_none_or(|text| {
                text.starts_with('/') && !harmless.contains(&text.to_ascii_lowercase().as_str())
            })
        });
        let script = self.arguments().iter().find(|word| {
            word.value
                .as_deref()
                .is_some_and(|text| !text.starts_with('/'))
        });
        match script {
            Some(word) if !odd => self.script(word, findings),
            Some(_) | None => findings.push(
                self.ask(
                    "eval/inline-code",
                    "it runs code that is not a file of the project",
                )
                .high(),
            ),
        }
    }

    /// `net` with a verb alone lists.
    fn net(&self, texts: &[String], findings: &mut Vec<Finding>) {
        let verb = texts.first().map_or("", String::as_str);
        let shows = matches!(
            verb,
            "view" | "statistics" | "config" | "help" | "helpmsg" | "time" | "accounts"
        );
        let accounts = matches!(verb, "user" | "localgroup" | "group" | "accounts");
        let finding = match (texts.len(), verb) {
            (0 | 1, _) => None,
            (2, "user" | "localgroup" | "group") if !texts[1].starts_with('/') => None,
            _ if accounts => {
                Some(self.deny("account/change", "it changes accounts of the machine"))
            }
            _ if shows && !texts.iter().any(|text| text == "/set") => None,
            (_, "start") => Some(self.deny("service/change", "it changes services of the machine")),
            _ => Some(
                self.ask("ssh/session", "it opens or shares places over the network")
                    .high(),
            ),
        };
        findings.extend(finding);
    }

    /// `powershell`, `cmd` and `wsl`: what they run was found in them.
    fn shell_call(&self, name: &str, findings: &mut Vec<Finding>) {
        let runs = self.windows.judge.children(self.index).next().is_some();
        let file = self.arguments().iter().position(|word| {
            word.value.as_deref().is_some_and(|text| {
                let lower = text.trim_start_matches(['-', '/']).to_ascii_lowercase();
                text.len() > lower.len() && !lower.is_empty() && "file".starts_with(&lower)
            })
        });
        match file.and_then(|place| self.arguments().get(place + 1)) {
            Some(word) if !runs && name != "cmd" => self.script(word, findings),
            Some(_) | None if runs => self.hides(name, findings),
            Some(_) | None => {
                let informs = self.arguments().iter().any(|word| {
                    matches!(
                        word.value.as_deref(),
                        Some(
                            "-?" | "/?"
                                | "--version"
                                | "-v"
                                | "-Version"
                                | "-h"
                                | "--help"
                                | "-help"
                                | "-l"
                                | "--list"
                                | "--status"
                        )
                    )
                });
                if !informs {
                    findings.push(
                        self.ask(
                            "eval/inline-code",
                            format!("what `{name}` runs is not known"),
                        )
                        .high(),
                    );
                }
            }
        }
    }

    /// A text that is handed over is judged as it stands, unless it was hidden, or runs a script in turn.
    fn hides(&self, name: &str, findings: &mut Vec<Finding>) {
        let option = |word: &Word| {
            let text = word.value.as_deref()?;
            Some(text.strip_prefix(['-', '/'])?.to_ascii_lowercase())
        };
        let hidden = name != "cmd"
            && name != "wsl"
            && self.arguments().iter().filter_map(option).any(|option| {
                option == "ec"
                    || "encodedcommand".starts_with(&option)
                    || option.len() > 1 && "windowstyle".starts_with(&option)
            });
        if hidden {
            findings.push(
                self.ask("eval/inline-code", format!("it hides what `{name}` runs"))
                    .high(),
            );
        }
        let scripts = self.windows.judge.children(self.index).any(|child| {
            let program = child
                .words
                .first()
                .and_then(|word| word.value.as_deref())
                .unwrap_or("");
            let lower = program.to_ascii_lowercase();
            SCRIPTS.iter().any(|ending| lower.ends_with(ending))
                && !is_tool(&path::program_name(program))
        });
        if scripts {
            findings.push(self.ask(
                "eval/inline-code",
                format!("`{name}` runs a script in turn"),
            ));
        }
    }
}

/// Tools that package managers install as scripts.
fn is_tool(name: &str) -> bool {
    matches!(
        name,
        "npm"
            | "npx"
            | "yarn"
            | "pnpm"
            | "gradle"
            | "mvn"
            | "code"
            | "tsc"
            | "ng"
            | "az"
            | "gcloud"
            | "flutter"
            | "dart"
            | "composer"
    )
}

/// Whether a value is a path that may lead out of the workspace.
fn leads_out(value: &str) -> bool {
    path::is_drive(value.as_bytes()) || value.starts_with(['\\', '/', '~']) || value.contains("..")
}

/// Whether all words of a case stand among the arguments.
fn fits(when: &str, texts: &[String]) -> bool {
    when.is_empty()
        || when.split('|').any(|alternative| {
            alternative
                .split('&')
                .all(|word| texts.iter().any(|text| is_like(word, text)))
        })
}

fn is_like(pattern: &str, text: &str) -> bool {
    match (pattern.strip_prefix('*'), pattern.strip_suffix('*')) {
        (Some(_), Some(_)) if pattern.len() > 2 => text.contains(&pattern[1..pattern.len() - 1]),
        (_, Some(start)) => match start.split_once('*') {
            Some((start, middle)) => text.starts_with(start) && text.contains(middle),
            None => text.starts_with(start),
        },
        (Some(end), None) => text.ends_with(end),
        (None, None) => {
            text == pattern
                || text
                    .strip_prefix(pattern)
                    .is_some_and(|rest| rest.starts_with(':'))
        }
    }
}
