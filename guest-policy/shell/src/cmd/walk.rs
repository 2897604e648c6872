//! From the tree to segments.

use std::rc::Rc;

use super::tree::{Body, List, Node, Piece, RawRedirect, RawWord, Values};
use crate::cursor::{MAX_DEPTH, Origin};
use crate::opaque::OpaqueReason;
use crate::reader::{Input, Place, Reader};
use crate::redirect::{Redirect, RedirectOperator};
use crate::segment::{Join, Stage};
use crate::source::{Dialect, Span};
use crate::unwrap::hull;
use crate::windows;
use crate::word::{Assignment, Part, Word};

/// Walks one text.
pub(super) struct Walk<'r, 's, 't> {
    reader: &'r mut Reader<'s>,
    text: &'t str,
    origin: Origin,
    /// Whether the text sets variables, so that none has the value it came with.
    sets: bool,
    /// Whether a variable of the environment was met.
    pub(super) variables: bool,
}

impl<'r, 's, 't> Walk<'r, 's, 't> {
    pub(super) fn new(reader: &'r mut Reader<'s>, text: &'t str, origin: Origin) -> Self {
        let sets = reader.place.scripts > 0 || text.to_ascii_lowercase().contains("set");
        Self {
            reader,
            text,
            origin,
            sets,
            variables: false,
        }
    }

    pub(super) fn list(&mut self, list: &List) {
        for (join, nodes) in list {
            let join = *join;
            let change = |place: &mut Place| {
                place.context.conditional |= matches!(join, Join::And | Join::Or);
                if join != Join::First {
                    place.joined = join;
                }
            };
            self.at(change, |walk| match nodes.as_slice() {
                [node] => {
                    walk.node(node);
                }
                nodes => walk.pipeline(nodes),
            });
            self.reader.place.joined = Join::Sequence;
        }
    }

    fn at(&mut self, change: impl FnOnce(&mut Place), walk: impl FnOnce(&mut Self)) {
        let saved = self.reader.place.clone();
        change(&mut self.reader.place);
        walk(self);
        self.reader.place = saved;
    }

    /// Both sides of `|` run in a command processor of their own.
    fn pipeline(&mut self, nodes: &[Node]) {
        let pipeline = self.reader.next_pipeline();
        let mut before: Option<((u32, u32), Input)> = None;
        for (index, node) in (0_u32..).zip(nodes) {
            let first = self.reader.count();
            let input = before.take();
            let change = |place: &mut Place| {
                place.context.subshell = true;
                place.pipeline = Some(Stage { pipeline, index });
                if let Some((range, input)) = input {
                    place.fed_by = Some(range);
                    place.input = input;
                    place.joined = Join::Pipe;
                }
            };
            let mut printed = Input::Unknown;
            self.at(change, |walk| printed = walk.node(node));
            before = Some(((first, self.reader.count()), printed));
        }
    }

    /// Walks one command; returns what it prints.
    fn node(&mut self, node: &Node) -> Input {
        match &node.body {
            Body::Simple { words, built_in } => return self.simple(node, words, *built_in),
            Body::Group(list) => {
                let index = (!node.redirects.is_empty())
                    .then(|| self.holder(node.span, &node.redirects))
                    .flatten();
                let input = index.map(|index| self.input_of(index));
                self.deeper(node.span, |walk| {
                    if let Some(input) = input {
                        walk.reader.place.input = input;
                    }
                    walk.list(list);
                });
            }
            Body::If {
                words,
                exists,
                branches,
            } => self.branches(node, words, exists.as_ref(), branches),
            Body::For {
                variable,
                values,
                body,
            } => self.repetition(node, variable, values, body),
        }
        Input::Unknown
    }

    /// A segment without words, for what a compound command holds itself.
    fn holder(&mut self, span: Span, redirects: &[RawRedirect]) -> Option<u32> {
        let index = self.reader.push(span, Vec::new())?;
        let redirects = redirects
            .iter()
            .map(|redirect| self.redirect(redirect))
            .collect();
        self.reader.line.segments[index as usize].redirects = redirects;
        Some(index)
    }

