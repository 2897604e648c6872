//! Programs of Windows that run others: `powershell`, `cmd`, `wsl`, and how their command lines are split.

use execgate_knowledge::carriers;

use crate::cursor::Origin;
use crate::opaque::OpaqueReason;
use crate::powershell::encoded;
use crate::reader::{Place, Reader};
use crate::segment::Relation;
use crate::source::{Dialect, Span};
use crate::unwrap::hull;
use crate::word::{Part, Word};

/// What `powershell` was asked to run.
enum Call {
    Nothing,
    /// Words from this one on, joined by spaces.
    Text(usize),
    Encoded(usize),
    /// A script file, which is not looked into.
    File,
    Input,
    Unclear(usize),
}

/// The name that a program is known by: the last part of its path in lower case, without the endings that run by themselves.
pub(crate) fn program_name(written: &str) -> String {
    let base = written.rsplit(['/', '\\']).next().unwrap_or(written);
    let lower = base.to_ascii_lowercase();
    let stem = [".exe", ".com", ".cmd", ".bat"]
        .into_iter()
        .find_map(|ending| lower.strip_suffix(ending).filter(|stem| !stem.is_empty()));
    stem.map_or_else(|| lower.clone(), str::to_owned)
}

/// Splits a command line as the runtime library of C does: blanks separate, double quotes join, `\"` is a quote.
pub(crate) fn split(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quoted = false;
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\\' if characters.peek() == Some(&'"') => {
                characters.next();
                word.get_or_insert_default().push('"');
            }
            '"' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            ' ' | '\t' if !quoted => words.extend(word.take()),
            other => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    words
}

