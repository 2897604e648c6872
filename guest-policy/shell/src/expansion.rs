//! What `$` and backticks start, and the matching of parentheses.

use std::rc::Rc;

use crate::cursor::{Origin, Parsed};
use crate::parser::{Parser, is_name_byte};
use crate::pieces::{Double, Pieces, Reading, Single, Stop};
use crate::tree::{Form, HereBody, Inner, List, Parameter, Piece, RawWord};

impl Parser<'_> {
    /// Reads what starts with `$`.
    pub(crate) fn dollar(&mut self, quoted: bool, pieces: &mut Pieces) -> Parsed<()> {
        match self.cursor.peek_second() {
            Some(b'(' | b'{' | b'[') => {
                let piece = self.remembered_expansion(quoted)?;
                pieces.list.push(piece);
                Ok(())
            }
            Some(b'\'') if !quoted => {
                self.skip_dollar();
                let text = self.ansi_quotes()?;
                pieces.push_text(&text, true);
                Ok(())
            }
            Some(b'"') if !quoted => {
                self.skip_dollar();
                self.double_quotes(pieces)
            }
            Some(byte) if is_name_byte(byte) || b"@*#?-$!".contains(&byte) => {
                let piece = self.plain_parameter(quoted);
                pieces.list.push(piece);
                Ok(())
            }
            Some(_) | None => {
                self.cursor.at += 1;
                pieces.push('$', quoted);
                Ok(())
            }
        }
    }

    /// Moves from the dollar to the byte after it, past continuations.
    fn skip_dollar(&mut self) {
        self.cursor.at += 1;
        self.cursor.peek();
    }

    fn plain_parameter(&mut self, quoted: bool) -> Piece {
        let start = self.cursor.at;
        self.skip_dollar();
        let mut name = self.name();
        if name.is_empty() {
            name.extend(self.cursor.take_char());
        }
        let parameter = Parameter {
            name,
            form: Form::Plain,
            rest: RawWord::default(),
            span: self.cursor.span(start, self.cursor.at),
        };
        Piece::Parameter {
            parameter: Rc::new(parameter),
            quoted,
        }
    }

    /// Reads `$(`, `${` or `$[`, once for each place and quoting.
    fn remembered_expansion(&mut self, quoted: bool) -> Parsed<Piece> {
        let key = (self.cursor.at, quoted);
        if let Some((piece, after)) = self.expansions.get(&key)
            && *after <= self.cursor.end
        {
            self.cursor.at = *after;
            return Ok(piece.clone());
        }
        self.cursor.descend()?;
        let piece = match self.cursor.peek_second() {
            Some(b'(') => self.parenthesised(quoted),
            Some(b'{') => self.braced(quoted),
            Some(_) | None => self.old_arithmetic(),
        };
        self.cursor.ascend();
        let piece = piece?;
        self.expansions.insert(key, (piece.clone(), self.cursor.at));
        Ok(piece)
    }

    /// Reads `$(…)` or `$((…))`: it is arithmetic only if the two last parentheses match the two first.
    fn parenthesised(&mut self, quoted: bool) -> Parsed<Piece> {
        self.skip_dollar();
        let outer = self.cursor.at;
        self.cursor.at += 1;
        if self.cursor.peek() != Some(b'(') {
            let script = self.substitution(None)?;
            return Ok(Piece::Command { script, quoted });
        }
        let body = self.cursor.at;
        let close = self.matching_parenthesis(body)?;
        self.cursor.at = close + 1;
        if self.cursor.eat(b')') {
            let after = self.cursor.at;
            let expression = Rc::new(self.expression(body + 1, close)?);
            self.cursor.at = after;
            return Ok(Piece::Arithmetic { expression });
        }
        // The shell finds the end by counting, not by reading commands.
        let end = self.matching_parenthesis(outer)?;
        self.cursor.at = body;
        let script = self.substitution(Some(end))?;
        Ok(Piece::Command { script, quoted })
    }

    /// Reads commands up to the closing parenthesis, which is taken; `end` is its offset where that is known.
    fn substitution(&mut self, end: Option<usize>) -> Parsed<Rc<Inner>> {
        let outer = std::mem::take(&mut self.pending);
        let counting = std::mem::replace(&mut self.substitutions, 1);
        let mut list = List::default();
        let result = match end {
            Some(end) => self.limited(self.cursor.at, end, |parser| {
                parser.list(&mut list)?;
                if parser.cursor.peek().is_some() {
                    Err(parser.cursor.syntax("the end of a command"))
                } else {
                    Ok(())
                }
            }),
            None => self.list(&mut list),
        };
        while let Some(here) = self.pending.pop_front() {
            self.finish_here(here, HereBody::default());
        }
        self.pending = outer;
        self.substitutions = counting;
        result?;
        self.expect(b')')?;
        Ok(Rc::new(Inner::Parsed(list)))
    }

    /// Reads `<(…)` or `>(…)`.
    pub(crate) fn process_substitution(&mut self) -> Parsed<Piece> {
        self.cursor.at += 1;
        self.expect(b'(')?;
        self.cursor.descend()?;
        let script = self.substitution(None);
        self.cursor.ascend();
        Ok(Piece::Process { script: script? })
    }

    /// Reads `$[…]`.
    fn old_arithmetic(&mut self) -> Parsed<Piece> {
        self.skip_dollar();
        let expression = Rc::new(self.bracketed()?);
        Ok(Piece::Arithmetic { expression })
    }

    /// Reads `[…]` and its inside as an expression.
    pub(crate) fn bracketed(&mut self) -> Parsed<RawWord> {
        let open = self.cursor.at;
        let close = self.matching(open, b'[', b']')?;
        let expression = self.expression(open + 1, close)?;
        self.cursor.at = close + 1;
        Ok(expression)
    }

    /// Returns the offset of the parenthesis that closes the one at `open`; the position is lost.
    pub(crate) fn matching_parenthesis(&mut self, open: usize) -> Parsed<usize> {
        match self.pairs.get(&open) {
            Some(close) if *close < self.cursor.end => Ok(*close),
            Some(_) | None => self.matching(open, b'(', b')'),
        }
    }

    /// Finds the byte that closes the one at `open`, as the shell counts them: quotes and expansions are skipped, comments are not.
    fn matching(&mut self, open: usize, opening: u8, closing: u8) -> Parsed<usize> {
        let mut stack = Vec::new();
        self.cursor.at = open;
        let mut skipped = Pieces::default();
        while let Some(byte) = self.cursor.peek() {
            if byte == opening {
                stack.push(self.cursor.at);
                self.cursor.at += 1;
            } else if byte == closing {
                let at = self.cursor.at;
                if let Some(start) = stack.pop() {
                    if opening == b'(' {
                        self.pairs.insert(start, at);
                    }
                    if stack.is_empty() {
                        return Ok(at);
                    }
                }
                self.cursor.at += 1;
            } else {
                self.skip_quoting(byte, &mut skipped)?;
            }
        }
        Err(self.cursor.syntax(&format!("`{}`", char::from(closing))))
    }

    fn skip_quoting(&mut self, byte: u8, skipped: &mut Pieces) -> Parsed<()> {
        skipped.list.clear();
        match byte {
            b'\\' => {
                self.cursor.at += 1;
                self.cursor.take_char();
            }
            b'\'' | b'"' | b'`' | b'$' => self.quoting(byte, skipped)?,
            _ => {
                self.cursor.take_char();
            }
        }
        Ok(())
    }

    /// Reads `${…}`.
    fn braced(&mut self, quoted: bool) -> Parsed<Piece> {
        let start = self.cursor.at;
        self.skip_dollar();
        self.cursor.at += 1;
        let indirect = self.parameter_prefix();
        let name = self.parameter_name();
        let mut rest = Pieces::default();
        let subscript = !name.is_empty() && self.cursor.peek() == Some(b'[');
        if subscript {
            self.cursor.at += 1;
            rest.list = self.pieces(Reading {
                stop: Stop::Subscript,
                quoted,
                single: Single::Through,
                ..Reading::word()
            })?;
            self.cursor.eat(b']');
        }
        let (form, reading) = self.operator(&name, quoted);
        let mut word = self.pieces(reading)?;
        let is_doubtful = reading.single == Single::Literal && has_doubtful_quotes(&word);
        rest.list.append(&mut word);
        let rest_span = self.cursor.span(start, self.cursor.at);
        let has_quotes = self.cursor.text[start..self.cursor.at].contains(['\'', '"', '`', '\\']);
        self.cursor.at += 1;
        let form = match (indirect, form) {
            _ if is_doubtful => Form::Bad,
            (_, Form::Bad) if has_quotes => Form::Bad,
            (None, Form::Bad) => Form::Other,
            (Some(b'!'), _) => Form::Indirect,
            (Some(_), _) => Form::Other,
            (None, Form::Prompt) => Form::Prompt,
            (None, _) if subscript => Form::Other,
            (None, form) => form,
        };
        let span = self.cursor.span(start, self.cursor.at);
        let parameter = Parameter {
            name,
            form,
            rest: RawWord {
                span: rest_span,
                pieces: rest.list,
            },
            span,
        };
        Ok(Piece::Parameter {
            parameter: Rc::new(parameter),
            quoted,
        })
    }

    /// Takes `#` or `!` if it is a prefix and not the parameter itself.
    fn parameter_prefix(&mut self) -> Option<u8> {
        let byte = self.cursor.peek()?;
        let second = self.cursor.peek_second();
        let named = second.is_some_and(|next| is_name_byte(next) || b"@*#?-$!".contains(&next));
        if matches!(byte, b'#' | b'!') && named {
            self.cursor.at += 1;
            return Some(byte);
        }
        None
    }

    /// Reads a name or the sign of a special parameter; empty where there is neither.
    ///
    /// A dollar is no name where it starts something: the shell finds the closing brace before it looks at names.
    fn parameter_name(&mut self) -> String {
        let mut name = self.name();
        if self.cursor.peek() == Some(b'$')
            && self
                .cursor
                .peek_second()
                .is_some_and(|next| b"$({['\"".contains(&next))
        {
            return name;
        }
        match self.cursor.peek() {
            Some(byte) if name.is_empty() && byte.is_ascii_digit() => {
                while let Some(digit) = self.cursor.peek().filter(u8::is_ascii_digit) {
                    name.push(char::from(digit));
                    self.cursor.at += 1;
                }
            }
            Some(byte) if name.is_empty() && b"@*#?-$!".contains(&byte) => {
                name.push(char::from(byte));
                self.cursor.at += 1;
            }
            Some(_) | None => {}
        }
        name
    }

    /// Takes the operator and returns how the text after it is read.
    fn operator(&mut self, name: &str, quoted: bool) -> (Form, Reading) {
        let word = Reading {
            stop: Stop::Byte(b'}'),
            quoted,
            ..Reading::word()
        };
        // In double quotes single quotes are literal after `-`, `=`, `?`, `+` and quote after pattern operators.
        let value = Reading {
            single: if quoted {
                Single::Literal
            } else {
                Single::Quotes
            },
            ..word
        };
        let colon = self.cursor.peek() == Some(b':');
        let operator = if colon {
            self.cursor.peek_second()
        } else {
            self.cursor.peek()
        };
        let form = match operator {
            Some(b'-') => Form::Default { colon },
            Some(b'=') => Form::Assign { colon },
            Some(b'+') => Form::Alternative { colon },
            Some(b'?') => Form::Require { colon },
            Some(b'}') if !colon && !name.is_empty() => return (Form::Plain, value),
            Some(b'@') if !colon && self.cursor.peek_second() == Some(b'P') => {
                return (Form::Prompt, word);
            }
            Some(_) | None if colon => {
                return (
                    Form::Other,
                    Reading {
                        single: Single::Through,
                        double: Double::Quotes,
                        ..word
                    },
                );
            }
            Some(b'#' | b'%' | b'/' | b'^' | b',' | b'~' | b'@') => return (Form::Other, word),
            Some(_) | None => return (Form::Bad, value),
        };
        if colon {
            self.cursor.eat(b':');
        }
        self.cursor.peek();
        self.cursor.at += 1;
        (form, value)
    }

    /// Reads backticks; their inside is unescaped and read when it is expanded.
    pub(crate) fn backticks(&mut self, quoted: bool) -> Parsed<Piece> {
        let start = self.cursor.at;
        self.cursor.at += 1;
        let mut text = String::new();
        let mut verbatim = true;
        loop {
            match self.cursor.raw() {
                None => return Err(self.cursor.syntax("`` ` ``")),
                Some(b'`') => break,
                Some(b'\\') => {
                    self.cursor.at += 1;
                    match self.cursor.raw() {
                        Some(b'`' | b'\\' | b'$') => verbatim = false,
                        Some(b'"') if quoted => verbatim = false,
                        Some(_) | None => text.push('\\'),
                    }
                    text.extend(self.cursor.take_char());
                }
                Some(_) => text.extend(self.cursor.take_char()),
            }
        }
        self.cursor.at += 1;
        let span = self.cursor.span(start, self.cursor.at);
        let origin = if verbatim {
            self.cursor.origin.at(start + 1, span)
        } else {
            Origin::Fixed(span)
        };
        Ok(Piece::Command {
            script: Rc::new(Inner::Deferred { text, origin }),
            quoted,
        })
    }

    fn quoting(&mut self, byte: u8, skipped: &mut Pieces) -> Parsed<()> {
        match byte {
            b'\'' => {
                self.cursor.at += 1;
                while self.cursor.raw().is_some_and(|inner| inner != b'\'') {
                    self.cursor.at += 1;
                }
                self.expect_raw(b'\'')
            }
            b'"' => self.double_quotes(skipped),
            b'`' => self.backticks(true).map(drop),
            _ => self.dollar(false, skipped),
        }
    }

    fn expect_raw(&mut self, byte: u8) -> Parsed<()> {
        if self.cursor.raw() != Some(byte) {
            return Err(self.cursor.syntax(&format!("`{}`", char::from(byte))));
        }
        self.cursor.at += 1;
        Ok(())
    }

    /// Reads `$'…'` from the quote on.
    fn ansi_quotes(&mut self) -> Parsed<String> {
        self.cursor.at += 1;
        let start = self.cursor.at;
        loop {
            match self.cursor.raw() {
                None => return Err(self.cursor.syntax("`'`")),
                Some(b'\'') => break,
                Some(b'\\') => {
                    self.cursor.at += 1;
                    self.cursor.take_char();
                }
                Some(_) => {
                    self.cursor.take_char();
                }
            }
        }
        let text = crate::ansi::decode(&self.cursor.text[start..self.cursor.at]);
        self.cursor.at += 1;
        Ok(text)
    }
}

/// Whether single quotes in a word within double quotes may hide its end. Bash takes them for quotes while it looks for the end, and for
/// letters when it makes the word; both agree where only plain text stands between each two of them.
fn has_doubtful_quotes(word: &[Piece]) -> bool {
    let mut is_open = false;
    for piece in word {
        let Piece::Text { text, .. } = piece else {
            if is_open {
                return true;
            }
            continue;
        };
        for letter in text.chars() {
            if letter == '\'' {
                is_open = !is_open;
            } else if is_open && matches!(letter, '$' | '`' | '"' | '\\' | '{' | '}') {
                return true;
            }
        }
    }
    is_open
}
