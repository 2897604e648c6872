//! Commands of PowerShell and of the Windows command processor.
//!
//! What is a cmdlet, a built-in command or a program of Windows is judged here, by the tables of
//! `execgate_knowledge::{powershell, cmd, windows}`. Programs that are the same everywhere are handed to the rules for
//! those, with their paths in the form that these know: `C:\Users` is `/c:/users`.

mod arguments;
mod builtin;
mod cmdlet;
mod everywhere;
mod file;
mod flow;
mod path;
mod program;
mod value;

use execgate_guest::{Context, Decision, Part, Segment, Word};
use execgate_rules::{Invocation, Line};

pub(crate) use self::flow::{brings_files, moves, moves_to, written};
pub(crate) use self::path::{class, is_drive, root, rooted};
use crate::finding::Finding;
use crate::judge::Judge;

/// The language of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shell {
    PowerShell,
    Cmd,
}

/// The shell of Windows that a segment is written for, if it is one.
#[inline]
pub(crate) fn shell(segment: &Segment) -> Option<Shell> {
    match annotation(segment, "dialect")? {
        "powershell" => Some(Shell::PowerShell),
        "cmd" => Some(Shell::Cmd),
        _ => None,
    }
}

/// The cmdlet or built-in command that a segment runs, in lower case.
#[inline]
pub(crate) fn canonical(segment: &Segment) -> Option<&str> {
    annotation(segment, "command")
}

// Segments of other shells have none: the check alone is what they pay.
#[inline]
fn annotation<'b>(segment: &'b Segment, name: &str) -> Option<&'b str> {
    let mut annotations = segment.annotations.iter();
    annotations
        .find(|(known, _)| known == name)
        .map(|(_, value)| value.as_str())
}

/// A line with segments for shells of Windows.
pub(crate) struct Windows<'a, 'j> {
    judge: &'j Judge<'a>,
    /// Whether the text itself is for such a shell, so that its paths are those of the machine.
    native: bool,
    /// The home directory in the form of [`root`].
    home: Option<String>,
}

impl<'a, 'j> Windows<'a, 'j> {
    /// Looks at a line; `None` when no part of it is for Windows.
    pub(crate) fn of(judge: &'j Judge<'a>, home: impl FnOnce() -> Option<String>) -> Option<Self> {
        let segments = &judge.line.command_line.segments;
        if !segments.iter().any(|segment| shell(segment).is_some()) {
            return None;
        }
        Some(Self {
            judge,
            native: segments.first().is_some_and(|first| shell(first).is_some()),
            home: home().map(rooted),
        })
    }

    /// The line without what is judged here, for the rules that look for programs by name.
    pub(crate) fn others(&self) -> Line<'a> {
        let line = self.judge.line;
        let ours = |invocation: &&Invocation<'a>| {
            let name = path::program_name(invocation.written);
            shell(invocation.segment).is_none()
                || canonical(invocation.segment).is_none()
                    && execgate_knowledge::windows::find(&name).is_none()
        };
        Line {
            command_line: line.command_line,
            invocations: line.invocations.iter().filter(ours).cloned().collect(),
        }
    }

    /// Judges one segment that is for a shell of Windows.
    pub(crate) fn judge(
        &self,
        index: usize,
        segment: &'a Segment,
        shell: Shell,
        findings: &mut Vec<Finding>,
    ) {
        let mut own = Vec::new();
        let context = segment.context;
        let starts = matches!(
            canonical(segment),
            Some("start-job" | "start-process" | "start-threadjob")
        );
        if context.contains(Context::IN_LOOP) && (starts || context.contains(Context::BACKGROUND)) {
            let reason = "a loop starts jobs without waiting for them".into();
            own.push(Finding::ask("fork-bomb/loop", reason, segment.span));
        }
        let part = Command {
            windows: self,
            index,
            segment,
            shell,
        };
        part.values(&mut own);
        part.redirects(&mut own);
        part.command(&mut own);
        // Seen from another shell, where the paths of Windows lead is not known for certain.
        if !self.native {
            own.iter_mut()
                .filter(|finding| finding.decision == Decision::Deny)
                .for_each(|finding| finding.decision = Decision::Ask);
        }
        findings.extend(own);
    }
}

/// One segment.
pub(super) struct Command<'w, 'a, 'j> {
    windows: &'w Windows<'a, 'j>,
    index: usize,
    segment: &'a Segment,
    shell: Shell,
}

impl Command<'_, '_, '_> {
    fn command(&self, findings: &mut Vec<Finding>) {
        let Some(first) = self.segment.words.first() else {
            return;
        };
        let Some(name) = first.value.as_deref() else {
            let reason = "which program it runs is not known before it runs".to_owned();
            let finding = Finding::ask("dynamic/program", reason, first.span).high();
            findings.push(finding.instead("write the program's name out"));
            return;
        };
        match (canonical(self.segment), self.shell) {
            // Its body is judged where it stands.
            (Some("function"), Shell::PowerShell) => {}
            (Some(cmdlet), Shell::PowerShell) => self.cmdlet(name, cmdlet, findings),
            (Some(built_in), Shell::Cmd) => self.built_in(built_in, findings),
            (None, _) => self.program(name, findings),
        }
    }

    /// Words after the name.
    fn arguments(&self) -> &[Word] {
        self.segment.words.get(1..).unwrap_or_default()
    }

    fn ask(&self, rule: &str, reason: impl Into<String>) -> Finding {
        Finding::ask(rule, reason.into(), self.segment.span)
    }

    fn deny(&self, rule: &str, reason: impl Into<String>) -> Finding {
        Finding::deny(rule, reason.into(), self.segment.span)
    }
}

/// Whether a word is a script block that is written out.
fn is_block(word: &Word) -> bool {
    matches!(word.parts.as_slice(), [Part::Literal(open), Part::Substitution, Part::Literal(close)] if open == "{" && close == "}")
}

/// Whether a word is a variable of that name and nothing else.
fn is_variable(word: &Word, name: &str) -> bool {
    matches!(word.parts.as_slice(), [Part::Variable(known)] if known.eq_ignore_ascii_case(name))
}
