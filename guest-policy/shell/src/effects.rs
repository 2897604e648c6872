//! What builtins do to variables, and arguments that are evaluated a second time.

use crate::assigned::NAMED;
use crate::cursor::Origin;
use crate::opaque::OpaqueReason;
use crate::parser::{is_name, is_name_byte};
use crate::pieces::Reading;
use crate::reader::Reader;
use crate::source::{Dialect, Span};
use crate::tree::RawWord;
use crate::word::Word;

/// Commands that evaluate subscripts in their arguments.
const EVALUATES: [&str; 12] = [
    "[", "declare", "export", "let", "local", "printf", "read", "readonly", "test", "typeset",
    "unset", "wait",
];

/// Whether an argument of a command in [`EVALUATES`] may name an element, whose subscript may be an error.
fn has_subscript(command: &str, arguments: &[Word]) -> bool {
    let subscript = |word: &Word| {
        word.value.as_deref().is_none_or(|text| {
            text.split('=')
                .next()
                .is_some_and(|name| name.contains('['))
        })
    };
    names_variables(command, arguments) && arguments.iter().any(subscript)
}

/// Whether arguments of a command in [`EVALUATES`] may name variables; tests and `printf` have an option for that.
fn names_variables(command: &str, arguments: &[Word]) -> bool {
    !matches!(command, "[" | "printf" | "test")
        || arguments.iter().any(|word| match word.value.as_deref() {
            Some(text) => {
                matches!(text, "-v" | "-R") || command == "printf" && text.starts_with("-v")
            }
            None => true,
        })
}

/// Where a subscript starts: at a bracket after a name.
fn subscript_start(text: &str) -> Option<usize> {
    text.match_indices('[')
        .map(|(open, _)| open)
        .find(|open| text[..*open].bytes().next_back().is_some_and(is_name_byte))
}

