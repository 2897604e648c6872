//! Known values: tilde, parameters, field splitting and globs.

use crate::braces::{self, Excess};
use crate::parser::is_name;
use crate::tree::{Form, Parameter, Piece, RawWord};
use crate::variables::Variables;
use crate::word::{Part, Word};

/// Longest known value in bytes; beyond that a value counts as unknown.
pub(crate) const MAX_VALUE_BYTES: usize = 128 * 1024;

/// What an expansion may look at, and how much it may still produce.
pub(crate) struct Expander<'v> {
    pub(crate) variables: &'v Variables,
    /// Bytes of values that may still be made in this analysis.
    pub(crate) budget: &'v mut usize,
}

/// A run of characters of a field.
enum Run {
    Known { text: String, quoted: bool },
    Unknown(Part),
}

/// A field under construction.
#[derive(Default)]
struct Field {
    runs: Vec<Run>,
    quoted: bool,
    started: bool,
}

impl Expander<'_> {
    /// Expands a word of a command to its fields.
    pub(crate) fn fields(&mut self, word: &RawWord) -> Result<Vec<Word>, Excess> {
        let mut words = Vec::new();
        for pieces in braces::expand(&word.pieces)? {
            self.split(&pieces, word, &mut words);
        }
        Ok(words)
    }

    /// Expands a word that is not split: an assignment's value or a redirect's target.
    pub(crate) fn single(&mut self, word: &RawWord, assigned: bool) -> Word {
        let mut field = Field {
            started: true,
            ..Field::default()
        };
        for (index, piece) in word.pieces.iter().enumerate() {
            let tilde = if index == 0 {
                self.tilde(piece, word.pieces.len() == 1, assigned)
            } else {
                None
            };
            let runs = tilde.unwrap_or_else(|| self.runs(piece));
            field.quoted |= is_quoted(piece);
            field.runs.extend(runs.into_iter().map(|run| match run {
                Run::Known { text, .. } => Run::Known { text, quoted: true },
                Run::Unknown(part) => Run::Unknown(part),
            }));
        }
        self.finish(field, word)
    }

    fn split(&mut self, pieces: &[Piece], word: &RawWord, words: &mut Vec<Word>) {
        let mut field = Field::default();
        for (index, piece) in pieces.iter().enumerate() {
            field.quoted |= is_quoted(piece);
            field.started |= is_quoted(piece);
            let tilde = if index == 0 {
                self.tilde(piece, pieces.len() == 1, false)
                    .or_else(|| self.assigned_tilde(piece, pieces.len() == 1))
            } else {
                None
            };
            let splits = matches!(piece, Piece::Parameter { quoted: false, .. }) && tilde.is_none();
            for run in tilde.unwrap_or_else(|| self.runs(piece)) {
                match run {
                    Run::Known {
                        text,
                        quoted: false,
                    } if splits => self.split_text(&text, word, &mut field, words),
                    run => {
                        field.started |=
                            !matches!(&run, Run::Known { text, quoted: false } if text.is_empty());
                        field.runs.push(run);
                    }
                }
            }
        }
        if field.started {
            let finished = self.finish(field, word);
            words.push(finished);
        }
    }

    /// Splits an unquoted value at the separators; unknown separators make it unknown.
    fn split_text(&mut self, text: &str, word: &RawWord, field: &mut Field, words: &mut Vec<Word>) {
        let Some(separators) = self.variables.get("IFS") else {
            field.started = true;
            field.runs.push(Run::Unknown(Part::Variable {
                name: String::new(),
                quoted: false,
            }));
            return;
        };
        let separators = separators.to_owned();
        let mut current = String::new();
        let mut characters = text.chars().peekable();
        while let Some(character) = characters.next() {
            if !separators.contains(character) {
                current.push(character);
                continue;
            }
            let mut solid = !is_blank(character);
            while let Some(next) = characters.peek().filter(|next| separators.contains(**next)) {
                // Blanks around one other separator belong to it; a second one delimits an empty field.
                if !is_blank(*next) && std::mem::replace(&mut solid, true) {
                    break;
                }
                characters.next();
            }
            self.end_field(std::mem::take(&mut current), solid, word, field, words);
        }
        if !current.is_empty() {
            field.started = true;
            field.runs.push(Run::Known {
                text: current,
                quoted: false,
            });
        }
    }

    fn end_field(
        &mut self,
        text: String,
        solid: bool,
        word: &RawWord,
        field: &mut Field,
        words: &mut Vec<Word>,
    ) {
        if !text.is_empty() || solid {
            field.started = true;
            field.runs.push(Run::Known {
                text,
                quoted: false,
            });
        }
        let done = std::mem::take(field);
        if done.started && words.len() < braces::MAX_FIELDS * 4 {
            let finished = self.finish(done, word);
            words.push(finished);
        }
    }

    /// Makes the word of a field.
    fn finish(&mut self, field: Field, word: &RawWord) -> Word {
        let mut parts = merge(field.runs);
        let glob = is_glob(&parts);
        let known = !glob && parts.iter().all(|run| matches!(run, Run::Known { .. }));
        if known {
            let value: String = parts
                .iter()
                .map(|run| match run {
                    Run::Known { text, .. } => text.as_str(),
                    Run::Unknown(_) => "",
                })
                .collect();
            if value.len() <= MAX_VALUE_BYTES && value.len() <= *self.budget {
                *self.budget -= value.len();
                return Word {
                    span: word.span,
                    value: Some(value),
                    parts: Vec::new(),
                    quoted: field.quoted,
                };
            }
            parts = vec![Run::Unknown(Part::Variable {
                name: String::new(),
                quoted: true,
            })];
        }
        let parts = parts.into_iter().map(|run| match run {
            Run::Known {
                text,
                quoted: false,
            } if glob && text.contains(['*', '?', '[', ']', '(']) => Part::Glob(text),
            Run::Known { text, .. } => Part::Literal(text),
            Run::Unknown(part) => part,
        });
        Word {
            span: word.span,
            value: None,
            parts: parts.collect(),
            quoted: field.quoted,
        }
    }

    /// Expands a leading tilde of an unquoted piece.
    fn tilde(&self, piece: &Piece, alone: bool, assigned: bool) -> Option<Vec<Run>> {
        let Piece::Text {
            text,
            quoted: false,
        } = piece
        else {
            return None;
        };
        let rest = text.strip_prefix('~')?;
        let length = rest
            .find(|character| character == '/' || assigned && character == ':')
            .unwrap_or(rest.len());
        // A prefix that runs into a quoted or expanded piece is no tilde prefix.
        if length == rest.len() && !alone {
            return None;
        }
        let (user, path) = rest.split_at(length);
        let home = match user {
            "" => self.variables.get("HOME"),
            "+" => self.variables.get("PWD"),
            _ => None,
        };
        let first = match home {
            Some(home) => Run::Known {
                text: home.to_owned(),
                quoted: true,
            },
            None => Run::Unknown(Part::Tilde(format!("~{user}"))),
        };
        let mut runs = vec![first];
        if assigned && path.contains(":~") {
            runs.push(Run::Unknown(Part::Tilde(path.to_owned())));
        } else if !path.is_empty() {
            runs.push(Run::Known {
                text: path.to_owned(),
                quoted: false,
            });
        }
        Some(runs)
    }

    /// Expands the tilde in a word that looks like an assignment, as bash does wherever it stands.
    fn assigned_tilde(&self, piece: &Piece, alone: bool) -> Option<Vec<Run>> {
        let Piece::Text {
            text,
            quoted: false,
        } = piece
        else {
            return None;
        };
        let (name, value) = text.split_once('=')?;
        if !value.starts_with('~') && !value.contains(":~")
            || !is_name(name.strip_suffix('+').unwrap_or(name))
        {
            return None;
        }
        let known = |text: String| Run::Known { text, quoted: true };
        let start = known(format!("{name}="));
        let piece = Piece::Text {
            text: value.to_owned(),
            quoted: false,
        };
        match self.tilde(&piece, alone, true) {
            Some(runs) => Some(std::iter::once(start).chain(runs).collect()),
            None if value.contains(":~") => {
                Some(vec![start, Run::Unknown(Part::Tilde(value.to_owned()))])
            }
            None => None,
        }
    }

    fn runs(&mut self, piece: &Piece) -> Vec<Run> {
        match piece {
            Piece::Text { text, quoted } => vec![Run::Known {
                text: text.clone(),
                quoted: *quoted,
            }],
            Piece::Parameter { parameter, quoted } => self.parameter(parameter, *quoted),
            Piece::Command { quoted, .. } => {
                vec![Run::Unknown(Part::Substitution { quoted: *quoted })]
            }
            Piece::Arithmetic { .. } => vec![Run::Unknown(Part::Arithmetic)],
            Piece::Process { .. } => vec![Run::Unknown(Part::ProcessSubstitution)],
            Piece::Array(_) => vec![Run::Unknown(Part::Variable {
                name: String::new(),
                quoted: true,
            })],
        }
    }

    fn parameter(&mut self, parameter: &Parameter, quoted: bool) -> Vec<Run> {
        let unknown = || {
            vec![Run::Unknown(Part::Variable {
                name: parameter.name.clone(),
                quoted,
            })]
        };
        let value = self.variables.get(&parameter.name).map(str::to_owned);
        let known = |value: String| {
            vec![Run::Known {
                text: value,
                quoted,
            }]
        };
        match (parameter.form, value) {
            (
                Form::Plain
                | Form::Assign { colon: false }
                | Form::Default { colon: false }
                | Form::Require { colon: false },
                Some(value),
            ) => known(value),
            (
                Form::Assign { colon: true }
                | Form::Default { colon: true }
                | Form::Require { colon: true },
                Some(value),
            ) if !value.is_empty() => known(value),
            (Form::Default { colon: true } | Form::Assign { colon: true }, Some(_)) => {
                self.rest(parameter, quoted)
            }
            (Form::Alternative { colon }, Some(value)) if !colon || !value.is_empty() => {
                self.rest(parameter, quoted)
            }
            (Form::Alternative { .. }, Some(_)) => known(String::new()),
            _ => unknown(),
        }
    }

    /// Expands the word after an operator.
    fn rest(&mut self, parameter: &Parameter, quoted: bool) -> Vec<Run> {
        parameter
            .rest
            .pieces
            .iter()
            .flat_map(|piece| self.runs(piece))
            .map(|run| match run {
                Run::Known {
                    text,
                    quoted: inner,
                } => Run::Known {
                    text,
                    quoted: inner || quoted,
                },
                Run::Unknown(part) => Run::Unknown(part),
            })
            .collect()
    }
}

