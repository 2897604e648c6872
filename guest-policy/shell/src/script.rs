//! Texts that a command runs as a script: `sh -c`, `eval`, `trap`, a shell that reads its input.

use std::rc::Rc;

use crate::cursor::Origin;
use crate::opaque::OpaqueReason;
use crate::reader::{Input, Place, Reader};
use crate::redirect::{Descriptor, HereDocument};
use crate::segment::{Join, Relation};
use crate::source::{Dialect, Span};
use crate::unwrap::{Script, hull};
use crate::variables::Variables;
use crate::word::{Part, Word};

/// Scripts nested more deeply than this are opaque.
const MAX_SCRIPTS: u32 = 8;

/// Shells whose language is read here, with the dialect of each.
const SHELLS: [(&str, Dialect); 14] = [
    ("ash", Dialect::Posix),
    ("bash", Dialect::Bash),
    ("dash", Dialect::Posix),
    ("hush", Dialect::Posix),
    ("ksh", Dialect::Posix),
    ("ksh93", Dialect::Posix),
    ("lksh", Dialect::Posix),
    ("mksh", Dialect::Posix),
    ("oksh", Dialect::Posix),
    ("posh", Dialect::Posix),
    ("rbash", Dialect::Bash),
    ("sh", Dialect::Posix),
    ("yash", Dialect::Posix),
    ("zsh", Dialect::Zsh),
];

/// Shells with a language of their own.
const OTHER_SHELLS: [&str; 7] = ["csh", "elvish", "fish", "nu", "osh", "tcsh", "xonsh"];

/// Shells of Windows.
const WINDOWS_SHELLS: [&str; 3] = ["cmd", "powershell", "pwsh"];

/// Whether a name is a shell's whose language is that of bash or POSIX.
pub(crate) fn is_shell(name: &str) -> bool {
    SHELLS.iter().any(|(shell, _)| *shell == name)
}

/// How a shell was called.
enum Call {
    /// `-n`: the text is checked, not run.
    Nothing,
    Text(usize),
    Input,
    File(usize),
    Unclear(usize),
}

