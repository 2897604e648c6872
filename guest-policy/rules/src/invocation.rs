//! A segment as a program and its decoded options, whatever the spelling.

use std::borrow::Cow;

use execgate_guest::{Segment, Span, Word};
use execgate_knowledge::options::{Valued, valued_of};

/// A segment whose program is known.
#[derive(Clone, Debug)]
pub struct Invocation<'a> {
    /// Index of the segment in its command line.
    pub index: usize,
    /// The segment.
    pub segment: &'a Segment,
    /// The program as written, quoting removed.
    pub written: &'a str,
    /// The program's file name in lower case, without `.exe`: some file systems do not tell cases apart.
    pub name: String,
    /// Its options that take a value, where they are known.
    pub valued: Option<&'static Valued>,
    /// Options and operands in order.
    pub arguments: Vec<Argument<'a>>,
}

/// One argument of a program.
#[derive(Clone, Debug, PartialEq)]
pub enum Argument<'a> {
    /// An option, alone or in a cluster.
    Option {
        /// `-x` or `--word`.
        name: Cow<'a, str>,
        /// Its value, attached or apart.
        value: Option<&'a str>,
        /// The word that holds it.
        word: &'a Word,
    },
    /// A word that is not an option, or whose text is not known.
    Operand(&'a Word),
}

impl<'a> Invocation<'a> {
    /// Reads a segment; `None` when it has no command word, or an unknown one.
    pub fn read(index: usize, segment: &'a Segment) -> Option<Self> {
        let written = segment.words.first()?.value.as_deref()?;
        let name = program_name(written);
        let valued = valued_of(&name);
        let arguments = arguments(valued, &segment.words[1..]);
        Some(Self {
            index,
            segment,
            written,
            name,
            valued,
            arguments,
        })
    }

    /// Whether it has an option: one of some letters, or one of some long names, which may be abbreviated.
    pub fn has(&self, letters: &str, words: &[&str]) -> bool {
        self.option(letters, words).is_some()
    }

    /// The first option that is one of some letters or long names, with its value.
    pub fn option(&self, letters: &str, words: &[&str]) -> Option<(&str, Option<&'a str>)> {
        self.arguments.iter().find_map(|argument| match argument {
            Argument::Option { name, value, .. } if matches(name, letters, words) => {
                Some((name.as_ref(), *value))
            }
            Argument::Option { .. } | Argument::Operand(_) => None,
        })
    }

    /// Words that are not options.
    pub fn operands(&self) -> impl Iterator<Item = &'a Word> + '_ {
        self.arguments.iter().filter_map(|argument| match argument {
            Argument::Operand(word) => Some(*word),
            Argument::Option { .. } => None,
        })
    }

    /// The texts of operands that are known.
    pub fn operand_texts(&self) -> impl Iterator<Item = &'a str> + '_ {
        self.operands().filter_map(|word| word.value.as_deref())
    }

    /// The first operand, if its text is known.
    pub fn verb(&self) -> Option<&'a str> {
        self.operands()
            .next()
            .and_then(|word| word.value.as_deref())
    }

    /// Whether the verb is one of these.
    pub fn has_verb(&self, verbs: &[&str]) -> bool {
        self.verb().is_some_and(|verb| verbs.contains(&verb))
    }

    /// Whether all it is asked for is its help or its version.
    pub fn only_informs(&self) -> bool {
        let words = &self.segment.words[1..];
        !words.is_empty()
            && words.iter().all(|word| {
                matches!(
                    word.value.as_deref(),
                    Some("--help" | "--version" | "-V" | "-help" | "-version")
                )
            })
    }

    /// Where it stands in the text.
    pub fn span(&self) -> Span {
        self.segment.span
    }
}

/// The file name of a program as the rules compare it.
pub fn program_name(written: &str) -> String {
    let base = written.rsplit(['/', '\\']).next().unwrap_or(written);
    let lower = if base.is_ascii() {
        base.to_ascii_lowercase()
    } else {
        base.chars().flat_map(char::to_lowercase).collect()
    };
    match lower.strip_suffix(".exe") {
        Some(stem) if !stem.is_empty() => stem.to_owned(),
        Some(_) | None => lower,
    }
}

fn matches(name: &str, letters: &str, words: &[&str]) -> bool {
    if let Some(long) = name.strip_prefix("--") {
        return !long.is_empty() && words.iter().any(|word| word.starts_with(long));
    }
    let short = name.strip_prefix('-').unwrap_or(name);
    let mut characters = short.chars();
    match (characters.next(), characters.next()) {
        (Some(letter), None) => letters.contains(letter),
        (Some(_), Some(_)) | (None, _) => false,
    }
}

fn arguments<'a>(valued: Option<&'static Valued>, words: &'a [Word]) -> Vec<Argument<'a>> {
    let (letters, long_words) = valued.map_or(("", &[][..]), |known| (known.letters, known.words));
    let mut result = Vec::with_capacity(words.len());
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let text = word.value.as_deref().unwrap_or("");
        if text == "--" {
            result.extend(rest.map(Argument::Operand));
            return result;
        }
        if let Some(long) = text.strip_prefix("--") {
            let (name, value) = match long.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None if long_words.contains(&long) => {
                    (long, rest.next().and_then(|word| word.value.as_deref()))
                }
                None => (long, None),
            };
            result.push(Argument::Option {
                name: Cow::Borrowed(&text[..2 + name.len()]),
                value,
                word,
            });
        } else if text.len() > 1 && text.starts_with('-') {
            cluster(text, letters, word, &mut rest, &mut result);
        } else {
            result.push(Argument::Operand(word));
        }
    }
    result
}

/// Takes `-abc` apart; a letter that takes a value takes the rest of the word, or the next word.
fn cluster<'a>(
    text: &'a str,
    letters: &str,
    word: &'a Word,
    rest: &mut std::slice::Iter<'a, Word>,
    result: &mut Vec<Argument<'a>>,
) {
    for (place, letter) in text.char_indices().skip(1) {
        let end = place + letter.len_utf8();
        let name = if place == 1 {
            Cow::Borrowed(&text[..end])
        } else {
            Cow::Owned(String::from_iter(['-', letter]))
        };
        if !letters.contains(letter) {
            result.push(Argument::Option {
                name,
                value: None,
                word,
            });
            continue;
        }
        let attached = &text[end..];
        let value = if attached.is_empty() {
            rest.next().and_then(|word| word.value.as_deref())
        } else {
            Some(attached)
        };
        result.push(Argument::Option { name, value, word });
        return;
    }
}
