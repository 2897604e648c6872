//! Rules that the operator writes, on parsed commands: what a rule is about, and whether a command is that.

use execgate_guest::{Decision, RedirectOperator, Segment, Word};

use crate::invocation::{Argument, Invocation, program_name};
use crate::settings::Fields;

/// One rule of the operator's.
#[derive(Clone, Debug, PartialEq)]
pub struct OperatorRule {
    /// `id`: how verdicts name it, after `operator/`.
    pub id: String,
    /// `decision`.
    pub decision: Decision,
    /// What it is about.
    pub subject: Subject,
    /// `reason`, for verdicts.
    pub reason: Option<String>,
}

/// What a rule is about.
#[derive(Clone, Debug, PartialEq)]
pub enum Subject {
    /// `exact`: this text, and nothing before or after it.
    Exact(String),
    /// Commands of some programs.
    Commands(Pattern),
}

/// Commands of some programs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pattern {
    /// `program`: file names, or absolute paths.
    pub programs: Vec<String>,
    /// `verb`: the first operands, such as `plan` or `state list`; any if empty.
    pub verbs: Vec<String>,
    /// `options`: all of them are there. The spellings of one are separated by `|`.
    pub options: Vec<String>,
    /// `without`: none of them is there.
    pub without: Vec<String>,
    /// `paths`: directories; every path of an allowed command lies below one of them, and one path of a denied or asked one.
    pub paths: Vec<String>,
}

/// What a rule asks of the place that a command would run in.
pub trait Surroundings {
    /// The file that the command starts, with links followed, if it is known.
    fn program(&self, invocation: &Invocation<'_>) -> Option<String>;
    /// Whether a path, as written, leads below one of some directories.
    fn is_below(&self, path: &str, directories: &[String]) -> bool;
}

impl OperatorRule {
    /// Reads one rule; what is wrong with it stays with the fields.
    pub fn read(fields: &mut Fields) -> Self {
        let decisions = [
            ("ask", Decision::Ask),
            ("deny", Decision::Deny),
            ("allow", Decision::Allow),
        ];
        let id = fields.text("id").unwrap_or_default();
        let is_id = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        if id.is_empty() || !id.bytes().all(is_id) {
            fields.problem(
                "id",
                "a rule needs an id of letters, digits, `-`, `_` and `.`",
            );
        }
        Self {
            id,
            decision: fields.choice("decision", &decisions),
            subject: Subject::read(fields),
            reason: fields.text("reason"),
        }
    }

    /// Whether it is about a whole text.
    pub fn is_about_text(&self, text: &str) -> bool {
        matches!(&self.subject, Subject::Exact(exact) if exact.trim() == text.trim())
    }

    /// Whether it is about a command: for an allowance certainly, for anything stricter perhaps.
    pub fn is_about(&self, invocation: &Invocation<'_>, surroundings: &dyn Surroundings) -> bool {
        match &self.subject {
            Subject::Exact(exact) => {
                self.decision != Decision::Allow && is_text_of(exact, invocation.segment)
            }
            Subject::Commands(pattern) if self.decision == Decision::Allow => {
                pattern.is_certain(invocation, surroundings)
            }
            Subject::Commands(pattern) => pattern.is_possible(invocation, surroundings),
        }
    }

    /// Whether an allowance also answers for the paths that a command names.
    pub fn covers_paths(&self) -> bool {
        match &self.subject {
            Subject::Exact(_) => true,
            Subject::Commands(pattern) => !pattern.paths.is_empty(),
        }
    }

    /// The rule id of its verdicts.
    pub fn name(&self) -> String {
        format!("operator/{}", self.id)
    }
}

impl Subject {
    fn read(fields: &mut Fields) -> Self {
        let exact = fields.text("exact");
        let pattern = Pattern {
            programs: fields.one_or_more("program"),
            verbs: fields.one_or_more("verb"),
            options: fields.one_or_more("options"),
            without: fields.one_or_more("without"),
            paths: fields.one_or_more("paths"),
        };
        pattern.check(fields);
        match exact {
            Some(exact) => {
                if pattern != Pattern::default() {
                    fields.problem("exact", "stands alone: it is about the whole text");
                }
                if exact.trim().is_empty() {
                    fields.problem("exact", "must not be empty");
                }
                Self::Exact(exact)
            }
            None => {
                if pattern.programs.is_empty() {
                    fields.problem("program", "a rule needs a `program` or an `exact` text");
                }
                Self::Commands(pattern)
            }
        }
    }
}

impl Pattern {
    fn check(&self, fields: &mut Fields) {
        for program in &self.programs {
            let is_path = program.contains('/');
            if program.trim().is_empty() || program.contains(char::is_whitespace) {
                fields.problem(
                    "program",
                    &format!("`{program}` is no program: put verbs into `verb`"),
                );
            } else if is_path && !program.starts_with('/') {
                fields.problem(
                    "program",
                    &format!("`{program}` must be a file name or an absolute path"),
                );
            }
        }
        for (place, options) in [("options", &self.options), ("without", &self.without)] {
            let spellings = options.iter().flat_map(|option| option.split('|'));
            for spelling in spellings.filter(|spelling| !is_option(spelling)) {
                fields.problem(
                    place,
                    &format!("`{spelling}` is no option: it must begin with `-` or `+`"),
                );
            }
        }
        if self.paths.iter().any(|path| path.trim().is_empty()) {
            fields.problem("paths", "a path must not be empty; `.` is the workspace");
        }
    }

