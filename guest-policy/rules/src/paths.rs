//! Which words of a command name paths.

mod spelling;
mod words;

use std::borrow::Cow;

use execgate_guest::{Part, Redirect, RedirectOperator, Segment, Span, Word};
use execgate_knowledge::texts;

pub use self::spelling::{
    after_directory, after_tilde, climbs, file_url, is_inside, is_remote, is_url, lexical,
};
use crate::deny::code::inline_code;
use crate::invocation::Invocation;

/// Something in a command that names a path, or may.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate<'a> {
    /// The path as written, or as much of it as is known.
    pub path: Path<'a>,
    /// Where in the text.
    pub span: Span,
}

/// How much of a path is known.
#[derive(Clone, Debug, PartialEq)]
pub enum Path<'a> {
    /// All of it.
    Known(Cow<'a, str>),
    /// The directory that a pattern is matched in, and the pattern.
    Pattern {
        /// The directory; `.` when none is written.
        directory: String,
        /// The whole word, pattern characters included.
        pattern: String,
    },
    /// It begins with the value of a variable, or with what a command prints.
    Unknown {
        /// The variable, if it is one.
        variable: Option<&'a str>,
    },
}

/// The paths of a segment: program, operands, option values, redirect targets and assigned values.
pub fn candidates<'a>(
    segment: &'a Segment,
    invocation: Option<&Invocation<'a>>,
) -> Vec<Candidate<'a>> {
    let mut found = match invocation {
        Some(invocation) => of_words(invocation),
        None => Vec::new(),
    };
    if invocation.is_none() {
        for word in &segment.words {
            operand(word, false, &mut found);
        }
    }
    for redirect in &segment.redirects {
        target(redirect, &mut found);
    }
    for assignment in &segment.assignments {
        let list = assignment.name.ends_with("PATH");
        assigned(&assignment.value, list, &mut found);
    }
    found
}

/// The paths among the words of an invocation: program, operands and option values.
pub fn of_words<'a>(invocation: &Invocation<'a>) -> Vec<Candidate<'a>> {
    let mut found = Vec::new();
    program(invocation, &mut found);
    words::arguments(invocation, &mut found);
    found
}

/// The file that a redirect opens.
pub fn of_redirect(redirect: &Redirect) -> Option<Candidate<'_>> {
    let mut found = Vec::new();
    target(redirect, &mut found);
    found.pop()
}

fn target<'a>(redirect: &'a Redirect, found: &mut Vec<Candidate<'a>>) {
    match redirect.operator {
        RedirectOperator::HereDocument | RedirectOperator::HereString => {}
        RedirectOperator::DuplicateInput | RedirectOperator::DuplicateOutput
            if is_descriptor(&redirect.target) => {}
        RedirectOperator::Read
        | RedirectOperator::Write
        | RedirectOperator::Clobber
        | RedirectOperator::Append
        | RedirectOperator::ReadWrite
        | RedirectOperator::DuplicateInput
        | RedirectOperator::DuplicateOutput
        | RedirectOperator::WriteBoth
        | RedirectOperator::AppendBoth => match redirect.target.value.as_deref() {
            Some(text) => push(text, redirect.target.span, found),
            None => unknown(&redirect.target, found),
        },
    }
}

/// `1` and `-` of `2>&1` and `3>&-`.
fn is_descriptor(word: &Word) -> bool {
    word.value.as_deref().is_some_and(|text| {
        text.trim_end_matches('-')
            .bytes()
            .all(|byte| byte.is_ascii_digit())
    })
}

/// The program itself, when it is named by a path that is not the system's.
fn program<'a>(invocation: &Invocation<'a>, found: &mut Vec<Candidate<'a>>) {
    let written = invocation.written;
    if !written.contains('/') {
        return;
    }
    let plain = lexical("/", written);
    let system = written.starts_with('/')
        && texts::PROGRAM_DIRECTORIES
            .iter()
            .any(|directory| plain.starts_with(directory));
    if !system {
        push(written, invocation.segment.words[0].span, found);
    }
}

fn operand<'a>(word: &'a Word, remotes: bool, found: &mut Vec<Candidate<'a>>) {
    match word.value.as_deref() {
        Some(text) => parts(text, word.span, remotes, found),
        None => unknown(word, found),
    }
}

/// Pieces from which on a value is taken as a whole only.
const MAX_PIECES: usize = 64;

