//! What must be known of a whole text before it is walked: which variables have one value, which names are functions.

use std::collections::{BTreeMap, BTreeSet};

use super::expression::STEP;
use super::tree::{Block, Body, Element, Piece, Section, Statement, Term, When};

/// Commands that set variables by name, or may, or run a block where variables have other values.
const SETTERS: [&str; 8] = [
    "clear-variable",
    "import-module",
    "invoke-expression",
    "new-variable",
    "remove-variable",
    "set-variable",
    "start-job",
    "start-threadjob",
];

/// Commands after which relative paths and `$PWD` mean something else.
const MOVERS: [&str; 3] = ["pop-location", "push-location", "set-location"];

/// The facts.
#[derive(Debug, Default)]
pub(super) struct Facts {
    /// How often each variable is set.
    sets: BTreeMap<String, u32>,
    /// Names of functions in lower case.
    functions: BTreeSet<String>,
    /// Whether variables may be set in ways that are not counted.
    pub(super) unsure: bool,
    /// Whether the text changes its directory.
    pub(super) moves: bool,
}

impl Facts {
    pub(super) fn of(block: &Block) -> Self {
        let mut facts = Self::default();
        facts.block(block);
        facts
    }

    /// Whether a variable is set once at most.
    pub(super) fn is_constant(&self, name: &str) -> bool {
        !self.unsure && self.sets.get(name).is_none_or(|count| *count <= 1)
    }

    /// Whether the text sets a variable.
    pub(super) fn sets(&self, name: &str) -> bool {
        self.unsure || self.sets.contains_key(name)
    }

    /// Whether a name in lower case is a function's.
    pub(super) fn is_function(&self, name: &str) -> bool {
        self.functions.contains(name)
    }

    fn set(&mut self, name: &str) {
        *self.sets.entry(name.to_owned()).or_default() += 1;
    }

    fn block(&mut self, block: &Block) {
        block.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Chain(chain) => {
                let elements = chain.pipelines.iter().flat_map(|(_, elements)| elements);
                elements.for_each(|element| self.element(element));
            }
            Statement::Assign(assign) => {
                for piece in &assign.target.pieces {
                    if let Piece::Variable(name) = piece {
                        self.set(name);
                    }
                }
                if assign.append {
                    assign.target.pieces.iter().for_each(|piece| {
                        if let Piece::Variable(name) = piece {
                            self.set(name);
                        }
                    });
                }
                self.term(&assign.target);
                self.statement(&assign.value);
            }
            Statement::Compound(sections) => {
                sections.iter().for_each(|section| self.section(section))
            }
        }
    }

    fn section(&mut self, section: &Section) {
        match section {
            Section::Statements(when, block) => {
                if let When::Function(name) = when {
                    self.functions.insert(name.clone());
                }
                self.block(block);
            }
            Section::Value(term) | Section::Reads(term) => self.term(term),
            // It has as many values as there are elements or callers.
            Section::Sets(name) => {
                self.set(name);
                self.set(name);
            }
        }
    }

    fn element(&mut self, element: &Element) {
        match &element.body {
            Body::Expression(term) => self.term(term),
            Body::Command { name, arguments } => {
                self.term(name);
                arguments.iter().for_each(|argument| self.term(argument));
                match name.literal() {
                    Some(written) => self.command(&written, arguments),
                    // What is called by a computed name may set anything.
                    None => self.unsure = true,
                }
            }
        }
        element
            .redirects
            .iter()
            .for_each(|redirect| self.term(&redirect.target));
    }

    fn command(&mut self, name: &str, arguments: &[Term]) {
        let canonical = execgate_knowledge::powershell::canonical(name);
        self.moves |= canonical.is_some_and(|name| MOVERS.contains(&name));
        // `-OutVariable name`, `-PipelineVariable name` and the like set variables, and so does a sourced script.
        let names = arguments
            .iter()
            .filter_map(|argument| match argument.pieces.first() {
                Some(Piece::Text(text)) => Some(text.to_ascii_lowercase()),
                Some(_) | None => None,
            });
        let stores = names.into_iter().any(|text| {
            ["-o", "-p", "-e", "-w", "-i", "-s", "-r"]
                .iter()
                .any(|start| text.starts_with(start))
                && (text.ends_with('v') || text.contains("var"))
                || text.starts_with("-para")
        });
        let sources = name.to_ascii_lowercase().contains(".ps1");
        self.unsure |= stores || sources || canonical.is_some_and(|name| SETTERS.contains(&name));
    }

    fn term(&mut self, term: &Term) {
        for piece in &term.pieces {
            match piece {
                Piece::Variable(name) => {
                    if let Some(name) = name.strip_prefix(STEP) {
                        self.set(name);
                        self.set(name);
                    }
                }
                Piece::Printed(block) | Piece::Script(block) => self.block(block),
                // Code may set variables, as `[ref]` and `$ExecutionContext` do.
                Piece::Code(..) => self.unsure = true,
                Piece::Text(_) => {}
            }
        }
    }
}