    /// Whether a command is certainly one of these, whatever its words turn out to be.
    fn is_certain(&self, invocation: &Invocation<'_>, surroundings: &dyn Surroundings) -> bool {
        let segment = invocation.segment;
        let is_known = |word: &Word| word.value.is_some();
        segment.words.iter().all(is_known)
            && segment.assignments.is_empty()
            && self.names(invocation, surroundings)
            && self.verb_length(invocation).is_some()
            && self.options.iter().all(|option| has(invocation, option))
            && !self.without.iter().any(|option| has(invocation, option))
            && (self.paths.is_empty() || self.holds(invocation, surroundings))
    }

    /// Whether it may be one of these: a word that is not known may be any word.
    fn is_possible(&self, invocation: &Invocation<'_>, surroundings: &dyn Surroundings) -> bool {
        let words = &invocation.segment.words[1..];
        let hides = words.iter().any(|word| word.value.is_none());
        self.named(invocation)
            && (self.verbs.is_empty()
                || self
                    .verbs
                    .iter()
                    .any(|verb| may_have_verb(invocation, verb)))
            && self
                .options
                .iter()
                .all(|option| hides || has(invocation, option))
            && !self.without.iter().any(|option| has(invocation, option))
            && (self.paths.is_empty() || hides || self.touches(invocation, surroundings))
    }

    /// Whether the program is one of these and no other of the same name.
    fn names(&self, invocation: &Invocation<'_>, surroundings: &dyn Surroundings) -> bool {
        let written = invocation.written;
        let real = || surroundings.program(invocation);
        self.programs.iter().any(|program| {
            if program.contains('/') {
                program == written || real().as_ref() == Some(program)
            } else {
                !written.contains('/') && program == written
            }
        })
    }

    /// Whether the program may be one of these.
    fn named(&self, invocation: &Invocation<'_>) -> bool {
        let name = &invocation.name;
        self.programs
            .iter()
            .any(|program| program_name(program) == *name)
    }

    /// How many operands the verb takes that a command certainly has.
    fn verb_length(&self, invocation: &Invocation<'_>) -> Option<usize> {
        if self.verbs.is_empty() {
            return Some(0);
        }
        self.verbs.iter().find_map(|verb| {
            let wanted = verb.split_whitespace();
            let length = wanted.clone().count();
            let found = invocation.operand_texts().take(length);
            found.eq(wanted).then_some(length)
        })
    }

    /// Whether all its paths lie below the directories. A word that is no path is below them if they have the call's directory.
    fn holds(&self, invocation: &Invocation<'_>, surroundings: &dyn Surroundings) -> bool {
        let verb = self.verb_length(invocation).unwrap_or(0);
        let is_below =
            |path: Option<&str>| path.is_some_and(|path| surroundings.is_below(path, &self.paths));
        values(invocation).all(|value| is_below(Some(value)))
            && invocation
                .operands()
                .skip(verb)
                .all(|word| is_below(word.value.as_deref()))
            && files(invocation.segment).all(|word| is_below(word.value.as_deref()))
    }

    /// Whether one of its paths may lie below the directories.
    fn touches(&self, invocation: &Invocation<'_>, surroundings: &dyn Surroundings) -> bool {
        let is_below =
            |path: Option<&str>| path.is_none_or(|path| surroundings.is_below(path, &self.paths));
        values(invocation).any(|value| is_below(Some(value)))
            || invocation
                .operands()
                .any(|word| is_below(word.value.as_deref()))
            || files(invocation.segment).any(|word| is_below(word.value.as_deref()))
    }
}

/// The values of its options.
fn values<'a>(invocation: &'a Invocation<'_>) -> impl Iterator<Item = &'a str> {
    invocation
        .arguments
        .iter()
        .filter_map(|argument| match argument {
            Argument::Option { value, .. } => *value,
            Argument::Operand(_) => None,
        })
}

/// The files that it is redirected to or from.
fn files(segment: &Segment) -> impl Iterator<Item = &Word> {
    let is_file = |operator: RedirectOperator| {
        !matches!(
            operator,
            RedirectOperator::DuplicateInput
                | RedirectOperator::DuplicateOutput
                | RedirectOperator::HereDocument
                | RedirectOperator::HereString
        )
    };
    let redirects = segment.redirects.iter();
    redirects
        .filter(move |redirect| is_file(redirect.operator))
        .map(|redirect| &redirect.target)
}

fn is_option(spelling: &str) -> bool {
    spelling.len() > 1 && spelling.starts_with(['-', '+'])
}

/// Whether an option is there in one of its spellings: as a word, with a value attached, in a cluster, or abbreviated.
fn has(invocation: &Invocation<'_>, spellings: &str) -> bool {
    spellings.split('|').any(|spelling| {
        let words = invocation.segment.words[1..].iter();
        let mut words = words.filter_map(|word| word.value.as_deref());
        let is_word = |word: &str| {
            let rest = word.strip_prefix(spelling);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
        };
        let is_name = |argument: &Argument<'_>| match argument {
            Argument::Option { name, .. } => is_short_for(name, spelling),
            Argument::Operand(_) => false,
        };
        words.any(is_word) || invocation.arguments.iter().any(is_name)
    })
}

/// Whether a name is an option, or the beginning of its long spelling.
fn is_short_for(name: &str, spelling: &str) -> bool {
    let is_long = name.len() > 3 && name.starts_with("--");
    name == spelling || is_long && spelling.starts_with(name)
}

/// Whether the verb stands among the operands, in order; options of unknown programs may take words that look like operands.
fn may_have_verb(invocation: &Invocation<'_>, verb: &str) -> bool {
    let mut operands = invocation.operands();
    verb.split_whitespace()
        .all(|part| operands.any(|word| word.value.as_deref().is_none_or(|value| value == part)))
}

/// Whether a text is a segment's, word by word.
fn is_text_of(text: &str, segment: &Segment) -> bool {
    let words = segment.words.iter().map(|word| word.value.as_deref());
    text.split_whitespace().map(Some).eq(words)
}