fn is_blank(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\n')
}

fn is_quoted(piece: &Piece) -> bool {
    match piece {
        Piece::Text { quoted, .. }
        | Piece::Parameter { quoted, .. }
        | Piece::Command { quoted, .. } => *quoted,
        Piece::Arithmetic { .. } | Piece::Process { .. } | Piece::Array(_) => false,
    }
}

/// Joins neighbouring runs of one kind.
fn merge(runs: Vec<Run>) -> Vec<Run> {
    let mut merged: Vec<Run> = Vec::new();
    for run in runs {
        match (run, merged.last_mut()) {
            (Run::Known { text, .. }, _) if text.is_empty() => {}
            (
                Run::Known { text, quoted },
                Some(Run::Known {
                    text: last,
                    quoted: same,
                }),
            ) if *same == quoted => last.push_str(&text),
            (run, _) => merged.push(run),
        }
    }
    merged
}

/// Whether unquoted characters form a pattern: `*`, `?`, or `[` with a later `]`.
fn is_glob(runs: &[Run]) -> bool {
    let mut open = false;
    for run in runs {
        let Run::Known {
            text,
            quoted: false,
        } = run
        else {
            continue;
        };
        for character in text.chars() {
            match character {
                '*' | '?' | '(' => return true,
                '[' => open = true,
                ']' if open => return true,
                _ => {}
            }
        }
    }
    false
}