/// A value as a whole, and what stands in it after `=`, `@`, `,` and `:`.
fn parts<'a>(text: &'a str, span: Span, remotes: bool, found: &mut Vec<Candidate<'a>>) {
    if let Some(path) = file_url(text) {
        push(path, span, found);
        return;
    }
    if is_url(text) || (remotes && is_remote(text)) {
        return;
    }
    push(text, span, found);
    let is_mark = |byte: &u8| matches!(byte, b'=' | b',' | b'@' | b':');
    let marks = text.as_bytes().iter().filter(|byte| is_mark(byte));
    let marks = marks.take(MAX_PIECES).count();
    if marks == 0 || marks == MAX_PIECES {
        return;
    }
    if !text.contains("://") {
        for piece in text.split(['=', ',', '@', ':']) {
            if piece.contains('/') || piece.starts_with(['~', '.']) {
                push(piece, span, found);
            }
        }
        return;
    }
    for piece in text.split([',', '=']) {
        match file_url(piece) {
            Some(path) => push(path, span, found),
            None if is_url(piece) => {}
            None => push(piece.trim_start_matches('@'), span, found),
        }
    }
}

/// An assigned value; lists of directories are looked at one by one.
fn assigned<'a>(value: &'a Word, list: bool, found: &mut Vec<Candidate<'a>>) {
    let Some(text) = value.value.as_deref() else {
        if list || !matches!(value.parts.first(), Some(Part::Literal(_))) {
            return;
        }
        unknown(value, found);
        return;
    };
    for piece in if list {
        text.split(':').collect()
    } else {
        vec![text]
    } {
        let directory = format!("{}/", lexical("/", piece).trim_end_matches('/'));
        let program =
            piece.starts_with('/') && texts::PROGRAM_DIRECTORIES.contains(&directory.as_str());
        if !(list && program) {
            parts(piece, value.span, false, found);
        }
    }
}

/// A word whose text is not known: what is sure of its beginning.
fn unknown<'a>(word: &'a Word, found: &mut Vec<Candidate<'a>>) {
    let mut start = String::new();
    let mut whole = String::new();
    let mut sure = true;
    for part in &word.parts {
        match part {
            Part::Literal(text) => {
                if sure {
                    start.push_str(text);
                }
                whole.push_str(text);
            }
            Part::Glob(pattern) => {
                if sure {
                    let literal = pattern.find(['*', '?', '[']).unwrap_or(0);
                    start.push_str(&pattern[..literal]);
                }
                sure = false;
                whole.push_str(pattern);
            }
            Part::Variable(name) if start.is_empty() && sure => {
                push_unknown(Some(name), word.span, found);
                return;
            }
            Part::Substitution if start.is_empty() && sure => {
                push_unknown(None, word.span, found);
                return;
            }
            Part::Variable(_)
            | Part::Substitution
            | Part::Arithmetic
            | Part::ProcessSubstitution => {
                sure = false;
                whole.push('*');
            }
        }
    }
    let start = start
        .rsplit('=')
        .next()
        .unwrap_or(&start)
        .trim_start_matches(['@', '<']);
    let directory = match start.rfind('/') {
        Some(0) => "/".to_owned(),
        Some(place) => start[..place].to_owned(),
        None => ".".to_owned(),
    };
    found.push(Candidate {
        path: Path::Pattern {
            directory,
            pattern: whole,
        },
        span: word.span,
    });
}

fn push_unknown<'a>(variable: Option<&'a str>, span: Span, found: &mut Vec<Candidate<'a>>) {
    found.push(Candidate {
        path: Path::Unknown { variable },
        span,
    });
}

fn push<'a>(text: &'a str, span: Span, found: &mut Vec<Candidate<'a>>) {
    if text.is_empty() || text == "-" {
        return;
    }
    let path = file_url(text).unwrap_or(text);
    let candidate = Candidate {
        path: Path::Known(Cow::Borrowed(path)),
        span,
    };
    // Only neighbours are compared: a text may hold ten thousand words.
    if found.last() != Some(&candidate) {
        found.push(candidate);
    }
}

/// What shows that a program text uses files.
const FILE_WORDS: &[&str] = &[
    "open", "getline", ">", "read", "File", "fs.", "Path", "load", "require", "ARGV",
];

/// Paths in program texts: quoted names in inline code and awk programs, files of sed's `r` and `w`.
pub fn embedded<'a>(invocation: &'a Invocation<'a>) -> Vec<Candidate<'a>> {
    let mut found = Vec::new();
    for code in inline_code(invocation).flatten() {
        if FILE_WORDS.iter().any(|word| code.contains(word)) {
            let quoted = code.split(['"', '\'']).skip(1).step_by(2);
            quoted
                .filter(|name| leads(name))
                .for_each(|name| push(name, invocation.span(), &mut found));
        }
    }
    if matches!(invocation.name.as_str(), "sed" | "gsed") {
        let scripts = invocation.segment.words[1..]
            .iter()
            .filter_map(|word| word.value.as_deref());
        for (before, name) in scripts.flat_map(|script| {
            script
                .split_whitespace()
                .zip(script.split_whitespace().skip(1))
        }) {
            if before.ends_with(['r', 'R', 'w', 'W']) && leads(name) {
                push(name, invocation.span(), &mut found);
            }
        }
    }
    found
}

/// Whether a name begins at the root or the home directory, or climbs.
fn leads(name: &str) -> bool {
    name.starts_with(['/', '~']) || climbs(name)
}
