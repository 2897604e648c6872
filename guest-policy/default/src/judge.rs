//! Judges a command line segment by segment.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell};
use std::collections::BTreeSet;
use std::rc::Rc;

use execgate_guest::{Context, Found, Relation, Segment, Word};
use execgate_knowledge::{programs, texts};
use execgate_rules::paths::{self, lexical};
use execgate_rules::{Argument, Invocation, Line, deny};

use crate::directories::directories;
use crate::facts::Facts;
use crate::finding::Finding;
use crate::place::{Class, Places};
use crate::table::{self, Effect, Known};
use crate::windows::{self, Windows};
use crate::{access, candidates, delete, environment, flow, network, program, shared};

/// One command line and where it would run. What not every command needs is found out on first use.
pub(crate) struct Judge<'a> {
    pub(crate) facts: &'a Facts<'a>,
    pub(crate) line: &'a Line<'a>,
    pub(crate) places: Places<'a>,
    /// Whether no word of the text leads out.
    contained: OnceCell<bool>,
    /// Where each segment may run; empty where that is not known.
    directories: OnceCell<Vec<Rc<Vec<String>>>>,
    /// The segment that is being judged.
    current: Cell<usize>,
    written: OnceCell<BTreeSet<String>>,
    brings_files: OnceCell<bool>,
    /// How many more texts may be looked at for values of variables.
    looks: Cell<usize>,
}

/// Most texts that are looked at for the values of variables; beyond that a value is not known.
///
/// Each argument that is not known looks at all assignments, which in a long text are as many as the arguments.
const MAX_LOOKS: usize = 20_000;

impl<'a> Judge<'a> {
    pub(crate) fn new(facts: &'a Facts<'a>, line: &'a Line<'a>) -> Self {
        Self {
            facts,
            line,
            places: Places::new(facts),
            contained: OnceCell::new(),
            directories: OnceCell::new(),
            current: Cell::new(0),
            written: OnceCell::new(),
            brings_files: OnceCell::new(),
            looks: Cell::new(MAX_LOOKS),
        }
    }

    /// All that speaks against it.
    pub(crate) fn findings(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        for opaque in &self.line.command_line.opaque {
            let rule = format!("opaque/{}", opaque.reason);
            findings.push(
                Finding::ask(
                    &rule,
                    format!("not all of it could be read: {}", opaque.detail),
                    opaque.span,
                )
                .high(),
            );
        }
        let windows = Windows::of(self, || self.facts.home().map(str::to_owned));
        let others = windows.as_ref().map(Windows::others);
        findings.extend(
            deny::hits(others.as_ref().unwrap_or(self.line))
                .into_iter()
                .filter_map(shared::finding),
        );
        let mut invocations = self.line.invocations.iter().peekable();
        for (index, segment) in self.line.command_line.segments.iter().enumerate() {
            let invocation = invocations.next_if(|invocation| invocation.index == index);
            self.current.set(index);
            let foreign = windows
                .as_ref()
                .and_then(|windows| Some((windows, windows::shell(segment)?)));
            match foreign {
                Some((windows, shell)) => windows.judge(index, segment, shell, &mut findings),
                None => self.segment(segment, invocation, &mut findings),
            }
        }
        findings
    }

    fn segment(
        &self,
        segment: &'a Segment,
        invocation: Option<&Invocation<'a>>,
        findings: &mut Vec<Finding>,
    ) {
        environment::judge(segment, findings);
        if segment
            .context
            .contains(Context::BACKGROUND | Context::IN_LOOP)
        {
            findings.push(Finding::ask(
                "fork-bomb/loop",
                "a loop starts jobs without waiting for them".into(),
                segment.span,
            ));
        }
        access::redirects(self, segment, findings);
        match invocation {
            Some(invocation) => self.invocation(invocation, findings),
            None if segment.words.is_empty() => {}
            None => {
                let reason = "which program it runs is not known before it runs".to_owned();
                findings.push(
                    Finding::ask("dynamic/program", reason, segment.words[0].span)
                        .high()
                        .instead("write the program's name out"),
                );
            }
        }
    }

