//! Sees through programs that run another one.

use execgate_knowledge::carriers::{self, Carrier, Inner};

use crate::cursor::MAX_DEPTH;
use crate::opaque::OpaqueReason;
use crate::reader::{Place, Reader};
use crate::segment::Relation;
use crate::source::Span;
use crate::word::{Part, Word};

/// What the options of a carrier left over.
pub(crate) struct Operands {
    /// Index of the first word that is not an option or an option's argument.
    pub(crate) first: usize,
    /// Indices of the words that are the text of a script, or text attached to an option.
    pub(crate) scripts: Vec<Script>,
    /// Whether the option was met that makes the rest an argv instead of a text.
    pub(crate) direct: bool,
    /// Whether an option was met with which nothing is run.
    pub(crate) inert: bool,
}

/// The text an option carries.
pub(crate) enum Script {
    /// A word of its own.
    Word(usize),
    /// The end of a word, from this byte of its value.
    Attached(usize, usize),
}

/// An option as it was written.
enum Found {
    Flag,
    Argument,
    Script(Option<usize>),
    Direct,
    Inert,
    Unknown,
}

/// Returns the name a program is known by: the last part of its path.
pub(crate) fn program(word: &Word) -> Option<&str> {
    word.value
        .as_deref()
        .map(|path| path.rsplit('/').next().unwrap_or(path))
}