    fn input_of(&mut self, index: u32) -> Input {
        self.reader.input_of(index)
    }

    /// Walks one level deeper.
    fn deeper(&mut self, span: Span, walk: impl FnOnce(&mut Self)) {
        if self.reader.place.depth >= MAX_DEPTH {
            let detail = format!("more than {MAX_DEPTH} levels of nesting");
            return self.reader.opaque(OpaqueReason::TooDeep, detail, span);
        }
        self.at(|place| place.depth += 1, walk);
    }

    fn branches(
        &mut self,
        node: &Node,
        words: &[RawWord],
        exists: Option<&RawWord>,
        branches: &[List],
    ) {
        if let Some(index) = self.holder(node.span, &node.redirects) {
            for word in words.iter().chain(exists) {
                let name = if exists.is_some_and(|file| std::ptr::eq(file, word)) {
                    "exist"
                } else {
                    ""
                };
                self.assigned(index, name, word);
            }
        }
        for list in branches {
            self.deeper(node.span, |walk| {
                walk.reader.place.context.conditional = true;
                walk.list(list);
            });
        }
    }

    /// Notes a value at a holder.
    fn assigned(&mut self, index: u32, name: &str, raw: &RawWord) {
        let value = self.word(raw);
        self.reader.line.segments[index as usize]
            .assignments
            .push(Assignment {
                span: raw.span,
                name: name.to_owned(),
                value,
                append: false,
                subscript: false,
            });
    }

    fn repetition(&mut self, node: &Node, variable: &str, values: &Values, body: &List) {
        if let Some(index) = self.holder(node.span, &node.redirects) {
            self.values(index, node.span, variable, values);
        }
        self.deeper(node.span, |walk| {
            walk.reader.place.context.in_loop = true;
            walk.reader.place.context.conditional = true;
            walk.list(body);
        });
    }

    fn values(&mut self, index: u32, span: Span, variable: &str, values: &Values) {
        match values {
            Values::Words(words) => {
                words
                    .iter()
                    .for_each(|word| self.assigned(index, variable, word));
            }
            Values::Plain => {}
            Values::Files(files) => {
                for file in files {
                    let target = self.word(file);
                    self.reader.line.segments[index as usize]
                        .redirects
                        .push(Redirect {
                            span: file.span,
                            descriptor: None,
                            operator: RedirectOperator::Read,
                            target,
                            here: None,
                        });
                }
            }
            Values::Printed { text, origin } => {
                let saved = self.reader.place.clone();
                self.reader.place.context.subshell = true;
                self.reader.place.input = Input::Closed;
                self.reader
                    .as_child(Dialect::Cmd, |reader| reader.script(index, text, *origin));
                self.reader.place = saved;
                self.unknown_value(index, span, variable);
            }
            Values::Tree(root) => match root {
                Some(root) => self.assigned(index, variable, root),
                None => self.unknown_value(index, span, variable),
            },
        }
    }

    fn unknown_value(&mut self, index: u32, span: Span, variable: &str) {
        self.reader.line.segments[index as usize]
            .assignments
            .push(Assignment {
                span,
                name: variable.to_owned(),
                value: crate::reader::unknown(span),
                append: false,
                subscript: false,
            });
    }

