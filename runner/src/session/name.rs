//! What a session is called in a list.

#[cfg(test)]
mod tests;

/// Longest second word of a name, in Unicode scalar values.
const LONGEST_TARGET: usize = 48;

/// Returns the name of a session that runs `command`: its first word, and the first further one that is no option (else the second word), which is cut in
/// the middle if it is long. Nothing for a command without words.
///
/// Words are told apart by blanks and quotes alone; operators are parts of words. Quotes around a whole word are left out.
pub fn display_name(command: &str) -> Option<String> {
    let mut words = words(command).into_iter();
    let verb = words.next()?;
    let second = words.as_slice().first();
    let target = words.as_slice().iter().find(|word| !word.starts_with('-'));
    Some(match target.or(second) {
        Some(target) => format!("{verb} {}", cut_middle(target, LONGEST_TARGET)),
        None => verb.to_owned(),
    })
}

/// Cuts a text to at most `max` Unicode scalar values, with `...` for its middle; as long on either side. Below 5 there is no room for a middle, and its
/// first characters are kept.
pub fn cut_middle(text: &str, max: usize) -> String {
    let length = text.chars().count();
    if length <= max {
        return text.to_owned();
    }
    let side = max.saturating_sub(3) / 2;
    if side == 0 {
        return text.chars().take(max).collect();
    }
    let first = text.chars().take(side);
    let last = text.chars().skip(length - side);
    first.chain("...".chars()).chain(last).collect()
}

/// The words of a command that are not empty, without the quotes around them.
fn words(command: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = command;
    while let Some(character) = rest.chars().next() {
        let length = word_length(rest);
        let (word, after) = rest.split_at(length);
        words.extend(Some(unquoted(word)).filter(|word| !word.is_empty()));
        // A blank, or a quote that nothing closes.
        let skipped = if length == 0 { character.len_utf8() } else { 0 };
        rest = &after[skipped..];
    }
    words
}

/// How long the word at the start is: characters that are neither blank nor quote, and quoted texts.
fn word_length(text: &str) -> usize {
    let mut length = 0;
    while let Some(character) = text[length..].chars().next() {
        length += match character {
            '"' | '\'' => match quoted_length(&text[length..], character) {
                Some(quoted) => quoted,
                None => break,
            },
            blank if blank.is_whitespace() => break,
            other => other.len_utf8(),
        };
    }
    length
}

/// How long a quoted text is, quotes included, if it is closed. A backslash keeps the next character from closing it, in either kind of quotes.
fn quoted_length(text: &str, quote: char) -> Option<usize> {
    let mut characters = text.char_indices().skip(1);
    while let Some((at, character)) = characters.next() {
        if character == quote {
            return Some(at + quote.len_utf8());
        }
        if character == '\\' {
            characters.next();
        }
    }
    None
}

fn unquoted(word: &str) -> &str {
    let quotes = ['"', '\''].into_iter();
    let mut inner = quotes.filter_map(|quote| word.strip_prefix(quote)?.strip_suffix(quote));
    inner.next().unwrap_or(word)
}
