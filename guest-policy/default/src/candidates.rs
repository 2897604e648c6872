//! Texts that a word may begin with, where its value is not known: as an option or a verb it may do more than a file's name.

use execgate_guest::{Part, Segment, Word};
use execgate_knowledge::{shells, texts};

use crate::access::prints_plainly;
use crate::judge::{Judge, base_name};
use crate::table::{Effect, Known};
use crate::windows;

/// Variables are followed into each other this far.
const MAX_DEPTH: u32 = 4;

/// The beginnings; `None` where they cannot all be told.
pub(crate) fn beginnings(judge: &Judge<'_>, word: &Word) -> Option<Vec<String>> {
    let mut found = Vec::new();
    collect(judge, word, 0, &mut found)?;
    Some(found)
}

/// Whether a word whose value is not known may be an option.
pub(crate) fn may_be_option(judge: &Judge<'_>, word: &Word) -> bool {
    let option = |text: &String| text.starts_with('-') && text.len() > 1;
    word.value.is_none() && beginnings(judge, word).is_none_or(|texts| texts.iter().any(option))
}

/// Whether a word is a variable of the environment, which neither the text nor the call has set.
pub(crate) fn is_inherited(judge: &Judge<'_>, word: &Word) -> bool {
    let [Part::Variable(name)] = word.parts.as_slice() else {
        return false;
    };
    let plain = name.bytes().any(|byte| byte.is_ascii_alphabetic());
    plain
        && word.quoted
        && !judge.facts.overrides(name)
        && !judge.facts.text().contains(&format!("{name}="))
}

/// The first word that may turn out to be one that is not known to be harmless.
pub(crate) fn refused<'b>(
    judge: &Judge<'_>,
    name: &str,
    known: Known,
    words: &'b [Word],
) -> Option<&'b Word> {
    let wraps = known.effect == Effect::Wraps;
    // What tests and `printf` do with names of variables is followed where the text is read.
    let tests = matches!(name, "[" | "[[" | "local" | "printf" | "test" | "typeset");
    if tests || !wraps && !known.refuses_any(name) {
        return None;
    }
    let refused = |word: &Word, text: String| {
        let word = Word {
            value: Some(text),
            ..word.clone()
        };
        known.refuses(name, std::slice::from_ref(&word)).is_some()
    };
    let texts = texts::text_options(name);
    let unknown = words.iter().enumerate().filter(|(place, word)| {
        // The text of a message is none of the program's words.
        let before = place
            .checked_sub(1)
            .and_then(|before| words[before].value.as_deref());
        let message = word.quoted && before.is_some_and(|option| is_text_option(option, texts));
        word.value.is_none() && !message
    });
    unknown.map(|(_, word)| word).find(|word| {
        // The options of a wrapper are what tells where its command begins.
        wraps && may_be_option(judge, word)
            || beginnings(judge, word)
                .is_none_or(|texts| texts.into_iter().any(|text| refused(word, text)))
    })
}

/// Whether the word after an option is a text; the option's letter may be the last of a cluster.
fn is_text_option(option: &str, texts: &[&str]) -> bool {
    let cluster = option.starts_with('-') && !option.starts_with("--") && option.len() > 2;
    texts.contains(&option)
        || cluster
            && texts
                .iter()
                .any(|text| text.len() == 2 && option.ends_with(&text[1..]))
}

fn collect(judge: &Judge<'_>, word: &Word, depth: u32, found: &mut Vec<String>) -> Option<()> {
    judge.look(1)?;
    if let Some(value) = &word.value {
        found.extend(value.split_ascii_whitespace().map(str::to_owned));
        found.push(value.clone());
        return Some(());
    }
    parts(judge, word, &word.parts, depth, found)
}

