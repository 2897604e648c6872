//! Lists, pipelines and simple commands.

use crate::cursor::Parsed;
use crate::parser::{Parser, is_metacharacter, is_name_byte, is_name_start};
use crate::pieces::Reading;
use crate::segment::Join;
use crate::tree::{
    Body, Command, Item, List, Piece, RawAssignment, RawRedirect, RawWord, StageNode,
};

/// Builtins whose arguments are read like assignments, arrays included.
const ASSIGNMENT_BUILTINS: [&str; 8] = [
    "alias", "declare", "eval", "export", "let", "local", "readonly", "typeset",
];

/// The parts of a simple command while it is read.
#[derive(Default)]
struct Simple {
    assignments: Vec<RawAssignment>,
    words: Vec<RawWord>,
    redirects: Vec<RawRedirect>,
}

impl Parser<'_> {
    /// Reads commands into `list` until something that no command can start with.
    pub(crate) fn list(&mut self, list: &mut List) -> Parsed<()> {
        let mut join = Join::First;
        loop {
            if self.newlines() && join == Join::First && !list.items.is_empty() {
                join = Join::Sequence;
            }
            if self.at_list_end() {
                return Ok(());
            }
            let first = list.items.len();
            self.and_or(list, join)?;
            self.blanks();
            join = Join::Sequence;
            match self.cursor.peek() {
                Some(b';') if !self.at_list_end() => self.cursor.at += 1,
                Some(b'&') => {
                    self.cursor.at += 1;
                    list.items[first..]
                        .iter_mut()
                        .for_each(|item| item.background = true);
                    join = Join::Background;
                }
                Some(b'\n') => {}
                Some(_) | None => return Ok(()),
            }
        }
    }

    /// Reads a list that must hold a command.
    pub(crate) fn filled_list(&mut self) -> Parsed<List> {
        let mut list = List::default();
        self.list(&mut list)?;
        if list.items.is_empty() {
            Err(self.cursor.syntax("a command"))
        } else {
            Ok(list)
        }
    }

    fn and_or(&mut self, list: &mut List, first: Join) -> Parsed<()> {
        let mut join = first;
        loop {
            let stages = self.pipeline()?;
            list.items.push(Item {
                join,
                stages,
                background: false,
            });
            self.blanks();
            join = if self.cursor.eat_operator("&&") {
                Join::And
            } else if self.cursor.eat_operator("||") {
                Join::Or
            } else {
                return Ok(());
            };
            self.newlines();
        }
    }

    fn pipeline(&mut self) -> Parsed<Vec<StageNode>> {
        let start = self.cursor.at;
        if self.pipeline_prefix() && matches!(self.cursor.peek(), None | Some(b'\n' | b';' | b')'))
        {
            let span = self.cursor.span(start, self.cursor.at);
            let command = Command {
                span,
                body: Body::Nothing,
                redirects: Vec::new(),
            };
            return Ok(vec![StageNode {
                command,
                both: false,
            }]);
        }
        let mut stages = vec![StageNode {
            command: self.command()?,
            both: false,
        }];
        loop {
            self.blanks();
            let both = self.cursor.eat_operator("|&");
            if !both
                && (self.cursor.peek() != Some(b'|')
                    || self.cursor.peek_second() == Some(b'|')
                    || !self.cursor.eat(b'|'))
            {
                return Ok(stages);
            }
            self.newlines();
            stages.push(StageNode {
                command: self.command()?,
                both,
            });
        }
    }

    /// Skips `!` and `time` with its options; says whether there were any.
    fn pipeline_prefix(&mut self) -> bool {
        let mut found = false;
        loop {
            self.blanks();
            if self.eat_reserved("time") {
                self.time_options();
            } else if !self.eat_reserved("!") {
                return found;
            }
            found = true;
        }
    }

    fn time_options(&mut self) {
        for option in ["-p", "--"] {
            self.blanks();
            let saved = self.cursor.at;
            let ends =
                self.cursor.eat_operator(option) && self.cursor.peek().is_none_or(is_metacharacter);
            if !ends {
                self.cursor.at = saved;
            }
        }
    }

    /// Reads one command of a pipeline with its redirects.
    pub(crate) fn command(&mut self) -> Parsed<Command> {
        self.blanks();
        let start = self.cursor.at;
        if let Some(body) = self.compound()? {
            let redirects = self.redirects()?;
            return Ok(Command {
                span: self.cursor.span(start, self.cursor.at),
                body,
                redirects,
            });
        }
        self.simple()
    }

    /// Reads a simple command, or a function definition that starts like one.
    pub(crate) fn simple(&mut self) -> Parsed<Command> {
        self.blanks();
        let start = self.cursor.at;
        let mut simple = Simple::default();
        let mut last = start;
        loop {
            self.blanks();
            if let Some(redirect) = self.redirect()? {
                simple.redirects.push(redirect);
            } else if self.cursor.peek() == Some(b'(')
                && simple.words.len() == 1
                && simple.assignments.is_empty()
                && simple.redirects.is_empty()
            {
                return self.function_after(start, simple.words.remove(0));
            } else if !self.simple_word(&mut simple)? {
                break;
            }
            last = self.cursor.at;
        }
        let Simple {
            assignments,
            words,
            redirects,
        } = simple;
        if assignments.is_empty() && words.is_empty() && redirects.is_empty()
            || self.cursor.peek() == Some(b'(')
        {
            return Err(self.cursor.syntax("a command"));
        }
        self.note_options(&words);
        Ok(Command {
            span: self.cursor.span(start, last),
            body: Body::Simple { assignments, words },
            redirects,
        })
    }

    /// Takes the next assignment or word; says whether there was one.
    fn simple_word(&mut self, simple: &mut Simple) -> Parsed<bool> {
        let process = matches!(self.cursor.peek(), Some(b'<' | b'>'))
            && self.cursor.peek_second() == Some(b'(');
        if !process && self.cursor.peek().is_none_or(is_metacharacter) {
            return Ok(false);
        }
        let before_words = simple.words.is_empty();
        if before_words && let Some(assignment) = self.assignment()? {
            simple.assignments.push(assignment);
            return Ok(true);
        }
        let declares = simple
            .words
            .first()
            .and_then(RawWord::literal)
            .is_some_and(|name| ASSIGNMENT_BUILTINS.contains(&name.as_str()));
        simple.words.push(self.word(Reading {
            assigns: before_words || declares,
            subscripts: before_words,
            ..Reading::word()
        })?);
        Ok(true)
    }

    /// Reads `name=`, `name+=` or `name[…]=` and the value; restores the position if it is something else.
    fn assignment(&mut self) -> Parsed<Option<RawAssignment>> {
        let start = self.cursor.at;
        let name = self.name();
        if name.is_empty() {
            return Ok(None);
        }
        let subscript = if self.cursor.peek() == Some(b'[') {
            Some(self.bracketed()?)
        } else {
            None
        };
        let append = self.cursor.peek() == Some(b'+')
            && self.cursor.peek_second() == Some(b'=')
            && self.cursor.eat(b'+');
        if !self.cursor.eat(b'=') {
            self.cursor.at = start;
            return Ok(None);
        }
        let value_start = self.cursor.at;
        let mut pieces = if self.cursor.peek() == Some(b'(') {
            vec![self.array()?]
        } else {
            Vec::new()
        };
        pieces.append(&mut self.word(Reading::word())?.pieces);
        let value = RawWord {
            span: self.cursor.span(value_start, self.cursor.at),
            pieces,
        };
        Ok(Some(RawAssignment {
            span: self.cursor.span(start, self.cursor.at),
            name,
            subscript,
            append,
            value,
        }))
    }

    /// Takes a variable's name, which may be empty.
    pub(crate) fn name(&mut self) -> String {
        let mut name = String::new();
        while let Some(byte) = self.cursor.peek() {
            if !(is_name_start(byte) || !name.is_empty() && is_name_byte(byte)) {
                break;
            }
            name.push(char::from(byte));
            self.cursor.at += 1;
        }
        name
    }

    /// Reads `( … )` after `name=`.
    pub(crate) fn array(&mut self) -> Parsed<Piece> {
        self.expect(b'(')?;
        let mut elements = Vec::new();
        loop {
            self.newlines();
            if self.cursor.eat(b')') {
                return Ok(Piece::Array(elements.into()));
            }
            let process = self.cursor.peek_second() == Some(b'(');
            match self.cursor.peek() {
                Some(b'<' | b'>') if process => {}
                Some(byte) if !is_metacharacter(byte) => {}
                Some(_) | None => return Err(self.cursor.syntax("an array element or `)`")),
            }
            elements.push(self.word(Reading {
                element: true,
                ..Reading::word()
            })?);
        }
    }

    /// Notes options that change how later text is read.
    fn note_options(&mut self, words: &[RawWord]) {
        let mut texts = words.iter().map(RawWord::literal);
        let shopt = texts.next().flatten().is_some_and(|name| name == "shopt");
        if shopt && texts.flatten().any(|word| word == "extglob") {
            self.extended_patterns = true;
        }
    }
}

impl RawWord {
    /// Returns the text if all of the word is literal.
    pub(crate) fn literal(&self) -> Option<String> {
        let mut whole = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Text { text, .. } => whole.push_str(text),
                Piece::Parameter { .. }
                | Piece::Command { .. }
                | Piece::Arithmetic { .. }
                | Piece::Process { .. }
                | Piece::Array(_) => return None,
            }
        }
        Some(whole)
    }
}
