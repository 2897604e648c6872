//! Which words of an invocation may name paths.

use execgate_guest::{Part, Span, Word};
use execgate_knowledge::texts::{self, Scripted};

use super::{Candidate, operand, parts, push, unknown};
use crate::invocation::{Argument, Invocation};

/// What is known of a program's options, looked up once for all of its words.
struct Options {
    scripted: Option<&'static Scripted>,
    /// Those whose values are texts.
    texts: &'static [&'static str],
    /// Letters that take a value.
    valued: &'static str,
}

pub(super) fn arguments<'a>(invocation: &Invocation<'a>, found: &mut Vec<Candidate<'a>>) {
    let name = invocation.name.as_str();
    if invocation.segment.words.len() < 2 || texts::SPEAKERS.contains(name) {
        return;
    }
    let options = Options {
        scripted: texts::scripted(name),
        texts: texts::text_options(name),
        valued: invocation.valued.map_or("", |known| known.letters),
    };
    let mut scripts = usize::from(options.has_script_operand(invocation));
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
            text_value = options.take_text(text);
            options.value(name, text, word.span, found);
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

impl Options {
    /// Whether the first operand is a script or a pattern.
    fn has_script_operand(&self, invocation: &Invocation<'_>) -> bool {
        self.scripted.is_some_and(|known| {
            let given = invocation.has(known.script_letters, known.script_words)
                || (!known.file_letters.is_empty()
                    && invocation.has(known.file_letters, &["file", "from-file"]));
            !given && known.name != "perl"
        })
    }

    /// Whether the word after an option is a text: a script, a message, a header.
    fn take_text(&self, option: &str) -> bool {
        let script = self
            .scripted
            .is_some_and(|known| match option.strip_prefix("--") {
                Some(word) => known.script_words.contains(&word),
                None => {
                    let last = option.chars().next_back().unwrap_or('-');
                    known.script_letters.contains(last)
                        || (option.len() == 2 && known.valued_letters.contains(last))
                }
            });
        script || self.texts.contains(&option)
    }

    /// The value that is attached to an option.
    fn value<'a>(&self, name: &str, text: &'a str, span: Span, found: &mut Vec<Candidate<'a>>) {
        if let Some(long) = text.strip_prefix("--") {
            let Some((option, value)) = long.split_once('=') else {
                return;
            };
            let scripted = self
                .scripted
                .is_some_and(|known| known.script_words.contains(&option));
            if !scripted && !self.texts.contains(&&text[..2 + option.len()]) {
                parts(value, span, false, found);
            }
            return;
        }
        let script = self.scripted.is_some_and(|known| {
            text.chars().nth(1).is_some_and(|letter| {
                known.script_letters.contains(letter) || known.valued_letters.contains(letter)
            })
        });
        if !script && !texts::is_search_option(name, text) {
            self.attached(text, span, found);
        }
    }

    /// The value after an option letter: where the grammar is known that, else what looks like a path.
    fn attached<'a>(&self, text: &'a str, span: Span, found: &mut Vec<Candidate<'a>>) {
        let value = text[1..]
            .char_indices()
            .find(|(_, letter)| self.valued.contains(*letter));
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
}