impl Reader<'_> {
    /// Adds what a program that Windows would run runs in turn.
    pub(crate) fn windows_program(&mut self, index: u32, words: &[Word]) {
        let Some(written) = words.first().and_then(|word| word.value.as_deref()) else {
            return;
        };
        let name = program_name(written);
        match name.as_str() {
            "powershell" | "pwsh" => self.powershell(index, &name, words),
            "cmd" => self.cmd(index, words),
            "wsl" => self.wsl(index, words),
            _ if crate::script::is_shell(&name) => {
                self.shell_scripts(index, &name, words);
            }
            // Programs of these names take other arguments on Windows.
            "timeout" | "find" if windows_arguments(words) => {}
            _ if carriers::find(&name).is_some() => self.unwrap(index),
            _ => {}
        }
    }

    /// Adds words as a command that the one at `index` runs.
    pub(crate) fn windows_inner(&mut self, index: u32, words: Vec<Word>, dialect: Dialect) {
        if self.place.depth >= crate::cursor::MAX_DEPTH {
            let detail = format!("more than {} levels of nesting", crate::cursor::MAX_DEPTH);
            return self.opaque(OpaqueReason::TooDeep, detail, hull(&words));
        }
        if words.is_empty() || !self.spend_words(words.len(), hull(&words)) {
            return;
        }
        let saved = self.place.clone();
        let place: &mut Place = &mut self.place;
        place.parent = Some(index);
        place.relation = Relation::Wrapped;
        place.depth += 1;
        place.dialect = dialect;
        let fed_by = self.line.segments[index as usize].fed_by;
        if let Some(inner) = self.push(hull(&words), words.clone()) {
            let segment = &mut self.line.segments[inner as usize];
            segment.fed_by = fed_by;
            let name = words[0]
                .value
                .as_deref()
                .filter(|_| dialect == Dialect::Cmd);
            segment.canonical = name.and_then(execgate_knowledge::cmd::built_in);
            if segment.canonical.is_none() {
                self.windows_program(inner, &words);
            }
        }
        self.place = saved;
    }

    fn unclear(&mut self, what: &str, span: Span) {
        let detail = format!("{what} is not known; write it out");
        self.opaque(OpaqueReason::DynamicScript, detail, span);
    }

    /// Runs a text that is known as a script of a new shell.
    fn child(&mut self, index: u32, text: &str, origin: Origin, dialect: Dialect) {
        self.as_child(dialect, |reader| reader.script(index, text, origin));
    }

    /// `powershell` and `pwsh` (`about_PowerShell_exe`, `about_Pwsh`).
    pub(crate) fn powershell(&mut self, index: u32, name: &str, words: &[Word]) {
        match powershell_call(name, words) {
            Call::Nothing | Call::File => {}
            Call::Text(at) => self.powershell_text(index, &words[at..]),
            Call::Encoded(at) => {
                let Some(word) = words.get(at) else { return };
                match word.value.as_deref().and_then(encoded::decode) {
                    Some(text) => {
                        self.child(index, &text, Origin::Fixed(word.span), Dialect::PowerShell);
                    }
                    None => self.unclear("the encoded command", word.span),
                }
            }
            Call::Input => {
                let input = self.place.input.clone();
                self.run_input(index, input, hull(words), Some(Dialect::PowerShell));
            }
            Call::Unclear(at) => {
                let span = words.get(at).map_or_else(|| hull(words), |word| word.span);
                self.unclear("what this `powershell` runs", span);
            }
        }
    }

    fn powershell_text(&mut self, index: u32, words: &[Word]) {
        match words {
            [] => self.unclear("the text that `powershell` runs", Span::default()),
            [only] if only.value.as_deref() == Some("-") => {
                let input = self.place.input.clone();
                self.run_input(index, input, only.span, Some(Dialect::PowerShell));
            }
            // The commands of a block were found where it stands.
            [block, ..] if is_block(block) => {}
            _ => match joined(words) {
                Some(text) => {
                    let origin = self.origin_of(hull(words), &text);
                    self.child(index, &text, origin, Dialect::PowerShell);
                }
                None => self.unclear("the text that `powershell` runs", hull(words)),
            },
        }
    }

    /// `cmd /c text` (`help cmd`), called from elsewhere than the command processor.
    pub(crate) fn cmd(&mut self, index: u32, words: &[Word]) {
        if let Some(at) = runs_text(words) {
            let rest = &words[at..];
            let Some((text, whole)) = command_line(rest) else {
                return self.unclear("the text that `cmd` runs", hull(rest));
            };
            let origin = if whole {
                self.origin_of(hull(&rest[1..]), &text)
            } else {
                Origin::Fixed(hull(rest))
            };
            return self.child(index, &text, origin, Dialect::Cmd);
        }
        if let Some(word) = words[1..].iter().find(|word| word.value.is_none()) {
            return self.unclear("what this `cmd` runs", word.span);
        }
        let input = self.place.input.clone();
        self.run_input(index, input, hull(words), Some(Dialect::Cmd));
    }

    /// `wsl`: a command of Linux, as a text for its shell or, after `-e`, word by word.
    fn wsl(&mut self, index: u32, words: &[Word]) {
        let mut at = 1;
        while let Some(option) = words.get(at).and_then(|word| word.value.as_deref()) {
            match option {
                "-d" | "--distribution" | "-u" | "--user" | "--cd" | "--shell-type"
                | "--system" => at += 2,
                "-e" | "--exec" => {
                    let rest = words.get(at + 1..).unwrap_or_default().to_vec();
                    return self.windows_inner(index, rest, Dialect::Bash);
                }
                "--" => {
                    at += 1;
                    break;
                }
                "~" => at += 1,
                _ if option.starts_with('-') => return,
                _ => break,
            }
        }
        let rest = words.get(at..).unwrap_or_default();
        match joined(rest) {
            Some(text) if text.is_empty() => {
                let input = self.place.input.clone();
                self.run_input(index, input, hull(words), Some(Dialect::Bash));
            }
            Some(text) => {
                let origin = self.origin_of(hull(rest), &text);
                self.child(index, &text, origin, Dialect::Bash);
            }
            None => self.unclear("the text that `wsl` runs", hull(rest)),
        }
    }
}

/// Whether a word is a script block of PowerShell.
fn is_block(word: &Word) -> bool {
    matches!(word.parts.as_slice(), [Part::Literal(open), Part::Substitution { .. }, Part::Literal(close)] if open == "{" && close == "}")
}

fn joined(words: &[Word]) -> Option<String> {
    let texts: Option<Vec<&str>> = words.iter().map(|word| word.value.as_deref()).collect();
    Some(texts?.join(" "))
}

/// The word of a call of `cmd` that holds `/c`, `/k` or `/r`, after which its text begins.
pub(crate) fn runs_text(words: &[Word]) -> Option<usize> {
    for (at, word) in words.iter().enumerate().skip(1) {
        let text = word.value.as_deref().or(match word.parts.first() {
            Some(Part::Literal(text)) => Some(text),
            Some(_) | None => None,
        })?;
        if switch_of(text).is_some() {
            return Some(at);
        }
        if !text.starts_with('/') {
            return None;
        }
    }
    None
}

/// The rest of a word after `/c`, `/k` or `/r`; other switches may stand before it.
fn switch_of(text: &str) -> Option<&str> {
    let mut rest = text;
    while let Some(switch) = rest.strip_prefix('/') {
        if switch.starts_with(['c', 'C', 'k', 'K', 'r', 'R']) {
            return Some(&switch[1..]);
        }
        rest = switch.find('/').map_or("", |place| &switch[place..]);
    }
    None
}

