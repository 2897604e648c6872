//! Looks programs up in the tables.

use execgate_guest::Word;
use execgate_knowledge::programs::{self, Row};
use execgate_rules::{Argument, Invocation};

/// What a program does with its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Nothing.
    Speaks,
    /// Reads them.
    Reads,
    /// Writes them.
    Writes,
    /// Builds, tests or queries with them.
    Develops,
    /// Runs an inner command.
    Wraps,
}

/// A known program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    pub(crate) effect: Effect,
    refused: &'static str,
}

/// Programs whose options of several letters begin with one dash.
const SINGLE_DASH: &[&str] = &[
    "go",
    "gcc",
    "g++",
    "cc",
    "c++",
    "clang",
    "clang++",
    "java",
    "javac",
    "openssl",
    "find",
    "ffmpeg",
    "exiftool",
    "convert",
    "magick",
    "mogrify",
    "terraform",
    "mvn",
    "gradle",
    "sbt",
    "tinygo",
    "gdb",
];

/// What is known of a program, by the words it is called with.
pub(crate) fn look_up(name: &str, invocation: &Invocation<'_>) -> Option<Known> {
    let single = |rows: &'static [Row], effect| {
        rows.iter()
            .find(|(known, _)| *known == name)
            .map(|(_, refused)| Known { effect, refused })
    };
    single(programs::SPEAKERS, Effect::Speaks)
        .or_else(|| single(programs::READERS, Effect::Reads))
        .or_else(|| single(programs::WRITERS, Effect::Writes))
        .or_else(|| command(name, invocation))
        .or_else(|| chained(programs::WRAPPERS, Effect::Wraps, name, invocation))
}

fn command(name: &str, invocation: &Invocation<'_>) -> Option<Known> {
    chained(programs::COMMANDS, Effect::Develops, name, invocation)
}

/// The longest row whose program and verbs fit.
fn chained(
    rows: &'static [Row],
    effect: Effect,
    name: &str,
    invocation: &Invocation<'_>,
) -> Option<Known> {
    rows.iter()
        .filter(|(key, _)| fits(key, name, invocation))
        .max_by_key(|(key, _)| key.len())
        .map(|(_, refused)| Known { effect, refused })
}

fn fits(key: &str, name: &str, invocation: &Invocation<'_>) -> bool {
    // Nearly every row is another program's: the name alone must tell, before anything is split.
    let Some(verbs) = key.strip_prefix(name) else {
        return false;
    };
    if verbs.is_empty() {
        return true;
    }
    let Some(verbs) = verbs.strip_prefix(' ') else {
        return false;
    };
    let mut operands = invocation.operands();
    verbs.split(' ').all(|word| {
        if word.starts_with('-') {
            return invocation.segment.words[1..]
                .iter()
                .any(|given| given.value.as_deref() == Some(word));
        }
        operands
            .next()
            .is_some_and(|operand| operand.value.as_deref() == Some(word))
    })
}

impl Known {
    /// The first of some words that is not known to be harmless.
    pub(crate) fn refuses<'a>(&self, name: &str, words: &'a [Word]) -> Option<&'a Word> {
        let global = programs::GLOBAL
            .iter()
            .find(|(program, _)| *program == name)
            .map_or("", |(_, refused)| refused);
        let tokens: Vec<&str> = self
            .refused
            .split(' ')
            .chain(global.split(' '))
            .filter(|token| !token.is_empty())
            .collect();
        words.iter().find(|word| {
            word.value
                .as_deref()
                .is_some_and(|text| tokens.iter().any(|token| is_refused(name, token, text)))
        })
    }
}

fn is_refused(name: &str, token: &str, text: &str) -> bool {
    if text == token {
        return true;
    }
    if let Some(start) = token.strip_suffix('*') {
        return text.starts_with(start);
    }
    if let Some(exact) = token.strip_prefix('=') {
        return text.split('=').next() == Some(exact);
    }
    if token.starts_with("--") {
        let (given, _) = text.split_once('=').unwrap_or((text, ""));
        return given.len() > 3 && given.starts_with("--") && token.starts_with(given);
    }
    let Some(letters) = token.strip_prefix('-') else {
        return token.ends_with('=') && text.starts_with(token)
            || token.starts_with('{') && text.contains(token);
    };
    if letters.chars().count() > 1 || SINGLE_DASH.contains(&name) {
        return text.starts_with(token) && (letters.len() > 1 || text.len() == token.len());
    }
    text.strip_prefix('-')
        .is_some_and(|cluster| !cluster.starts_with('-') && cluster.contains(letters))
}

/// Option names of an invocation, as written.
pub(crate) fn option_names<'a>(
    invocation: &'a Invocation<'a>,
) -> impl Iterator<Item = &'a str> + 'a {
    invocation
        .arguments
        .iter()
        .filter_map(|argument| match argument {
            Argument::Option { name, .. } => Some(name.as_str()),
            Argument::Operand(_) => None,
        })
}