    pub(crate) fn invocation(&self, invocation: &Invocation<'_>, findings: &mut Vec<Finding>) {
        // Its body is judged where it stands.
        if windows::canonical(invocation.segment) == Some("function") {
            return;
        }
        if let Some(finding) = self.foreign(invocation) {
            findings.push(finding);
            return;
        }
        if program::judge(self, invocation, findings)
            || network::judge(self, invocation, findings)
            || delete::judge(self, invocation, findings)
        {
            return;
        }
        let name = base_name(invocation.written);
        if is_installed_tool(invocation.written) {
            access::script(
                self,
                invocation.written,
                invocation.segment.words[0].span,
                findings,
            );
        } else if !is_system_program(invocation.written) {
            access::project_program(self, invocation, findings);
            return;
        }
        if invocation.only_informs() || asks_for_help(name, invocation) {
            return;
        }
        if let Some(inner) = run_words(invocation) {
            self.runner(invocation, inner, findings);
            return;
        }
        match table::look_up(name, invocation) {
            Some(known) => self.known(name, known, invocation, findings),
            None => findings.push(Finding::ask(
                "program/unknown",
                format!("nothing is known of `{}`", called(invocation)),
                invocation.span(),
            )),
        }
    }

    /// A program of the project that a package manager runs: it is judged as if it stood alone.
    fn runner(&self, invocation: &Invocation<'_>, inner: &[Word], findings: &mut Vec<Finding>) {
        let segment = Segment {
            words: inner.to_vec(),
            assignments: Vec::new(),
            redirects: Vec::new(),
            ..invocation.segment.clone()
        };
        let plain = inner
            .first()
            .and_then(|word| word.value.as_deref())
            .is_some_and(|name| !name.contains(['@', '/', ':']) && !name.starts_with('-'));
        match Invocation::read(invocation.index, &segment) {
            Some(inner) if plain => self.invocation(&inner, findings),
            Some(_) | None => findings.push(Finding::ask(
                "program/unknown",
                format!("what `{}` runs is not known", invocation.written),
                invocation.span(),
            )),
        }
    }

    fn known(
        &self,
        name: &str,
        known: Known,
        invocation: &Invocation<'_>,
        findings: &mut Vec<Finding>,
    ) {
        let own = self.own_words(invocation, known.effect);
        let own = own.as_ref();
        let unplaced = self.unplaced(name, invocation, own);
        if let Some(word) = known.refuses(name, &unplaced) {
            let text = word.value.as_deref().unwrap_or_default();
            findings.push(Finding::ask(
                "program/arguments",
                format!("`{name}` with `{text}` can do more than is known to be harmless"),
                word.span,
            ));
            return;
        }
        if let Some(word) = candidates::refused(self, name, known, own) {
            findings.push(Finding::ask(
                "program/arguments",
                format!(
                    "an argument of `{name}` that is not known yet may be an option that does more"
                ),
                word.span,
            ));
            return;
        }
        flow::judge(self, invocation, known.effect, findings);
        match known.effect {
            Effect::Speaks => {}
            Effect::Reads => access::reads(self, invocation, findings),
            Effect::Writes => access::writes(self, invocation, findings),
            Effect::Develops => access::develops(self, invocation, findings),
            Effect::Wraps => program::wraps(self, invocation, own, findings),
        }
    }

