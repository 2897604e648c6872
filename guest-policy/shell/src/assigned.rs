//! Which variables a part of the tree may assign, before it is walked.

use std::collections::BTreeSet;

use crate::parser::{is_name, is_name_byte};
use crate::tree::{Body, Command, Form, List, Piece, RawWord};

/// Commands that may assign anything, or run text that may.
const ANYTHING: [&str; 7] = [".", "alias", "enable", "eval", "source", "trap", "unalias"];

/// Commands that assign the variables named by their arguments.
pub(crate) const NAMED: [&str; 14] = [
    "declare",
    "export",
    "getopts",
    "let",
    "local",
    "mapfile",
    "printf",
    "read",
    "readarray",
    "readonly",
    "typeset",
    "unset",
    "wait",
    "coproc",
];

/// The names that may be assigned.
#[derive(Debug, Default)]
pub(crate) struct Assigned {
    pub(crate) names: BTreeSet<String>,
    /// Whether any other name may be assigned as well.
    pub(crate) anything: bool,
}

/// Collects over lists.
pub(crate) fn list_names(lists: &[&List]) -> Assigned {
    let mut assigned = Assigned::default();
    lists.iter().for_each(|list| assigned.list(list));
    assigned
}

/// Collects over one command.
pub(crate) fn command_names(command: &Command) -> Assigned {
    let mut assigned = Assigned::default();
    assigned.command(command);
    assigned
}

/// Returns the names in an arithmetic expression that holds an assignment.
pub(crate) fn expression_names(expression: &RawWord) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for piece in &expression.pieces {
        if let Piece::Text { text, .. } = piece
            && (text.contains('=') || text.contains("++") || text.contains("--"))
        {
            names.extend(
                text.split(|character: char| {
                    !character.is_ascii() || !is_name_byte(character as u8)
                })
                .filter(|name| is_name(name))
                .map(str::to_owned),
            );
        }
    }
    names
}

/// Whether the word at an index may be a builtin's name, by the word before it.
fn runs_builtins(before: Option<&str>, index: usize) -> bool {
    index == 0 || before.is_none_or(|word| matches!(word, "builtin" | "command" | "--" | "-p"))
}

impl Assigned {
    fn list(&mut self, list: &List) {
        list.items
            .iter()
            .flat_map(|item| &item.stages)
            .for_each(|stage| self.command(&stage.command));
    }

    fn command(&mut self, command: &Command) {
        for redirect in &command.redirects {
            if let Some(crate::Descriptor::Variable(name)) = &redirect.descriptor {
                self.names.insert(name.clone());
            }
            self.word(&redirect.target);
        }
        match &command.body {
            Body::Simple { assignments, words } => {
                for assignment in assignments {
                    self.names.insert(assignment.name.clone());
                    self.word(&assignment.value);
                }
                self.simple(words);
            }
            Body::Group(list) | Body::Subshell(list) => self.list(list),
            Body::If { clauses, otherwise } => {
                clauses.iter().for_each(|(condition, list)| {
                    self.list(condition);
                    self.list(list);
                });
                otherwise.iter().for_each(|list| self.list(list));
            }
            Body::While { condition, body } => {
                self.list(condition);
                self.list(body);
            }
            Body::For { name, words, body } => {
                self.names.insert(name.clone());
                words.iter().for_each(|word| self.word(word));
                self.list(body);
            }
            Body::ArithmeticFor { header, body } => {
                self.expression(header);
                self.list(body);
            }
            Body::Case { subject, arms } => {
                self.word(subject);
                arms.iter().for_each(|(_, list)| self.list(list));
            }
            Body::Arithmetic(expression) => self.expression(expression),
            Body::Conditional(words) => words.iter().for_each(|word| self.word(word)),
            Body::Function { body, .. } => self.command(body),
            Body::Coprocess { name, body } => {
                self.names.insert(name.clone());
                self.command(body);
            }
            Body::Nothing => {}
        }
    }

    fn simple(&mut self, words: &[RawWord]) {
        let mut named = false;
        let mut before = None;
        for (index, word) in words.iter().enumerate() {
            self.word(word);
            let text = word.literal();
            // Elsewhere a dot is a directory.
            let operand = text.as_deref() == Some(".") && !runs_builtins(before.as_deref(), index);
            before.clone_from(&text);
            match text {
                _ if operand => {}
                None if index == 0 || named => self.anything = true,
                None => {}
                Some(text) => {
                    self.anything |= ANYTHING.contains(&text.as_str());
                    named |= NAMED.contains(&text.as_str());
                    if named {
                        self.argument(&text);
                    }
                    if matches!(text.as_str(), "cd" | "pushd" | "popd") {
                        self.names.insert("PWD".to_owned());
                    }
                }
            }
        }
    }

    fn argument(&mut self, text: &str) {
        let names =
            text.split(|character: char| !character.is_ascii() || !is_name_byte(character as u8));
        self.names
            .extend(names.filter(|name| is_name(name)).map(str::to_owned));
    }

    fn expression(&mut self, expression: &RawWord) {
        self.names.extend(expression_names(expression));
        self.word(expression);
    }

    fn word(&mut self, word: &RawWord) {
        for piece in &word.pieces {
            match piece {
                Piece::Parameter { parameter, .. } => {
                    if matches!(
                        parameter.form,
                        Form::Assign { .. } | Form::Other | Form::Indirect | Form::Bad
                    ) {
                        self.names.insert(parameter.name.clone());
                        self.names.extend(expression_names(&parameter.rest));
                    }
                    self.word(&parameter.rest);
                }
                Piece::Arithmetic { expression } => self.expression(expression),
                Piece::Array(elements) => elements.iter().for_each(|element| self.word(element)),
                Piece::Text { .. } | Piece::Command { .. } | Piece::Process { .. } => {}
            }
        }
    }
}