    fn simple(&mut self, node: &Node, raw: &[RawWord], built_in: Option<&'static str>) -> Input {
        if !self.reader.spend_words(raw.len(), node.span) {
            return Input::Unknown;
        }
        let Some(index) = self.holder(node.span, &node.redirects) else {
            return Input::Unknown;
        };
        let words: Vec<Word> = raw.iter().map(|word| self.word(word)).collect();
        let drive = is_drive(&words);
        let segment = &mut self.reader.line.segments[index as usize];
        segment.canonical = if drive { Some("cd") } else { built_in };
        segment.words.clone_from(&words);
        let input = self.input_of(index);
        if input != self.reader.place.input {
            self.reader.line.segments[index as usize].fed_by = None;
        }
        let outer = std::mem::replace(&mut self.reader.place.input, input);
        match built_in {
            Some("call") => self.called(index, &words),
            Some("start") => self.started(index, &words),
            Some("set") => self.variable(index, &words),
            Some(_) => {}
            None if self.runs_text(index, node, raw, &words) => {}
            None => self.reader.windows_program(index, &words),
        }
        self.reader.place.input = outer;
        match built_in {
            Some("echo") => echoed(&words, node, self.reader),
            Some(_) | None => Input::Unknown,
        }
    }

    /// `cmd /c text`: the text is the rest of the line as it is written, but for carets. Says whether it was one.
    fn runs_text(&mut self, index: u32, node: &Node, raw: &[RawWord], words: &[Word]) -> bool {
        let name = words.first().and_then(|word| word.value.as_deref());
        if name.is_none_or(|name| windows::program_name(name) != "cmd") {
            return false;
        }
        let Some(at) = windows::runs_text(words) else {
            return false;
        };
        let rest = &self.text[raw[at].at..node.end];
        let switch = rest.as_bytes().windows(2).position(|pair| {
            pair[0] == b'/' && matches!(pair[1].to_ascii_lowercase(), b'c' | b'k' | b'r')
        });
        let Some(switch) = switch else { return false };
        let start = raw[at].at + switch + 2;
        let written = &self.text[start..node.end];
        let plain = without_carets(written);
        let (text, skipped) = windows::without_quotes(&plain);
        let whole = self.origin.map(start, node.end);
        let origin = if plain == written && skipped == 0 {
            self.origin.at(start, whole)
        } else {
            Origin::Fixed(whole)
        };
        self.reader
            .as_child(Dialect::Cmd, |reader| reader.script(index, &text, origin));
        true
    }

    /// `call command`: percent signs are expanded once more.
    fn called(&mut self, index: u32, words: &[Word]) {
        let rest = words[1..].to_vec();
        let label = |word: &Word| {
            word.value
                .as_deref()
                .is_some_and(|text| text.starts_with(':'))
        };
        let Some(first) = rest.first().filter(|first| !label(first)) else {
            return;
        };
        let first = first.clone();
        let again = rest.iter().any(|word| {
            word.value
                .as_deref()
                .is_none_or(|text| text.contains(['%', '&', '|', '<', '>', '^']))
        });
        if again {
            let detail = "`call` reads its text a second time; write the command out";
            self.reader
                .opaque(OpaqueReason::DynamicScript, detail, hull(&rest));
        }
        if first.value.is_some() {
            self.reader.windows_inner(index, rest, Dialect::Cmd);
        }
    }

    /// `start "title" /options program arguments`
    fn started(&mut self, index: u32, words: &[Word]) {
        let mut at = 1;
        if words
            .get(at)
            .is_some_and(|word| word.quoted && words.len() > 2)
        {
            at += 1;
        }
        while let Some(option) = words
            .get(at)
            .and_then(|word| word.value.as_deref())
            .filter(|text| text.starts_with('/'))
        {
            let valued = matches!(
                option.to_ascii_lowercase().as_str(),
                "/d" | "/node" | "/affinity" | "/machine"
            );
            at += if valued { 2 } else { 1 };
        }
        let rest = words.get(at..).unwrap_or_default().to_vec();
        let saved = self.reader.place.context.clone();
        self.reader.place.context.background = true;
        self.reader.windows_inner(index, rest, Dialect::Cmd);
        self.reader.place.context = saved;
    }