    /// Words without the options whose place is the project's own.
    fn unplaced<'b>(
        &self,
        name: &str,
        invocation: &Invocation<'_>,
        words: &'b [Word],
    ) -> Cow<'b, [Word]> {
        let placed = programs::PLACED
            .iter()
            .find(|(program, _)| *program == name);
        let Some((_, options)) = placed else {
            return Cow::Borrowed(words);
        };
        let is_placed = |word: &Word| {
            invocation.arguments.iter().any(|argument| match argument {
                Argument::Option {
                    name,
                    value: Some(value),
                    word: its,
                } => {
                    its.span == word.span
                        && options.split(' ').any(|option| option == name)
                        && self.class(value) == Some(Class::Project)
                }
                Argument::Option { .. } | Argument::Operand(_) => false,
            })
        };
        Cow::Owned(
            words
                .iter()
                .filter(|word| !is_placed(word))
                .cloned()
                .collect(),
        )
    }

    /// Words of a wrapper that are not those of the commands it runs.
    fn own_words<'b>(&self, invocation: &Invocation<'b>, effect: Effect) -> Cow<'b, [Word]> {
        let words = &invocation.segment.words[1..];
        let mut own = Cow::Borrowed(words);
        if effect != Effect::Wraps {
            return own;
        }
        for child in self.children(invocation.index) {
            if child.relation == Relation::Wrapped
                && let Some((start, end)) = run_of(&own, &child.words)
            {
                own.to_mut().drain(start..end);
            }
        }
        own
    }

    /// Segments found in a segment.
    pub(crate) fn children(&self, index: usize) -> impl Iterator<Item = &'a Segment> + '_ {
        let segments: &'a [Segment] = &self.line.command_line.segments;
        segments.iter().filter(move |segment| {
            segment
                .parent
                .is_some_and(|parent| parent as usize == index)
        })
    }

    /// A program that the search path finds in the workspace is not the one its name says.
    fn foreign(&self, invocation: &Invocation<'_>) -> Option<Finding> {
        let executable = self.facts.executable(invocation.index)?;
        let real = executable.real_path?;
        let shadowed = executable.found == Found::Path && self.facts.place(&real).in_workspace;
        shadowed.then(|| {
            Finding::ask(
                "program/unknown",
                format!(
                    "`{}` is found in the workspace, not in the system",
                    invocation.written
                ),
                invocation.span(),
            )
            .high()
        })
    }

    /// The worst kind of a path, seen from everywhere that the command may be; `None` when that is not known.
    pub(crate) fn class(&self, path: &str) -> Option<Class> {
        if path.starts_with('/') {
            return Some(self.places.class("/", path));
        }
        self.bases()
            .iter()
            .map(|base| self.places.class(base, path))
            .max()
    }

    /// Where the segment that is being judged may run; empty when that is not known.
    pub(crate) fn bases(&self) -> &[String] {
        self.directories()
            .get(self.current.get())
            .map_or(&[], |here| here.as_slice())
    }

    /// Counts texts that are looked at; `None` once they were too many.
    pub(crate) fn look(&self, count: usize) -> Option<()> {
        let left = self.looks.get().checked_sub(count);
        self.looks.set(left.unwrap_or(0));
        left.map(|_| ())
    }

    /// All directories that any part may run in.
    pub(crate) fn all_bases(&self) -> BTreeSet<&String> {
        self.directories()
            .iter()
            .flat_map(|here| here.iter())
            .collect()
    }

    fn directories(&self) -> &[Rc<Vec<String>>] {
        self.directories
            .get_or_init(|| directories(self.line, self.facts))
    }

    /// Files that the command writes, absolute.
    pub(crate) fn written(&self) -> &BTreeSet<String> {
        self.written.get_or_init(|| flow::written(self))
    }

    /// Whether it unpacks or downloads files.
    pub(crate) fn brings_files(&self) -> bool {
        *self
            .brings_files
            .get_or_init(|| flow::brings_files(self.line))
    }

    /// Whether a variable can only hold words that stand in the text and lead nowhere else.
    pub(crate) fn is_bounded(&self, name: &str) -> bool {
        // What `find` and `xargs` put in is judged with them.
        let number = name == "{}" || name.len() == 1 && "?#$!-".contains(name);
        number || (self.is_contained() && self.is_named(name) && !self.comes_from_outside(name))
    }

    /// Whether the text sets a variable, or it is an argument of a function.
    fn is_named(&self, name: &str) -> bool {
        let text = self.facts.text();
        name.bytes().all(|byte| byte.is_ascii_digit())
            || name == "@"
            || name == "*"
            || [format!("for {name} in"), format!("{name}=")]
                .iter()
                .any(|marker| text.contains(marker.as_str()))
    }

    fn comes_from_outside(&self, name: &str) -> bool {
        name.is_empty() || name.starts_with('~') || self.facts.has_variable(name)
    }

    fn is_contained(&self) -> bool {
        *self
            .contained
            .get_or_init(|| is_contained(self.facts.text()))
    }
}

