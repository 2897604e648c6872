//! Arguments of cmdlets, bound to their parameters (`about_Parameters`, `about_CommonParameters`).

use execgate_guest::Word;
use execgate_knowledge::powershell::{COMMON_PARAMETERS, Cmdlet};

/// Parameters that have another name for all cmdlets.
const OTHER_NAMES: [(&str, &str); 2] = [("lp", "literalpath"), ("pspath", "literalpath")];

/// A parameter and what it is given.
#[derive(Debug)]
pub(super) struct Bound<'s> {
    /// Its name in lower case.
    pub(super) name: String,
    /// Its kind, as in [`Cmdlet::parameters`]; a blank for a switch.
    pub(super) kind: char,
    /// Its values.
    pub(super) values: Vec<Word>,
    /// The argument it was written as.
    pub(super) word: &'s Word,
}

/// Why arguments do not fit.
#[derive(Debug)]
pub(super) struct Misfit {
    /// The argument as written.
    pub(super) shown: String,
}

/// One argument: a parameter's name, or values.
enum Argument<'s> {
    Name {
        name: String,
        attached: Option<Word>,
        word: &'s Word,
    },
    Values(&'s [Word]),
}

/// Binds arguments; names may be shortened as long as they are not ambiguous.
pub(super) fn bind<'s>(cmdlet: &Cmdlet, words: &'s [Word]) -> Result<Vec<Bound<'s>>, Misfit> {
    let table = Table::of(cmdlet);
    let mut bound: Vec<Bound<'s>> = Vec::new();
    let mut positional: Vec<&'s [Word]> = Vec::new();
    // Elements of an array share a span.
    let mut groups = words
        .chunk_by(|left, right| left.span == right.span)
        .peekable();
    while let Some(group) = groups.next() {
        match argument(group)? {
            Argument::Values(values) => positional.push(values),
            Argument::Name {
                name,
                attached,
                word,
            } => {
                let (name, kind) = table.find(&name).ok_or_else(|| Misfit {
                    shown: format!("-{name}"),
                })?;
                let mut values: Vec<Word> = attached.into_iter().collect();
                // What follows the attached value in an array belongs to it.
                values.extend(group[1..].iter().cloned());
                if kind != ' ' && values.is_empty() {
                    values = groups
                        .next()
                        .ok_or_else(|| Misfit {
                            shown: format!("-{name}"),
                        })?
                        .to_vec();
                }
                bound.push(Bound {
                    name,
                    kind,
                    values,
                    word,
                });
            }
        }
    }
    table.place(positional, &mut bound)?;
    Ok(bound)
}

fn argument(group: &[Word]) -> Result<Argument<'_>, Misfit> {
    let word = &group[0];
    let start = match (&word.value, word.parts.first()) {
        (Some(text), _) => text.as_str(),
        (None, Some(execgate_guest::Part::Literal(text))) => text,
        (None, _) => "",
    };
    let named = start.strip_prefix('-').filter(|rest| {
        rest.starts_with(|first: char| first.is_ascii_alphabetic() || first == '?' || first == '_')
    });
    let Some(rest) = named else {
        return Ok(Argument::Values(group));
    };
    let (name, value) = match rest.split_once(':') {
        Some((name, value)) => (name, Some(value)),
        None => (rest, None),
    };
    // Quotes make a text of it, unless they stand around the value only.
    if word.quoted && value.is_none() || word.value.is_none() && value.is_none() {
        return Err(Misfit {
            shown: start.to_owned(),
        });
    }
    let attached = match (value, &word.value) {
        (Some(""), Some(_)) | (None, _) => None,
        (Some(value), Some(_)) => Some(Word {
            value: Some(value.to_owned()),
            ..word.clone()
        }),
        (Some(value), None) => {
            let mut parts = word.parts.clone();
            parts[0] = execgate_guest::Part::Literal(value.to_owned());
            if value.is_empty() {
                parts.remove(0);
            }
            Some(Word {
                parts,
                ..word.clone()
            })
        }
    };
    Ok(Argument::Name {
        name: name.to_ascii_lowercase(),
        attached,
        word,
    })
}

/// The parameters of one cmdlet.
struct Table {
    rows: Vec<(String, char)>,
    positions: Vec<(String, bool)>,
}

impl Table {
    fn of(cmdlet: &Cmdlet) -> Self {
        let rows = cmdlet
            .parameters
            .split(' ')
            .chain(COMMON_PARAMETERS.split(' '));
        let rows = rows
            .filter(|row| !row.is_empty())
            .map(|row| match row.split_once(':') {
                Some((name, kind)) => (
                    name.to_ascii_lowercase(),
                    kind.chars().next().unwrap_or('t'),
                ),
                None => (row.to_ascii_lowercase(), ' '),
            });
        let positions = cmdlet.positions.split(' ').filter(|name| !name.is_empty());
        let positions = positions.map(|name| {
            let plain = name.trim_end_matches('*');
            (plain.to_ascii_lowercase(), plain.len() < name.len())
        });
        Self {
            rows: rows.collect(),
            positions: positions.collect(),
        }
    }

    fn kind(&self, name: &str) -> Option<char> {
        self.rows
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, kind)| *kind)
    }

    /// The parameter of a name, which may be shortened.
    fn find(&self, name: &str) -> Option<(String, char)> {
        if name == "?" {
            return Some((name.to_owned(), ' '));
        }
        let other = OTHER_NAMES.iter().find(|(short, _)| *short == name);
        let name = other.map_or(name, |(_, name)| name);
        if let Some(kind) = self.kind(name) {
            return Some((name.to_owned(), kind));
        }
        let fitting: Vec<&(String, char)> = self
            .rows
            .iter()
            .filter(|(known, _)| known.starts_with(name))
            .collect();
        match (fitting.as_slice(), self.kind("*")) {
            ([only], _) => Some((only.0.clone(), only.1)),
            // Of kinds that are all the same it does not matter which one is meant.
            ([], Some(_)) => Some((name.to_owned(), ' ')),
            ([first, ..], _)
                if matches!(first.1, 't' | ' ') && fitting.iter().all(|row| row.1 == first.1) =>
            {
                Some((first.0.clone(), first.1))
            }
            _ => None,
        }
    }

    /// Gives arguments without a name to the parameters that take them.
    fn place<'s>(
        &self,
        positional: Vec<&'s [Word]>,
        bound: &mut Vec<Bound<'s>>,
    ) -> Result<(), Misfit> {
        let taken: Vec<String> = bound.iter().map(|bound| bound.name.clone()).collect();
        let free = |name: &String| {
            let other = name == "path" && taken.contains(&"literalpath".to_owned());
            !other && !taken.contains(name)
        };
        let mut places = self
            .positions
            .iter()
            .filter(|(name, _)| free(name) || name == "*" || name.is_empty());
        let mut last: Option<&(String, bool)> = None;
        for values in positional {
            let place = match last {
                Some((_, true)) => last,
                Some(_) | None => places.next(),
            };
            last = place;
            let Some((name, _)) = place else {
                let shown = values[0].value.clone().unwrap_or_default();
                return Err(Misfit { shown });
            };
            let kind = self.kind(name).unwrap_or('t');
            bound.push(Bound {
                name: name.clone(),
                kind,
                values: values.to_vec(),
                word: &values[0],
            });
        }
        Ok(())
    }
}

impl Bound<'_> {
    /// Whether a switch is on.
    pub(super) fn is_on(&self) -> bool {
        let off =
            |word: &Word| super::is_variable(word, "false") || word.value.as_deref() == Some("0");
        self.kind == ' ' && !self.values.iter().any(off)
    }
}
