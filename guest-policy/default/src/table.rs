//! Looks programs up in the tables.

mod rows;

use execgate_guest::Word;
use execgate_knowledge::programs;
use execgate_rules::{Argument, Invocation};

use self::rows::Entry;

/// What a program does with its operands, in the order in which a name is looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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
    "cmake",
    "checkstyle",
    "revive",
    "ginkgo",
    "latexmk",
    "pdflatex",
    "xelatex",
    "lualatex",
    "ffprobe",
    "ant",
];

/// What is known of a program, by the words it is called with: the longest row whose program and verbs fit.
///
/// What a program does with any operands comes before what its verbs do, and that before what it wraps.
pub(crate) fn look_up(name: &str, invocation: &Invocation<'_>) -> Option<Known> {
    let bare = rows::with(name).next().filter(|entry| entry.key == name);
    if let Some(entry) = bare.filter(|entry| entry.known.effect < Effect::Develops) {
        return Some(entry.known);
    }
    // The first verb of an entry is an option, or the first operand.
    let first = operands(invocation).next();
    let verb = first.and_then(|word| word.value.as_deref());
    [Some("-"), verb]
        .into_iter()
        .flatten()
        .filter_map(|verb| longest(name, verb, invocation))
        .max_by_key(|entry| entry.key.len())
        .or(bare)
        .map(|entry| entry.known)
}

/// The longest entry that begins with a program and a verb, or the start of one, and fits.
fn longest(name: &str, verb: &str, invocation: &Invocation<'_>) -> Option<&'static Entry> {
    rows::with(&[name, " ", verb].concat())
        .filter(|entry| fits(&entry.key[name.len() + 1..], invocation))
        .max_by_key(|entry| entry.key.len())
}

/// Whether an invocation has all the words of a row, its operands in their order.
fn fits(verbs: &str, invocation: &Invocation<'_>) -> bool {
    let mut operands = operands(invocation);
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

/// Options of a program that are not known to be harmless before any verb.
fn global(name: &str) -> &'static str {
    programs::GLOBAL
        .iter()
        .find(|(program, _)| *program == name)
        .map_or("", |(_, refused)| refused)
}

/// The operands, without the toolchain that the programs of Rust take first.
fn operands<'a>(invocation: &'a Invocation<'_>) -> impl Iterator<Item = &'a Word> + 'a {
    let rust = matches!(invocation.name.as_str(), "cargo" | "rustc" | "rustfmt");
    let toolchain = |word: &&Word| {
        rust && word
            .value
            .as_deref()
            .is_some_and(|text| text.starts_with('+'))
    };
    let mut operands = invocation.operands().peekable();
    operands.next_if(toolchain);
    operands
}

impl Known {
    /// Whether there are words that are not known to be harmless.
    pub(crate) fn refuses_any(&self, name: &str) -> bool {
        !self.refused.is_empty() || !global(name).is_empty()
    }

    /// The first of some words that is not known to be harmless.
    pub(crate) fn refuses<'a>(&self, name: &str, words: &'a [Word]) -> Option<&'a Word> {
        let global = global(name);
        if words.is_empty() || self.refused.is_empty() && global.is_empty() {
            return None;
        }
        let tokens = self.refused.split_ascii_whitespace();
        let tokens: Vec<&str> = tokens.chain(global.split_ascii_whitespace()).collect();
        let single_dash = SINGLE_DASH.contains(&name);
        words.iter().find(|word| {
            word.value.as_deref().is_some_and(|text| {
                tokens
                    .iter()
                    .any(|token| is_refused(token, text, single_dash))
            })
        })
    }
}

/// Whether a word is what a token of a row stands for; `single_dash` tells of programs in [`SINGLE_DASH`].
fn is_refused(token: &str, text: &str, single_dash: bool) -> bool {
    if token.starts_with('-') && !text.starts_with('-') {
        return false;
    }
    if text == token {
        return true;
    }
    if let Some(start) = token.strip_suffix('*') {
        // Names of several things are one word.
        return text.split(',').any(|part| part.starts_with(start));
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
            || token.starts_with(['{', '#']) && text.contains(token);
    };
    if letters.chars().count() > 1 || single_dash {
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
            Argument::Option { name, .. } => Some(name.as_ref()),
            Argument::Operand(_) => None,
        })
}