/// Where an inner command stands among the words of its wrapper; all of them may have one place in the text.
fn run_of(words: &[Word], inner: &[Word]) -> Option<(usize, usize)> {
    // What a wrapper fills in or adds at the end has no known text.
    let same = |(word, inner): (&Word, &Word)| {
        word.span == inner.span && (inner.value.is_none() || word.value == inner.value)
    };
    let added = inner.last().is_some_and(|last| last.value.is_none());
    let start = (0..words.len()).rev().find(|start| {
        let rest = &words[*start..];
        let enough = rest.len() + usize::from(added) >= inner.len();
        enough && rest.iter().zip(inner).all(same)
    })?;
    Some((start, words.len().min(start + inner.len())))
}

/// Whether no word of a text leads out, and no variable takes its value from elsewhere.
fn is_contained(text: &str) -> bool {
    let ends_word = |letter: char| {
        matches!(
            letter,
            ' ' | '\t' | '\n' | '=' | '"' | '\'' | '(' | '{' | ',' | '<' | '>' | ':' | '@' | '['
        )
    };
    let leaves = text.split(ends_word).any(leads_out);
    let reads = ["read", "mapfile", "printf -v", "getopts", "declare", "@P"]
        .into_iter()
        .any(|marker| text.contains(marker));
    !leaves && !reads
}

fn leads_out(word: &str) -> bool {
    // Most words are plain names.
    if !word.contains(['/', '~', '.', '\\', '$', '`']) {
        return false;
    }
    let word = word.trim_end_matches([';', ')', '}', '&', '|']);
    (word.starts_with(['/', '~']) && !execgate_knowledge::devices::HARMLESS.contains(word))
        || paths::climbs(word)
        || word.contains('\\')
        || word.starts_with('.') && word.len() > 1 && !word.starts_with("./")
        || word.contains("$(")
        || word.contains('`')
}

/// The file name of a program, in the case it is written.
pub(crate) fn base_name(written: &str) -> &str {
    written.rsplit('/').next().unwrap_or(written)
}

/// Whether a program is a tool that a package manager installed in the project.
fn is_installed_tool(written: &str) -> bool {
    !written.starts_with('/')
        && !paths::climbs(written)
        && (written.contains("node_modules/.bin/") || written.contains("venv/bin/"))
}

/// `git push --help` and the like.
fn asks_for_help(name: &str, invocation: &Invocation<'_>) -> bool {
    const VERBED: &[&str] = &[
        "git",
        "docker",
        "podman",
        "kubectl",
        "npm",
        "cargo",
        "gh",
        "helm",
        "aws",
        "terraform",
        "go",
        "pip",
        "systemctl",
    ];
    let Some((last, verbs)) = invocation.segment.words[1..].split_last() else {
        return false;
    };
    if last.value.as_deref() != Some("--help") {
        return false;
    }
    let plain = |word: &Word| {
        word.value
            .as_deref()
            .is_some_and(|text| text.bytes().all(|byte| byte.is_ascii_lowercase()))
    };
    VERBED.contains(&name) && verbs.iter().all(plain)
}

/// The words after a runner such as `npx` or `poetry run`.
fn run_words<'b>(invocation: &Invocation<'b>) -> Option<&'b [Word]> {
    let words = &invocation.segment.words;
    let text = |place: usize| words.get(place).and_then(|word| word.value.as_deref());
    let (_, verb) = programs::RUNNERS.iter().find(|(name, verb)| {
        *name == invocation.written && verb.is_none_or(|verb| text(1) == Some(verb))
    })?;
    let mut start = if verb.is_some() { 2 } else { 1 };
    while matches!(
        text(start),
        Some(
            "--" | "--no-install"
                | "--frozen"
                | "--locked"
                | "--no-sync"
                | "--offline"
                | "--all-extras"
        )
    ) {
        start += 1;
    }
    words.get(start..).filter(|rest| !rest.is_empty())
}

/// Whether a program is named without a path, or by a path of the system.
pub(crate) fn is_system_program(written: &str) -> bool {
    if !written.contains('/') {
        return true;
    }
    let plain = lexical("/", written);
    written.starts_with('/')
        && texts::PROGRAM_DIRECTORIES.iter().any(|directory| {
            plain
                .strip_prefix(directory)
                .is_some_and(|name| !name.contains('/'))
        })
}

/// A program with its verb, for messages.
fn called(invocation: &Invocation<'_>) -> String {
    match invocation.verb() {
        Some(verb) if verb.len() <= 40 => format!("{} {verb}", invocation.written),
        Some(_) | None => invocation.written.to_owned(),
    }
}
