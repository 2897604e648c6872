//! Values: operands, operators, members and calls (`about_Expressions`, `about_Operators`, `about_Methods`).
//!
//! Nothing is computed. What matters is which commands stand in a value, which variables it reads, whether it calls
//! code that is not known to be harmless, and its text where it is written out.

use execgate_knowledge::dotnet;

use super::parser::Parser;
use super::scanner::{is_dash, is_name, is_quote};
use super::tree::{Block, Body, Piece, Statement, Term};
use crate::cursor::Parsed;

/// Binary operators that are words, without the `i` and `c` that set how cases compare.
const BINARY: [&str; 27] = [
    "and",
    "as",
    "band",
    "bor",
    "bxor",
    "contains",
    "eq",
    "f",
    "ge",
    "gt",
    "in",
    "is",
    "isnot",
    "join",
    "le",
    "like",
    "lt",
    "match",
    "ne",
    "notcontains",
    "notin",
    "notlike",
    "notmatch",
    "or",
    "replace",
    "shl",
    "shr",
];

/// Stands before the name of a variable that `++` or `--` may change.
pub(super) const STEP: &str = "++";

/// Whether a comma goes on with a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Commas {
    Join,
    End,
}

/// What the value before a `.` is known to be.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Receiver {
    /// A text or a number, whose methods only make others.
    Text,
    /// A type of .NET, in lower case.
    Type(String),
    Unknown,
}