    /// `set name=value`: an assignment.
    fn variable(&mut self, index: u32, words: &[Word]) {
        let Some(first) = words.get(1) else { return };
        let assigns = words[1..]
            .iter()
            .any(|word| word.value.as_deref().is_none_or(|text| text.contains('=')));
        self.reader.tainted |= assigns && words[1..].iter().any(crate::cmd::holds_operators);
        self.reader.tainted |= first
            .value
            .as_deref()
            .is_some_and(|text| text.eq_ignore_ascii_case("/p"));
        let Some((name, _)) = first.value.as_deref().and_then(|text| text.split_once('=')) else {
            return;
        };
        let span = hull(&words[1..]);
        let texts: Option<Vec<&str>> = words[1..]
            .iter()
            .map(|word| word.value.as_deref())
            .collect();
        let text = texts.map(|texts| texts.join(" "));
        let value = match text.as_deref().and_then(|text| text.split_once('=')) {
            Some((_, value)) => Word {
                span,
                value: Some(value.to_owned()),
                ..Word::default()
            },
            None => crate::reader::unknown(span),
        };
        self.reader.line.segments[index as usize]
            .assignments
            .push(Assignment {
                span,
                name: name.to_owned(),
                value,
                append: false,
                subscript: false,
            });
    }

    fn redirect(&mut self, raw: &RawRedirect) -> Redirect {
        Redirect {
            span: raw.span,
            descriptor: raw.descriptor.clone(),
            operator: raw.operator,
            target: self.word(&raw.target),
            here: None,
        }
    }

    fn word(&mut self, raw: &RawWord) -> Word {
        let mut parts: Vec<Part> = Vec::new();
        for piece in &raw.pieces {
            let text = match piece {
                Piece::Text(text) => Some(text.clone()),
                Piece::Variable(name) => self.value(name),
            };
            match (text, parts.last_mut(), piece) {
                (Some(text), Some(Part::Literal(last)), _) => last.push_str(&text),
                (Some(text), _, _) => parts.push(Part::Literal(text)),
                (None, _, Piece::Variable(name)) => parts.push(Part::Variable {
                    name: name.clone(),
                    quoted: raw.quoted,
                }),
                (None, _, Piece::Text(_)) => {}
            }
        }
        let value = match parts.as_slice() {
            [] => Some(String::new()),
            [Part::Literal(text)] => Some(text.clone()),
            _ => None,
        };
        if value.is_some() {
            parts.clear();
        }
        Word {
            span: raw.span,
            value,
            parts,
            quoted: raw.quoted,
        }
    }

    /// The value of a variable where that is known for certain.
    fn value(&mut self, name: &str) -> Option<String> {
        self.variables |= !name.starts_with('%');
        if self.sets || name.is_empty() {
            return None;
        }
        let source = self.reader.source;
        let known = if name == "USERPROFILE" {
            source.home
        } else {
            let mut variables = source.variables.iter();
            variables
                .find(|(known, _)| known.eq_ignore_ascii_case(name))
                .map(|(_, value)| value.as_str())
        };
        let known = known?.to_owned();
        self.reader.spend_value(known.len()).then_some(known)
    }
}

/// `D:` alone goes to another drive.
fn is_drive(words: &[Word]) -> bool {
    matches!(words, [Word { value: Some(text), .. }] if text.len() == 2 && text.ends_with(':') && text.starts_with(|first: char| first.is_ascii_alphabetic()))
}

/// A text after the carets outside of quotes were taken away.
fn without_carets(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut quoted = false;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        quoted ^= character == '"';
        match character {
            '^' if !quoted => plain.extend(characters.next()),
            other => plain.push(other),
        }
    }
    plain
}

/// What `echo` prints, if that is certain.
fn echoed(words: &[Word], node: &Node, reader: &Reader<'_>) -> Input {
    let texts: Option<Vec<&str>> = words[1..]
        .iter()
        .map(|word| word.value.as_deref())
        .collect();
    match texts {
        Some(texts) if node.redirects.is_empty() && !words.iter().any(|word| word.quoted) => {
            let text = texts.join(" ");
            Input::Text {
                origin: reader.origin_of(hull(&words[1..]), &text),
                text: Rc::from(text),
            }
        }
        Some(_) | None => Input::Unknown,
    }
}
