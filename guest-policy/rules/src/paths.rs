//! Which words of a command name paths.

use execgate_guest::{Part, RedirectOperator, Segment, Span, Word};
use execgate_knowledge::options::valued_of;
use execgate_knowledge::texts;

use crate::deny::code::inline_code;
use crate::invocation::{Argument, Invocation};

/// Something in a command that names a path, or may.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The path as written, or as much of it as is known.
    pub path: Path,
    /// Where in the text.
    pub span: Span,
}

/// How much of a path is known.
#[derive(Clone, Debug, PartialEq)]
pub enum Path {
    /// All of it.
    Known(String),
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
        variable: Option<String>,
    },
}

/// The paths of a segment: program, operands, option values, redirect targets and assigned values.
pub fn candidates(segment: &Segment, invocation: Option<&Invocation<'_>>) -> Vec<Candidate> {
    let mut found = Vec::new();
    if let Some(invocation) = invocation {
        program(invocation, &mut found);
        arguments(invocation, &mut found);
    } else {
        for word in &segment.words {
            operand(word, false, &mut found);
        }
    }
    redirects(segment, &mut found);
    for assignment in &segment.assignments {
        let list = assignment.name.ends_with("PATH");
        assigned(&assignment.value, list, &mut found);
    }
    found
}

/// Redirect targets that are files.
fn redirects(segment: &Segment, found: &mut Vec<Candidate>) {
    for redirect in &segment.redirects {
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
fn program(invocation: &Invocation<'_>, found: &mut Vec<Candidate>) {
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

fn arguments(invocation: &Invocation<'_>, found: &mut Vec<Candidate>) {
    let name = invocation.name.as_str();
    if texts::SPEAKERS.contains(&name) {
        return;
    }
    let mut scripts = usize::from(has_script_operand(invocation));
    let remotes = takes_remotes(name);
    let mut text_value = false;
    for word in &invocation.segment.words[1..] {
        if std::mem::take(&mut text_value) {
            continue;
        }
        let Some(text) = word.value.as_deref() else {
            if scripts > 0 && !begins_with_dash(word) {
                scripts -= 1;
            } else {
                unknown(word, found);
            }
            continue;
        };
        if text.len() > 1 && text.starts_with('-') {
            text_value = takes_text(name, text);
            option(invocation, word, text, found);
        } else if scripts > 0 && !is_option_value(invocation, word) {
            scripts -= 1;
        } else {
            operand(word, remotes, found);
        }
    }
}

fn begins_with_dash(word: &Word) -> bool {
    matches!(word.parts.first(), Some(Part::Literal(text)) if text.starts_with('-'))
}

/// Whether a word is taken as an option's value.
fn is_option_value(invocation: &Invocation<'_>, word: &Word) -> bool {
    !invocation
        .operands()
        .any(|operand| std::ptr::eq(operand, word))
        && !invocation.arguments.iter().any(|argument| match argument {
            Argument::Option { word: holder, .. } => std::ptr::eq(*holder, word),
            Argument::Operand(_) => false,
        })
}

/// Whether the first operand is a script or a pattern.
fn has_script_operand(invocation: &Invocation<'_>) -> bool {
    texts::SCRIPTED
        .iter()
        .find(|known| known.name == invocation.name)
        .is_some_and(|known| {
            let given = invocation.has(known.script_letters, known.script_words)
                || (!known.file_letters.is_empty()
                    && invocation.has(known.file_letters, &["file", "from-file"]));
            !given && known.name != "perl"
        })
}

/// Whether the next word is the text of an option: a script, a message, a header.
fn takes_text(name: &str, option: &str) -> bool {
    let scripted = texts::SCRIPTED.iter().find(|known| known.name == name);
    let script = scripted.is_some_and(|known| match option.strip_prefix("--") {
        Some(word) => known.script_words.contains(&word),
        None => {
            let last = option.chars().next_back().unwrap_or('-');
            known.script_letters.contains(last)
                || (option.len() == 2 && known.valued_letters.contains(last))
        }
    });
    script || texts::TEXT_OPTIONS.contains(&(name, option))
}

/// Programs whose operands may be `host:path`.
fn takes_remotes(name: &str) -> bool {
    matches!(
        name,
        "scp"
            | "rsync"
            | "git"
            | "sftp"
            | "rclone"
            | "hg"
            | "kubectl"
            | "docker"
            | "podman"
            | "ssh"
    )
}

fn option(invocation: &Invocation<'_>, word: &Word, text: &str, found: &mut Vec<Candidate>) {
    let name = invocation.name.as_str();
    if let Some(long) = text.strip_prefix("--") {
        let Some((option, value)) = long.split_once('=') else {
            return;
        };
        let scripted = texts::SCRIPTED
            .iter()
            .any(|known| known.name == name && known.script_words.contains(&option));
        let full = &text[..2 + option.len()];
        if !scripted && !texts::TEXT_OPTIONS.contains(&(name, full)) {
            parts(value, word.span, false, found);
        }
        return;
    }
    if texts::SEARCH_OPTIONS
        .iter()
        .any(|(program, option)| *program == name && text.starts_with(option))
    {
        return;
    }
    let script = texts::SCRIPTED.iter().any(|known| {
        known.name == name
            && text.chars().nth(1).is_some_and(|letter| {
                known.script_letters.contains(letter) || known.valued_letters.contains(letter)
            })
    });
    if script {
        return;
    }
    attached(invocation, text, word.span, found);
}

/// The value after an option letter: where the grammar is known that, else what looks like a path.
fn attached(invocation: &Invocation<'_>, text: &str, span: Span, found: &mut Vec<Candidate>) {
    let letters = valued_of(&invocation.name).map_or("", |known| known.letters);
    let value = text[1..]
        .char_indices()
        .find(|(_, letter)| letters.contains(*letter));
    if let Some((place, letter)) = value {
        let rest = &text[1 + place + letter.len_utf8()..];
        parts(rest, span, false, found);
        return;
    }
    let second = text
        .char_indices()
        .nth(2)
        .map_or("", |(place, _)| &text[place..]);
    if second.contains(['/', '~', '@', '=']) || second.contains("..") {
        parts(second, span, false, found);
    }
    if let Some(place) = text.find('/') {
        push(&text[place..], span, found);
    }
}

fn operand(word: &Word, remotes: bool, found: &mut Vec<Candidate>) {
    match word.value.as_deref() {
        Some(text) => parts(text, word.span, remotes, found),
        None => unknown(word, found),
    }
}

/// A value as a whole, and what stands in it after `=`, `@`, `,` and `:`.
fn parts(text: &str, span: Span, remotes: bool, found: &mut Vec<Candidate>) {
    if let Some(path) = file_url(text) {
        push(path, span, found);
        return;
    }
    if is_url(text) || (remotes && is_remote(text)) {
        return;
    }
    push(text, span, found);
    let pieces: Vec<&str> = text.split(['=', ',', '@', ':']).collect();
    if pieces.len() > 1 && pieces.len() <= 64 {
        let urls = text.contains("://");
        for piece in pieces {
            if !urls && (piece.contains('/') || piece.starts_with(['~', '.'])) {
                push(piece, span, found);
            }
        }
        if urls {
            for piece in text.split([',', '=']) {
                match file_url(piece) {
                    Some(path) => push(path, span, found),
                    None if is_url(piece) => {}
                    None => push(piece.trim_start_matches('@'), span, found),
                }
            }
        }
    }
}

/// An assigned value; lists of directories are looked at one by one.
fn assigned(value: &Word, list: bool, found: &mut Vec<Candidate>) {
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
fn unknown(word: &Word, found: &mut Vec<Candidate>) {
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
                push_unknown(Some(name.clone()), word.span, found);
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

fn push_unknown(variable: Option<String>, span: Span, found: &mut Vec<Candidate>) {
    found.push(Candidate {
        path: Path::Unknown { variable },
        span,
    });
}

fn push(text: &str, span: Span, found: &mut Vec<Candidate>) {
    if text.is_empty() || text == "-" {
        return;
    }
    let path = file_url(text).unwrap_or(text);
    let candidate = Candidate {
        path: Path::Known(path.to_owned()),
        span,
    };
    // Only neighbours are compared: a text may hold ten thousand words.
    if found.last() != Some(&candidate) {
        found.push(candidate);
    }
}

/// The path of a `file:` URL.
pub fn file_url(text: &str) -> Option<&str> {
    let scheme = text.get(..5)?;
    if !scheme.eq_ignore_ascii_case("file:") {
        return None;
    }
    let rest = &text[5..];
    match rest.strip_prefix("//") {
        Some(authority) => Some(
            authority
                .find('/')
                .map_or(authority, |place| &authority[place..]),
        ),
        None => Some(rest),
    }
}

/// Whether a text begins with a scheme and `://`.
pub fn is_url(text: &str) -> bool {
    text.split_once("://").is_some_and(|(scheme, _)| {
        scheme.starts_with(|letter: char| letter.is_ascii_alphabetic())
            && scheme
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
            && !scheme.eq_ignore_ascii_case("file")
    })
}

/// Whether a text is `host:path` or `user@host:path`.
pub fn is_remote(text: &str) -> bool {
    text.split_once(':').is_some_and(|(host, _)| {
        !host.is_empty()
            && host.bytes().all(|byte| {
                byte.is_ascii_alphanumeric()
                    || matches!(byte, b'@' | b'-' | b'.' | b'_' | b'[' | b']')
            })
    })
}

/// A path made absolute by its base, `.` and `..` removed by their names alone.
pub fn lexical(base: &str, path: &str) -> String {
    let joined = if path.starts_with('/') {
        path.to_owned()
    } else {
        format!("{base}/{path}")
    };
    let mut names: Vec<&str> = Vec::new();
    for name in joined.split('/') {
        match name {
            "" | "." => {}
            ".." => {
                names.pop();
            }
            name => names.push(name),
        }
    }
    format!("/{}", names.join("/"))
}

/// Whether a path is a directory or lies below it; both are absolute and free of `..`.
pub fn is_inside(path: &str, directory: &str) -> bool {
    let directory = directory.trim_end_matches('/');
    path.strip_prefix(directory)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Whether a text has `..` as one of its names.
pub fn climbs(text: &str) -> bool {
    text.split(['/', '\\']).any(|name| name == "..")
}

/// What of a pattern follows the directory it is matched in.
pub fn after_directory<'a>(directory: &str, pattern: &'a str) -> &'a str {
    let rest = pattern
        .strip_prefix(directory)
        .filter(|rest| rest.starts_with('/') || directory == "/");
    rest.unwrap_or(pattern).trim_start_matches('/')
}

/// What shows that a program text uses files.
const FILE_WORDS: &[&str] = &[
    "open", "getline", ">", "read", "File", "fs.", "Path", "load", "require", "ARGV",
];

/// Paths in program texts: quoted names in inline code and awk programs, files of sed's `r` and `w`.
pub fn embedded(invocation: &Invocation<'_>) -> Vec<Candidate> {
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
