//! Statements that begin with a keyword (`about_If`, `about_For`, `about_Switch`, `about_Functions`, …).

use super::parser::Parser;
use super::scanner::{ends_word, is_dash, is_newline};
use super::tree::{Piece, Section, Statement, Term, When};
use crate::cursor::Parsed;

/// Keywords whose statements define more than commands; they are not read.
const NOT_READ: [&str; 12] = [
    "class",
    "configuration",
    "data",
    "define",
    "dynamicparam",
    "enum",
    "from",
    "inlinescript",
    "parallel",
    "sequence",
    "using",
    "workflow",
];

impl Parser<'_> {
    /// Reads a statement that begins with a keyword; `None` when none stands here.
    pub(super) fn keyword(&mut self) -> Parsed<Option<Statement>> {
        self.label()?;
        let word = self.bare_word();
        let start = self.cursor.at;
        let mut sections = Vec::new();
        self.cursor.at += keyword_length(&word);
        match word.as_str() {
            "if" => self.branches(&mut sections)?,
            "while" => {
                self.condition(&mut sections, When::Repeated)?;
                self.block(&mut sections, When::Repeated)?;
            }
            "do" => {
                self.block(&mut sections, When::Repeated)?;
                self.cursor.skip_lines()?;
                if !matches!(self.bare_word().as_str(), "while" | "until") {
                    return Err(self.cursor.syntax("`while` or `until`"));
                }
                self.cursor.at += 5;
                self.condition(&mut sections, When::Repeated)?;
            }
            "for" => self.counted(&mut sections)?,
            "foreach" => self.foreach(&mut sections)?,
            "switch" => self.switch(&mut sections)?,
            "try" => self.attempts(&mut sections)?,
            "trap" => {
                self.types(&mut sections)?;
                self.block(&mut sections, When::Perhaps)?;
            }
            "function" | "filter" => self.function(&mut sections)?,
            "param" => {
                self.cursor.skip_lines()?;
                self.parameters(&mut sections)?;
            }
            "begin" | "process" | "end" | "clean" => self.block(&mut sections, When::Repeated)?,
            "return" | "throw" | "exit" => {
                self.cursor.skip_blanks()?;
                if !self.at_end() {
                    let value = self.value_statement()?;
                    sections.push(Section::Statements(When::Always, vec![value]));
                }
            }
            "break" | "continue" => {
                self.cursor.skip_blanks()?;
                self.cursor.skip_while(|character| !ends_word(character));
            }
            word if NOT_READ.contains(&word) => {
                self.cursor.at = start;
                let detail = format!("statements that begin with `{word}` are not read");
                return Err(self.cursor.fault(detail));
            }
            _ => {
                self.cursor.at = start;
                return Ok(None);
            }
        }
        Ok(Some(Statement::Compound(sections)))
    }

    /// Takes the label of a loop.
    fn label(&mut self) -> Parsed<()> {
        let labelled = self.cursor.char() == Some(':')
            && self
                .cursor
                .second()
                .is_some_and(|second| second.is_alphabetic() || second == '_');
        if labelled {
            self.cursor.skip_while(|character| !ends_word(character));
            self.cursor.skip_lines()?;
            if !matches!(
                self.bare_word().as_str(),
                "while" | "do" | "for" | "foreach" | "switch"
            ) {
                return Err(self.cursor.syntax("a loop"));
            }
        }
        Ok(())
    }

    fn at_end(&self) -> bool {
        self.cursor.char().is_none_or(|character| {
            is_newline(character) || matches!(character, ';' | ')' | '}' | '|' | '&')
        })
    }

    fn branches(&mut self, sections: &mut Vec<Section>) -> Parsed<()> {
        self.condition(sections, When::Always)?;
        self.block(sections, When::Perhaps)?;
        loop {
            let here = self.cursor.at;
            self.cursor.skip_lines()?;
            match self.bare_word().as_str() {
                "elseif" => {
                    self.cursor.at += 6;
                    self.condition(sections, When::Perhaps)?;
                    self.block(sections, When::Perhaps)?;
                }
                "else" => {
                    self.cursor.at += 4;
                    return self.block(sections, When::Perhaps);
                }
                _ => {
                    self.cursor.at = here;
                    return Ok(());
                }
            }
        }
    }

    fn condition(&mut self, sections: &mut Vec<Section>, when: When) -> Parsed<()> {
        self.cursor.skip_lines()?;
        let block = self.bracketed('(', ')')?;
        sections.push(Section::Statements(when, block));
        Ok(())
    }

    fn block(&mut self, sections: &mut Vec<Section>, when: When) -> Parsed<()> {
        self.cursor.skip_lines()?;
        let block = self.bracketed('{', '}')?;
        sections.push(Section::Statements(when, block));
        Ok(())
    }

    /// `for (first; condition; step) { … }`
    fn counted(&mut self, sections: &mut Vec<Section>) -> Parsed<()> {
        // Its three parts are statements with `;` between them.
        self.condition(sections, When::Repeated)?;
        self.block(sections, When::Repeated)
    }

    /// `foreach ($name in values) { … }`
    fn foreach(&mut self, sections: &mut Vec<Section>) -> Parsed<()> {
        self.cursor.skip_lines()?;
        if self.cursor.char().is_some_and(is_dash) {
            self.cursor.skip_while(|character| !ends_word(character));
            self.cursor.skip_lines()?;
        }
        if !self.cursor.take('(') {
            return Err(self.cursor.syntax("`(`"));
        }
        self.cursor.descend()?;
        self.cursor.skip_lines()?;
        let name = match self.cursor.char() {
            Some('$') => self.variable()?,
            Some(_) | None => None,
        };
        let Some(name) = name else {
            return Err(self.cursor.syntax("a variable"));
        };
        self.cursor.skip_lines()?;
        if self.bare_word() != "in" {
            return Err(self.cursor.syntax("`in`"));
        }
        self.cursor.at += 2;
        let mut block = Vec::new();
        self.statements(&mut block, Some(')'))?;
        self.cursor.skip();
        self.cursor.ascend();
        sections.push(Section::Statements(When::Always, block));
        sections.push(Section::Sets(name));
        self.block(sections, When::Repeated)
    }

    /// `switch -Wildcard (value) { pattern { … } default { … } }`
    fn switch(&mut self, sections: &mut Vec<Section>) -> Parsed<()> {
        loop {
            self.cursor.skip_lines()?;
            if !self.cursor.char().is_some_and(is_dash) {
                break;
            }
            self.cursor.skip();
            let option = self.bare_word();
            self.cursor.skip_while(|character| !ends_word(character));
            if option.starts_with('f') {
                self.cursor.skip_blanks()?;
                let file = self.element()?;
                sections.push(Section::Reads(file));
            }
        }
        if self.cursor.char() == Some('(') {
            self.condition(sections, When::Always)?;
        }
        self.cursor.skip_lines()?;
        if !self.cursor.take('{') {
            return Err(self.cursor.syntax("`{`"));
        }
        self.cursor.descend()?;
        loop {
            self.cursor.skip_lines()?;
            if self.cursor.take(';') {
                continue;
            }
            if self.cursor.take('}') {
                break;
            }
            let pattern = self.pattern()?;
            sections.push(Section::Value(pattern));
            self.block(sections, When::Repeated)?;
        }
        self.cursor.ascend();
        Ok(())
    }

    /// Reads the pattern of one branch: a bare word or a value.
    fn pattern(&mut self) -> Parsed<Term> {
        if self.starts_expression() {
            self.expression()
        } else {
            self.element()
        }
    }

    fn attempts(&mut self, sections: &mut Vec<Section>) -> Parsed<()> {
        // What stands behind an error in it does not run, though what stands behind the whole does.
        self.block(sections, When::Perhaps)?;
        loop {
            let here = self.cursor.at;
            self.cursor.skip_lines()?;
            match self.bare_word().as_str() {
                "catch" => {
                    self.cursor.at += 5;
                    self.types(sections)?;
                    self.block(sections, When::Perhaps)?;
                }
                "finally" => {
                    self.cursor.at += 7;
                    self.block(sections, When::Always)?;
                }
                word => {
                    // `catch[Type]` is one bare word.
                    if word.starts_with("catch[") {
                        self.cursor.at += 5;
                        self.types(sections)?;
                        self.block(sections, When::Perhaps)?;
                        continue;
                    }
                    self.cursor.at = here;
                    return Ok(());
                }
            }
        }
    }

    /// Reads the types of errors that are caught.
    fn types(&mut self, sections: &mut Vec<Section>) -> Parsed<()> {
        loop {
            self.cursor.skip_lines()?;
            match self.cursor.char() {
                Some('[') => {
                    let mut pieces = Vec::new();
                    self.type_name(&mut pieces)?;
                    sections.push(Section::Value(Term {
                        pieces,
                        computed: true,
                        ..Term::default()
                    }));
                }
                Some(',') => self.cursor.skip(),
                Some(_) | None => return Ok(()),
            }
        }
    }

    /// `function name ($parameter = value) { … }`
    fn function(&mut self, sections: &mut Vec<Section>) -> Parsed<()> {
        self.cursor.skip_blanks()?;
        let start = self.cursor.at;
        self.cursor.skip_while(|character| !ends_word(character));
        let name = self.cursor.text[start..self.cursor.at].to_lowercase();
        if name.is_empty() || name.contains(['$', '`', '"', '\'']) {
            return Err(self.cursor.syntax("the name of a function"));
        }
        let plain = ["global:", "script:", "local:", "private:"]
            .into_iter()
            .find_map(|scope| name.strip_prefix(scope))
            .unwrap_or(&name);
        self.cursor.skip_lines()?;
        let mut inside = Vec::new();
        if self.cursor.char() == Some('(') {
            self.parameters(&mut inside)?;
            self.cursor.skip_lines()?;
        }
        let block = self.bracketed('{', '}')?;
        let mut body = vec![Statement::Compound(inside)];
        body.extend(block);
        sections.push(Section::Statements(When::Function(plain.to_owned()), body));
        Ok(())
    }

    /// Reads `([type]$name = value, …)`.
    fn parameters(&mut self, sections: &mut Vec<Section>) -> Parsed<()> {
        if !self.cursor.take('(') {
            return Err(self.cursor.syntax("`(`"));
        }
        self.cursor.descend()?;
        loop {
            self.cursor.skip_lines()?;
            match self.cursor.char() {
                Some(')') => break,
                Some(',') => self.cursor.skip(),
                Some('[') => {
                    let mut pieces: Vec<Piece> = Vec::new();
                    self.type_name(&mut pieces)?;
                    sections.push(Section::Value(Term {
                        pieces,
                        computed: true,
                        ..Term::default()
                    }));
                }
                Some('$') => {
                    let Some(name) = self.variable()? else {
                        return Err(self.cursor.syntax("a parameter"));
                    };
                    sections.push(Section::Sets(name));
                    self.cursor.skip_lines()?;
                    if self.cursor.take('=') {
                        self.cursor.skip_lines()?;
                        let value = self.one_value()?;
                        sections.push(Section::Value(value));
                    }
                }
                Some(_) | None => return Err(self.cursor.syntax("a parameter")),
            }
        }
        self.cursor.skip();
        self.cursor.ascend();
        Ok(())
    }
}

/// Keywords are ASCII, so that their length in lower case is the one in the text.
fn keyword_length(word: &str) -> usize {
    if word.is_ascii() { word.len() } else { 0 }
}
