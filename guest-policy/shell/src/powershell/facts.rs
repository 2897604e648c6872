//! What must be known of a whole text before it is walked: which variables have one value, and whether it moves.

use std::collections::BTreeMap;

use super::expression::STEP;
use super::tree::{Block, Body, Element, Piece, Section, Statement, Term};

/// Commands that set variables by name, or may, or run a block where variables have other values.
const SETTERS: [&str; 10] = [
    "clear-variable",
    "import-localizeddata",
    "import-module",
    "invoke-expression",
    "new-variable",
    "remove-variable",
    "set-variable",
    "start-job",
    "start-threadjob",
    "tee-object",
];

/// Commands after which relative paths and `$PWD` mean something else.
const MOVERS: [&str; 3] = ["pop-location", "push-location", "set-location"];

/// The facts.
#[derive(Debug, Default)]
pub(super) struct Facts {
    /// How often each variable is set.
    sets: BTreeMap<String, u32>,
    /// Whether variables may be set in ways that are not counted.
    pub(super) unsure: bool,
    /// Whether the text changes its directory.
    pub(super) moves: bool,
}

/// Parameters that name a variable to set, and one whose block has variables of its own.
const STORES: [&str; 13] = [
    "bindingvariable",
    "errorvariable",
    "ev",
    "informationvariable",
    "iv",
    "outvariable",
    "ov",
    "parallel",
    "pipelinevariable",
    "pv",
    "responseheadersvariable",
    "sessionvariable",
    "warningvariable",
];

/// Whether an argument is such a parameter, which may be shortened.
fn stores(argument: &Term) -> bool {
    let Some(Piece::Text(text)) = argument.pieces.first() else {
        return false;
    };
    let lower = text.to_ascii_lowercase();
    let Some(name) = lower.strip_prefix('-') else {
        return false;
    };
    let name = name.split(':').next().unwrap_or(name);
    name.len() > 1 && STORES.iter().any(|known| known.starts_with(name))
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
            Section::Statements(_, block) => self.block(block),
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
        let stores = arguments.iter().any(stores);
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
