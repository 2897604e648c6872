//! Brace expansion: `{a,b}`, `{1..9}`.

use crate::tree::Piece;

/// Most fields one word may become.
pub(crate) const MAX_FIELDS: usize = 4096;

/// Why a word was not expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Excess {
    Fields,
    Depth,
}

/// Deepest nesting of braces.
const MAX_BRACES: usize = 64;

#[derive(Clone, Debug)]
enum Atom {
    Character(char),
    Piece(Piece),
}

/// Expands the braces of a word; without any, the one result is the word itself.
pub(crate) fn expand(pieces: &[Piece]) -> Result<Vec<Vec<Piece>>, Excess> {
    let braced = pieces
        .iter()
        .any(|piece| matches!(piece, Piece::Text { text, quoted: false } if text.contains('{')));
    if !braced {
        return Ok(vec![pieces.to_vec()]);
    }
    let atoms: Vec<Atom> = pieces.iter().flat_map(atoms_of).collect();
    let matches = matching(&atoms);
    let mut work = 0;
    let words = sequence(&atoms, &matches, 0..atoms.len(), 0, &mut work)?;
    Ok(words.into_iter().map(join).collect())
}

fn atoms_of(piece: &Piece) -> Vec<Atom> {
    match piece {
        Piece::Text {
            text,
            quoted: false,
        } => text.chars().map(Atom::Character).collect(),
        other => vec![Atom::Piece(other.clone())],
    }
}

fn join(atoms: Vec<Atom>) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for atom in atoms {
        match (atom, pieces.last_mut()) {
            (
                Atom::Character(character),
                Some(Piece::Text {
                    text,
                    quoted: false,
                }),
            ) => text.push(character),
            (Atom::Character(character), _) => pieces.push(Piece::Text {
                text: character.to_string(),
                quoted: false,
            }),
            (Atom::Piece(piece), _) => pieces.push(piece),
        }
    }
    pieces
}

/// For each opening brace the offset of its closing one and of the commas between; 0 where there is none.
fn matching(atoms: &[Atom]) -> Vec<(usize, Vec<usize>)> {
    let mut found = vec![(0, Vec::new()); atoms.len()];
    let mut open: Vec<(usize, Vec<usize>)> = Vec::new();
    for (index, atom) in atoms.iter().enumerate() {
        match atom {
            Atom::Character('{') => open.push((index, Vec::new())),
            Atom::Character(',') => {
                if let Some((_, commas)) = open.last_mut() {
                    commas.push(index);
                }
            }
            Atom::Character('}') => {
                if let Some((start, commas)) = open.pop() {
                    found[start] = (index, commas);
                }
            }
            Atom::Character(_) | Atom::Piece(_) => {}
        }
    }
    found
}

fn sequence(
    atoms: &[Atom],
    matches: &[(usize, Vec<usize>)],
    range: std::ops::Range<usize>,
    depth: usize,
    work: &mut usize,
) -> Result<Vec<Vec<Atom>>, Excess> {
    if depth > MAX_BRACES {
        return Err(Excess::Depth);
    }
    let mut words: Vec<Vec<Atom>> = vec![Vec::new()];
    let mut index = range.start;
    while index < range.end {
        let (close, commas) = &matches[index];
        let choices = if *close == 0 || *close >= range.end {
            None
        } else if commas.is_empty() {
            range_of(&atoms[index + 1..*close])?
        } else {
            Some(choices(atoms, matches, index, depth, work)?)
        };
        let Some(choices) = choices else {
            words
                .iter_mut()
                .for_each(|word| word.push(atoms[index].clone()));
            *work += words.len();
            index += 1;
            continue;
        };
        words = product(&words, &choices, work)?;
        index = close + 1;
    }
    Ok(words)
}