impl Reader<'_> {
    /// Applies what the simple command at `index` does to the values that follow it.
    pub(crate) fn effects(&mut self, index: u32, raw: &[RawWord]) {
        let segment = &self.line.segments[index as usize];
        let assigned: Vec<_> = segment
            .assignments
            .iter()
            .map(|assignment| {
                (
                    assignment.name.clone(),
                    assignment.value.value.clone(),
                    assignment.span,
                )
            })
            .collect();
        let words = segment.words.clone();
        for (name, value, span) in &assigned {
            if matches!(name.as_str(), "BASH_ALIASES" | "BASH_CMDS") {
                self.renamed(*span);
            }
            if let Some(value) = value {
                self.evaluated_twice(value, *span, index);
            }
        }
        let Some(first) = words.first() else { return };
        let Some(name) = first.value.clone() else {
            // The unknown command may be any builtin; or there may be none, so that the assignments last.
            self.functions.forget_all();
            return self.variables.forget_all();
        };
        if !raw.is_empty() {
            self.command_effects(&name, &words, index);
        }
    }

    fn command_effects(&mut self, name: &str, words: &[Word], index: u32) {
        // A prefix such as `builtin` keeps the effects.
        let skipped = words
            .iter()
            .take_while(|word| {
                matches!(
                    word.value.as_deref(),
                    Some("builtin" | "command" | "--" | "-p")
                )
            })
            .count();
        let name = words
            .get(skipped)
            .and_then(|word| word.value.as_deref())
            .unwrap_or(name);
        let arguments = words.get(skipped + 1..).unwrap_or_default();
        if EVALUATES.contains(&name) && names_variables(name, arguments) {
            for word in arguments {
                if let Some(value) = &word.value {
                    self.evaluated_twice(value, word.span, index);
                }
            }
            if has_subscript(name, arguments) {
                self.variables.unsettle();
            }
        }
        match name {
            "declare" | "typeset" | "local" | "export" | "readonly" => {
                self.declare(name, arguments)
            }
            "cd" | "pushd" | "popd" => {
                self.variables.forget("PWD");
                self.variables.forget("OLDPWD");
            }
            "." | "source" => self.variables.forget_all(),
            "enable" => self.variables.distrust(),
            "alias" => self.alias(arguments),
            "unset" => self.unset(arguments),
            "autoload" | "disable" | "unfunction" | "unhash" => self.functions.forget_all(),
            "hash" => self.remembered_paths(arguments),
            "shopt" => self.shell_options(arguments),
            _ if NAMED.contains(&name) => self.forget_arguments(arguments),
            _ => {}
        }
    }

    /// Removes variables and, unless `-v` is given, functions.
    fn unset(&mut self, arguments: &[Word]) {
        self.forget_arguments(arguments);
        for word in arguments {
            match word.value.as_deref() {
                None => self.functions.forget_all(),
                Some("-v") => return,
                Some(name) => self.remove_function(name),
            }
        }
    }

    fn forget_arguments(&mut self, arguments: &[Word]) {
        for word in arguments {
            match &word.value {
                None => self.variables.forget_all(),
                Some(text) => text
                    .split(|character: char| {
                        !character.is_ascii() || !is_name_byte(character as u8)
                    })
                    .filter(|name| is_name(name))
                    .for_each(|name| self.variables.forget(name)),
            }
        }
    }

    fn declare(&mut self, command: &str, arguments: &[Word]) {
        let mut plain = true;
        for word in arguments {
            let Some(text) = &word.value else {
                self.declare_unknown(word);
                continue;
            };
            if let Some(flags) = text
                .strip_prefix(['-', '+'])
                .filter(|flags| !flags.is_empty())
            {
                plain &= flags.bytes().all(|flag| matches!(flag, b'x' | b'g' | b'r'));
                if flags.contains('n') && command != "export" {
                    self.variables.distrust();
                }
                continue;
            }
            let (name, value) = text
                .split_once('=')
                .map_or((text.as_str(), None), |(name, value)| (name, Some(value)));
            if !is_name(name) {
                self.forget_arguments(std::slice::from_ref(word));
            } else if let Some(value) = value {
                self.variables.set(name, plain.then(|| value.to_owned()));
            }
            let read_only = command == "readonly"
                || arguments.iter().any(|word| {
                    word.value
                        .as_deref()
                        .is_some_and(|flags| flags.starts_with('-') && flags.contains('r'))
                });
            if read_only || !plain {
                self.variables.freeze(name);
                self.variables.protect(name);
            }
        }
    }

    /// An argument whose value is unknown may still say which name it assigns.
    fn declare_unknown(&mut self, word: &Word) {
        let name = match word.parts.first() {
            Some(crate::Part::Literal(text) | crate::Part::Glob(text)) => text
                .split_once('=')
                .map(|(name, _)| name.trim_end_matches('+').to_owned()),
            _ => None,
        };
        match name {
            Some(name) if is_name(&name) => self.variables.forget(&name),
            _ => self.variables.forget_all(),
        }
    }

    fn alias(&mut self, arguments: &[Word]) {
        let defines = arguments
            .iter()
            .find(|word| word.value.as_ref().is_none_or(|text| text.contains('=')));
        if let (Some(word), true) = (defines, self.place.dialect != Dialect::Bash) {
            self.opaque(
                OpaqueReason::Alias,
                "a command is renamed by `alias`; write it out",
                word.span,
            );
        }
    }

    /// `hash -p path name` makes another program answer to a name.
    fn remembered_paths(&mut self, arguments: &[Word]) {
        let changes = |text: &str| text.starts_with('-') && text.contains('p');
        if let Some(word) = arguments
            .iter()
            .find(|word| word.value.as_deref().is_none_or(changes))
        {
            self.renamed(word.span);
        }
    }

    fn renamed(&mut self, span: Span) {
        self.opaque(
            OpaqueReason::Alias,
            "commands are renamed; write them out",
            span,
        );
    }

    fn shell_options(&mut self, arguments: &[Word]) {
        for word in arguments {
            if word
                .value
                .as_deref()
                .is_none_or(|text| text == "expand_aliases")
                && arguments
                    .first()
                    .is_some_and(|first| first.value.as_deref() != Some("-u"))
            {
                self.opaque(
                    OpaqueReason::Alias,
                    "aliases are switched on, so that words are not the commands; write them out",
                    word.span,
                );
            }
            match word.value.as_deref() {
                Some("lastpipe") => self.variables.distrust(),
                // A glob that matches nothing is an error then.
                Some("failglob") | None => self.variables.unsettle(),
                Some(_) => {}
            }
        }
    }

    /// Walks the substitutions in a text that the shell evaluates as a subscript or an expression after it was quoted.
    pub(crate) fn evaluated_twice(&mut self, text: &str, span: Span, index: u32) {
        let open = subscript_start(text)
            .filter(|open| text[*open..].contains("$(") || text[*open..].contains('`'));
        if let Some(open) = open {
            self.quoted_text(
                &text[open..],
                Origin::Fixed(span),
                Reading::arithmetic(),
                index,
            );
        }
    }
}
