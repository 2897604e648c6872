//! What a command runs in turn: texts, programs, other shells.

use super::tree::Term;
use super::walk::{DEFAULTS, Walk};
use crate::opaque::OpaqueReason;
use crate::reader::Input;
use crate::source::{Dialect, Span};
use crate::unwrap::hull;
use crate::windows;
use crate::word::Word;

/// Cmdlets that write items of a provider, of which some are what commands mean.
const ITEM_WRITERS: [&str; 9] = [
    "add-content",
    "clear-item",
    "copy-item",
    "move-item",
    "new-item",
    "remove-item",
    "rename-item",
    "set-content",
    "set-item",
];

impl Walk<'_, '_> {
    /// Adds what the command at `index` runs.
    pub(super) fn runs(
        &mut self,
        index: u32,
        words: &[Word],
        canonical: Option<&'static str>,
        arguments: &[Term],
    ) {
        let Some(canonical) = canonical else {
            if words.first().is_some_and(|name| name.value.is_some()) {
                self.reader.windows_program(index, words);
            }
            return;
        };
        match canonical {
            "invoke-expression" => self.evaluates(index, words),
            "start-process" => self.starts(index, words),
            "invoke-history" => self.dynamic("an earlier command", hull(words)),
            "set-alias" | "new-alias" | "import-alias" => self.renamed(hull(words)),
            "get-variable" | "new-variable" | "set-variable"
                if words[1..].iter().any(may_be_defaults) =>
            {
                self.renamed(hull(words));
            }
            _ if ITEM_WRITERS.contains(&canonical) && arguments.iter().any(names_command) => {
                self.renamed(hull(words));
            }
            _ => {}
        }
    }

    fn renamed(&mut self, span: Span) {
        let detail = "commands are renamed; write them out";
        self.reader.opaque(OpaqueReason::Alias, detail, span);
    }

    fn dynamic(&mut self, what: &str, span: Span) {
        let detail = format!("{what} is not known; write it out");
        self.reader
            .opaque(OpaqueReason::DynamicScript, detail, span);
    }

    /// `Invoke-Expression` of a text that stands here, or is fed.
    fn evaluates(&mut self, index: u32, words: &[Word]) {
        let named = |word: &&Word| {
            let text = word.value.as_deref().unwrap_or("").to_ascii_lowercase();
            text.len() > 1 && "-command".starts_with(&text) && !word.quoted
        };
        let texts: Vec<&Word> = words[1..].iter().filter(|word| !named(word)).collect();
        match texts.as_slice() {
            [] => match self.reader.place.input.clone() {
                Input::Text { text, origin } => self.reader.script(index, &text, origin),
                Input::Closed | Input::Unknown | Input::File => {
                    self.dynamic("the text that `Invoke-Expression` runs", hull(words));
                }
            },
            [
                Word {
                    value: Some(text),
                    span,
                    ..
                },
            ] => {
                let origin = self.reader.origin_of(*span, text);
                self.reader.script(index, text, origin);
            }
            _ => self.dynamic("the text that `Invoke-Expression` runs", hull(words)),
        }
    }

    /// `Start-Process program arguments`: what it starts is a command of its own.
    fn starts(&mut self, index: u32, words: &[Word]) {
        let mut program: Vec<Word> = Vec::new();
        let mut rest: Vec<Word> = Vec::new();
        let mut groups = words[1..].chunk_by(|left, right| left.span == right.span);
        while let Some(group) = groups.next() {
            let text = group[0].value.as_deref().unwrap_or("").to_ascii_lowercase();
            let option = text.strip_prefix('-').filter(|_| !group[0].quoted);
            match option {
                Some(name) if is_prefix(name, "filepath") => {
                    program.extend(groups.next().unwrap_or_default().iter().take(1).cloned());
                }
                Some(name) if is_prefix(name, "argumentlist") || name == "args" => {
                    rest.extend_from_slice(groups.next().unwrap_or_default());
                }
                Some(name) if takes_value(name) => {
                    groups.next();
                }
                Some(_) => {}
                None if program.is_empty() => program.extend(group.iter().take(1).cloned()),
                None => rest.extend_from_slice(group),
            }
        }
        for word in rest {
            match &word.value {
                // The elements are joined, so that one may be many arguments.
                Some(text) => program.extend(windows::split(text).into_iter().map(|text| Word {
                    value: Some(text),
                    ..word.clone()
                })),
                None => program.push(word),
            }
        }
        if program.is_empty() {
            return self.dynamic("the program that `Start-Process` starts", hull(words));
        }
        self.reader
            .windows_inner(index, program, Dialect::PowerShell);
    }
}

/// Whether an option of `Start-Process` takes a value.
fn takes_value(name: &str) -> bool {
    if name.contains(':') {
        return false;
    }
    [
        "workingdirectory",
        "windowstyle",
        "verb",
        "credential",
        "redirectstandardinput",
        "redirectstandardoutput",
        "redirectstandarderror",
        "environment",
    ]
    .iter()
    .any(|full| is_prefix(name, full))
}

fn is_prefix(name: &str, full: &str) -> bool {
    !name.is_empty() && full.starts_with(name)
}

/// Whether a word may name the variable that holds parameters.
fn may_be_defaults(word: &Word) -> bool {
    let Some(text) = &word.value else {
        // Only the first words can be names, but which those are is not looked into.
        return matches!(word.parts.as_slice(), [crate::word::Part::Literal(_), ..]);
    };
    let lower = text.to_ascii_lowercase();
    let pattern = lower.split(['*', '?', '[']).next().unwrap_or("");
    lower.ends_with(DEFAULTS) || pattern.len() < lower.len() && DEFAULTS.starts_with(pattern)
}

/// Whether an argument is an item that a command's name stands for.
fn names_command(argument: &Term) -> bool {
    argument.literal().is_some_and(|text| {
        let lower = text.to_ascii_lowercase();
        let plain = lower.rsplit("::").next().unwrap_or(&lower);
        ["alias:", "function:"]
            .iter()
            .any(|drive| plain.starts_with(drive) || plain.contains(&format!("\\{drive}")))
    })
}
