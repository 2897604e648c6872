//! Redirects and the bodies of here-documents.

use std::cell::OnceCell;
use std::rc::Rc;

use crate::cursor::Parsed;
use crate::parser::{Parser, PendingHere, is_name};
use crate::redirect::{Descriptor, RedirectOperator};
use crate::tree::{HereBody, RawRedirect};

/// Operators, longest first.
const OPERATORS: [(&str, RedirectOperator); 12] = [
    ("&>>", RedirectOperator::AppendBoth),
    ("<<<", RedirectOperator::HereString),
    ("<<-", RedirectOperator::HereDocumentStripped),
    ("&>", RedirectOperator::WriteBoth),
    ("<<", RedirectOperator::HereDocument),
    ("<&", RedirectOperator::DuplicateInput),
    ("<>", RedirectOperator::ReadWrite),
    (">>", RedirectOperator::Append),
    (">&", RedirectOperator::DuplicateOutput),
    (">|", RedirectOperator::Clobber),
    ("<", RedirectOperator::Read),
    (">", RedirectOperator::Write),
];

impl Parser<'_> {
    /// Reads the redirects after a compound command.
    pub(crate) fn redirects(&mut self) -> Parsed<Vec<RawRedirect>> {
        let mut redirects = Vec::new();
        loop {
            let before = self.cursor.at;
            self.blanks();
            match self.redirect()? {
                Some(redirect) => redirects.push(redirect),
                None => {
                    // The command ends before the blanks.
                    self.cursor.at = before;
                    return Ok(redirects);
                }
            }
        }
    }

    /// Reads a redirect if one starts here.
    pub(crate) fn redirect(&mut self) -> Parsed<Option<RawRedirect>> {
        let start = self.cursor.at;
        let descriptor = self.descriptor();
        let process = self.cursor.peek_second() == Some(b'(');
        let operator = match self.cursor.peek() {
            Some(b'<' | b'>') if process => None,
            Some(b'&') if descriptor.is_some() => None,
            Some(b'<' | b'>' | b'&') => OPERATORS
                .into_iter()
                .find(|(text, _)| self.cursor.eat_operator(text)),
            Some(_) | None => None,
        };
        let Some((_, operator)) = operator else {
            self.cursor.at = start;
            return Ok(None);
        };
        self.blanks_only();
        let target_start = self.cursor.at;
        let target = self.required_word("the target of a redirect")?;
        let here = match operator {
            RedirectOperator::HereDocument | RedirectOperator::HereDocumentStripped => {
                Some(self.announce(
                    target_start,
                    operator == RedirectOperator::HereDocumentStripped,
                ))
            }
            _ => None,
        };
        Ok(Some(RawRedirect {
            span: self.cursor.span(start, self.cursor.at),
            descriptor,
            operator,
            target,
            here,
        }))
    }

    fn blanks_only(&mut self) {
        while matches!(self.cursor.peek(), Some(b' ' | b'\t')) {
            self.cursor.at += 1;
        }
    }

    /// Takes digits or `{name}` that touch a redirect operator; numbers too large for a descriptor are words.
    fn descriptor(&mut self) -> Option<Descriptor> {
        let start = self.cursor.at;
        let mut text = String::new();
        while let Some(byte) = self.cursor.peek() {
            if !(byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'{' | b'}'))
                || text.len() > 255
            {
                break;
            }
            text.push(char::from(byte));
            self.cursor.at += 1;
            if byte == b'}' {
                break;
            }
        }
        let touches = matches!(self.cursor.peek(), Some(b'<' | b'>'));
        let number = if text.bytes().all(|byte| byte.is_ascii_digit()) {
            text.parse()
                .ok()
                .filter(|number| *number <= i32::MAX as u32)
        } else {
            None
        };
        let name = text
            .strip_prefix('{')
            .and_then(|rest| rest.strip_suffix('}'))
            .filter(|name| is_name(name));
        let descriptor = number
            .map(Descriptor::Number)
            .or_else(|| name.map(|name| Descriptor::Variable(name.to_owned())));
        if !touches || descriptor.is_none() {
            self.cursor.at = start;
            return None;
        }
        descriptor
    }

    /// Notes a here-document whose body is to come.
    fn announce(&mut self, start: usize, strip_tabs: bool) -> Rc<OnceCell<HereBody>> {
        let (delimiter, quoted) = delimiter(&self.cursor.text[start..self.cursor.at]);
        let body = Rc::new(OnceCell::new());
        self.pending.push_back(PendingHere {
            delimiter,
            quoted,
            strip_tabs,
            body: Rc::clone(&body),
        });
        body
    }

    /// Reads the bodies of all announced here-documents; the position is after a newline.
    pub(crate) fn here_bodies(&mut self) {
        while let Some(here) = self.pending.pop_front() {
            let body = self.here_body(&here);
            self.finish_here(here, body);
        }
    }

    /// Stores a body; reading the same text twice may find it stored already.
    pub(crate) fn finish_here(&mut self, here: PendingHere, mut body: HereBody) {
        body.quoted = here.quoted;
        body.delimiter = here.delimiter;
        let _ = here.body.set(body);
    }

    fn here_body(&mut self, here: &PendingHere) -> HereBody {
        let start = self.cursor.at;
        let mut text = String::new();
        let mut end = start;
        while self.cursor.raw().is_some() {
            let line_start = self.cursor.at;
            let line = self.here_line(here);
            if let Some(rest) = line.strip_prefix(here.delimiter.as_str()) {
                if rest.is_empty() || rest == "\n" {
                    break;
                }
                if self.substitutions > 0 && rest.contains(')') {
                    // The rest of the line belongs to the substitution.
                    self.cursor.at -= rest.len();
                    break;
                }
            }
            text.push_str(&line);
            end = self.cursor.at.max(line_start);
        }
        let verbatim = self.cursor.text[start..end] == text;
        HereBody {
            delimiter: String::new(),
            quoted: here.quoted,
            span: self.cursor.span(start, end),
            text,
            verbatim,
        }
    }

    /// Takes a line with its newline; without quotes a line goes on after a backslash.
    fn here_line(&mut self, here: &PendingHere) -> String {
        while here.strip_tabs && self.cursor.raw() == Some(b'\t') {
            self.cursor.at += 1;
        }
        let mut line = String::new();
        while let Some(byte) = self.cursor.raw() {
            if byte == b'\\' && !here.quoted {
                self.cursor.at += 1;
                if self.cursor.raw() == Some(b'\n') {
                    self.cursor.at += 1;
                    continue;
                }
                line.push('\\');
                line.extend(self.cursor.take_char());
                continue;
            }
            line.extend(self.cursor.take_char());
            if byte == b'\n' {
                break;
            }
        }
        line
    }
}

/// Removes the quotes of a delimiter; nothing in it is expanded.
fn delimiter(raw: &str) -> (String, bool) {
    let mut text = String::new();
    let mut quoted = false;
    let mut characters = raw.chars().peekable();
    let mut quote = None;
    while let Some(character) = characters.next() {
        match (character, quote) {
            ('\\', None | Some('"')) => match characters.next() {
                Some('\n') => {}
                Some(next) => {
                    quoted = true;
                    if quote.is_some() && !matches!(next, '$' | '`' | '"' | '\\') {
                        text.push('\\');
                    }
                    text.push(next);
                }
                None => text.push('\\'),
            },
            ('\'' | '"', None) => {
                quoted = true;
                quote = Some(character);
            }
            (_, Some(open)) if open == character => quote = None,
            ('$', None) if matches!(characters.peek(), Some('\'' | '"')) => {}
            (_, _) => text.push(character),
        }
    }
    (text, quoted)
}