impl Reader<'_> {
    /// Handles the programs that run texts; says whether the command is one.
    pub(crate) fn shell_scripts(&mut self, index: u32, name: &str, words: &[Word]) -> bool {
        match name {
            "eval" => self.evaluate(index, &words[1..]),
            "trap" => self.trap(index, words),
            "." | "source" => self.source_file(index, words),
            "fc" | "r" if words.len() > 1 => {
                self.opaque(
                    OpaqueReason::DynamicScript,
                    "`fc` runs earlier commands again",
                    hull(words),
                );
            }
            _ => {
                if let Some((_, dialect)) = SHELLS.iter().find(|(shell, _)| *shell == name) {
                    self.shell(index, words, *dialect);
                } else if is_one_of(name, &OTHER_SHELLS) {
                    self.other_shell(name, words);
                } else if is_windows_shell(name) {
                    self.windows_program(index, words);
                } else {
                    return false;
                }
            }
        }
        true
    }

    fn evaluate(&mut self, index: u32, arguments: &[Word]) {
        let arguments = match arguments.first() {
            Some(first) if first.value.as_deref() == Some("--") => &arguments[1..],
            Some(_) | None => arguments,
        };
        for assignment in self.line.segments[index as usize].assignments.clone() {
            self.variables.forget(&assignment.name);
        }
        match joined(arguments) {
            Some(text) => {
                let origin = self.origin_of(hull(arguments), &text);
                self.script(index, &text, origin);
            }
            None => {
                self.dynamic("the text that `eval` runs", hull(arguments));
                self.variables.forget_all();
            }
        }
    }

    fn trap(&mut self, index: u32, words: &[Word]) {
        let mut at = 1;
        while let Some(text) = words.get(at).and_then(|word| word.value.as_deref()) {
            if text == "--" {
                at += 1;
                break;
            }
            if !text.starts_with('-') || text.len() < 2 {
                break;
            }
            if matches!(text, "-p" | "-l" | "-P" | "-lp") {
                return;
            }
            at += 1;
        }
        let Some(action) = words.get(at) else { return };
        // With one argument, or `-`, the signals are reset.
        if words.len() == at + 1 || action.value.as_deref() == Some("-") {
            return;
        }
        let mark = self.variables.mark();
        let hidden = self.variables.hide();
        self.functions.trapped = true;
        self.trapped_script(index, action);
        let unclear = action.value.is_none();
        self.variables.freeze_since(mark);
        self.variables.restore(hidden);
        self.variables.forget_since(mark);
        if unclear {
            self.variables.distrust();
        }
    }

    /// Walks what a trap runs: in the same shell, with any values.
    fn trapped_script(&mut self, index: u32, action: &Word) {
        let Some(text) = readable(action) else {
            return self.dynamic("a text that is run as a script", action.span);
        };
        let origin = self.origin_of(action.span, &text);
        let outer = std::mem::replace(&mut self.variables, Variables::child());
        let defined = self.functions.mark();
        self.script(index, &text, origin);
        self.functions.forget_since(defined);
        self.variables = outer;
    }

    fn source_file(&mut self, index: u32, words: &[Word]) {
        let Some(file) = words.get(1) else { return };
        let defined = self.functions.mark();
        if let Some(text) = self.text_behind(index, file) {
            self.run_input(index, text, file.span, None);
        }
        // A `return` may have passed over its definitions.
        self.functions.forget_since(defined);
        self.variables.forget_all();
    }

    /// The text behind a path that names a descriptor; `None` for ordinary files.
    fn text_behind(&self, index: u32, file: &Word) -> Option<Input> {
        let Some(path) = file.value.as_deref() else {
            return if file.parts.contains(&Part::ProcessSubstitution) {
                Some(Input::Unknown)
            } else {
                None
            };
        };
        let number = match path {
            "/dev/stdin" | "-" => 0,
            _ => ["/dev/fd/", "/proc/self/fd/", "/proc/thread-self/fd/"]
                .into_iter()
                .find_map(|prefix| path.strip_prefix(prefix))?
                .parse()
                .ok()?,
        };
        if number == 0 {
            return Some(self.place.input.clone());
        }
        let redirects = &self.line.segments[index as usize].redirects;
        let found = redirects
            .iter()
            .rev()
            .find(|redirect| redirect.descriptor == Some(Descriptor::Number(number)));
        Some(match found.and_then(|redirect| redirect.here.as_ref()) {
            Some(HereDocument {
                body: Some(text),
                span,
                ..
            }) => Input::Text {
                text: text.as_str().into(),
                origin: self.origin_of(*span, text),
            },
            Some(_) | None => Input::Unknown,
        })
    }

    fn shell(&mut self, index: u32, words: &[Word], dialect: Dialect) {
        match shell_call(words) {
            Call::Nothing => {}
            Call::Text(at) => {
                if let Some(word) = words.get(at) {
                    self.child_script(index, word, dialect);
                }
            }
            Call::Input => {
                let input = self.place.input.clone();
                self.run_input(index, input, hull(words), Some(dialect));
            }
            Call::File(at) => {
                if let Some(input) = self.text_behind(index, &words[at]) {
                    self.run_input(index, input, words[at].span, Some(dialect));
                }
            }
            Call::Unclear(at) => self.dynamic("what this shell runs", words[at].span),
        }
    }

    fn other_shell(&mut self, name: &str, words: &[Word]) {
        let text = words.iter().skip(1).any(|word| {
            word.value
                .as_deref()
                .is_none_or(|text| text.starts_with(['-', '/']) || text == "-")
        });
        let fed = !matches!(self.place.input, Input::Closed | Input::File);
        if text || fed {
            self.opaque(
                OpaqueReason::UnsupportedDialect,
                format!("the language of `{name}` is not read here"),
                hull(words),
            );
        }
    }

    fn child_script(&mut self, index: u32, word: &Word, dialect: Dialect) {
        match &readable(word) {
            Some(text) => {
                let origin = self.origin_of(word.span, text);
                self.as_child(dialect, |reader| reader.script(index, text, origin));
            }
            None => self.dynamic("the text that the shell runs", word.span),
        }
    }

    /// Walks with the variables of a new shell.
    pub(crate) fn as_child(&mut self, dialect: Dialect, walk: impl FnOnce(&mut Self)) {
        let mut child = Variables::child();
        let relation = self.place.relation;
        if relation != Relation::Wrapped && self.variables.get("HOME") == self.source.home {
            child.set("HOME", self.source.home.map(str::to_owned));
        }
        let outer = std::mem::replace(&mut self.variables, child);
        let functions = std::mem::take(&mut self.functions);
        let before = std::mem::replace(&mut self.place.dialect, dialect);
        walk(self);
        self.place.dialect = before;
        self.functions = functions;
        self.variables = outer;
    }

    /// Runs what a command reads; `dialect` for a new shell.
    pub(crate) fn run_input(
        &mut self,
        index: u32,
        input: Input,
        span: Span,
        dialect: Option<Dialect>,
    ) {
        match input {
            Input::Closed | Input::File => {}
            Input::Unknown => self.dynamic("the script on standard input", span),
            Input::Text { text, origin } => match dialect {
                Some(dialect) => {
                    self.as_child(dialect, |reader| reader.script(index, &text, origin))
                }
                None => self.script(index, &text, origin),
            },
        }
    }

    /// Treats the standard input of the command as a script.
    pub(crate) fn script_from_input(&mut self, index: u32) {
        let span = self.line.segments[index as usize].span;
        let input = self.place.input.clone();
        self.run_input(index, input, span, Some(Dialect::Posix));
    }

    /// Runs the text that an option or an operand carries in a new shell.
    pub(crate) fn script_argument(&mut self, index: u32, words: &[Word], script: &Script) {
        let (word, offset) = match script {
            Script::Word(at) => (words.get(*at), 0),
            Script::Attached(at, offset) => (words.get(*at), *offset),
        };
        let Some(word) = word else { return };
        match readable(word)
            .as_deref()
            .and_then(|text| text.get(offset..))
        {
            Some(text) => {
                let origin = self.origin_of(word.span, text);
                let dialect = self.place.dialect;
                self.as_child(dialect, |reader| reader.script(index, text, origin));
            }
            None => self.dynamic("a text that is run as a script", word.span),
        }
    }

    /// Runs words joined by spaces in a new shell.
    pub(crate) fn joined_script(&mut self, index: u32, words: &[Word]) {
        match joined(words) {
            Some(text) if text.is_empty() => {}
            Some(text) => {
                let origin = self.origin_of(hull(words), &text);
                self.as_child(Dialect::Posix, |reader| reader.script(index, &text, origin));
            }
            None => self.dynamic("a text that is run as a script", hull(words)),
        }
    }

    /// Runs what GNU parallel builds from its command and its arguments.
    pub(crate) fn parallel(&mut self, index: u32, words: &[Word], first: usize) {
        let separator = words.iter().skip(first).position(|word| {
            word.value
                .as_deref()
                .is_some_and(|text| text.starts_with(":::"))
        });
        let end = separator.map_or(words.len(), |offset| first + offset);
        let command = words.get(first..end).unwrap_or_default();
        if command.is_empty() {
            match separator {
                None => self.dynamic("the commands that `parallel` reads", hull(words)),
                Some(_) => (end + 1..words.len())
                    .for_each(|at| self.script_argument(index, words, &Script::Word(at))),
            }
            return;
        }
        let starts_with_argument = command
            .first()
            .and_then(|word| word.value.as_deref())
            .is_none_or(|text| text.contains('{'));
        let nested = command.iter().any(|word| {
            word.value
                .as_deref()
                .is_some_and(|text| text.contains('{') && text.contains(char::is_whitespace))
        });
        if starts_with_argument || nested {
            self.dynamic("the command that `parallel` builds", hull(command));
        }
        self.joined_script(index, command);
    }

    fn dynamic(&mut self, what: &str, span: Span) {
        self.opaque(
            OpaqueReason::DynamicScript,
            format!("{what} is not known; write it out"),
            span,
        );
    }

    /// Walks a script that the command at `index` runs.
    pub(crate) fn script(&mut self, index: u32, text: &str, origin: Origin) {
        if self.place.scripts >= MAX_SCRIPTS || self.place.depth >= crate::cursor::MAX_DEPTH {
            let detail = format!("more than {MAX_SCRIPTS} scripts within each other");
            return self.opaque(OpaqueReason::TooDeep, detail, origin.map(0, text.len()));
        }
        let saved = self.place.clone();
        let place: &mut Place = &mut self.place;
        place.parent = Some(index);
        place.relation = Relation::Script;
        place.depth += 1;
        place.scripts += 1;
        place.pipeline = None;
        place.joined = Join::First;
        place.fed_by = self.line.segments[index as usize].fed_by;
        self.text(text, origin);
        self.place = saved;
    }

    /// Where a text lies in the source: byte for byte at a span, inside its quotes, or computed.
    pub(crate) fn origin_of(&self, span: Span, text: &str) -> Origin {
        let written = self
            .source
            .text
            .get(span.start as usize..span.end as usize)
            .unwrap_or_default();
        if written == text {
            return Origin::Offset(span.start);
        }
        let quoted = ['\'', '"']
            .into_iter()
            .find_map(|quote| written.strip_prefix(quote)?.strip_suffix(quote));
        if quoted == Some(text) {
            Origin::Offset(span.start + 1)
        } else {
            Origin::Fixed(span)
        }
    }

    /// What a pipeline stage prints, if that is certain.
    pub(crate) fn produced(&self, range: (u32, u32)) -> Input {
        let stage = &self.line.segments[range.0 as usize..range.1 as usize];
        let Some(first) = stage.first() else {
            return Input::Unknown;
        };
        let alone = stage
            .iter()
            .skip(1)
            .all(|segment| segment.relation != first.relation || segment.parent != first.parent);
        let diverted = first
            .redirects
            .iter()
            .any(|redirect| redirect.operator.writes());
        match crate::printed::printed(first) {
            Some(text) if alone && !diverted => Input::Text {
                origin: Origin::Fixed(first.span),
                text: Rc::from(text),
            },
            Some(_) | None => Input::Unknown,
        }
    }
}