impl Reader<'_> {
    /// Adds what the command at `index` runs in turn.
    pub(crate) fn unwrap(&mut self, index: u32) {
        let words = self.line.segments[index as usize].words.clone();
        let Some(name) = words.first().and_then(program) else {
            return;
        };
        if words.first().and_then(|word| word.value.as_deref()) == Some("-") && words.len() > 1 {
            return self.inner(index, &words, 1);
        }
        if self.shell_scripts(index, name, &words) {
            return;
        }
        let Some(carrier) = carriers::find(name) else {
            return;
        };
        if carrier.inner == Inner::Between {
            return self.between(index, carrier, &words);
        }
        let Some(operands) = self.options(carrier, &words) else {
            return;
        };
        if operands.inert {
            return;
        }
        if carrier.inner == Inner::Assignments && !operands.scripts.is_empty() {
            return self.split_string(index, &words, &operands);
        }
        for script in &operands.scripts {
            self.script_argument(index, &words, script);
        }
        let segments = self.count();
        self.carried(index, carrier, &words, &operands);
        let nothing = self.count() == segments && operands.scripts.is_empty();
        if nothing && carrier.default_shell {
            self.script_from_input(index);
        }
    }

    fn carried(&mut self, index: u32, carrier: &Carrier, words: &[Word], operands: &Operands) {
        match carrier.inner {
            Inner::Argv => self.after_operands(index, words, operands.first + carrier.operands),
            Inner::ScriptOption if operands.scripts.is_empty() => {
                self.flocked(index, carrier, words, operands)
            }
            Inner::UserCommand if operands.direct => self.inner(index, words, operands.first),
            Inner::ScriptOption | Inner::UserShell | Inner::UserCommand => {}
            Inner::Assignments => self.after_assignments(index, words, operands.first),
            Inner::Text if operands.direct => self.inner(index, words, operands.first),
            Inner::Text => self.joined_script(index, &words[operands.first.min(words.len())..]),
            Inner::Texts => (operands.first..words.len())
                .for_each(|word| self.script_argument(index, words, &Script::Word(word))),
            Inner::Between => self.between(index, carrier, words),
            Inner::Appended => self.appended(index, words, operands.first),
            Inner::Input => self.script_from_input(index),
            Inner::Parallel => self.parallel(index, words, operands.first),
        }
    }

    /// Runs what follows the operands: a command, or the script option and its text.
    fn flocked(&mut self, index: u32, carrier: &Carrier, words: &[Word], operands: &Operands) {
        let first = operands.first + carrier.operands;
        let option = words.get(first).and_then(|word| word.value.as_deref());
        let script = option.is_some_and(|option| matches!(option, "-c" | "--command"));
        if script {
            self.script_argument(index, words, &Script::Word(first + 1))
        } else {
            self.after_operands(index, words, first)
        }
    }

    /// Runs the argv that `env -S` makes of its text and the words after it.
    fn split_string(&mut self, index: u32, words: &[Word], operands: &Operands) {
        let mut joined = Vec::new();
        for script in &operands.scripts {
            let (at, offset) = match script {
                Script::Word(at) => (*at, 0),
                Script::Attached(at, offset) => (*at, *offset),
            };
            if let Some(word) = words.get(at) {
                let value = word
                    .value
                    .as_deref()
                    .and_then(|text| text.get(offset..))
                    .map(|text| format!("env {text}"));
                joined.push(Word {
                    value,
                    ..word.clone()
                });
            }
        }
        joined.extend(words.iter().skip(operands.first).cloned());
        self.joined_script(index, &joined);
    }

    fn after_operands(&mut self, index: u32, words: &[Word], first: usize) {
        // An operand that may be several words may bring the command with it.
        let hidden = words
            .iter()
            .take(first)
            .position(|word| word.value.is_none() && !is_one_word(word));
        self.inner(index, words, hidden.unwrap_or(first));
    }

    fn after_assignments(&mut self, index: u32, words: &[Word], first: usize) {
        let rest = words.iter().skip(first).take_while(|word| match &word.value {
            Some(text) => text.contains('=') && !text.starts_with('='),
            None => matches!(word.parts.first(), Some(Part::Literal(text)) if text.contains('=') && is_one_word(word)),
        });
        self.inner(index, words, first + rest.count());
    }

    /// Adds the words from `first` on as a command of their own.
    pub(crate) fn inner(&mut self, index: u32, words: &[Word], first: usize) {
        let Some(rest) = words.get(first..).filter(|rest| !rest.is_empty()) else {
            return;
        };
        if self.place.depth >= MAX_DEPTH {
            return self.opaque(
                OpaqueReason::TooDeep,
                format!("more than {MAX_DEPTH} levels of nesting"),
                hull(rest),
            );
        }
        if !self.spend_words(rest.len(), hull(rest)) {
            return;
        }
        let rest = rest.to_vec();
        let change = |place: &mut Place| {
            place.parent = Some(index);
            place.relation = Relation::Wrapped;
            place.depth += 1;
        };
        let saved = self.place.clone();
        change(&mut self.place);
        let fed_by = self.line.segments[index as usize].fed_by;
        if let Some(inner) = self.push(hull(&rest), rest) {
            self.line.segments[inner as usize].fed_by = fed_by;
            self.unwrap(inner);
        }
        self.place = saved;
    }

    /// Reads the options of a carrier; `None` where one is not in its table.
    pub(crate) fn options(&mut self, carrier: &Carrier, words: &[Word]) -> Option<Operands> {
        let mut operands = Operands {
            first: 1,
            scripts: Vec::new(),
            direct: false,
            inert: false,
        };
        while let Some(word) = words.get(operands.first) {
            let Some(text) = word.value.as_deref() else {
                break;
            };
            if text == "--" {
                operands.first += 1;
                break;
            }
            if carrier.login_dash && text == "-" {
                operands.first += 1;
                continue;
            }
            let signed = text.starts_with('+') && carrier.plus_options;
            if !(signed || text.starts_with('-') && text.len() > 1) {
                if carrier.permutes && operands.first + 1 < words.len() {
                    operands.first += 1;
                    continue;
                }
                break;
            }
            let index = operands.first;
            operands.first += 1;
            self.apply(carrier, index, words, &mut operands)?;
        }
        Some(operands)
    }

    fn apply(
        &mut self,
        carrier: &Carrier,
        index: usize,
        words: &[Word],
        operands: &mut Operands,
    ) -> Option<()> {
        let text = words[index].value.as_deref().unwrap_or_default();
        match classify(carrier, text) {
            Found::Flag => {}
            Found::Argument => operands.first += 1,
            Found::Script(Some(offset)) => operands.scripts.push(Script::Attached(index, offset)),
            Found::Script(None) => {
                operands.scripts.push(Script::Word(operands.first));
                operands.first += 1;
            }
            Found::Direct => operands.direct = true,
            Found::Inert => operands.inert = true,
            Found::Unknown => {
                let detail = format!(
                    "option `{text}` of `{}` is not known, so what it runs is not either",
                    carrier.names[0]
                );
                self.opaque(OpaqueReason::UnknownCarrier, detail, words[index].span);
                return None;
            }
        }
        Some(())
    }

    /// Adds what `xargs` runs: words from its input stand for the placeholder, or at the end.
    fn appended(&mut self, index: u32, words: &[Word], first: usize) {
        if words.len() <= first {
            return;
        }
        let options = words.get(1..first).unwrap_or_default();
        let mut inner = words.to_vec();
        match placeholder(options) {
            Some(mark) => inner[first..].iter_mut().for_each(|word| fill(word, &mark)),
            None => {
                let parts = vec![Part::Variable {
                    name: PLACEHOLDER.to_owned(),
                    quoted: false,
                }];
                inner.push(Word {
                    span: words[words.len() - 1].span,
                    value: None,
                    parts,
                    quoted: false,
                });
            }
        }
        self.inner(index, &inner, first);
    }

    /// Adds each command between an option such as `-exec` and its end.
    fn between(&mut self, index: u32, carrier: &Carrier, words: &[Word]) {
        let mut at = 1;
        while at < words.len() {
            let starts = words[at]
                .value
                .as_deref()
                .is_some_and(|text| carrier.long_with_argument.contains(&text));
            at += 1;
            if !starts {
                continue;
            }
            let end = words[at..]
                .iter()
                .position(|word| matches!(word.value.as_deref(), Some(";")))
                .map_or(words.len(), |offset| at + offset);
            // `{} +` ends it too; a lone `+` is an ordinary argument.
            let plus = words[at..end].windows(2).position(|pair| {
                pair[0].value.as_deref() == Some("{}") && pair[1].value.as_deref() == Some("+")
            });
            let end = plus.map_or(end, |offset| at + offset + 1);
            let mut inner = words[at..end].to_vec();
            inner.iter_mut().for_each(|word| fill(word, PLACEHOLDER));
            self.inner(index, &inner, 0);
            at = end;
        }
    }
}