/// Expands what lies between the commas of the brace at `open`.
fn choices(
    atoms: &[Atom],
    matches: &[(usize, Vec<usize>)],
    open: usize,
    depth: usize,
    work: &mut usize,
) -> Result<Vec<Vec<Atom>>, Excess> {
    let (close, commas) = &matches[open];
    let mut all = Vec::new();
    let mut start = open + 1;
    for end in commas.iter().chain(std::iter::once(close)) {
        all.append(&mut sequence(atoms, matches, start..*end, depth + 1, work)?);
        start = end + 1;
        if all.len() > MAX_FIELDS {
            return Err(Excess::Fields);
        }
    }
    Ok(all)
}

fn product(
    words: &[Vec<Atom>],
    choices: &[Vec<Atom>],
    work: &mut usize,
) -> Result<Vec<Vec<Atom>>, Excess> {
    // The work bound keeps long words from being copied too often.
    if words.len() * choices.len() > MAX_FIELDS || *work > 1 << 20 {
        return Err(Excess::Fields);
    }
    let mut result = Vec::with_capacity(words.len() * choices.len());
    for word in words {
        for choice in choices {
            *work += word.len() + choice.len();
            result.push(word.iter().chain(choice).cloned().collect());
        }
    }
    Ok(result)
}

/// Expands `1..9`, `a..e` and their step.
fn range_of(atoms: &[Atom]) -> Result<Option<Vec<Vec<Atom>>>, Excess> {
    if atoms.len() > 64 {
        return Ok(None);
    }
    let mut text = String::new();
    for atom in atoms {
        match atom {
            Atom::Character(character) => text.push(*character),
            Atom::Piece(_) => return Ok(None),
        }
    }
    let mut parts = text.split("..");
    let (Some(first), Some(last), step, None) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return Ok(None);
    };
    let step = match step.map(str::parse::<i64>) {
        None => 1,
        Some(Ok(step)) => step.unsigned_abs().clamp(1, i64::MAX as u64) as i64,
        Some(Err(_)) => return Ok(None),
    };
    let texts = numbers(first, last, step).or_else(|| letters(first, last, step));
    match texts {
        Some(texts) if texts.len() > MAX_FIELDS => Err(Excess::Fields),
        Some(texts) => Ok(Some(
            texts
                .into_iter()
                .map(|text| text.chars().map(Atom::Character).collect())
                .collect(),
        )),
        None => Ok(None),
    }
}

fn numbers(first: &str, last: &str, step: i64) -> Option<Vec<String>> {
    let (from, to) = (first.parse::<i64>().ok()?, last.parse::<i64>().ok()?);
    let padded = [first, last].iter().any(|text| {
        text.trim_start_matches('-').starts_with('0') && text.trim_start_matches('-').len() > 1
    });
    let width = if padded {
        first.len().max(last.len())
    } else {
        0
    };
    Some(
        steps(from, to, step)
            .into_iter()
            .map(|number| format!("{number:0width$}"))
            .collect(),
    )
}

fn letters(first: &str, last: &str, step: i64) -> Option<Vec<String>> {
    let single = |text: &str| {
        text.bytes()
            .next()
            .filter(|byte| text.len() == 1 && byte.is_ascii_alphabetic())
            .map(i64::from)
    };
    let (from, to) = (single(first)?, single(last)?);
    Some(
        steps(from, to, step)
            .into_iter()
            .map(|number| char::from(number as u8).to_string())
            .collect(),
    )
}

/// Counts from one number to another; stops once there are too many.
fn steps(from: i64, to: i64, step: i64) -> Vec<i64> {
    let mut all = Vec::new();
    let mut current = from;
    loop {
        all.push(current);
        let next = if from <= to {
            current.checked_add(step)
        } else {
            current.checked_sub(step)
        };
        match next {
            Some(next)
                if (from <= to && next <= to || from > to && next >= to)
                    && all.len() <= MAX_FIELDS =>
            {
                current = next
            }
            Some(_) | None => return all,
        }
    }
}