/// The text that `cmd` gets from a program that calls it with words, and whether it is those after the switch alone.
///
/// Words with blanks arrive in quotes.
fn command_line(words: &[Word]) -> Option<(String, bool)> {
    let attached = switch_of(words[0].value.as_deref()?)?;
    let mut line: Vec<String> = Vec::new();
    if !attached.is_empty() {
        line.push(attached.to_owned());
    }
    for word in &words[1..] {
        let text = word.value.as_deref()?;
        let blank = text.contains([' ', '\t']);
        if blank && text.contains('"') && words.len() > 2 {
            // Versions differ in how they hand that over.
            return None;
        }
        let quotes = blank && !text.contains('"');
        line.push(if quotes {
            format!("\"{text}\"")
        } else {
            text.to_owned()
        });
    }
    Some((without_quotes(&line.join(" ")).0, attached.is_empty()))
}

/// A text for `cmd /c`: if it begins with a quote, the first and the last quote are taken away. Says how many were.
pub(crate) fn without_quotes(text: &str) -> (String, usize) {
    let Some(inner) = text.trim_start().strip_prefix('"') else {
        return (text.to_owned(), 0);
    };
    match inner.rfind('"') {
        Some(place) => (format!("{}{}", &inner[..place], &inner[place + 1..]), 2),
        None => (inner.to_owned(), 1),
    }
}

/// Whether arguments are those of Windows: `/t 5`, or a quoted text.
fn windows_arguments(words: &[Word]) -> bool {
    words[1..].iter().any(|word| {
        word.quoted
            || word
                .value
                .as_deref()
                .is_some_and(|text| text.starts_with('/'))
    })
}

/// Finds out what a call of PowerShell runs; options may be shortened, and begin with any dash or a slash.
fn powershell_call(name: &str, words: &[Word]) -> Call {
    let mut at = 1;
    while let Some(word) = words.get(at) {
        let Some(text) = word.value.as_deref() else {
            return Call::Unclear(at);
        };
        let option = text
            .strip_prefix(['-', '/', '\u{2013}', '\u{2014}', '\u{2015}'])
            .filter(|option| !option.is_empty());
        let Some(option) = option else {
            return Call::Text(at);
        };
        let option = option.trim_start_matches('-').to_ascii_lowercase();
        let short = |full: &str, least: usize| option.len() >= least && full.starts_with(&option);
        if short("command", 1) || matches!(option.as_str(), "cwa" | "commandwithargs") {
            return if at + 1 < words.len() {
                Call::Text(at + 1)
            } else {
                Call::Unclear(at)
            };
        }
        if option == "ec" || short("encodedcommand", 1) {
            return Call::Encoded(at + 1);
        }
        if short("file", 1) {
            return Call::File;
        }
        if short("help", 1) || option == "?" || name == "pwsh" && short("version", 1) {
            return Call::Nothing;
        }
        let switch = short("noprofile", 3)
            || short("nologo", 3)
            || short("noexit", 3)
            || short("noninteractive", 4)
            || short("interactive", 3)
            || short("login", 1)
            || matches!(option.as_str(), "sta" | "mta" | "i" | "noprofileloadtime");
        let valued = short("executionpolicy", 2)
            || short("windowstyle", 1)
            || short("workingdirectory", 2)
            || short("version", 1)
            || short("inputformat", 3)
            || short("outputformat", 1)
            || short("psconsolefile", 1)
            || short("configurationname", 4)
            || short("configurationfile", 4)
            || short("custompipename", 3)
            || short("settingsfile", 3)
            || matches!(
                option.as_str(),
                "ep" | "wd" | "of" | "if" | "ea" | "encodedarguments"
            );
        if !switch && !valued {
            return Call::Unclear(at);
        }
        at += if switch { 1 } else { 2 };
    }
    Call::Input
}

#[cfg(test)]
mod tests {
    use super::{program_name, split};

    #[test]
    fn names_lose_their_paths_and_endings() {
        for (written, name) in [
            ("C:\\Windows\\System32\\CMD.EXE", "cmd"),
            ("npm.cmd", "npm"),
            ("./a/B.bat", "b"),
            (".exe", ".exe"),
            ("git", "git"),
        ] {
            assert_eq!(program_name(written), name);
        }
    }

    #[test]
    fn command_lines_are_split_at_blanks_outside_of_quotes() {
        assert_eq!(
            split("a \"b c\" d\\\"e  \"\" f\\g"),
            ["a", "b c", "d\"e", "", "f\\g"]
        );
        assert!(split(" \t").is_empty());
    }
}