fn parts(
    judge: &Judge<'_>,
    word: &Word,
    parts: &[Part],
    depth: u32,
    found: &mut Vec<String>,
) -> Option<()> {
    match parts.first()? {
        Part::Literal(text) | Part::Glob(text) => found.push(text.clone()),
        // A file of a process, or a number.
        Part::ProcessSubstitution | Part::Arithmetic => {}
        Part::Substitution => return prints_plainly(judge, word.span).then_some(()),
        Part::Variable(name) => {
            let before = found.len();
            values(judge, name, depth + 1, found)?;
            // What follows an empty value begins the word, or goes on with it.
            match parts.get(1) {
                None => {}
                Some(Part::Literal(rest)) => {
                    let joined: Vec<String> = found[before..]
                        .iter()
                        .map(|value| format!("{value}{rest}"))
                        .collect();
                    found.extend(joined);
                }
                Some(_) if found[before..].iter().any(String::is_empty) => return None,
                Some(_) => {}
            }
        }
    }
    Some(())
}

/// The values of a variable.
fn values(judge: &Judge<'_>, name: &str, depth: u32, found: &mut Vec<String>) -> Option<()> {
    if depth > MAX_DEPTH || name.is_empty() {
        return None;
    }
    // Names of files that `find` or a list of files gives.
    if name == "{}" || (name.len() == 1 && "?#$!-".contains(name)) {
        return Some(());
    }
    if name == "@" || name == "*" || name.bytes().all(|byte| byte.is_ascii_digit()) {
        return positional(judge, depth, found);
    }
    assigned(judge, name, depth, found)
}

/// What functions and scripts of the text are called with.
fn positional(judge: &Judge<'_>, depth: u32, found: &mut Vec<String>) -> Option<()> {
    let posix = |segment: &&Segment| windows::shell(segment).is_none();
    judge.look(judge.line.command_line.segments.len())?;
    for segment in judge.line.command_line.segments.iter().filter(posix) {
        let name = segment.words.first().and_then(|word| word.value.as_deref());
        let called = windows::canonical(segment) == Some("function");
        let given = match name.map(base_name) {
            Some("set") => 1,
            // `-c`, the text, and the name of the script.
            Some(name) if shells::SHELLS.contains(name) => 4,
            Some(_) if called => 1,
            Some(_) | None => continue,
        };
        for word in segment.words.iter().skip(given) {
            collect(judge, word, depth, found)?;
        }
    }
    Some(())
}

/// What the text assigns to a name, wherever it does.
fn assigned(judge: &Judge<'_>, name: &str, depth: u32, found: &mut Vec<String>) -> Option<()> {
    let segments = &judge.line.command_line.segments;
    judge.look(segments.len() + judge.facts.text().len() / 256)?;
    if is_changed(judge.facts.text(), name) {
        return None;
    }
    let mut count = 0;
    let assignments = segments.iter().flat_map(|segment| &segment.assignments);
    for assignment in assignments.filter(|assignment| assignment.name == name) {
        count += 1;
        // The elements of an array stand beside it.
        let array =
            assignment.subscript && assignment.value.parts == [Part::Variable(String::new())];
        if assignment.append {
            return None;
        }
        if !array {
            collect(judge, &assignment.value, depth, found)?;
        }
    }
    for word in segments
        .iter()
        .flat_map(|segment| segment.words.iter().skip(1))
    {
        let text = match (&word.value, word.parts.first()) {
            (Some(text), _) | (None, Some(Part::Literal(text))) => text,
            (None, _) => continue,
        };
        // `export name=value` and the like.
        if let Some(value) = text
            .strip_prefix(name)
            .and_then(|rest| rest.strip_prefix('='))
        {
            word.value.as_ref()?;
            count += 1;
            found.push(value.to_owned());
        }
    }
    (count > 0).then_some(())
}

/// Whether an expansion makes other texts of a variable than its value and beginnings of it.
fn is_changed(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(place, _)| {
        let before = text[..place].chars().next_back();
        let after = text[place + name.len()..].chars().next();
        matches!(before, Some('!'))
            || matches!(before, Some('{'))
                && matches!(
                    after,
                    Some(':' | '-' | '=' | '+' | '#' | '/' | '^' | ',' | '@' | '~')
                )
    })
}