impl Parser<'_> {
    /// Reads a value with all its operators; a comma is one, and makes an array.
    pub(super) fn expression(&mut self) -> Parsed<Term> {
        self.operands(Commas::Join)
    }

    /// Reads a value up to a comma.
    pub(super) fn one_value(&mut self) -> Parsed<Term> {
        self.operands(Commas::End)
    }

    fn operands(&mut self, commas: Commas) -> Parsed<Term> {
        let start = self.cursor.at;
        let mut term = self.operand()?;
        loop {
            self.cursor.skip_blanks()?;
            let ends = commas == Commas::End && self.cursor.char() == Some(',');
            if ends || !self.operator() {
                break;
            }
            self.cursor.skip_lines()?;
            let next = self.operand()?;
            term.absorb(next);
            term.member = None;
        }
        term.span = self.cursor.span(start, self.cursor.at);
        Ok(term)
    }

    /// Takes a binary operator.
    fn operator(&mut self) -> bool {
        let Some(first) = self.cursor.char() else {
            return false;
        };
        if is_dash(first) {
            self.dashed_operator()
        } else {
            self.signed_operator(first)
        }
    }

    fn dashed_operator(&mut self) -> bool {
        let before = self.cursor.at;
        self.cursor.skip();
        let start = self.cursor.at;
        self.cursor
            .skip_while(|letter| letter.is_ascii_alphabetic());
        let word = self.cursor.text[start..self.cursor.at].to_ascii_lowercase();
        let assigns = word.is_empty() && self.cursor.char() == Some('=');
        let plain = word.strip_prefix(['i', 'c']).unwrap_or(&word);
        let known = BINARY.contains(&word.as_str())
            || BINARY.contains(&plain)
            || matches!(word.as_str(), "xor" | "split" | "isplit" | "csplit" | "");
        if !known || assigns {
            self.cursor.at = before;
        }
        known && !assigns
    }

    fn signed_operator(&mut self, first: char) -> bool {
        let second = self.cursor.second();
        let length = match (first, second) {
            ('.', Some('.')) | ('?', Some('?')) => 2,
            ('+' | '*' | '/' | '%', Some('=')) => return false,
            ('+' | '*' | '/' | '%' | ',' | '?' | ':', _) => 1,
            _ => return false,
        };
        let compound = length == 2 && self.cursor.char_at(2) == Some('=');
        if !compound {
            self.cursor.at += length;
        }
        !compound
    }

    /// Reads an operand with the operators and types before it.
    fn operand(&mut self) -> Parsed<Term> {
        let start = self.cursor.at;
        let mut before = Term::default();
        loop {
            match self.cursor.char() {
                Some(dash) if is_dash(dash) && self.unary_word() => before.computed = true,
                Some('!' | '+' | ',') => {
                    self.cursor.skip();
                    before.computed = true;
                }
                Some('[') => {
                    if let Some(mut value) = self.conversion(&mut before)? {
                        value.pieces.append(&mut before.pieces);
                        value.span = self.cursor.span(start, self.cursor.at);
                        return Ok(value);
                    }
                }
                Some(_) | None => break,
            }
            self.cursor.skip_lines()?;
        }
        let mut term = self.operand_here()?;
        if before.computed {
            mark_steps(&mut term);
        }
        term.computed |= before.computed;
        term.pieces.append(&mut before.pieces);
        term.span = self.cursor.span(start, self.cursor.at);
        Ok(term)
    }

    /// Takes a type that the operand behind it is converted to; a type that stands alone is the operand.
    fn conversion(&mut self, before: &mut Term) -> Parsed<Option<Term>> {
        let start = self.cursor.at;
        let name = self.type_name(&mut before.pieces)?;
        let here = self.cursor.at;
        self.cursor.skip_blanks()?;
        before.computed = true;
        if !self.starts_operand() {
            self.cursor.at = here;
            let mut term = Term {
                computed: true,
                ..Term::default()
            };
            self.members(&mut term, Receiver::Type(name))?;
            return Ok(Some(term));
        }
        if !dotnet::is_plain_type(&name) {
            let span = self.cursor.span(start, here);
            let detail = format!("`[{name}]` makes an object of .NET");
            before.pieces.push(Piece::Code(span, detail));
        }
        Ok(None)
    }

    fn unary_word(&mut self) -> bool {
        let before = self.cursor.at;
        self.cursor.skip();
        let start = self.cursor.at;
        self.cursor
            .skip_while(|letter| letter.is_ascii_alphabetic());
        let word = self.cursor.text[start..self.cursor.at].to_ascii_lowercase();
        let known = matches!(
            word.as_str(),
            "" | "not" | "bnot" | "split" | "isplit" | "csplit" | "join"
        );
        if !known {
            self.cursor.at = before;
        }
        known
    }

    /// Whether an operand may begin here, and no operator.
    fn starts_operand(&self) -> bool {
        let second = self.cursor.second();
        self.cursor.char().is_some_and(|first| {
            is_quote(first)
                || first.is_ascii_digit()
                || matches!(first, '$' | '(' | '@' | '[' | '{' | '!')
                || (is_dash(first) || first == '+')
                    && second.is_some_and(|second| second.is_ascii_digit() || second == '$')
        })
    }

    /// Reads an operand without operators, with its members, indices and calls.
    pub(super) fn operand_here(&mut self) -> Parsed<Term> {
        let start = self.cursor.at;
        let mut term = Term::default();
        let mut receiver = Receiver::Unknown;
        match self.cursor.char() {
            Some(quote) if is_quote(quote) => {
                self.string(&mut term)?;
                receiver = Receiver::Text;
            }
            Some('$') if self.cursor.second() == Some('(') => {
                let piece = self.subexpression()?;
                term.pieces.push(piece);
            }
            Some('$') => match self.variable()? {
                Some(name) => term.pieces.push(Piece::Variable(name)),
                None => return Err(self.cursor.syntax("the name of a variable")),
            },
            Some('(') => {
                let block = self.bracketed('(', ')')?;
                if prints_text(&block) {
                    receiver = Receiver::Text;
                }
                term.pieces.push(Piece::Printed(block));
            }
            Some('{') => {
                let block = self.bracketed('{', '}')?;
                term.pieces.push(Piece::Script(block));
            }
            Some('@') => self.at_sign(&mut term, &mut receiver)?,
            Some('0'..='9' | '.') => match self.number() {
                Some(length) => {
                    let end = self.cursor.at + length;
                    term.push_text(&self.cursor.text[self.cursor.at..end]);
                    self.cursor.at = end;
                    receiver = Receiver::Text;
                }
                None => return Err(self.cursor.syntax("a value")),
            },
            Some(_) | None => return Err(self.cursor.syntax("a value")),
        }
        self.members(&mut term, receiver)?;
        term.span = self.cursor.span(start, self.cursor.at);
        Ok(term)
    }

    /// Reads `@(…)`, `@{…}` or a here-string.
    fn at_sign(&mut self, term: &mut Term, receiver: &mut Receiver) -> Parsed<()> {
        match self.cursor.second() {
            Some('(') => {
                let piece = self.subexpression()?;
                term.pieces.push(piece);
                term.computed = true;
                Ok(())
            }
            Some('{') => {
                self.cursor.skip();
                term.computed = true;
                self.table(term)
            }
            Some(quote) if is_quote(quote) => {
                *receiver = Receiver::Text;
                self.here_string(term)
            }
            Some(_) | None => Err(self.cursor.syntax("a value")),
        }
    }

    /// Reads `{ key = value; … }` of a hash table.
    fn table(&mut self, term: &mut Term) -> Parsed<()> {
        self.cursor.descend()?;
        self.cursor.skip();
        loop {
            self.cursor.skip_lines()?;
            if self.cursor.take(';') {
                continue;
            }
            if self.cursor.take('}') {
                break;
            }
            if self.starts_operand() {
                let key = self.operand()?;
                term.absorb(key);
            } else {
                let key = self.cursor.at;
                self.cursor
                    .skip_while(|character| is_name(character) || is_dash(character));
                if self.cursor.at == key {
                    return Err(self.cursor.syntax("a key"));
                }
            }
            self.cursor.skip_blanks()?;
            if !self.cursor.take('=') {
                return Err(self.cursor.syntax("`=`"));
            }
            let value = self.value_statement()?;
            term.pieces.push(Piece::Printed(vec![value]));
        }
        self.cursor.ascend();
        Ok(())
    }

    /// Reads members, indices and calls after an operand.
    fn members(&mut self, term: &mut Term, mut receiver: Receiver) -> Parsed<()> {
        loop {
            let start = self.cursor.at;
            let second = self.cursor.second();
            match self.cursor.char() {
                Some('[') => {
                    self.index(term)?;
                    term.member = None;
                    receiver = Receiver::Unknown;
                }
                Some(':') if second == Some(':') => {
                    self.cursor.at += 2;
                    receiver = self.member(term, receiver, start)?;
                }
                Some('.') if second.is_some_and(begins_member) => {
                    self.cursor.skip();
                    receiver = self.member(term, receiver, start)?;
                }
                Some('?') if matches!(second, Some('.' | '[')) => self.cursor.skip(),
                Some('+') if second == Some('+') => self.step(term),
                Some(dash) if is_dash(dash) && second.is_some_and(is_dash) => self.step(term),
                Some(_) | None => break,
            }
            term.computed = true;
        }
        Ok(())
    }

    /// Takes `++` or `--`.
    fn step(&mut self, term: &mut Term) {
        self.cursor.skip();
        self.cursor.skip();
        mark_steps(term);
    }

    fn index(&mut self, term: &mut Term) -> Parsed<()> {
        self.cursor.descend()?;
        self.cursor.skip();
        self.cursor.skip_lines()?;
        let value = self.expression()?;
        self.cursor.skip_lines()?;
        if !self.cursor.take(']') {
            return Err(self.cursor.syntax("`]`"));
        }
        self.cursor.ascend();
        term.absorb(value);
        Ok(())
    }

    /// Reads a member's name, and its arguments when it is called.
    fn member(&mut self, term: &mut Term, receiver: Receiver, start: usize) -> Parsed<Receiver> {
        self.cursor.skip_lines()?;
        let name = self.member_name(term)?;
        let mut block = false;
        let called = self.cursor.char() == Some('(');
        if called {
            block = self.call(term)?;
        }
        let shown = name.as_deref().unwrap_or("?");
        term.member = Some(match &receiver {
            Receiver::Type(of) => format!("{of}::{shown}"),
            Receiver::Text | Receiver::Unknown => format!(".{shown}"),
        });
        let known = name.as_deref().is_some_and(|name| match &receiver {
            Receiver::Type(of) => dotnet::is_harmless_static(of, name),
            Receiver::Text if called => dotnet::is_harmless_method(name, dotnet::Of::Text, block),
            Receiver::Unknown if called => {
                dotnet::is_harmless_method(name, dotnet::Of::Unknown, block)
            }
            Receiver::Text | Receiver::Unknown => true,
        }) || (name.is_none() && !called && !matches!(receiver, Receiver::Type(_)));
        if !known {
            let what = name.as_deref().unwrap_or("a member");
            let detail = match receiver {
                Receiver::Type(of) => format!("`[{of}]::{what}` is code of .NET"),
                Receiver::Text | Receiver::Unknown => format!("`.{what}` is code of .NET"),
            };
            let span = self.cursor.span(start, self.cursor.at);
            term.pieces.push(Piece::Code(span, detail));
        }
        Ok(match name {
            Some(name) if dotnet::is_text_member(&name) => Receiver::Text,
            Some(_) | None => Receiver::Unknown,
        })
    }

    /// The name in lower case; `None` when it is computed.
    fn member_name(&mut self, term: &mut Term) -> Parsed<Option<String>> {
        match self.cursor.char() {
            Some(first) if is_name(first) => {
                let start = self.cursor.at;
                self.cursor.skip_while(is_name);
                Ok(Some(self.cursor.text[start..self.cursor.at].to_lowercase()))
            }
            Some(first) if is_quote(first) => {
                let mut name = Term::default();
                self.string(&mut name)?;
                let text = name.literal().map(|text| text.to_lowercase());
                term.absorb(name);
                Ok(text)
            }
            Some('$') if self.cursor.second() != Some('(') => {
                match self.variable()? {
                    Some(name) => term.pieces.push(Piece::Variable(name)),
                    None => return Err(self.cursor.syntax("the name of a member")),
                }
                Ok(None)
            }
            Some('$') => {
                let piece = self.subexpression()?;
                term.pieces.push(piece);
                Ok(None)
            }
            Some('(') => {
                let block = self.bracketed('(', ')')?;
                term.pieces.push(Piece::Printed(block));
                Ok(None)
            }
            Some(_) | None => Err(self.cursor.syntax("the name of a member")),
        }
    }

    /// Reads `(…)` of a call; says whether the first argument is a script block.
    fn call(&mut self, term: &mut Term) -> Parsed<bool> {
        self.cursor.descend()?;
        self.cursor.skip();
        self.cursor.skip_lines()?;
        let block = self.cursor.char() == Some('{');
        if !self.cursor.take(')') {
            let arguments = self.expression()?;
            term.absorb(arguments);
            self.cursor.skip_lines()?;
            if !self.cursor.take(')') {
                return Err(self.cursor.syntax("`)`"));
            }
        }
        self.cursor.ascend();
        Ok(block)
    }
}

/// Marks the variables of a term as set: by `++`, or near enough.
fn mark_steps(term: &mut Term) {
    for piece in &mut term.pieces {
        if let Piece::Variable(name) = piece {
            name.insert_str(0, STEP);
        }
    }
}

/// Whether a `.` before this character reads a member.
fn begins_member(character: char) -> bool {
    is_name(character) || is_quote(character) || matches!(character, '$' | '(')
}

/// Whether the last command of a block is known to print text, not files.
fn prints_text(block: &Block) -> bool {
    let [Statement::Chain(chain)] = block.as_slice() else {
        return false;
    };
    let Some(Body::Command { name, .. }) = chain
        .pipelines
        .last()
        .and_then(|(_, elements)| elements.last())
        .map(|element| &element.body)
    else {
        return false;
    };
    name.literal().is_some_and(|name| {
        matches!(
            name.to_lowercase().as_str(),
            "get-content" | "gc" | "out-string" | "get-date" | "join-path" | "split-path"
        )
    })
}