/// What programs that run a command for each item write for the item, and the name of its unknown value.
const PLACEHOLDER: &str = "{}";

/// The placeholder that options of `xargs` set.
fn placeholder(options: &[Word]) -> Option<String> {
    let mut values = options.iter().filter_map(|word| word.value.as_deref());
    while let Some(option) = values.next() {
        let attached = option
            .strip_prefix("-I")
            .or_else(|| option.strip_prefix("-i"));
        let attached = attached.or_else(|| {
            option
                .strip_prefix("--replace")
                .map(|rest| rest.trim_start_matches('='))
        });
        match attached {
            Some("") if option == "-I" => return values.next().map(str::to_owned),
            Some("") => return Some(PLACEHOLDER.to_owned()),
            Some(mark) => return Some(mark.to_owned()),
            None => {}
        }
    }
    None
}

/// Makes a word unknown where it holds the placeholder.
fn fill(word: &mut Word, mark: &str) {
    let Some(value) = word
        .value
        .as_ref()
        .filter(|value| !mark.is_empty() && value.contains(mark))
    else {
        return;
    };
    let mut parts = Vec::new();
    for (index, literal) in value.split(mark).enumerate() {
        if index > 0 {
            parts.push(Part::Variable {
                name: PLACEHOLDER.to_owned(),
                quoted: true,
            });
        }
        if !literal.is_empty() {
            parts.push(Part::Literal(literal.to_owned()));
        }
    }
    word.parts = parts;
    word.value = None;
}

/// Whether an unknown word is certainly one field.
pub(crate) fn is_one_word(word: &Word) -> bool {
    word.parts.iter().all(|part| match part {
        Part::Literal(_) | Part::Arithmetic | Part::ProcessSubstitution | Part::Tilde(_) => true,
        Part::Variable { name, quoted } => *quoted && name != "@",
        Part::Substitution { quoted } => *quoted,
        Part::Glob(_) => false,
    })
}

/// The span from the first word to the last.
pub(crate) fn hull(words: &[Word]) -> Span {
    let first = words.first().map(|word| word.span).unwrap_or_default();
    words.iter().fold(first, |span, word| span.to(word.span))
}

fn classify(carrier: &Carrier, text: &str) -> Found {
    if let Some(long) = text.strip_prefix("--") {
        return classify_long(carrier, long);
    }
    if text.starts_with('+') {
        return Found::Flag;
    }
    // Some programs spell long options with one dash.
    if carrier.long_flags.contains(&text) {
        return Found::Flag;
    }
    for (offset, letter) in text.char_indices().skip(1) {
        let rest = offset + letter.len_utf8();
        let attached = (rest < text.len()).then_some(rest);
        if carrier.script_short == Some(letter) {
            return Found::Script(attached);
        }
        if carrier.direct_short.contains(letter) {
            return if carrier.short_with_argument.contains(letter) && attached.is_none() {
                Found::Argument
            } else {
                Found::Direct
            };
        }
        if carrier.inert_short.contains(letter) {
            return Found::Inert;
        }
        if carrier.short_with_argument.contains(letter) {
            return if attached.is_some() {
                Found::Flag
            } else {
                Found::Argument
            };
        }
        if carrier.short_with_attached.contains(letter) || letter.is_ascii_digit() && carrier.digits
        {
            return Found::Flag;
        }
        if !carrier.short_flags.contains(letter) {
            return Found::Unknown;
        }
    }
    Found::Flag
}

fn classify_long(carrier: &Carrier, long: &str) -> Found {
    let (name, value) = long
        .split_once('=')
        .map_or((long, None), |(name, value)| (name, Some(value)));
    let script = carrier.script_long.iter().copied();
    let direct = carrier.direct_long.iter().copied();
    let all = script
        .chain(direct)
        .chain(carrier.long_with_argument.iter().copied())
        .chain(carrier.long_flags.iter().copied());
    let Some(full) = complete(all, name) else {
        return if matches!(name, "help" | "version") {
            Found::Inert
        } else {
            Found::Unknown
        };
    };
    if carrier.script_long.contains(&full) {
        return Found::Script(value.map(|value| 2 + long.len() - value.len()));
    }
    if carrier.direct_long.contains(&full) {
        return Found::Direct;
    }
    if carrier.long_with_argument.contains(&full) && value.is_none() {
        Found::Argument
    } else {
        Found::Flag
    }
}

/// Finds an option by its name or by a beginning that only it has.
fn complete<'n>(names: impl Iterator<Item = &'n str>, written: &str) -> Option<&'n str> {
    let mut found: Vec<&str> = names.filter(|name| name.starts_with(written)).collect();
    found.dedup();
    match found.iter().find(|name| **name == written) {
        Some(exact) => Some(exact),
        None if found.len() == 1 && written.len() > 1 => found.pop(),
        None => None,
    }
}