/// Whether a name is that of a shell of Windows, with its path and ending or without.
fn is_windows_shell(name: &str) -> bool {
    // Nearly no name is one: a look at its length and first letter must do.
    let plain =
        name.starts_with(['c', 'C', 'p', 'P']) && matches!(name.len(), 3 | 4 | 7 | 8 | 10 | 14);
    if !plain && !name.contains('\\') {
        return false;
    }
    let base = name.rsplit('\\').next().unwrap_or(name);
    let stem = match base.len().checked_sub(4) {
        Some(place)
            if base.is_char_boundary(place) && base[place..].eq_ignore_ascii_case(".exe") =>
        {
            &base[..place]
        }
        Some(_) | None => base,
    };
    is_one_of(stem, &WINDOWS_SHELLS)
}

fn is_one_of(name: &str, names: &[&str]) -> bool {
    names.iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// The text of a script whose only unknown pieces are numbers, which are written as they were.
fn readable(word: &Word) -> Option<String> {
    if let Some(value) = &word.value {
        return Some(value.clone());
    }
    let pieces = word.parts.iter().map(|part| match part {
        Part::Literal(text) => Some(text.clone()),
        Part::Variable { name, .. } if matches!(name.as_str(), "!" | "$" | "?" | "#" | "PPID") => {
            Some(format!("${name}"))
        }
        Part::Arithmetic => Some("$((0))".to_owned()),
        Part::Variable { .. }
        | Part::Substitution { .. }
        | Part::ProcessSubstitution
        | Part::Glob(_)
        | Part::Tilde(_) => None,
    });
    pieces.collect()
}

fn joined(words: &[Word]) -> Option<String> {
    let values: Option<Vec<String>> = words.iter().map(readable).collect();
    Some(values?.join(" "))
}

/// Finds out what a shell was asked to run.
fn shell_call(words: &[Word]) -> Call {
    let mut text = false;
    let mut input = false;
    let mut checks_only = false;
    let mut at = 1;
    while let Some(word) = words.get(at) {
        let Some(option) = word.value.as_deref() else {
            return match &word.parts[..] {
                _ if checks_only && !text && at + 1 == words.len() => Call::Nothing,
                _ if text || !crate::unwrap::is_one_word(word) => Call::Unclear(at),
                [Part::Variable { .. } | Part::Substitution { .. }, ..] => Call::Unclear(at),
                _ => Call::File(at),
            };
        };
        if option == "--" || option == "-" {
            at += 1;
            break;
        }
        if let Some(long) = option.strip_prefix("--") {
            at += if matches!(long, "rcfile" | "init-file") {
                2
            } else {
                1
            };
            continue;
        }
        let Some(cluster) = option
            .strip_prefix(['-', '+'])
            .filter(|cluster| !cluster.is_empty())
        else {
            break;
        };
        at += 1 + cluster.matches(['o', 'O']).count();
        text |= option.starts_with('-') && cluster.contains('c');
        input |= cluster.contains('s');
        checks_only |= option.starts_with('-') && cluster.contains('n');
    }
    match words.get(at) {
        Some(_) | None if checks_only => Call::Nothing,
        Some(_) if text => Call::Text(at),
        Some(_) if !input => Call::File(at),
        Some(_) | None if text => Call::Unclear(words.len() - 1),
        Some(_) | None => Call::Input,
    }
}
